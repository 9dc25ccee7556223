/** SQLSTATEs that say: nothing of it happened, try again. */
const CONFLICT = new Set(['40001', '40P01']);
/** The server goes, is coming, or is gone. */
const CONNECTION = new Set(['57P01', '57P02', '57P03', '08006', '25P03', 'ECONNREFUSED', 'ECONNRESET', 'EPIPE']);
/** What the driver says without a code. */
const CONNECTION_MESSAGE =
  /^Connection terminated|^Client has encountered a connection error|^Query read timeout|^timeout exceeded when trying to connect/;

/** Why a transaction failed: `conflict` with another one, loss of the `connection`, or its own `fault`. */
export function failureKind(error: unknown): 'conflict' | 'connection' | 'fault' {
  const { code = '', message = '', syscall } = error as { code?: string; message?: string; syscall?: string };
  if (CONFLICT.has(code)) return 'conflict';
  // The socket of a server that is being started again is not there for a moment.
  if (CONNECTION.has(code) || (code === 'ENOENT' && syscall === 'connect')) return 'connection';
  return CONNECTION_MESSAGE.test(message) ? 'connection' : 'fault';
}

/** Whether PostgreSQL refused a write because its disk is full (SQLSTATE `disk_full`): nothing was changed. */
export const isDiskFull = (error: unknown): boolean => (error as { code?: unknown } | null)?.code === '53100';
