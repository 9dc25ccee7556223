import type { Engine } from '#engine/index';
import type { Events, News } from '#features/events/index';
import type { Video, Videos } from '#features/videos/index';
import type { Database, Transaction } from '#platform/db/index';
import { type Caller, covers, httpProblems, type ServedFile } from '#platform/http/index';
import { newId } from '#platform/ids';
import type { Jobs } from '#platform/jobs/index';
import type { Log } from '#platform/log';
import { roundedJson } from '#platform/numbers';
import type { Secrets } from '#platform/secrets/index';
import type { Storage } from '#platform/storage/index';
import * as batches from './batch-store.ts';
import { processingDocument } from './document.ts';
import { createEvidence } from './evidence.ts';
import { failAnalysis } from './failure.ts';
import { forgetEvidence, giveUpAnalysis, observeVideo, runAnalysis } from './jobs.ts';
import { createObservations } from './observations/index.ts';
import { createObserveVideo } from './observe.ts';
import { createPictures } from './pictures.ts';
import { problems } from './problems.ts';
import { createRun } from './run.ts';
import { type FoundEvent, searchableWords, searchEvents } from './search-store.ts';
import * as store from './store.ts';
import { wakeWaiting } from './waiting.ts';

/** Of a folder's analyses the newest are searched, and so many of their events are told at most. */
const SEARCH = { analyses: 5_000, limit: 200 };

type StoredEvent = { data: { annotated_thumbnail_url?: string } };

type AnalysesDeps = {
  database: Database;
  storage: Storage;
  engine: Engine;
  videos: Pick<Videos, 'find' | 'reachesAll'>;
  events: Events;
  jobs: Jobs;
  secrets: Secrets;
  log: Log;
  /** Address that clients reach the API under, without a trailing slash. */
  publicUrl: string;
};

type StartRequest = {
  orgId: string;
  ownerId: string;
  batchId: string | null;
  videos: readonly Pick<Video, 'id' | 'scope'>[];
  query: string;
  mode: 'fast' | 'thinking';
  /** A plan that was checked; null: the engine reads the query. */
  plan: unknown;
};

type BatchDocument = Omit<batches.BatchDocument, 'sourceUri'>;
export type BatchAnalysis = batches.BatchAnalysis;

export interface Analyses {
  /** Makes one analysis per video, in their order, and the jobs that run them, in the caller's transaction. Returns their ids. */
  start(trx: Transaction, request: StartRequest): Promise<string[]>;
  /** How the analysis stands, as JSON text. Throws `analysis_not_found` (404) or `analysis_forbidden` (403). */
  status(caller: Caller, videoId: string, analysisId: string): Promise<string>;
  /**
   * The analysis document as JSON text, with picture URLs that hold for a day; while it runs, a document without events that says so.
   * Throws `analysis_not_found`, `analysis_gone` (404) or `analysis_forbidden` (403).
   */
  document(caller: Caller, videoId: string, analysisId: string): Promise<string>;
  /** Its events in their stored form, each with its picture's URL at its top. Throws as `status` does, or `analysis_unfinished` (409). */
  thumbnails(caller: Caller, videoId: string, analysisId: string): Promise<{ annotated_thumbnail_url: string }[]>;
  /**
   * Events of a folder's videos, in analyses that the caller may read, that have any of these words, those with the most first. Whether they may
   * see the folder is for the other room to know.
   */
  search(caller: Caller, folderId: string, words: readonly string[]): Promise<FoundEvent[]>;
  /** Those of the words that `search` can find. */
  searchable(words: readonly string[]): Promise<string[]>;
  /** The document of the video's newest analysis. */
  latest(caller: Caller, videoId: string): Promise<string>;
  /** A batch's analyses in its order. Who may read the batch is for the caller to know. */
  ofBatch(batchId: string): Promise<BatchAnalysis[]>;
  /**
   * The documents of a batch's analyses of these videos, as JSON text, in the batch's order, some at a time; null for those that have none (yet, or no more).
   * With `sourceUri` each says at its top where its video came from, as `import_source_uri`.
   */
  documentsOfBatch(
    batchId: string,
    videoIds: readonly string[],
    options?: { sourceUri?: boolean },
  ): AsyncIterable<BatchDocument[]>;
  /**
   * An evidence picture by its signed URL's parts, drawn when it is first asked for. Throws `evidence_token_invalid`, `evidence_token_expired`
   * (403), `evidence_not_found` or `evidence_undrawable` (404).
   */
  picture(analysisId: string, name: string, token: string, signal: AbortSignal): Promise<ServedFile>;

  /** News of videos that this room needs; `compose.ts` subscribes them. */
  onVideosReady(trx: Transaction, news: News['videos.ready']): Promise<void>;
  onVideoDeleted(trx: Transaction, news: News['video.deleted']): Promise<void>;
  onVideoSidecar(trx: Transaction, news: News['video.sidecar']): Promise<void>;
  onVideoRestored(trx: Transaction, news: News['video.restored']): Promise<void>;
  onVideoErased(trx: Transaction, news: News['video.erased']): Promise<void>;
  /** Registers the handlers of this room's jobs. `concurrency`: how many analyses this node runs at once. */
  work(concurrency?: number): void;
}

/** The analyses room. */
export function createAnalyses(deps: AnalysesDeps): Analyses {
  const { database, events, jobs } = deps;
  const evidence = createEvidence({ ...deps, pictures: createPictures(deps) });
  const observations = createObservations(deps);

  async function allowed<Row extends Pick<store.AnalysisRow, 'orgId' | 'ownerId' | 'scope' | 'videoId'>>(
    caller: Caller,
    row: Row | null,
  ): Promise<Row> {
    if (!row) throw problems.analysis_not_found();
    const sees = row.scope === 'org' || row.ownerId === caller.userId || covers(caller, 'admin');
    if (row.orgId !== caller.orgId || !sees) throw problems.analysis_forbidden();
    if (caller.folderId && !(await deps.videos.reachesAll(caller, [row.videoId]))) throw httpProblems.key_limited();
    return row;
  }

  const analyses: Analyses = {
    async start(trx, { videos, ...common }) {
      // What someone asks of a sample is their own.
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
        // Older clients count chunks; an analysis is one.
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

    searchable: (words) => searchableWords(database.db, words),

    search(caller, folderId, words) {
      const searcher = { userId: caller.userId, whole: covers(caller, 'admin') };
      return searchEvents(database.db, { folderId, searcher, words, ...SEARCH });
    },

    async document(caller, videoId, analysisId) {
      const row = await allowed(caller, await store.findWith(database.db, videoId, analysisId, 'document'));
      if (row.text !== null) return evidence.sign(analysisId, row.text);
      if (row.status !== 'PROCESSING') throw problems.analysis_gone();
      const header = { ...row, engineVersion: deps.engine.version };
      return roundedJson(processingDocument(header, row.stage, row.progress));
    },

    async latest(caller, videoId) {
      const analysisId = await store.latest(database.db, videoId, caller, covers(caller, 'admin'));
      if (!analysisId) throw problems.analysis_not_found('There is no analysis of this video.');
      return analyses.document(caller, videoId, analysisId);
    },

    ofBatch: (batchId) => batches.batchAnalyses(database.db, batchId),

    async *documentsOfBatch(batchId, videoIds, { sourceUri = false } = {}) {
      for await (const rows of batches.batchDocuments(database.db, batchId, videoIds, sourceUri)) {
        yield rows.map(({ videoId, analysisId, document, sourceUri: uri }) => {
          if (document === null) return { videoId, analysisId, document };
          const text = evidence.sign(analysisId, document);
          // A document is an object, so a field is added behind its opening brace.
          const withUri = sourceUri ? `{"import_source_uri":${JSON.stringify(uri)},${text.slice(1)}` : text;
          return { videoId, analysisId, document: withUri };
        });
      }
    },

    picture: evidence.open,

    async onVideosReady(trx, { videos }) {
      const ids = videos.map(({ videoId }) => videoId);
      await wakeWaiting(jobs, trx, ids);
    },

    async onVideoDeleted(trx, { videoId }) {
      await observations.stop(trx, videoId);
      const running = await store.lockProcessing(trx, [videoId], false);
      await jobs.cancel(
        trx,
        runAnalysis,
        running.flatMap((a) => a.jobId ?? []),
      );
      for (const analysis of running) await failAnalysis(deps, trx, analysis, null, null, problems.video_deleted());
      await store.hideDocuments(trx, videoId, true);
    },

    onVideoSidecar: (trx, { videoId }) => observations.forget(trx, videoId, 'telemetry'),

    onVideoRestored: (trx, { videoId }) => store.hideDocuments(trx, videoId, false),

    async onVideoErased(trx, { videoId }) {
      const analysisIds = await store.forgetDocuments(trx, videoId);
      if (analysisIds.length > 0) await jobs.send(trx, forgetEvidence, { analysisIds });
    },

    work(concurrency) {
      jobs.handle(runAnalysis, createRun({ ...deps, observations, evidence }), { concurrency });
      jobs.handle(observeVideo, createObserveVideo({ ...deps, observations }));
      jobs.handle(giveUpAnalysis, async ({ analysisId }) => {
        const analysis = await store.findById(database.db, analysisId);
        if (!analysis) return;
        await database.transaction((trx) =>
          failAnalysis({ events, engine: deps.engine }, trx, analysis, null, null, problems.analysis_failed()),
        );
      });
      jobs.handle(forgetEvidence, async ({ analysisIds }) => {
        for (const analysisId of analysisIds) await evidence.forget(analysisId);
      });
    },
  };
  return analyses;
}
