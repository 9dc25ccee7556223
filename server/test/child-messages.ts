import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';

/** The next message of a forked process. Rejects if it ends before, which would never send one. */
export async function nextMessage(child: ChildProcess): Promise<unknown> {
  const waiting = new AbortController();
  const { signal } = waiting;
  try {
    return await Promise.race([
      once(child, 'message', { signal }).then(([message]) => message),
      once(child, 'exit', { signal }).then(([code, by]) => {
        throw new Error(`The process ended (${code ?? by}) before it sent a message.`);
      }),
    ]);
  } finally {
    waiting.abort();
  }
}
