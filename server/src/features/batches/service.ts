import type { Engine } from '#engine/index';
import type { Analyses, BatchAnalysis } from '#features/analyses/index';
import type { Events, News, StreamEvent } from '#features/events/index';
import type { Videos } from '#features/videos/index';
import type { Database, Transaction } from '#platform/db/index';
import { type Caller, covers, httpProblems } from '#platform/http/index';
import { newId } from '#platform/ids';
import { checkNotes, NOTES, type Notes } from './notes.ts';
import { problems } from './problems.ts';
import { type Result, resultOf, withoutDocument } from './results.ts';
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

/** How a question is asked, besides what it asks. */
export type Asking = {
  mode: Mode;
  /** What older clients said besides, to be read back from the batch's `config`. */
  config?: Record<string, unknown>;
  /** The client's own name for this batch: asked again under it by the same user, the batch that there is is the answer. */
  clientId?: string | null;
  /** Called with the answer in the transaction that makes the batch. */
  remember?: (answer: StartAnswer, trx: Transaction) => Promise<void>;
};

export interface Batches {
  /**
   * Makes a batch with one analysis per video, its stream and its jobs in one transaction.
   * Throws `query_empty`, `query_too_long`, `videos_missing`, `videos_ambiguous`, `too_many_videos`, `plan_invalid` (400), `video_not_found` (404) or `video_forbidden` (403).
   */
  start(caller: Caller, body: QueryBody, asking: Asking): Promise<StartAnswer>;
  /** The stream's events after `afterId`, until it ends or the signal aborts. Throws `stream_not_found` (404) or `stream_forbidden` (403). */
  follow(caller: Caller, streamId: string, afterId: number, signal: AbortSignal): Promise<AsyncIterable<StreamEvent>>;
  /** How the batch stands. Throws `batch_not_found` (404) or `batch_forbidden` (403). */
  get(caller: Caller, batchId: string, includeVideos: boolean): Promise<Batch>;
  /** The bulk answer as pieces of JSON text; documents are passed on as they are stored. Throws `batch_not_found` (404) or `batch_forbidden` (403). */
  bulk(
    caller: Caller,
    batchId: string,
    videoIds: readonly string[],
    includeSourceUri: boolean,
  ): Promise<AsyncIterable<string>>;
  /** The documents of all its analyses that have one, as JSON text, some at a time. Throws the same. */
  documents(caller: Caller, batchId: string): Promise<AsyncIterable<string[]>>;
  /** What became of each analysis, in the batch's order. Throws `batch_not_found` (404) or `batch_forbidden` (403). */
  results(caller: Caller, batchId: string): Promise<{ batch: store.Batch; results: Result[] }>;
  /**
   * Adds notes, flat names and values, to a batch of one's own; those under a name that is there are replaced. Returns all of them.
   * Throws `metadata_invalid`, `metadata_too_large` (400), `batch_not_found` (404) or `batch_forbidden` (403).
   */
  annotate(caller: Caller, batchId: string, notes: string): Promise<Notes>;

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
    async start(caller, body, { mode, config = {}, clientId = null, remember }) {
      const known = clientId === null ? null : await store.findByClientId(database.db, caller.userId, clientId);
      if (known) return answerOf(known);
      const query = checkQuery(body.query);
      const ids = checkVideoIds(body);
      const plan = body.plan == null ? null : engine.checkPlan(body.plan);
      const chosen = await videos.getMany(caller, ids);
      const { orgId, userId: ownerId } = caller;
      const batchId = newId();
      const streamId = newId();
      const answer = answerOf({ id: batchId, streamId, status: 'processing', total: chosen.length });

      const make = database.transaction(async (trx) => {
        await events.openStream(trx, { id: streamId, orgId, ownerId });
        const scope = chosen.every((video) => video.scope === 'org') ? 'org' : 'user';
        await store.insertBatch(trx, {
          id: batchId,
          orgId,
          ownerId,
          streamId,
          clientId,
          scope,
          query,
          config: { ...configOf(query, mode), ...config },
          total: chosen.length,
        });
        await analyses.start(trx, { orgId, ownerId, batchId, videos: chosen, query, mode, plan });
        await events.append(trx, streamId, 'batch_created', answer);
        await remember?.(answer, trx);
        return answer;
      });
      return make.catch(async (error) => {
        // Of two requests under one name at once, one makes the batch.
        const other = clientId === null ? null : await store.findByClientId(database.db, caller.userId, clientId);
        if (!other) throw error;
        return answerOf(other);
      });
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
      return bulkText(wanted, analyses.documentsOfBatch(batchId, wanted, { sourceUri: includeSourceUri }));
    },

    async documents(caller, batchId) {
      await readable(caller, batchId);
      const videoIds = (await analyses.ofBatch(batchId)).map(({ videoId }) => videoId);
      const found = analyses.documentsOfBatch(batchId, videoIds);
      return (async function* () {
        for await (const some of found) yield some.flatMap(({ document }) => document ?? []);
      })();
    },

    async results(caller, batchId) {
      const batch = await readable(caller, batchId);
      const made = await analyses.ofBatch(batchId);
      const ofDocuments = new Map<string, Result>();
      const videoIds = made.map(({ videoId }) => videoId);
      for await (const some of analyses.documentsOfBatch(batchId, videoIds)) {
        for (const { analysisId, document } of some) if (document) ofDocuments.set(analysisId, resultOf(document));
      }
      return { batch, results: made.map((each) => ofDocuments.get(each.analysisId) ?? withoutDocument(each)) };
    },

    async annotate(caller, batchId, notes) {
      const batch = await readable(caller, batchId);
      if (batch.ownerId !== caller.userId && !covers(caller, 'admin')) throw problems.batch_forbidden();
      const all = await store.addMetadata(database.db, batchId, checkNotes(notes), NOTES.count);
      if (!all) throw problems.metadata_too_large();
      return all;
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
      const { id, total, completed, failed } = batch;
      const findings = found.map((finding) => ({ kind: 'finding', data: { ...ids, finding } }) as const);
      const ended = { ...ids, status: status.toLowerCase(), events: found.length, message, completed, total };
      const done = { batch_id: id, status: batch.status, total, completed, failed };
      await events.appendAll(trx, batch.streamId, [
        ...findings,
        { kind: 'video_completed', data: ended },
        ...(batch.status === 'processing' ? [] : [{ kind: 'done', data: done } as const]),
      ]);
    },
  };
}

function answerOf({ id, streamId, status, total }: Pick<store.Batch, 'id' | 'streamId' | 'status' | 'total'>) {
  return { stream_id: streamId, batch_id: id, status, total };
}

async function* bulkText(
  wanted: readonly string[],
  found: ReturnType<Analyses['documentsOfBatch']>,
): AsyncGenerator<string> {
  const resolved = new Set<string>();
  const notFound: string[] = [];
  let separator = '{"analyses":[';
  for await (const some of found) {
    for (const { videoId } of some) resolved.add(videoId);
    notFound.push(...some.flatMap(({ document, analysisId }) => (document === null ? analysisId : [])));
    const texts = some.flatMap(({ document }) => document ?? []);
    if (texts.length === 0) continue;
    yield `${separator}${texts.join(',')}`;
    separator = ',';
  }
  const unresolved = wanted.filter((id) => !resolved.has(id));
  yield `${separator === ',' ? '' : separator}],"unresolved_video_ids":${JSON.stringify(unresolved)},"not_found_analysis_ids":${JSON.stringify(notFound)}}`;
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
