import { type Logger, pino } from 'pino';

export type Log = Logger;

/** The one logger: JSON lines on stderr (stdout belongs to what a command prints); secrets in headers are never written. */
export function createLog(level: string): Log {
  return pino(
    {
      level,
      redact: ['req.headers.authorization', 'req.headers["x-api-key"]', 'req.headers.cookie'],
    },
    pino.destination({ dest: 2, sync: true }),
  );
}
