import { engineUnavailable } from '../problems.ts';
import { compileCacheFolder, createCompiler } from './compile-cache.ts';
import { type MediaProcess, type MediaProcessSettings, spawnMediaProcess } from './media-process.ts';
import { COMPILER, type Sandbox } from './sandbox/index.ts';

const COMPILE = new URL('./compile-task.ts', import.meta.url);

/**
 * Starts a process in the best of these sandboxes in which the media engine loads, and returns it with the settings of
 * the next ones. Without a process, it was killed, which says nothing about the engine. Throws
 * `media_engine_unavailable` if the engine loads in none.
 */
export async function openBest(
  sandboxes: readonly Sandbox[],
  settings: Omit<MediaProcessSettings, 'sandbox'>,
): Promise<{ own: MediaProcessSettings; scout: MediaProcess | undefined }> {
  let reason = '';
  for (const each of sandboxes) {
    const missing = each.missing.map(({ protection, remedy }) => ({
      protection,
      remedy: remedy || reason || 'Not used here.',
    }));
    const own = { ...settings, sandbox: { ...each, missing } };
    const scout = spawnMediaProcess(own);
    const failure = await scout.started;
    if (!failure) return { own, scout };
    scout.kill();
    if (failure.killed) return { own, scout: undefined };
    settings.log.warn({ level: each.level, reason: failure.reason }, 'the media engine does not start in this sandbox');
    reason = failure.reason;
  }
  throw engineUnavailable(reason);
}

/**
 * Compiles modules in a process that reads nothing else, for processes that may not write to the cache. Null if there
 * is no cache, or all may write to it.
 */
export function compilerFor(settings: MediaProcessSettings): ReturnType<typeof createCompiler> | null {
  const folder = compileCacheFolder();
  if (folder === null || !settings.sandbox.hasOwnFiles) return null;
  const owner = settings.sandbox.hasOwnUser ? COMPILER.uid : (process.getuid?.() ?? 0);
  return createCompiler(folder, String(owner), async (modules, signal) => {
    const child = spawnMediaProcess({ ...settings, compiles: true });
    const kill = () => child.kill();
    signal.addEventListener('abort', kill, { once: true });
    try {
      const failure = await child.started;
      if (failure) throw new Error(failure.reason);
      const outcome = await child.run({ module: COMPILE.href, name: 'compile', args: { modules } }, {});
      if (outcome.kind !== 'value') throw new Error('the modules were not compiled');
    } finally {
      signal.removeEventListener('abort', kill);
      child.kill();
      await child.exited;
    }
  });
}
