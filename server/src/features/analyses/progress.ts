import type { Events } from '#features/events/index';
import type { Database } from '#platform/db/index';
import * as store from './store.ts';

/** Least time between two writes. */
const INTERVAL_MS = 500;
/** Time until the first one: what is answered sooner, as a second prompt on a video is, has no need to tell how far it is. */
const FIRST_MS = 100;

export type Stage = 'waiting' | 'planning' | 'observing' | 'finding' | 'looking';

/** Where each stage begins and ends in the whole, in percent. */
const SPAN: Record<Stage, [from: number, to: number]> = {
  waiting: [0, 1],
  planning: [1, 2],
  observing: [2, 80],
  finding: [80, 85],
  looking: [85, 99],
};

/** The attempt no longer counts: the analysis has ended or was given to another worker. */
export class Superseded extends Error {
  constructor() {
    super('the analysis was given to another attempt');
  }
}

export type Progress = ReturnType<typeof createProgress>;

/**
 * Writes how far one attempt is and tells it as news: at most twice a second, always the newest, never falling.
 * `onSuperseded` is called when a write finds that the attempt no longer counts.
 */
export function createProgress(deps: {
  database: Database;
  events: Events;
  fence: store.Fence;
  analysis: store.AnalysisRow;
  onSuperseded: () => void;
}) {
  const { database, events, fence, analysis, onSuperseded } = deps;
  let next: { stage: Stage; progress: number; etaS: number | null } | null = null;
  let timer: NodeJS.Timeout | undefined;
  let last = performance.now() + FIRST_MS - INTERVAL_MS;
  let writing: Promise<void> = Promise.resolve();
  let stageBegan: { stage: Stage; at: number } | null = null;

  async function write(): Promise<void> {
    const report = next;
    if (!report) return;
    next = null;
    last = performance.now();
    const { analysisId, batchId, videoId } = analysis;
    await database.transaction(async (trx) => {
      const now = await store.advance(trx, fence, report.stage, report.progress);
      if (now === null) return onSuperseded();
      await events.publish(trx, 'analysis.progressed', { analysisId, batchId, videoId, ...now, etaS: report.etaS });
    });
  }

  function schedule(): void {
    timer ??= setTimeout(
      () => {
        timer = undefined;
        // Telling how far it is may fail (the database restarts); the work itself goes on.
        writing = writing.then(write).catch(() => {});
      },
      Math.max(0, last + INTERVAL_MS - performance.now()),
    );
  }

  return {
    /** `fraction` of the stage that is done, 0 to 1. */
    report(stage: Stage, fraction = 0): void {
      if (stageBegan?.stage !== stage) stageBegan = { stage, at: performance.now() };
      const [from, to] = SPAN[stage];
      const elapsedS = (performance.now() - stageBegan.at) / 1000;
      // Decoding takes nearly all of the time, so its rest is a fair estimate of the whole.
      const etaS = stage === 'observing' && fraction > 0.02 ? Math.ceil((elapsedS / fraction) * (1 - fraction)) : null;
      next = { stage, progress: from + (to - from) * Math.min(1, Math.max(0, fraction)), etaS };
      schedule();
    },
    /** Nothing is written after this settles. */
    async stop(): Promise<void> {
      clearTimeout(timer);
      timer = undefined;
      next = null;
      await writing;
    },
  };
}
