import type { CliSession } from './session.ts';

/** Turns a function into the action of a command. It receives the session and the arguments of the command. */
export type Run = <Args extends unknown[]>(
  work: (session: CliSession, ...args: Args) => Promise<void>,
) => (...args: Args) => Promise<void>;
