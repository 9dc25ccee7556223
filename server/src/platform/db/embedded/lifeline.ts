import { isMainThread } from 'node:worker_threads';
import { run } from './run.ts';

/**
 * The command line that makes the kernel send `signal` to the program when we die, so that a killed Node leaves nothing running.
 * Only Linux has this, through `setpriv`; elsewhere the program is left behind and the next start finds it. The kernel watches the
 * thread that started the program, so only the main thread may ask for it.
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
