import {
  type ActionWorkflow,
  type CaptionMode,
  DEFAULT_MIN_CONFIDENCE,
  type Engine,
  namesZone,
  openAccount,
  type Pass,
  type Plan,
  usageOf,
} from '#engine/index';
import { type Analyses, type AnalysisClass, toRecordingClock } from '#features/analyses/index';
import type { Events } from '#features/events/index';
import type { Folders } from '#features/folders/index';
import { checkTimeZone, type Video, type Videos } from '#features/videos/index';
import type { Zones } from '#features/zones/index';
import { canManage, canRead } from '#platform/access/index';
import type { Database, Transaction } from '#platform/db/index';
import { type Caller, httpProblems, readIdPage, toWire } from '#platform/http/index';
import { newId } from '#platform/ids';
import { bulkJson } from './bulk.ts';
import { openLibrary } from './library.ts';
import { METADATA_LIMITS, parseBatchMetadata } from './metadata.ts';
import { problems } from './problems.ts';
import { checkQuery, checkVideoIds } from './request.ts';
import { type QueryRequest, StartedQuery } from './schema.ts';
import type { Batches, QueryCaller, QueryMode } from './service-types.ts';
import * as store from './store.ts';
import { createStreamEvents } from './stream-events.ts';
import { summarizeBatch } from './summary.ts';

type BatchesDeps = {
  database: Database;
  events: Events;
  analyses: Analyses;
  videos: Pick<Videos, 'getMany' | 'canReachAll' | 'findPlace' | 'select'>;
  folders: Pick<Folders, 'visionProfiles'>;
  zones: Pick<Zones, 'ofVideos' | 'ofEach' | 'ofFolder'>;
  engine: Pick<
    Engine,
    | 'read'
    | 'plan'
    | 'searchLibrary'
    | 'languageModel'
    | 'checkPlan'
    | 'readings'
    | 'interpret'
    | 'placePlan'
    | 'preview'
    | 'selectFirstPass'
    | 'checkOutputSchema'
    | 'inferOutputSchema'
    | 'checkVisionProfile'
    | 'checkDetector'
  >;
  limits: { queryLength: number; videosPerQuery: number };
  /** Current time; default: the clock. */
  now?: () => Date;
};

/** Seconds of 1080p video that two processor cores observe in a second; see `bench -- engine`. */
const SPEED: Record<Pass, number> = { dense: 9.5, sparse: 97 };

/** Events of a batch that are counted. */
const MAX_EVENTS = 10_000;

/** Longest wait for a language model before a request is answered with the reading of the rules. */
const START_WAIT_MS = 2_000;
const PREVIEW_WAIT_MS = 15_000;

/** Most videos of a question that somebody waits for. */
const MOST_AT_ONCE = 4;

const classOf = (videos: number): AnalysisClass => (videos <= MOST_AT_ONCE ? 'interactive' : 'batch');

export function createBatches(deps: BatchesDeps): Batches {
  const { database, events, analyses, videos, folders, zones, engine, limits, now = () => new Date() } = deps;

  const streamEvents = createStreamEvents({ events, analyses });

  const countEvents = (batches: readonly store.Batch[]) =>
    analyses.eventIndex.countByBatch(
      batches.map(({ id }) => id),
      MAX_EVENTS,
    );

  /** Throws `key_limited` (403) if the key is limited to a folder that does not contain all videos of the batch. */
  async function requireReach(caller: Caller, batchId: string): Promise<void> {
    if (!caller.folderId) return;
    const videoIds = (await analyses.listBatchAnalyses(batchId)).map(({ videoId }) => videoId);
    if (!(await videos.canReachAll(caller, videoIds))) throw httpProblems.key_limited();
  }

  /** Restates a plan: of one video, by its clock; of several, in the zone of the person, or of all videos. */
  function interpret(plan: Plan, selected: readonly Video[], timeZone: string | null, at: Date | null = null): string {
    const [only, ...others] = selected;
    const requested = { at: at ?? now(), timeZone };
    if (only && others.length === 0)
      return engine.interpret(engine.placePlan(plan, toRecordingClock(only), requested).plan);
    const zones = new Set(selected.map((video) => video.timeZone));
    return engine.interpret(plan, { ...requested, timeZone: timeZone ?? (zones.size === 1 ? [...zones][0]! : null) });
  }

  async function checkReadable(caller: Caller, batch: store.Batch | null | undefined): Promise<store.Batch> {
    if (!batch) throw problems.batch_not_found();
    if (!canRead(caller, batch)) throw problems.batch_forbidden();
    await requireReach(caller, batch.id);
    return batch;
  }

  /** The videos of a request that names some, or the library that it is about. Throws as `start` does. */
  async function openVideos(caller: QueryCaller, body: QueryRequest, timeZone: string | null) {
    const ids = checkVideoIds(body, limits.videosPerQuery);
    const deps = { videos, engine, limit: limits.videosPerQuery };
    const library = body.library ? await openLibrary(deps, caller, body.library, timeZone) : null;
    const named = library ? [] : await videos.getMany(caller, ids);
    const known = library ? await zones.ofFolder(library.folderId) : await zones.ofVideos(named);
    return {
      zones: known,
      /** The videos, and how they were chosen. `plan`: when they were recorded. */
      async choose(trx: Transaction, plan: Plan | null, at: Date) {
        if (!library) return { selected: named, selection: null, whyNone: null };
        return library.select(trx, plan, { at, timeZone });
      },
    };
  }

  /** The plan of each video with the zones that it has, by its id; undefined if the reading names none of them. */
  async function placeReading(trx: Transaction, reading: Plan, selected: readonly Video[]) {
    const named = await zones.ofEach(selected, trx);
    const { query } = reading;
    const plans = selected.map(({ id }) => [id, engine.readings.place(reading, query, named.get(id) ?? [])] as const);
    return plans.some(([, plan]) => plan !== reading) ? new Map(plans) : undefined;
  }

  const requireReadable = async (caller: Caller, batchId: string) =>
    checkReadable(caller, await store.findBatch(database.db, batchId));

  async function requireManageable(caller: Caller, batchId: string): Promise<store.Batch> {
    const batch = await requireReadable(caller, batchId);
    if (!canManage(caller, batch)) throw problems.batch_forbidden();
    return batch;
  }

  const { endEmpty: _, ...handlers } = streamEvents;
  const batches: Batches = {
    ...handlers,

    async start(caller, body, options) {
      const { mode, config = {}, captionMode = null, workflow = null, clientId = null, saveReference } = options;
      const { isBackground = false, plans: plansOfRetry } = options;
      const existing = clientId === null ? null : await store.findByClientId(database.db, caller.userId, clientId);
      if (existing) return toStartedQuery(existing);
      const query = checkQuery(body.query, limits.queryLength);
      const stored = options.reading == null ? null : engine.checkPlan(options.reading);
      const given = stored ?? (body.plan == null ? null : engine.checkPlan(body.plan));
      const minConfidence = body.minConfidence ?? DEFAULT_MIN_CONFIDENCE;
      const outputSchema = body.outputSchema == null ? null : engine.checkOutputSchema(body.outputSchema);
      const visionProfile = engine.checkVisionProfile(body.visionProfile ?? null);
      const detector = engine.checkDetector(body.detector ?? null);
      const timeZone = checkTimeZone(body.timeZone);
      const requestedVideos = await openVideos(caller, body, timeZone);
      const at = options.requestedAt ?? now();
      const batchId = newId();
      const account = openAccount(analyses.usageLedgerOf({ ...payerOf(caller), batchId }));
      // Captions and actions follow no plan.
      const read = () => engine.read(query, { waitMs: START_WAIT_MS, zones: requestedVideos.zones, account });
      const reading = given ?? (captionMode || workflow ? null : await read());
      // All videos of the batch are searched for one reading of a model, on all nodes. Each has zones of its own.
      const isOfModel = reading !== null && (reading.reader === 'model' || reading.alternative !== undefined);
      const plan = given ?? (isOfModel && !namesZone(reading) ? reading : null);
      const { orgId, userId: ownerId, keyId } = caller;
      const verify = body.verify ?? 'auto';
      const streamId = newId();
      const { picks = null } = reading ? engine.searchLibrary(reading, { at, timeZone }) : {};

      const created = database.transaction(async (trx) => {
        const { selected, selection, whyNone } = await requestedVideos.choose(trx, reading, at);
        const total = selected.length;
        const started = toStartedQuery({
          id: batchId,
          streamId,
          status: total ? 'processing' : 'completed',
          total,
          selection,
        });
        await events.openStream(trx, { id: streamId, orgId, ownerId });
        const isShared = total > 0 && selected.every((video) => video.scope === 'org');
        const scope = isShared ? 'org' : 'user';
        await store.insertBatch(trx, {
          id: batchId,
          orgId,
          ownerId,
          streamId,
          clientId,
          scope,
          query,
          config: {
            ...toConfig(query, mode),
            ...(outputSchema ? { output_schema: outputSchema } : {}),
            ...(workflow ? { workflow } : {}),
            ...config,
          },
          total,
          selection,
          picks,
          answer: whyNone,
        });
        const settings = { query, mode, minConfidence, plan, outputSchema, captionMode, workflow, keyId, verify };
        const jobClass: AnalysisClass = isBackground ? 'background' : classOf(total);
        const models = { jobClass, visionProfile, detector, reading: usageOf(account, engine.languageModel()?.model) };
        const preliminary = body.preliminary ?? false;
        const asking = { timeZone, preliminary, requestedAt: selection ? at : (options.requestedAt ?? null) };
        const plans = plansOfRetry ?? (stored ? await placeReading(trx, stored, selected) : undefined);
        const request = { orgId, ownerId, batchId, videos: selected, plans, ...settings, ...models, ...asking };
        if (total > 0) await analyses.start(trx, request);
        // Zones of videos are known once these are chosen.
        const named = selection && !plan ? await zones.ofVideos(selected, trx) : [];
        const restated = named.length > 0 ? engine.plan(query, named) : reading;
        const [first, ...others] = selected;
        const own = first && others.length === 0 ? plans?.get(first.id) : undefined;
        const interpretation = restated ? interpret(own ?? restated, selected, timeZone, at) : query;
        await events.append(trx, streamId, 'batch_created', { ...toWire(StartedQuery, started), interpretation });
        if (total === 0) await streamEvents.endEmpty(trx, batchId);
        await saveReference?.(started, trx);
        return started;
      });
      return created.catch(async (error) => {
        // A concurrent request with the same client id created the batch.
        const other = clientId === null ? null : await store.findByClientId(database.db, caller.userId, clientId);
        if (!other) throw error;
        return toStartedQuery(other);
      });
    },

    async preview(caller, body, mode, folderId = null) {
      const query = checkQuery(body.query, limits.queryLength);
      const hasVideos = body.videoId != null || (body.videoIds ?? []).length > 0 || body.library != null;
      const timeZone = checkTimeZone(body.timeZone);
      const requestedVideos = hasVideos ? await openVideos(caller, body, timeZone) : null;
      const isPlaced = hasVideos || folderId !== null;
      const named = requestedVideos ? requestedVideos.zones : await zones.ofFolder(folderId);
      const account = openAccount(analyses.usageLedgerOf(payerOf(caller)));
      const plan =
        body.plan == null
          ? await engine.read(query, { waitMs: PREVIEW_WAIT_MS, account, ...(isPlaced && { zones: named }) })
          : engine.checkPlan(body.plan);
      const chosen = await database.transaction(async (trx) => requestedVideos?.choose(trx, plan, now()));
      const { selected = [], selection = null } = chosen ?? {};
      const detector = engine.checkDetector(body.detector ?? null);
      const observed = new Set(
        await analyses.listObserved(
          selected.map(({ id }) => id),
          detector,
        ),
      );
      const requested = engine.checkVisionProfile(body.visionProfile ?? null);
      const ofFolders = await folders.visionProfiles(selected.flatMap(({ folderId }) => folderId ?? []));
      const facts = selected.map(({ durationS, width, height, folderId }) => ({
        profile: requested ?? ofFolders.get(folderId ?? '') ?? null,
        durationS: durationS ?? 0,
        width: width ?? undefined,
        height: height ?? undefined,
      }));
      const { parts, vision } = await engine.preview(plan, facts, { verify: body.verify ?? 'auto', detector });
      const undecoded = selected.filter(({ id }) => !observed.has(id));
      const passOf = (durationS: number | null) =>
        mode === 'fast' ? engine.selectFirstPass(plan, durationS) : 'dense';
      const seconds = undecoded.reduce((sum, { durationS }) => sum + (durationS ?? 0) / SPEED[passOf(durationS)], 0);
      return {
        interpretation: interpret(plan, selected, timeZone),
        plan,
        minConfidence: body.minConfidence ?? DEFAULT_MIN_CONFIDENCE,
        parts,
        corrected: plan.corrected,
        suggestions: plan.suggestions ?? [],
        totalVideos: selected.length,
        ...(selection ? { selection } : {}),
        observedVideos: observed.size,
        estimatedSeconds: Math.ceil(seconds),
        estimatedVisionTokens: vision.inputTokens + vision.outputTokens,
        estimatedVisionCalls: vision.calls,
        estimatedVisionCost: vision.cost,
      };
    },

    async readToStore(caller, query, folderId) {
      const named = engine.readings.nameZones(query, await zones.ofFolder(folderId));
      const account = openAccount(analyses.usageLedgerOf(payerOf(caller)));
      const plan = await engine.read(query, { waitMs: PREVIEW_WAIT_MS, account, zones: named });
      return { ...plan, query };
    },

    async inferOutputSchema(caller, query, signal) {
      const account = openAccount(analyses.usageLedgerOf(payerOf(caller)));
      return engine.inferOutputSchema(checkQuery(query, limits.queryLength), signal, account);
    },

    async follow(caller, streamId, afterId, signal) {
      const batch = await store.findByStream(database.db, streamId);
      if (!batch) throw problems.stream_not_found();
      if (!canRead(caller, batch)) throw problems.stream_forbidden();
      await requireReach(caller, batch.id);
      return events.follow(streamId, afterId, signal);
    },

    async list(caller, { scope, status, ...page }) {
      const read = (before: string | null, limit: number) =>
        store.listBatches(database.db, caller, { scope, status, before, limit });
      const { rows, ...next } = await readIdPage(page, read, ({ id }) => id);
      const counts = await countEvents(rows);
      return {
        batches: rows.map((batch) => ({ ...batch, analyses: [], eventCount: counts.get(batch.id) ?? 0 })),
        ...next,
      };
    },

    async cancel(caller, batchId) {
      await requireManageable(caller, batchId);
      await database.transaction((trx) => analyses.cancelBatch(trx, batchId));
      return batches.get(caller, batchId, true);
    },

    async retry(caller, batchId, { saveReference } = {}) {
      const { query, config } = await requireManageable(caller, batchId);
      const { videoIds, requestedAt, plans: stored, ...settings } = await analyses.listFailedVideos(batchId);
      if (videoIds.length === 0) throw problems.nothing_to_retry();
      const started = config as { mode: QueryMode; caption_mode?: CaptionMode; workflow?: ActionWorkflow };
      const { mode, caption_mode: captionMode = null, workflow = null } = started;
      const retried = { ...started, retry_of: batchId };
      const plans = stored && new Map([...stored].map(([id, plan]) => [id, engine.checkPlan(plan)]));
      const options = { mode, captionMode, workflow, config: retried, requestedAt, plans, saveReference };
      return batches.start(caller, { query, videoIds, ...settings }, options);
    },

    async get(caller, batchId, includeVideos) {
      const batch = await requireReadable(caller, batchId);
      const [listed, counts] = await Promise.all([
        includeVideos ? analyses.listBatchAnalyses(batchId) : [],
        countEvents([batch]),
      ]);
      return { ...batch, analyses: listed, eventCount: counts.get(batchId) ?? 0 };
    },

    async getMany(caller, ids) {
      const found = new Map((await store.findBatches(database.db, ids)).map((batch) => [batch.id, batch]));
      const batches: store.Batch[] = [];
      for (const id of ids) batches.push(await checkReadable(caller, found.get(id)));
      return batches;
    },

    async summary(batchId) {
      const batch = await store.findBatch(database.db, batchId);
      return batch && summarizeBatch(batch);
    },

    async bulk(caller, batchId, videoIds, includeSourceUri) {
      await requireReadable(caller, batchId);
      const wanted = [...new Set(videoIds)];
      return bulkJson(wanted, analyses.streamBatchDocuments(batchId, wanted, { sourceUri: includeSourceUri }));
    },

    async documents(caller, batchId) {
      await requireReadable(caller, batchId);
      const videoIds = (await analyses.listBatchAnalyses(batchId)).map(({ videoId }) => videoId);
      const found = analyses.streamBatchDocuments(batchId, videoIds);
      return (async function* () {
        for await (const chunk of found) yield chunk.flatMap(({ document }) => document ?? []);
      })();
    },

    async annotate(caller, batchId, metadataText) {
      await requireManageable(caller, batchId);
      const metadata = await store.addMetadata(
        database.db,
        batchId,
        parseBatchMetadata(metadataText),
        METADATA_LIMITS.count,
      );
      if (!metadata) throw problems.metadata_too_large();
      return metadata;
    },
  };
  return batches;
}

/** The payer of calls of models, outside of a batch. */
const payerOf = ({ orgId, keyId }: Pick<Caller, 'orgId' | 'keyId'>) => ({ orgId, keyId, batchId: null });

function toStartedQuery({
  id,
  streamId,
  status,
  total,
  selection,
}: Pick<store.Batch, 'id' | 'streamId' | 'status' | 'total' | 'selection'>) {
  return { streamId, batchId: id, status, total, ...(selection ? { selection } : {}) };
}

/** Configuration fields that existing clients read. */
function toConfig(query: string, mode: QueryMode) {
  return {
    analysis_kind: 'rapid_review',
    prompt: query,
    mode,
    category: null,
    is_thumbnail: true,
    use_enhanced_motion_analysis: false,
  };
}
