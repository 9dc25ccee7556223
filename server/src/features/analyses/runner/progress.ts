import type { Events } from '#features/events/index';
import type { Database } from '#platform/db/index';
import type * as store from '../store.ts';
import * as attempts from './store.ts';

/** Shortest interval between two writes. */
const INTERVAL_MS = 500;
/**
 * Delay before the first write. Analyses that finish sooner, such as a second prompt on a video, report no progress.
 */
const FIRST_MS = 100;

export type AnalysisStage = 'waiting' | 'planning' | 'observing' | 'looking_closer' | 'finding' | 'looking';

/** Range of each stage in the overall progress, in percent. Fast mode may look closer after its sparse pass. */
const SPAN: Record<AnalysisStage, [from: number, to: number]> = {
  waiting: [0, 1],
  planning: [1, 2],
  observing: [2, 80],
  looking_closer: [30, 80],
  finding: [80, 85],
  looking: [85, 99],
};
const SPARSE_PASS: [from: number, to: number] = [2, 30];

/** Text for users in the progress of these stages. */
const MESSAGES: Partial<Record<AnalysisStage, string>> = {
  looking_closer: 'Looking closer',
};

/** Thrown if the attempt is no longer current: the analysis has ended or moved to another worker. */
export class AttemptSuperseded extends Error {
  constructor() {
    super('another attempt has replaced this one');
  }
}

export type ProgressReporter = ReturnType<typeof createProgress>;

/**
 * Stores and publishes the progress of one attempt, at most twice a second; it never decreases. `onSuperseded` is
 * called when the attempt is no longer current.
 */
export function createProgress(deps: {
  database: Database;
  events: Events;
  fence: attempts.AttemptFence;
  analysis: store.AnalysisRow;
  onSuperseded: () => void;
}) {
  const { database, events, fence, analysis, onSuperseded } = deps;
  let next: { stage: AnalysisStage; progress: number; etaS: number | null } | null = null;
  let timer: NodeJS.Timeout | undefined;
  let last = performance.now() + FIRST_MS - INTERVAL_MS;
  let writing: Promise<void> = Promise.resolve();
  let stageStart: { stage: AnalysisStage; at: number } | null = null;

  async function write(): Promise<void> {
    const report = next;
    if (!report) return;
    next = null;
    last = performance.now();
    const { analysisId, batchId, videoId } = analysis;
    await database.transaction(async (trx) => {
      const now = await attempts.advance(trx, fence, report.stage, report.progress);
      if (now === null) return onSuperseded();
      const message = MESSAGES[now.stage as AnalysisStage] ?? null;
      await events.publish(trx, 'analysis.progressed', {
        analysisId,
        batchId,
        videoId,
        ...now,
        etaS: report.etaS,
        message,
      });
    });
  }

  function schedule(): void {
    timer ??= setTimeout(
      () => {
        timer = undefined;
        // A failed write (for example during a database restart) does not stop the analysis.
        writing = writing.then(write).catch(() => {});
      },
      Math.max(0, last + INTERVAL_MS - performance.now()),
    );
  }

  return {
    /** `fraction` is the completed part of the stage, 0 to 1. */
    report(stage: AnalysisStage, fraction = 0): void {
      if (stageStart?.stage !== stage) stageStart = { stage, at: performance.now() };
      const [from, to] = stage === 'observing' && analysis.mode === 'fast' ? SPARSE_PASS : SPAN[stage];
      const elapsedS = (performance.now() - stageStart.at) / 1000;
      // Decoding takes nearly all of the time, so its remaining time is a good estimate for the analysis.
      const isDecoding = stage === 'observing' || stage === 'looking_closer';
      const etaS = isDecoding && fraction > 0.02 ? Math.ceil((elapsedS / fraction) * (1 - fraction)) : null;
      next = { stage, progress: from + (to - from) * Math.min(1, Math.max(0, fraction)), etaS };
      schedule();
    },
    /** Stops reporting. Nothing is written after the promise settles. */
    async stop(): Promise<void> {
      clearTimeout(timer);
      timer = undefined;
      next = null;
      await writing;
    },
  };
}
