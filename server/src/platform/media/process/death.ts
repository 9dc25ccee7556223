import { constants } from 'node:os';

/** The end of a media process without a result, and its cause. */
export type Death = { how: string; cause: 'machine' | 'file' };

/**
 * Signals that a process gets from outside: from the system when memory is short, from an operator or a terminal. All
 * others, and limits that the service sets, are caused by what the process reads.
 */
const FROM_OUTSIDE: ReadonlySet<string> = new Set(['SIGKILL', 'SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT']);

/** Exit codes of a wrapping program are 128 + the number of the signal that ended the process in it. */
const SIGNAL_CODE = 128;

/** Names by number; the first of several (SIGABRT, SIGIOT). */
const SIGNALS = new Map(
  Object.entries(constants.signals)
    .map(([name, number]): [number, string] => [number, name])
    .reverse(),
);

/** Classifies the end of a process that the service did not kill. */
export function toDeath(code: number | null, signal: string | null): Death {
  const name = signal ?? SIGNALS.get((code ?? 0) - SIGNAL_CODE);
  if (name === undefined) return { how: `exit code ${code}`, cause: 'file' };
  return { how: name, cause: FROM_OUTSIDE.has(name) ? 'machine' : 'file' };
}
