import { SightlineError } from '@sightline/sdk';
import type { QueryClient } from '@tanstack/react-query';
import { sightline } from '#api/client.ts';
import { sessionQuery } from '#api/session.ts';
import { refreshAll, refreshChanged } from './changed-queries.ts';

type Changes = Parameters<typeof refreshChanged>[1][number];

/** Changes within this time are shown together, and more of them when many follow each other. */
const GATHER_MS = 250;
const GATHER_MANY_MS = 1_500;
/** Interval of refreshing while the stream is interrupted. */
const POLL_MS = 15_000;
/** An interruption that is over by then, such as a restart of the service, is not reported. */
const REPORT_MS = 4_000;
const MAX_PAUSE_MS = 5_000;

/**
 * Keeps what the pages show up to date, until the signal aborts. Connected only while the page is visible: a browser
 * has few connections to one server for all its windows. The stream resumes where it was left.
 */
export async function followActivity(
  queries: QueryClient,
  onInterruption: (interrupted: boolean) => void,
  signal: AbortSignal,
): Promise<void> {
  let lastId = 0;
  const refresh = createRefresher(queries);
  while (!signal.aborted) {
    await untilVisible(signal);
    const connection = new AbortController();
    const hide = () => document.hidden && connection.abort();
    const end = () => connection.abort();
    document.addEventListener('visibilitychange', hide);
    signal.addEventListener('abort', end);
    const interruption = createInterruption(queries, onInterruption);
    try {
      const options = {
        lastId,
        signal: connection.signal,
        maxPauseMs: MAX_PAUSE_MS,
        onConnection: interruption.report,
      };
      for await (const event of sightline.activity(options)) {
        lastId = event.eventId;
        refresh('id' in event ? event : 'all');
      }
    } catch (error) {
      if (!connection.signal.aborted) {
        // The session has ended, or the role no longer allows this: the frame reacts to what it finds.
        await queries.invalidateQueries({ queryKey: sessionQuery.queryKey });
        if (error instanceof SightlineError) return;
      }
    } finally {
      interruption.close();
      document.removeEventListener('visibilitychange', hide);
      signal.removeEventListener('abort', end);
    }
  }
}

function untilVisible(signal: AbortSignal): Promise<void> {
  if (!document.hidden || signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const check = () => {
      if (document.hidden && !signal.aborted) return;
      document.removeEventListener('visibilitychange', check);
      signal.removeEventListener('abort', check);
      resolve();
    };
    document.addEventListener('visibilitychange', check);
    signal.addEventListener('abort', check);
  });
}

/** Refreshes what changes concern: several at once, and not before the last refresh has ended. */
function createRefresher(queries: QueryClient) {
  let waiting: (Changes | 'all')[] = [];
  let running = false;

  async function run(): Promise<void> {
    if (running) return;
    running = true;
    for (let pauseMs = GATHER_MS; waiting.length > 0; pauseMs = GATHER_MANY_MS) {
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
      const changes = waiting;
      waiting = [];
      const all = changes.includes('all');
      const refreshed = all ? refreshAll(queries) : refreshChanged(queries, changes as Changes[]);
      // Failures are shown where the data is needed; it is fetched again with the next connection.
      await refreshed.catch(() => {});
    }
    running = false;
  }

  return (change: Changes | 'all'): void => {
    waiting.push(change);
    void run();
  };
}

/** Polls while the stream is interrupted, and reports interruptions that last. */
function createInterruption(queries: QueryClient, onInterruption: (interrupted: boolean) => void) {
  let timers: { poll: ReturnType<typeof setInterval>; report: ReturnType<typeof setTimeout> } | null = null;

  function close(): void {
    if (!timers) return;
    clearInterval(timers.poll);
    clearTimeout(timers.report);
    timers = null;
    onInterruption(false);
  }

  return {
    report(lost: Error | null): void {
      if (lost === null && timers) {
        close();
        // Requests have failed meanwhile.
        void refreshAll(queries).catch(() => {});
      } else if (lost) {
        timers ??= {
          poll: setInterval(() => void refreshAll(queries).catch(() => {}), POLL_MS),
          report: setTimeout(() => onInterruption(true), REPORT_MS),
        };
      }
    },
    close,
  };
}
