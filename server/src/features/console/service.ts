import type { Log } from '#platform/log';
import { buildConsole, findBuild, MissingBuildTools } from './build.ts';
import { type ConsoleFile, readFiles } from './files.ts';

export type ConsoleState =
  | { state: 'ready'; files: ReadonlyMap<string, ConsoleFile> }
  | { state: 'building' }
  /** It cannot be built from what is installed. `reason` is a sentence for the operator. */
  | { state: 'not_installed'; reason: string }
  | { state: 'unavailable'; reason: string };

export interface Console {
  /** False if the operator turned the console off. */
  readonly enabled: boolean;
  current(): ConsoleState;
  /** Loads the console if it is built, so that a page is never one of a console that is being built. */
  load(): Promise<void>;
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

  async function attempt(find: () => Promise<string | null>): Promise<void> {
    try {
      const folder = await find();
      if (folder !== null) current = { state: 'ready', files: await readFiles(folder) };
    } catch (error) {
      if (closing.signal.aborted) return;
      if (error instanceof MissingBuildTools) {
        log.warn(error.message);
        current = { state: 'not_installed', reason: error.message };
        return;
      }
      log.error({ err: error }, 'console not built');
      current = { state: 'unavailable', reason: 'The console could not be built; the log has the reason.' };
    }
  }

  return {
    enabled,
    current: () => current,
    load: async () => {
      if (enabled) await attempt(findBuild);
    },
    prepare() {
      if (enabled && current.state === 'building')
        preparing ??= attempt(() => buildConsole(closing.signal)).finally(() => (preparing = null));
      return preparing ?? Promise.resolve();
    },
    async close() {
      closing.abort();
      await preparing;
    },
  };
}
