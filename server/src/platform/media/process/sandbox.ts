import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** Writable memory of a media process in bytes. The largest accepted frame needs about half of it. */
const MEMORY_BYTES = 2 ** 31;
/**
 * CPU seconds of one process over its lifetime: the last resort against an endless loop. The process gets SIGXCPU; the
 * hard limit is higher, because the system then sends SIGKILL, as it does when memory is short.
 */
const CPU_SECONDS = 86_400;

/**
 * Command that wraps media processes to enforce limits: `prlimit` for memory, CPU time and core dumps; `setpriv` to die
 * with the parent, prevent new privileges and, as root, drop all capabilities but file access. The user is unchanged,
 * because the process opens and writes files by path. Empty on systems without these programs (macOS, Windows), where
 * the process checks its own memory.
 */
export async function findSandbox(platform: NodeJS.Platform = process.platform): Promise<string[]> {
  if (platform !== 'linux') return [];
  // Not the address space, of which V8 and the media libraries reserve much more than they use.
  const limits = ['prlimit', `--data=${MEMORY_BYTES}`, `--cpu=${CPU_SECONDS}:${CPU_SECONDS + 60}`, '--core=0'];
  const lifetime = ['setpriv', '--pdeathsig', 'KILL', '--no-new-privs'];
  const capabilities = process.getuid?.() === 0 ? ['--bounding-set', '-all,+dac_override,+dac_read_search'] : [];
  for (const prefix of [[...limits, ...lifetime, ...capabilities], [...limits, ...lifetime], limits]) {
    if (await runs([...prefix, 'true'])) return prefix;
  }
  return [];
}

async function runs([program, ...args]: string[]): Promise<boolean> {
  try {
    await promisify(execFile)(program!, args, { timeout: 10_000 });
    return true;
  } catch {
    return false;
  }
}
