import { type Logger, pino } from 'pino';

export type Log = Logger;

/** Creates the logger: JSON lines on stderr (stdout is for the output of commands). Secrets in headers are redacted. */
export function createLog(level: string): Log {
  return pino(
    {
      level,
      redact: ['req.headers.authorization', 'req.headers["x-api-key"]', 'req.headers.cookie'],
    },
    pino.destination({ dest: 2, sync: true }),
  );
}
