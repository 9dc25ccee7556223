import type { Static } from 'typebox';
import type { Answer, Engine } from '#engine/index';
import type { Events } from '#features/events/index';
import type { Video, Videos } from '#features/videos/index';
import type { Database } from '#platform/db/index';
import type { JobContext, Jobs } from '#platform/jobs/index';
import type { Log } from '#platform/log';
import { roundedJson } from '#platform/numbers';
import type { LocalFile, Storage } from '#platform/storage/index';
import { completedDocument, readableEvents } from './document.ts';
import type { Evidence } from './evidence.ts';
import { failAnalysis, verdict } from './failure.ts';
import type { runAnalysis } from './jobs.ts';
import type { Observations } from './observations/index.ts';
import { problems } from './problems.ts';
import { createProgress, type Progress, Superseded } from './progress.ts';
import * as store from './store.ts';
import { park, wakeWaiting } from './waiting.ts';

/** How long an analysis waits for its video to arrive; for another one that observes it, it waits as long as that takes. */
const WAIT_AT_MOST_MS = 24 * 3600 * 1000;

export type RunDeps = {
  database: Database;
  storage: Storage;
  engine: Engine;
  videos: Pick<Videos, 'find'>;
  events: Events;
  jobs: Jobs;
  log: Log;
  observations: Observations;
  evidence: Evidence;
};

/** What one attempt works with. */
type Attempt = { fence: store.Fence; analysis: store.AnalysisRow; signal: AbortSignal; progress: Progress };

/** The handler of `analyses.run`: one attempt at one analysis, from its prompt to its document. */
export function createRun(deps: RunDeps) {
  const { database, storage, engine, videos, events, jobs, log, observations, evidence } = deps;

  return async function run(payload: Static<typeof runAnalysis.payload>, context: JobContext): Promise<void> {
    const fence = { analysisId: payload.analysisId, jobId: context.jobId, attempt: context.attempt };
    const analysis = await store.claim(database.db, fence);
    if (!analysis) return;
    const superseded = new AbortController();
    const onSuperseded = () => superseded.abort(new Superseded());
    const progress = createProgress({ database, events, fence, analysis, onSuperseded });
    const signal = AbortSignal.any([context.signal, superseded.signal]);
    const video = await videos.find(analysis.videoId);
    try {
      if (!video) throw problems.video_deleted();
      if (await analyse({ fence, analysis, signal, progress }, video)) return;
      await progress.stop();
      await database.transaction((trx) => park(jobs, trx, fence, analysis, payload.waits));
    } catch (error) {
      await progress.stop();
      if (signal.aborted || error instanceof Superseded) await forgetIfDeleted(analysis);
      if (superseded.signal.aborted || error instanceof Superseded) return;
      const problem = verdict(error, context);
      if (!problem) throw error;
      log[problem.status < 500 ? 'info' : 'error']({ err: error, analysisId: analysis.analysisId }, 'analysis failed');
      await database.transaction((trx) => failAnalysis(deps, trx, analysis, fence, video, problem));
    }
  };

  /** True when the analysis has ended; false when it has to wait. */
  async function analyse(attempt: Attempt, video: Video): Promise<boolean> {
    const { fence, analysis, signal, progress } = attempt;
    if (video.status === 'UPLOADING_FAILED') throw problems.video_unusable(video.problem?.message);
    if (video.status !== 'UPLOADED') {
      if (Date.now() - analysis.createdAt.getTime() > WAIT_AT_MOST_MS) throw problems.video_never_arrived();
      return false;
    }

    progress.report('planning');
    const plan = analysis.plan === null ? engine.plan(analysis.query) : engine.checkPlan(analysis.plan);
    await using file = lazily(() => storage.local(video.storageKey, signal));
    const artifacts = await observations.obtain({
      videoId: video.id,
      holder: `${fence.jobId}:${fence.attempt}`,
      fast: analysis.mode === 'fast',
      path: file.path,
      signal,
      onProgress: (fraction) => progress.report('observing', fraction),
      onReady: (trx) => wakeWaiting(jobs, trx, [video.id]),
    });
    if (!artifacts) return false;

    progress.report('finding');
    const found = engine.answer(plan, artifacts);
    const answer = await engine.look(
      { plan, artifacts, answer: found, path: file.path },
      { signal, onProgress: (fraction) => progress.report('looking', fraction) },
    );
    signal.throwIfAborted();
    await progress.stop();
    await finish(attempt, video, plan, answer);
    return true;
  }

  /** Document, state and news in one transaction: whoever counts the analysis as ended can read its document. */
  async function finish({ fence, analysis }: Attempt, video: Video, plan: unknown, answer: Answer): Promise<void> {
    const { analysisId, batchId, videoId } = analysis;
    const header = { ...analysis, engineVersion: engine.version };
    const urlOf = (name: string) => evidence.marker(analysisId, name);
    const document = roundedJson(completedDocument(header, video, plan, answer, urlOf));
    await database.transaction(async (trx) => {
      if (!(await store.complete(trx, fence, document))) throw new Superseded();
      await events.publish(trx, 'analysis.ended', {
        analysisId,
        batchId,
        videoId,
        status: 'COMPLETED',
        message: null,
        events: readableEvents(analysisId, answer.findings),
      });
    });
  }

  /** Our result does not count. When that is because the video was deleted, our pictures must not stay either. */
  async function forgetIfDeleted({ analysisId }: store.AnalysisRow): Promise<void> {
    const now = await store.findById(database.db, analysisId);
    if (!now || now.problemCode === 'video_deleted') await evidence.forget(analysisId);
  }
}

/** The local copy of the video, made when somebody needs it and given back at the end. */
function lazily(open: () => Promise<LocalFile>): { path: () => Promise<string> } & AsyncDisposable {
  let file: Promise<LocalFile> | null = null;
  return {
    async path() {
      file ??= open();
      return (await file).path;
    },
    async [Symbol.asyncDispose]() {
      const opened = await file?.catch(() => null);
      await opened?.[Symbol.asyncDispose]();
    },
  };
}
