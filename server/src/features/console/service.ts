import type { Log } from '#platform/log';
import { buildConsole } from './build.ts';
import { type ConsoleFile, readFiles } from './files.ts';

export type ConsoleState =
  | { state: 'ready'; files: ReadonlyMap<string, ConsoleFile> }
  | { state: 'building' }
  /** `reason` is a sentence for the operator. */
  | { state: 'unavailable'; reason: string };

export interface Console {
  /** False if the operator turned the console off. */
  readonly enabled: boolean;
  current(): ConsoleState;
  /** Builds the console if necessary and loads it, once at a time. A failure costs the console alone. */
  prepare(): Promise<void>;
  close(): Promise<void>;
}

export function createConsole({ enabled, log }: { enabled: boolean; log: Log }): Console {
  const closing = new AbortController();
  let current: ConsoleState = enabled
    ? { state: 'building' }
    : { state: 'unavailable', reason: 'The console is turned off by SIGHTLINE_CONSOLE=false.' };
  let preparing: Promise<void> | null = null;

  async function load(): Promise<void> {
    try {
      current = { state: 'ready', files: await readFiles(await buildConsole(closing.signal)) };
    } catch (error) {
      if (closing.signal.aborted) return;
      log.error({ err: error }, 'console not built');
      current = { state: 'unavailable', reason: 'The console could not be built; the log has the reason.' };
    }
  }

  return {
    enabled,
    current: () => current,
    prepare() {
      if (enabled && current.state !== 'ready') preparing ??= load().finally(() => (preparing = null));
      return preparing ?? Promise.resolve();
    },
    async close() {
      closing.abort();
      await preparing;
    },
  };
}
