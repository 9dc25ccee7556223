import type { Config } from '#platform/config/index';
import type { Log } from '#platform/log';

/** Arguments of every command: configuration, log, and a signal that aborts when the command should stop. */
export type Context = { config: Config; log: Log; interrupted: AbortSignal };
