/** SQLSTATEs of transactions that had no effect and can be retried. */
const CONFLICT = new Set(['40001', '40P01']);
/** The server is stopping, starting or not running. */
const CONNECTION = new Set(['57P01', '57P02', '57P03', '08006', '25P03', 'ECONNREFUSED', 'ECONNRESET', 'EPIPE']);
/** Errors of the driver that have no code. */
const CONNECTION_MESSAGE =
  /^Connection terminated|^Client has encountered a connection error|^Query read timeout|^timeout exceeded when trying to connect/;

/** Classifies the failure of a transaction: `conflict` with another one, lost `connection`, or its own `fault`. */
export function failureKind(error: unknown): 'conflict' | 'connection' | 'fault' {
  const { code = '', message = '', syscall } = error as { code?: string; message?: string; syscall?: string };
  if (CONFLICT.has(code)) return 'conflict';
  // The socket of a server that restarts is missing for a moment.
  if (CONNECTION.has(code) || (code === 'ENOENT' && syscall === 'connect')) return 'connection';
  return CONNECTION_MESSAGE.test(message) ? 'connection' : 'fault';
}

/** True if PostgreSQL refused a write because its disk is full (SQLSTATE `disk_full`). Nothing was changed. */
export const isDiskFull = (error: unknown): boolean => (error as { code?: unknown } | null)?.code === '53100';
