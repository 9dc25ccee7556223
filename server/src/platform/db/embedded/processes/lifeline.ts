import { isMainThread } from 'node:worker_threads';
import { run } from './run.ts';

/**
 * Command line that makes the kernel send `signal` to the program when this process dies. It uses `setpriv`, which only
 * Linux has; elsewhere the program continues and the next start finds it. The kernel watches the calling thread, so
 * only the main thread can use it.
 */
export async function lifeline(
  signal: NodeJS.Signals,
  program: string,
  args: string[],
): Promise<{ program: string; args: string[] }> {
  const possible = process.platform === 'linux' && isMainThread;
  if (!possible || !(await run({}, 'setpriv', ['--help'])).stdout.includes('--pdeathsig')) return { program, args };
  return { program: 'setpriv', args: ['--pdeathsig', signal, '--', program, ...args] };
}
