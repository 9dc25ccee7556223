import type { Batches } from '#features/batches/index';
import type { DomainEvents, Events } from '#features/events/index';
import { canUse } from '#platform/access/index';
import type { Database, Transaction } from '#platform/db/index';
import type { Jobs } from '#platform/jobs/index';
import { Problem } from '#platform/problem';
import { decideAlerts } from './alerts.ts';
import { listPairs, toPair } from './camera-store.ts';
import { inboxStore } from './inbox/index.ts';
import { failRun, startRun } from './jobs.ts';
import { problems } from './problems.ts';
import type { QuestionReadings } from './readings.ts';
import * as runStore from './run-store.ts';
import * as store from './store.ts';
import type { SavedQuestion } from './types.ts';

export type RunnerDeps = {
  database: Database;
  events: Pick<Events, 'publish'>;
  batches: Pick<Batches, 'start'>;
  jobs: Pick<Jobs, 'sendMany' | 'handle'>;
  readings: Pick<QuestionReadings, 'require'>;
  /** Current time; default: the clock. */
  now?: () => Date;
};

/** Another worker has started the run. */
class RunSuperseded extends Error {}

/** The user on whose behalf a question runs: its owner, never as an admin. */
export const toOwner = ({ orgId, ownerId: userId }: Pick<SavedQuestion, 'orgId' | 'ownerId'>) => ({ orgId, userId });

/** The query of a question, and the options of its batch. */
export const toQuery = ({ id, query, mode, minConfidence, verify, timeZone }: SavedQuestion) => ({
  body: { query, minConfidence, verify, timeZone },
  options: { mode, config: { saved_question_id: id }, isBackground: true },
});

/** Runs questions on new videos, and publishes alerts about their events. */
export function createRunner({ database, events, batches, jobs, readings, now = () => new Date() }: RunnerDeps) {
  const { db } = database;

  async function start({ runId }: { runId: string }): Promise<void> {
    const run = await runStore.findWaiting(db, runId);
    const question = run && (await store.findQuestion(db, run.questionId));
    if (!question) return;
    const { body, options } = toQuery(question);
    const caller = { ...toOwner(question), keyId: null };
    try {
      await batches.start(
        caller,
        { ...body, videoId: run.videoId },
        {
          ...options,
          reading: await readings.require(question),
          async saveReference({ batchId }, trx) {
            if (!(await runStore.markStarted(trx, runId, batchId))) throw new RunSuperseded();
          },
        },
      );
    } catch (error) {
      if (error instanceof RunSuperseded) return;
      // For example, the video was deleted meanwhile.
      if (!(error instanceof Problem) || error.isFault) throw error;
      await runStore.failWaiting(db, runId, error);
    }
  }

  return {
    /** Stores a run for each enabled question of these videos, with its job. */
    async onVideosReady(trx: Transaction, { orgId, videos }: DomainEvents['videos.ready']): Promise<void> {
      const questions = await store.listEnabled(trx, orgId);
      if (questions.length === 0) return;
      const ids = videos.map(({ videoId }) => videoId);
      const ready = await runStore.findVideos(trx, ids);
      // Questions of a camera were answered while it was recorded.
      const cameraIds = ready.flatMap(({ cameraId }) => cameraId ?? []);
      const answered = await listPairs(trx, cameraIds);
      const isAnswered = (questionId: string, { cameraId }: runStore.RunnableVideo) =>
        cameraId !== null && answered.has(toPair(questionId, cameraId));
      const runs: { questionId: string; videoId: string }[] = [];
      for (const question of questions) {
        const covered = ready
          .filter((video) => covers(question, video) && !isAnswered(question.id, video))
          .map(({ id }) => id);
        const recorded = await runStore.filterRecorded(trx, covered, question);
        runs.push(...recorded.map((videoId) => ({ questionId: question.id, videoId })));
      }
      const runIds = await runStore.insertWaiting(trx, runs);
      await jobs.sendMany(
        trx,
        startRun,
        runIds.map((runId) => ({ runId })),
        { orgId },
      );
    },

    /** Ends the run of an analysis, and publishes the events that match the rule of its question. */
    async onAnalysisEnded(trx: Transaction, ended: DomainEvents['analysis.ended']): Promise<void> {
      const { analysisId, batchId, videoId } = ended;
      const run = batchId && (await runStore.findStarted(trx, batchId, videoId));
      const question = run && (await store.lockQuestion(trx, run.questionId));
      if (!question) return;
      const problem = { problemCode: ended.code, problemMessage: ended.message };
      if (ended.status === 'FAILED') return runStore.endRun(trx, run.id, { status: 'failed', analysisId, ...problem });
      const at = now();
      const { alerts, matchingCount, silenced } = decideAlerts(ended.events, { ...question, ...run }, at);
      await runStore.endRun(trx, run.id, {
        status: 'completed',
        analysisId,
        ...problem,
        silenced,
        matchingCount,
        eventCount: ended.events.length,
        alertCount: alerts.length,
      });
      if (alerts.length === 0) return;
      await store.setLastAlert(trx, question.id, at);
      await inboxStore.insertAlerts(trx, question, analysisId, alerts);
      await events.publish(trx, 'alert.raised', {
        orgId: question.orgId,
        savedQuestionId: question.id,
        name: question.name,
        query: question.query,
        alerts: alerts.map((alert) => ({ analysisId, ...alert })),
        webhookIds: question.webhookIds,
      });
    },

    registerJobs(): void {
      jobs.handle(startRun, start);
      jobs.handle(failRun, ({ runId }) => runStore.failWaiting(db, runId, problems.saved_question_run_failed()));
    },
  };
}

/** True if a question runs on a video: it is in its folder, if it has one, and its owner may use it. */
const covers = (question: SavedQuestion, video: runStore.RunnableVideo): boolean =>
  (question.folderId === null || question.folderId === video.folderId) && canUse(toOwner(question), video);
