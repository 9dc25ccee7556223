import { AsyncLocalStorage } from 'node:async_hooks';
import { type DestinationStream, type Logger, pino } from 'pino';
import { traceFields } from './tracing/index.ts';

export type Log = Logger;

/** Fields of all messages of a request or job, whichever part logs them. */
type LogFields = Readonly<Record<string, unknown>>;

const current = new AsyncLocalStorage<LogFields>();

/** Creates the logger: JSON lines on stderr (stdout is for the output of commands). Secrets in headers are redacted. */
export function createLog(level: string, destination?: DestinationStream): Log {
  return pino(
    {
      level,
      redact: ['req.headers.authorization', 'req.headers["x-api-key"]', 'req.headers.cookie'],
      mixin: () => ({ ...current.getStore(), ...traceFields() }),
    },
    destination ?? pino.destination({ dest: 2, sync: true }),
  );
}

/** Adds fields, such as the ids of a request or job, to the messages that `work` and all that it starts log. */
export const withLogFields = <T>(fields: LogFields, work: () => T): T =>
  current.run({ ...current.getStore(), ...fields }, work);
