import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { getCompileCacheDir } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { COMPILER, type ProcessAccount } from './sandbox/account.ts';

/**
 * Folder of compiled modules beside the parent's, if that has one: a process then starts in a third of the CPU time.
 * The parent does not read it. Null without one.
 */
export function compileCacheFolder(): string | null {
  const own = getCompileCacheDir();
  return own === undefined ? null : join(dirname(own), 'media');
}

/**
 * Creates a folder in which the user of a process finds what the compiler wrote: Node names folders by their user.
 * Returns false if nothing is compiled yet.
 */
export function linkCompileCache(cache: string, folder: string, { uid }: ProcessAccount): boolean {
  try {
    const names = readdirSync(cache).filter((name) => name.endsWith(`-${COMPILER.uid}`));
    mkdirSync(folder, { mode: 0o711 });
    for (const name of names) symlinkSync(join(cache, name), join(folder, name.replace(/\d+$/, String(uid))));
    return names.length > 0;
  } catch {
    return false;
  }
}

/** Modules that are compiled already. Processes that read files of users must not write what others execute. */
export function createCompiler(
  root: string,
  owner: string,
  compile: (modules: string[], signal: AbortSignal) => Promise<unknown>,
) {
  const known = new Set<string>();
  let waiting: string[] = [];
  let timer: NodeJS.Timeout | undefined;
  let running = Promise.resolve();
  const closing = new AbortController();

  async function run(): Promise<void> {
    const modules = waiting.splice(0);
    if (modules.length === 0) return;
    try {
      await compile(modules, closing.signal);
      shareFiles();
      for (const module of modules) writeFileSync(markerOf(module), '');
    } catch {
      // The cache only saves time.
    }
  }

  const markerOf = (module: string) => {
    const { mtimeMs } = statSync(fileURLToPath(module));
    const digest = createHash('sha256').update(`${module} ${mtimeMs} ${process.version} ${owner}`).digest('hex');
    return join(root, `compiled-${digest.slice(0, 24)}`);
  };

  /** Node stores modules for their user alone; all media processes may read these. */
  function shareFiles(): void {
    for (const folder of readdirSync(root, { withFileTypes: true })) {
      if (!folder.isDirectory()) continue;
      const path = join(root, folder.name);
      chmodSync(path, 0o755);
      for (const file of readdirSync(path)) chmodSync(join(path, file), 0o644);
    }
  }

  return {
    /** Compiles a module in the background, once. */
    add(module: string): void {
      if (known.has(module)) return;
      known.add(module);
      try {
        mkdirSync(root, { recursive: true });
        if (statSync(markerOf(module), { throwIfNoEntry: false })) return;
      } catch {
        return;
      }
      waiting.push(module);
      clearTimeout(timer);
      timer = setTimeout(() => {
        running = running.then(run);
      }, DELAY_MS).unref();
    },
    async close(): Promise<void> {
      clearTimeout(timer);
      waiting = [];
      closing.abort();
      await running;
    },
  };
}

/** Modules that are used at about the same time are compiled together. */
const DELAY_MS = 3_000;
