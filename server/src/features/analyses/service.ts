import type { Engine } from '#engine/index';
import { type AuditActor, recordAction } from '#features/audit/index';
import type { DomainEvents, Events } from '#features/events/index';
import type { Folders } from '#features/folders/index';
import type { Video, Videos } from '#features/videos/index';
import { canManage, canRead } from '#platform/access/index';
import type { Database, Transaction } from '#platform/db/index';
import { type Caller, httpProblems, type IdPage, readIdPage, type ServedFile } from '#platform/http/index';
import { newId } from '#platform/ids';
import type { Jobs } from '#platform/jobs/index';
import type { Log } from '#platform/log';
import { roundedJson } from '#platform/numbers';
import type { Secrets } from '#platform/secrets/index';
import type { Storage } from '#platform/storage/index';
import * as batches from './batch-store.ts';
import { processingDocument } from './document.ts';
import { createEventIndex, type EventIndex } from './event-index/index.ts';
import { createEvidence, createEvidenceImages } from './evidence/index.ts';
import { deleteEvidence, failAbandonedAnalysis, indexEvents, observeVideo, runAnalysis } from './jobs.ts';
import { createObservations, createStoredObservations } from './observations/index.ts';
import { createObserveVideoHandler } from './observe-video.ts';
import { problems } from './problems.ts';
import { createAnalysisRunner, failAnalysis, resumeDeferred } from './runner/index.ts';
import { type EventMatch, searchableWords, searchEvents } from './search-store.ts';
import * as store from './store.ts';
import { createTimeline, type Timeline } from './timeline/service.ts';

/** Limits of a search: the newest analyses of a folder, and events of the result. */
const SEARCH = { analyses: 5_000, limit: 200 };

type StoredEvent = { data: { annotated_thumbnail_url?: string } };

type AnalysesDeps = {
  database: Database;
  storage: Storage;
  engine: Engine;
  videos: Pick<Videos, 'find' | 'get' | 'canReachAll'>;
  folders: Pick<Folders, 'require'>;
  events: Events;
  jobs: Jobs;
  secrets: Secrets;
  log: Log;
  /** Public URL of the API, without a trailing slash. */
  publicUrl: string;
};

type StartRequest = {
  orgId: string;
  ownerId: string;
  batchId: string | null;
  videos: readonly Pick<Video, 'id' | 'scope'>[];
  query: string;
  mode: 'fast' | 'thinking';
  /** Possible events below it are candidates. */
  minConfidence: number;
  /** A checked plan; null if the engine plans the query. */
  plan: unknown;
};

/** A page of analyses without their documents. */
export type AnalysisPage = {
  analyses: (store.AnalysisRow & { answer: string | null; eventCount: number })[];
  hasMore: boolean;
  nextCursor: string | null;
};

type BatchDocument = Omit<batches.BatchDocument, 'sourceUri'>;

export interface Analyses {
  /** Stored observations over time. */
  timeline: Timeline;
  /** Lists of the events of all analyses. */
  eventIndex: EventIndex;
  /** Creates one analysis and job per video in the caller's transaction. Returns the ids in the order of the videos. */
  start(trx: Transaction, request: StartRequest): Promise<string[]>;
  /** The status of the analysis as JSON text. Throws `analysis_not_found` (404) or `analysis_forbidden` (403). */
  status(caller: Caller, videoId: string, analysisId: string): Promise<string>;
  /**
   * The analysis document as JSON text, with image URLs that are valid for a day. While the analysis runs, the document
   * has no events. Throws `analysis_not_found`, `analysis_gone` (404) or `analysis_forbidden` (403).
   */
  document(caller: Caller, videoId: string, analysisId: string): Promise<string>;
  /**
   * The events in the stored form, each with the URL of its image at the top level. Throws as `status` does, or
   * `analysis_unfinished` (409).
   */
  thumbnails(caller: Caller, videoId: string, analysisId: string): Promise<{ annotated_thumbnail_url: string }[]>;
  /**
   * Events of a folder's videos that contain any of these words, those with the most first. Only analyses that the
   * caller may read are searched; the calling room checks access to the folder.
   */
  search(caller: Caller, folderId: string, words: readonly string[]): Promise<EventMatch[]>;
  /** Returns the words that `search` can find. */
  filterSearchable(words: readonly string[]): Promise<string[]>;
  /** The document of the newest analysis of the video. */
  latest(caller: Caller, videoId: string): Promise<string>;
  /**
   * Analyses of the video that the caller may read, newest first, without their documents. Throws `video_not_found`
   * (404), `video_forbidden` (403) or `cursor_invalid` (400).
   */
  list(caller: Caller, videoId: string, page: IdPage): Promise<AnalysisPage>;
  /**
   * Deletes an analysis with its document, events and evidence images; a running one is canceled first. Throws
   * `analysis_not_found` (404), or `analysis_forbidden` (403) if it belongs to someone else.
   */
  remove(caller: Caller, videoId: string, analysisId: string, by: AuditActor): Promise<void>;
  /** Ends the running analyses of a batch as failed with `analysis_cancelled`. The calling room checks access. */
  cancelBatch(trx: Transaction, batchId: string): Promise<void>;
  /** Existing videos of a batch whose analysis failed, and the settings of their query. */
  listFailedVideos(batchId: string): Promise<batches.FailedVideos>;
  /** Those of the videos that a query would not decode again. */
  listObserved(videoIds: readonly string[]): Promise<string[]>;
  /** Analyses of a batch in its order. The calling room checks access to the batch. */
  listBatchAnalyses(batchId: string): Promise<batches.BatchAnalysis[]>;
  /**
   * Documents of a batch's analyses of these videos as JSON text, in the order of the batch and in groups; null for
   * analyses without a document. With `sourceUri` each has the source of its video as `import_source_uri`.
   */
  streamBatchDocuments(
    batchId: string,
    videoIds: readonly string[],
    options?: { sourceUri?: boolean },
  ): AsyncIterable<BatchDocument[]>;
  /**
   * An evidence image by the parts of its signed URL, drawn at the first request. Throws `evidence_token_invalid`,
   * `evidence_token_expired` (403), `evidence_not_found` or `evidence_undrawable` (404).
   */
  openEvidence(analysisId: string, name: string, token: string, signal: AbortSignal): Promise<ServedFile>;

  /** Handlers of domain events of the videos room; `compose.ts` subscribes them. */
  onVideosReady(trx: Transaction, event: DomainEvents['videos.ready']): Promise<void>;
  onVideoDeleted(trx: Transaction, event: DomainEvents['video.deleted']): Promise<void>;
  onVideoMoved(trx: Transaction, event: DomainEvents['video.moved']): Promise<void>;
  onVideoSidecar(trx: Transaction, event: DomainEvents['video.sidecar']): Promise<void>;
  onVideoRestored(trx: Transaction, event: DomainEvents['video.restored']): Promise<void>;
  onVideoErased(trx: Transaction, event: DomainEvents['video.erased']): Promise<void>;
  /** Registers the job handlers. `concurrency` is the number of analyses that this node runs at once. */
  work(concurrency?: number): void;
}

/** The analyses room. */
export function createAnalyses(deps: AnalysesDeps): Analyses {
  const { database, events, jobs } = deps;
  const evidence = createEvidence({ ...deps, pictures: createEvidenceImages(deps) });
  const observations = createObservations(deps);
  const eventIndex = createEventIndex({ ...deps, evidence });

  async function allowed<Row extends Pick<store.AnalysisRow, 'orgId' | 'ownerId' | 'scope' | 'videoId'>>(
    caller: Caller,
    row: Row | null,
  ): Promise<Row> {
    if (!row) throw problems.analysis_not_found();
    if (!canRead(caller, row)) throw problems.analysis_forbidden();
    if (caller.folderId && !(await deps.videos.canReachAll(caller, [row.videoId]))) throw httpProblems.key_limited();
    return row;
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

  const analyses: Analyses = {
    timeline: createTimeline({ videos: deps.videos, stored: createStoredObservations(deps) }),
    eventIndex,

    async start(trx, { videos, ...common }) {
      // An analysis of a sample video is personal.
      const made = videos.map(({ id, scope }) => ({
        analysisId: newId(),
        videoId: id,
        scope: scope === 'org' ? ('org' as const) : ('user' as const),
      }));
      const payloads = made.map(({ analysisId }) => ({ analysisId, waits: 0 }));
      const jobIds = await jobs.sendMany(trx, runAnalysis, payloads);
      const rows = made.map((each, position) => ({ ...common, ...each, position, jobId: jobIds[position]! }));
      await store.insertAnalyses(trx, rows);
      return made.map(({ analysisId }) => analysisId);
    },

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
      const found = row.text === null ? '[]' : evidence.sign(analysisId, row.text);
      return `${roundedJson(head).slice(0, -1)},"events":${found}}`;
    },

    async thumbnails(caller, videoId, analysisId) {
      const row = await allowed(caller, await store.findWith(database.db, videoId, analysisId, 'events'));
      if (row.status === 'PROCESSING') throw problems.analysis_unfinished();
      const events = JSON.parse(row.text === null ? '[]' : evidence.sign(analysisId, row.text)) as StoredEvent[];
      return events.map((event) => ({
        ...event,
        annotated_thumbnail_url: event.data.annotated_thumbnail_url ?? '',
      }));
    },

    filterSearchable: (words) => searchableWords(database.db, words),

    search(caller, folderId, words) {
      return searchEvents(database.db, caller, { folderId, words, ...SEARCH });
    },

    async document(caller, videoId, analysisId) {
      const row = await allowed(caller, await store.findWith(database.db, videoId, analysisId, 'document'));
      if (row.text !== null) return evidence.sign(analysisId, row.text);
      if (row.status !== 'PROCESSING') throw problems.analysis_gone();
      const header = { ...row, engineVersion: deps.engine.version };
      return roundedJson(processingDocument(header, row.stage, row.progress));
    },

    async latest(caller, videoId) {
      const analysisId = await store.findLatestId(database.db, videoId, caller);
      if (!analysisId) throw problems.analysis_not_found('This video has no analysis.');
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
        const row = await allowed(caller, await store.lockById(trx, videoId, analysisId));
        if (!canManage(caller, row)) throw problems.analysis_forbidden();
        if (row.status === 'PROCESSING') await failRunning(trx, [row], 'analysis_cancelled');
        await store.deleteAnalysis(trx, analysisId);
        const { orgId, batchId, query } = row;
        const status = row.status === 'COMPLETED' ? 'COMPLETED' : 'FAILED';
        await events.publish(trx, 'analysis.deleted', { analysisId, batchId, videoId, status });
        await jobs.send(trx, deleteEvidence, { analysisIds: [analysisId] });
        const detail = { video_id: videoId, query };
        await recordAction(trx, by, { orgId, action: 'analysis.deleted', subjectId: analysisId, detail });
      }),

    cancelBatch: async (trx, batchId) => failRunning(trx, await store.lockBatch(trx, batchId), 'analysis_cancelled'),

    listObserved: observations.listObserved,
    listFailedVideos: (batchId) => batches.listFailedVideos(database.db, batchId),
    listBatchAnalyses: (batchId) => batches.listBatchAnalyses(database.db, batchId),

    async *streamBatchDocuments(batchId, videoIds, { sourceUri = false } = {}) {
      for await (const rows of batches.streamBatchDocuments(database.db, batchId, videoIds, sourceUri)) {
        yield rows.map(({ videoId, analysisId, document, sourceUri: uri }) => {
          if (document === null) return { videoId, analysisId, document };
          const text = evidence.sign(analysisId, document);
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
    },

    async onVideoDeleted(trx, { videoId }) {
      await observations.revokeLeases(trx, videoId);
      await failRunning(trx, await store.lockProcessing(trx, [videoId], false), 'video_deleted');
      await store.hideDocuments(trx, videoId, true);
      await eventIndex.onVideoDeleted(trx, videoId);
    },

    onVideoMoved: (trx, { videoId }) => eventIndex.onVideoMoved(trx, videoId),

    onVideoSidecar: (trx, { videoId }) => observations.forget(trx, videoId, 'telemetry'),

    async onVideoRestored(trx, { videoId }) {
      await store.hideDocuments(trx, videoId, false);
      await eventIndex.onVideoRestored(trx, videoId);
    },

    async onVideoErased(trx, { videoId }) {
      const analysisIds = await store.deleteDocuments(trx, videoId);
      await eventIndex.onVideoDeleted(trx, videoId);
      if (analysisIds.length > 0) await jobs.send(trx, deleteEvidence, { analysisIds });
    },

    work(concurrency) {
      jobs.handle(runAnalysis, createAnalysisRunner({ ...deps, observations, evidence }), { concurrency });
      jobs.handle(observeVideo, createObserveVideoHandler({ ...deps, observations }));
      jobs.handle(indexEvents, (_, { signal }) => eventIndex.indexEarlier(signal));
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
