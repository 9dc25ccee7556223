import { type Engine, readTranscript } from '#engine/index';
import { recordAction } from '#features/audit/index';
import type { Events } from '#features/events/index';
import type { Folders } from '#features/folders/index';
import type { Videos } from '#features/videos/index';
import type { Zones } from '#features/zones/index';
import { canManage, canRead } from '#platform/access/index';
import type { Config } from '#platform/config/index';
import type { Database, Transaction } from '#platform/db/index';
import { type Caller, httpProblems, readIdPage } from '#platform/http/index';
import { newId } from '#platform/ids';
import type { Jobs } from '#platform/jobs/index';
import type { Log } from '#platform/log';
import { roundedJson } from '#platform/numbers';
import type { Secrets } from '#platform/secrets/index';
import type { Storage } from '#platform/storage/index';
import * as batches from './batch-store.ts';
import { processingDocument } from './document.ts';
import { createEventIndex, lockVideos, refreshWords } from './event-index/index.ts';
import { createEvidence, createEvidenceImages } from './evidence/index.ts';
import { buildVectorIndex, createStoredVectors } from './frame-vectors/index.ts';
import { assignIncidents, createIncidents, findIncidents, findSubjects, withIncidents } from './incidents/index.ts';
import { findCausation, findIndexes } from './index-store.ts';
import {
  deleteEvidence,
  failAbandonedAnalysis,
  failAbandonedObservation,
  indexEvents,
  observeForRun,
  observeVideo,
  runAnalysis,
} from './jobs.ts';
import { createAnalysisStore } from './made-elsewhere.ts';
import { createObservationRuns, createRunHandler, endRunVideo } from './observation-runs/index.ts';
import { createObservations, createStoredObservations } from './observations/index.ts';
import { createObserveVideoHandler, readSubtitles } from './observe-video.ts';
import { createPassages, updateOfVideo as updatePassages } from './passages/index.ts';
import { problems } from './problems.ts';
import { queueAnalyses } from './queueing.ts';
import { type VideoClock, withRecordedTimes } from './recorded-times.ts';
import { createReviewing } from './reviewing/index.ts';
import { createAnalysisRunner, createEventClassifier, failAnalysis, resumeDeferred } from './runner/index.ts';
import { searchableWords, searchEvents } from './search-store.ts';
import type { Analyses } from './service-types.ts';
import * as store from './store.ts';
import { createTimeline } from './timeline/service.ts';
import { createVisionCalls, type VisionCaps } from './vision/index.ts';

/** Newest analyses that a search reads. */
const SEARCHED_ANALYSES = 5_000;

type AnalysesDeps = {
  database: Database;
  storage: Storage;
  engine: Engine;
  videos: Pick<Videos, 'find' | 'get' | 'getMany' | 'list' | 'canReachAll' | 'setClockReading'>;
  folders: Pick<Folders, 'require' | 'visionProfiles'>;
  zones: Pick<Zones, 'ofVideo'>;
  events: Events;
  jobs: Jobs;
  secrets: Secrets;
  log: Log;
  /** Public URL of the API, without a trailing slash. */
  publicUrl: string;
  /** Limits that all models share; null without one. */
  visionCaps: VisionCaps;
  vectorIndex: Config['vectorIndex'];
};

const FREE = { calls: 0, inputTokens: 0, outputTokens: 0, cost: 0 };

/** The analyses room. */
export function createAnalyses(deps: AnalysesDeps): Analyses {
  const { database, events, jobs } = deps;
  const evidence = createEvidence({ ...deps, images: createEvidenceImages(deps) });
  const observations = createObservations(deps);
  const eventIndex = createEventIndex({ ...deps, evidence });
  const reviewing = createReviewing({ database, videos: deps.videos, evidence });
  const incidents = createIncidents({ database, reviewing });
  const passages = createPassages(deps);
  const visionCalls = createVisionCalls({ database, caps: deps.visionCaps });

  async function allowed<Row extends Pick<store.AnalysisRow, 'orgId' | 'ownerId' | 'scope' | 'videoId'>>(
    caller: Caller,
    row: Row | null,
  ): Promise<Row> {
    if (!row) throw problems.analysis_not_found();
    if (!canRead(caller, row)) throw problems.analysis_forbidden();
    if (caller.folderId && !(await deps.videos.canReachAll(caller, [row.videoId]))) throw httpProblems.key_limited();
    return row;
  }

  /** A document, or its events, with what is not stored in it: signed URLs, times of recording, incidents. */
  async function complete(analysisId: string, text: string, clock: VideoClock): Promise<string> {
    const found = await findIncidents(database.db, [analysisId]);
    return withIncidents(withRecordedTimes(evidence.sign(analysisId, text), clock), found);
  }

  /** Ends running analyses, whose rows are locked, and their jobs. */
  async function failRunning(
    trx: Transaction,
    running: readonly (store.AnalysisRow & { jobId: string | null })[],
    code: 'analysis_cancelled' | 'video_deleted',
  ): Promise<void> {
    const jobIds = running.flatMap(({ jobId }) => jobId ?? []);
    await jobs.cancel(trx, runAnalysis, jobIds);
    for (const analysis of running) await failAnalysis(deps, trx, analysis, null, null, problems[code]());
  }

  const stored = createStoredObservations(deps);
  const frameVectors = createStoredVectors(deps);
  const analyses: Analyses = {
    timeline: createTimeline({
      videos: deps.videos,
      stored,
      hasModel: () => deps.engine.visionProfiles().length > 0,
      findCausation: (caller, videoId) => findCausation(database.db, caller, videoId),
    }),
    eventIndex,
    frameVectors,
    incidents,
    passages,
    observationRuns: createObservationRuns({ ...deps, observations }),
    visionUsage: visionCalls.readUsage,
    purgeVisionReplies: visionCalls.purge,
    reviewing,

    async start(trx, { videos, reading, plans, preliminary, ...common }) {
      // An analysis of a sample video is personal.
      const made = videos.map(({ id, scope }) => ({
        analysisId: newId(),
        videoId: id,
        scope: scope === 'org' ? ('org' as const) : ('user' as const),
      }));
      const jobIds = await queueAnalyses(jobs, trx, common, made);
      // All videos share one reading: it is paid for once.
      const shared = reading && { ...reading, ...FREE, cachedCalls: reading.calls + reading.cachedCalls };
      const rows = made.map((each, position) => ({
        ...common,
        ...each,
        plan: plans?.get(each.videoId) ?? common.plan,
        position,
        jobId: jobIds[position]!,
        reading: position === 0 ? reading : shared,
        preliminary: preliminary ? [] : null,
      }));
      await store.insertAnalyses(trx, rows);
      return made.map(({ analysisId }) => analysisId);
    },

    lockVideos,
    insertCompleted: createAnalysisStore({ engine: deps.engine, evidence }),

    async status(caller, videoId, analysisId) {
      const row = await allowed(caller, await store.findWith(database.db, videoId, analysisId, 'events'));
      const done = row.status === 'PROCESSING' ? 0 : 1;
      const head = {
        status: row.status,
        analysis_id: row.analysisId,
        video_id: row.videoId,
        batch_id: row.batchId,
        progress: Math.round(row.progress * 10) / 10,
        stage: row.status === 'PROCESSING' ? (row.stage ?? 'waiting') : null,
        // Older clients count chunks; an analysis has one.
        chunks_completed: done,
        chunks_total: 1,
        created_at: row.createdAt.toISOString(),
        completed_at: row.completedAt?.toISOString() ?? null,
        answer: row.answer ?? '',
        ...(row.problemCode ? { error: row.problemCode, message: row.problemMessage } : {}),
      };
      const found = row.text === null ? '[]' : await complete(analysisId, row.text, row);
      return `${roundedJson(head).slice(0, -1)},"events":${found}}`;
    },

    filterSearchable: (words) => searchableWords(database.db, words),

    classifyEvents: createEventClassifier({ ...deps, observations, visionCalls }),

    search(caller, among, words, limit) {
      return searchEvents(database.db, caller, { among, words, limit, analyses: SEARCHED_ANALYSES });
    },

    async document(caller, videoId, analysisId) {
      const row = await allowed(caller, await store.findWith(database.db, videoId, analysisId, 'document'));
      if (row.text !== null) return complete(analysisId, row.text, row);
      if (row.status !== 'PROCESSING') throw problems.analysis_gone();
      const header = { ...row, engineVersion: deps.engine.version };
      return roundedJson(processingDocument(header, row.stage, row.progress));
    },

    async latest(caller, videoId) {
      const analysisId = await store.findLatestId(database.db, videoId, caller);
      if (!analysisId) {
        await deps.videos.get(caller, videoId);
        throw problems.analysis_not_found('This video has no analysis.');
      }
      return analyses.document(caller, videoId, analysisId);
    },

    async list(caller, videoId, page) {
      await deps.videos.get(caller, videoId);
      const read = (before: string | null, limit: number) =>
        store.listByVideo(database.db, { videoId, caller, before, limit });
      const { rows, ...next } = await readIdPage(page, read, ({ analysisId }) => analysisId);
      return { analyses: rows, ...next };
    },

    remove: (caller, videoId, analysisId, by) =>
      database.transaction(async (trx) => {
        await lockVideos(trx, [videoId]);
        const row = await allowed(caller, await store.lockById(trx, videoId, analysisId));
        if (!canManage(caller, row)) throw problems.analysis_forbidden();
        if (row.status === 'PROCESSING') await failRunning(trx, [row], 'analysis_cancelled');
        const subjects = await findSubjects(trx, analysisId);
        await store.deleteAnalysis(trx, analysisId);
        await assignIncidents(trx, videoId, subjects);
        const { orgId, batchId, query } = row;
        const status = row.status === 'COMPLETED' ? 'COMPLETED' : 'FAILED';
        await events.publish(trx, 'analysis.deleted', { analysisId, batchId, videoId, status });
        await jobs.send(trx, deleteEvidence, { analysisIds: [analysisId] });
        const detail = { video_id: videoId, query };
        await recordAction(trx, by, { orgId, action: 'analysis.deleted', subjectId: analysisId, detail });
      }),

    cancelBatch: async (trx, batchId) => failRunning(trx, await store.lockBatch(trx, batchId), 'analysis_cancelled'),

    async findTranscript(videoId) {
      const artifact = await stored.readWhole(videoId, 'speech');
      return artifact && { version: artifact.version, ...readTranscript(artifact.bytes) };
    },
    findIndexes: (caller, videoIds, mode) => findIndexes(database.db, caller, videoIds, mode),
    visionLedgerOf: visionCalls.ledgerOf,
    usageLedgerOf: visionCalls.usageLedgerOf,
    listObserved: observations.listObserved,
    listFailedVideos: (batchId) => batches.listFailedVideos(database.db, batchId),
    listBatchAnalyses: (batchId) => batches.listBatchAnalyses(database.db, batchId),

    async *streamBatchDocuments(batchId, videoIds, { sourceUri = false } = {}) {
      for await (const rows of batches.streamBatchDocuments(database.db, batchId, videoIds, sourceUri)) {
        const found = await findIncidents(
          database.db,
          rows.map(({ analysisId }) => analysisId),
        );
        yield rows.map(({ videoId, analysisId, document, sourceUri: uri, ...clock }) => {
          if (document === null) return { videoId, analysisId, document };
          const text = withIncidents(withRecordedTimes(evidence.sign(analysisId, document), clock), found);
          // A document is an object, so a field can be added after its opening brace.
          const withUri = sourceUri ? `{"import_source_uri":${JSON.stringify(uri)},${text.slice(1)}` : text;
          return { videoId, analysisId, document: withUri };
        });
      }
    },

    openEvidence: evidence.open,

    async onVideosReady(trx, { videos }) {
      const ids = videos.map(({ videoId }) => videoId);
      await resumeDeferred(jobs, trx, ids);
      await readSubtitles(jobs, trx, await store.withSubtitles(trx, ids));
    },

    async onVideoDeleted(trx, { videoId }) {
      await observations.revokeLeases(trx, videoId);
      await failRunning(trx, await store.lockProcessing(trx, [videoId], false), 'video_deleted');
      await store.hideDocuments(trx, videoId, true);
      await eventIndex.onVideoDeleted(trx, videoId);
      await updatePassages(trx, videoId);
    },

    async onVideoMoved(trx, { videoId }) {
      await eventIndex.onVideoMoved(trx, videoId);
      await updatePassages(trx, videoId);
    },

    onVideoTagged: (trx, { videoId }) => refreshWords(trx, videoId),

    onVideoSidecar: (trx, { videoId }) => observations.forget(trx, videoId, 'telemetry'),

    async onVideoSubtitles(trx, { videoId, removed }) {
      await observations.forget(trx, videoId, 'subtitles');
      // Without subtitles, the words are recognized; with them, only voices were looked for.
      if (removed) await observations.forget(trx, videoId, 'speech');
      else await readSubtitles(jobs, trx, [videoId]);
      await refreshWords(trx, videoId);
    },

    async onVideoRestored(trx, { videoId }) {
      await store.hideDocuments(trx, videoId, false);
      await updatePassages(trx, videoId);
      await eventIndex.onVideoRestored(trx, videoId);
      await assignIncidents(trx, videoId);
    },

    async onVideoErased(trx, { videoId }) {
      const analysisIds = await store.deleteDocuments(trx, videoId);
      await eventIndex.onVideoDeleted(trx, videoId);
      await visionCalls.onVideoErased(trx, videoId);
      if (analysisIds.length > 0) await jobs.send(trx, deleteEvidence, { analysisIds });
    },

    work(concurrency) {
      jobs.handle(runAnalysis, createAnalysisRunner({ ...deps, observations, evidence, visionCalls }), { concurrency });
      jobs.handle(observeVideo, createObserveVideoHandler({ ...deps, observations }));
      jobs.handle(observeForRun, createRunHandler({ ...deps, observations }));
      jobs.handle(failAbandonedObservation, async (run) => {
        const { code, message } = problems.observation_abandoned();
        await endRunVideo(database.db, run, { code, message });
      });
      jobs.handle(indexEvents, async (_, { signal }) => {
        await eventIndex.indexEarlier(signal);
        await incidents.assignEarlier(signal);
        await passages.storeEarlier(signal);
        await frameVectors.tend();
      });
      jobs.handle(buildVectorIndex, (_, { signal }) => frameVectors.build(signal));
      // Also finds analyses that nodes of an earlier version complete during an upgrade.
      jobs.schedule(indexEvents, '* * * * *', {});
      jobs.handle(failAbandonedAnalysis, async ({ analysisId }) => {
        const analysis = await store.findById(database.db, analysisId);
        if (!analysis) return;
        await database.transaction((trx) =>
          failAnalysis({ events, engine: deps.engine }, trx, analysis, null, null, problems.analysis_failed()),
        );
      });
      jobs.handle(deleteEvidence, async ({ analysisIds }) => {
        for (const analysisId of analysisIds) await evidence.deleteImages(analysisId);
      });
    },
  };
  return analyses;
}
