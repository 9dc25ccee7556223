import type { Engine } from '#engine/index';
import type { Analyses, BatchAnalysis } from '#features/analyses/index';
import type { Events, News, StreamEvent } from '#features/events/index';
import type { Videos } from '#features/videos/index';
import type { Database, Transaction } from '#platform/db/index';
import { type Caller, covers, httpProblems } from '#platform/http/index';
import { newId } from '#platform/ids';
import { problems } from './problems.ts';
import type { QueryBody, StartAnswer } from './schema.ts';
import * as store from './store.ts';

export type Mode = 'fast' | 'thinking';

type BatchesDeps = {
  database: Database;
  events: Events;
  analyses: Analyses;
  videos: Pick<Videos, 'getMany' | 'reachesAll'>;
  engine: Pick<Engine, 'checkPlan'>;
  limits: { queryLength: number; videosPerQuery: number };
};

export type Batch = store.Batch & { analyses: BatchAnalysis[] };

export interface Batches {
  /**
   * Makes a batch with one analysis per video, its stream and its jobs in one transaction, and calls `remember` with the answer in it.
   * Throws `query_empty`, `query_too_long`, `videos_missing`, `videos_ambiguous`, `too_many_videos`, `plan_invalid` (400), `video_not_found` (404) or `video_forbidden` (403).
   */
  start(
    caller: Caller,
    body: QueryBody,
    mode: Mode,
    remember?: (answer: StartAnswer, trx: Transaction) => Promise<void>,
  ): Promise<StartAnswer>;
  /** The stream's events after `afterId`, until it ends or the signal aborts. Throws `stream_not_found` (404) or `stream_forbidden` (403). */
  follow(caller: Caller, streamId: string, afterId: number, signal: AbortSignal): Promise<AsyncIterable<StreamEvent>>;
  /** How the batch stands. Throws `batch_not_found` (404) or `batch_forbidden` (403). */
  get(caller: Caller, batchId: string, includeVideos: boolean): Promise<Batch>;
  /** The bulk answer as JSON text; documents are passed on as they are stored. */
  bulk(caller: Caller, batchId: string, videoIds: readonly string[], includeSourceUri: boolean): Promise<string>;

  /** News of analyses; `compose.ts` subscribes them. */
  onAnalysisProgressed(trx: Transaction, news: News['analysis.progressed']): Promise<void>;
  onAnalysisEnded(trx: Transaction, news: News['analysis.ended']): Promise<void>;
}

/** The batches room. */
export function createBatches(deps: BatchesDeps): Batches {
  const { database, events, analyses, videos, engine, limits } = deps;

  function checkQuery(query: string): string {
    const text = query.trim();
    if (text === '') throw problems.query_empty();
    if (text.length <= limits.queryLength) return text;
    throw problems.query_too_long(
      `The field \`query\` has ${text.length} characters; at most ${limits.queryLength} are accepted.`,
    );
  }

  function checkVideoIds(body: QueryBody): readonly string[] {
    const many = body.video_ids ?? [];
    if (body.video_id && many.length > 0) throw problems.videos_ambiguous();
    if (body.video_id) return [body.video_id];
    if (many.length === 0) throw problems.videos_missing();
    if (many.length <= limits.videosPerQuery) return many;
    throw problems.too_many_videos(
      `The field \`video_ids\` has ${many.length} ids; one query takes at most ${limits.videosPerQuery}.`,
    );
  }

  async function allowed(caller: Caller, batch: store.Batch): Promise<boolean> {
    const sees = batch.scope === 'org' || batch.ownerId === caller.userId || covers(caller, 'admin');
    if (batch.orgId !== caller.orgId || !sees) return false;
    if (!caller.folderId) return true;
    const videoIds = (await analyses.ofBatch(batch.id)).map(({ videoId }) => videoId);
    if (await videos.reachesAll(caller, videoIds)) return true;
    throw httpProblems.key_limited();
  }

  async function readable(caller: Caller, batchId: string): Promise<store.Batch> {
    const batch = await store.findBatch(database.db, batchId);
    if (!batch) throw problems.batch_not_found();
    if (!(await allowed(caller, batch))) throw problems.batch_forbidden();
    return batch;
  }

  /** Runs `append` with the stream of the analysis's batch, if it is in one. */
  async function withStream(trx: Transaction, batchId: string | null, append: (streamId: string) => Promise<void>) {
    const streamId = batchId && (await store.streamOf(trx, batchId));
    if (streamId) await append(streamId);
  }

  return {
    async start(caller, body, mode, remember) {
      const query = checkQuery(body.query);
      const ids = checkVideoIds(body);
      const plan = body.plan == null ? null : engine.checkPlan(body.plan);
      const chosen = await videos.getMany(caller, ids);
      const { orgId, userId: ownerId } = caller;
      const batchId = newId();
      const streamId = newId();
      const answer = { stream_id: streamId, batch_id: batchId, status: 'processing', total: chosen.length };

      await database.transaction(async (trx) => {
        await events.openStream(trx, { id: streamId, orgId, ownerId });
        const scope = chosen.every((video) => video.scope === 'org') ? 'org' : 'user';
        const config = configOf(query, mode);
        await store.insertBatch(trx, {
          id: batchId,
          orgId,
          ownerId,
          streamId,
          scope,
          query,
          config,
          total: chosen.length,
        });
        await analyses.start(trx, { orgId, ownerId, batchId, videos: chosen, query, mode, plan });
        await events.append(trx, streamId, 'batch_created', answer);
        await remember?.(answer, trx);
      });
      return answer;
    },

    async follow(caller, streamId, afterId, signal) {
      const batch = await store.findByStream(database.db, streamId);
      if (!batch) throw problems.stream_not_found();
      if (!(await allowed(caller, batch))) throw problems.stream_forbidden();
      return events.follow(streamId, afterId, signal);
    },

    async get(caller, batchId, includeVideos) {
      const batch = await readable(caller, batchId);
      return { ...batch, analyses: includeVideos ? await analyses.ofBatch(batchId) : [] };
    },

    async bulk(caller, batchId, videoIds, includeSourceUri) {
      await readable(caller, batchId);
      const wanted = [...new Set(videoIds)];
      const found = await analyses.documentsOfBatch(batchId, wanted, { sourceUri: includeSourceUri });
      const resolved = new Set(found.map((each) => each.videoId));
      const texts = found.flatMap(({ document }) => document ?? []);
      const unresolved = wanted.filter((id) => !resolved.has(id));
      const notFound = found.filter((each) => each.document === null).map((each) => each.analysisId);
      return `{"analyses":[${texts.join(',')}],"unresolved_video_ids":${JSON.stringify(unresolved)},"not_found_analysis_ids":${JSON.stringify(notFound)}}`;
    },

    onAnalysisProgressed: (trx, { batchId, videoId, analysisId, stage, progress, etaS }) =>
      withStream(trx, batchId, (streamId) =>
        events.append(trx, streamId, 'progress', {
          batch_id: batchId,
          video_id: videoId,
          analysis_id: analysisId,
          stage,
          progress: Math.round(progress * 10) / 10,
          ...(etaS === null ? {} : { eta_s: etaS }),
        }),
      ),

    async onAnalysisEnded(trx, { batchId, videoId, analysisId, status, message, events: found }) {
      const batch = batchId && (await store.count(trx, batchId, status === 'FAILED'));
      if (!batch) return;
      const ids = { batch_id: batch.id, video_id: videoId, analysis_id: analysisId };
      const findings = found.map((finding) => ({ ...ids, finding }));
      await events.appendAll(trx, batch.streamId, 'finding', findings);
      await events.append(trx, batch.streamId, 'video_completed', {
        ...ids,
        status: status.toLowerCase(),
        events: found.length,
        message,
        completed: batch.completed,
        total: batch.total,
      });
      if (batch.status === 'processing') return;
      const { id, total, completed, failed } = batch;
      await events.closeStream(trx, batch.streamId, 'done', {
        batch_id: id,
        status: batch.status,
        total,
        completed,
        failed,
      });
    },
  };
}

/** What existing clients read of a batch's configuration. */
function configOf(query: string, mode: Mode) {
  return {
    analysis_kind: 'rapid_review',
    prompt: query,
    mode,
    category: null,
    is_thumbnail: true,
    use_enhanced_motion_analysis: false,
  };
}
