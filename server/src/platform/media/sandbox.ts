import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** Writable memory of a media process in bytes. The largest accepted picture needs about half of it. */
const MEMORY_BYTES = 2 ** 31;
/** CPU seconds of one process over all its work; only stops one that spins on after everything else failed to. */
const CPU_SECONDS = 86_400;

/**
 * The command line to put before a media process's own, so that the system holds it to its limits: `prlimit` for memory, CPU time and core dumps, `setpriv` so
 * that it dies with us, gains no privileges, and, when we are root, keeps only the right to read and write files. Its user stays ours: it opens
 * videos and writes its results by path, in folders that are closed to others. Empty where the system has neither program (macOS, Windows); the
 * process then watches its own memory.
 */
export async function findSandbox(platform: NodeJS.Platform = process.platform): Promise<string[]> {
  if (platform !== 'linux') return [];
  // Not the address space: V8 and the media libraries reserve much more of it than they use.
  const limits = ['prlimit', `--data=${MEMORY_BYTES}`, `--cpu=${CPU_SECONDS}`, '--core=0'];
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

/** The part of the sandbox that a program started by a media process needs: to die with it. Limits are inherited. */
export async function findLifeline(platform: NodeJS.Platform = process.platform): Promise<string[]> {
  const prefix = ['setpriv', '--pdeathsig', 'KILL'];
  return platform === 'linux' && (await runs([...prefix, 'true'])) ? prefix : [];
}
