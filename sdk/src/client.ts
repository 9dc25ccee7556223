import createClient, { type Client, type Middleware } from 'openapi-fetch';
import { type ActivityEvent, type ActivityOptions, followActivity } from './activity.ts';
import type { operations, paths } from './api.generated.ts';
import { errorOf, SightlineError } from './errors.ts';
import { type FollowOptions, follow, type StreamEvent } from './events.ts';
import { sleep } from './platform.ts';
import { retry, withRetries } from './requests.ts';
import { createDatasetEventOperations, type DatasetEventOperations } from './resources/dataset-events.ts';
import { createDatasetOperations, type DatasetOperations } from './resources/datasets.ts';
import { createExportOperations, type ExportOperations } from './resources/exports.ts';
import { createFrameOperations, type FrameOperations } from './resources/frames.ts';
import { createObservationOperations, type ObservationOperations } from './resources/observations.ts';
import { createPassageOperations, type PassageOperations } from './resources/passages.ts';
import { createReviewOperations, type ReviewOperations } from './resources/review.ts';
import { createSavedQuestionOperations, type SavedQuestionOperations } from './resources/saved-questions.ts';
import { createSubtitleOperations, type SubtitleOperations } from './resources/subtitles.ts';
import { createZoneOperations, type ZoneOperations } from './resources/zones.ts';
import type {
  EventReviewRequest,
  EventSummary,
  LabelImportRequest,
  LabelImportResult,
  Model,
  NewEvent,
  OutputSchema,
  QueryPreview,
  QueueList,
  VideoIndex,
  WebhookDelivery,
  WorkerList,
} from './resources.generated.ts';
import type { Settle, SettleOptions } from './settle.ts';
import { type UploadOptions, uploadInChunks } from './upload.ts';

/** JSON response of an operation with status 200. */
type Answer<Name extends keyof operations> = operations[Name] extends {
  responses: { 200: { content: { 'application/json': infer Json } } };
}
  ? Json
  : never;

export type AnalysisDocument = Answer<'getAnalysis'>;
export type Started = Answer<'startQuery'>;
export type Ingest = Answer<'getMcapIngest'>;

/** Filters and the order of the events of all analyses; all filters must match. */
export type EventQuery = Omit<NonNullable<operations['listEvents']['parameters']['query']>, 'cursor' | 'facets'>;

export type SightlineOptions = {
  /** URL of the service, such as `http://localhost:8099`. */
  baseUrl: string;
  /** Without a key, requests use the session of the browser: its cookie is sent by same-origin requests. */
  apiKey?: string;
  fetch?: typeof globalThis.fetch;
};

export type Question = {
  query: string;
  videoIds: readonly string[];
  plan?: unknown;
  /** Query in fast mode: a sparse pass instead of all frames where that is sufficient. */
  fast?: boolean;
  /** Least confidence of an event, 0 to 1; default 0.5. The document lists others as `candidates`. */
  minConfidence?: number;
  /** Which events a configured vision-language model verifies; default `auto`: those in doubt. */
  verify?: 'auto' | 'always' | 'never';
  /** Profile of the vision-language model; default: that of the folder of the video, else of the service. */
  visionProfile?: string;
  /** Name of the model that detects objects (`detectors` of `GET /api/system`); default: that of the service. */
  detector?: string;
  /** Fields to fill for each event or video; see the own fields in the documentation. */
  outputSchema?: OutputSchema;
};

export type RecordingOptions = Pick<UploadOptions, 'folderId' | 'scope' | 'sha256' | 'signal'> & {
  name: string;
  /** Length in seconds of the segments that the recording is split into. */
  chunkSize?: number;
};

export type CaptionOptions = {
  /** Kind of footage; default `driving`. The others need a vision-language model. */
  mode?: 'driving' | 'construction' | 'robotics';
  /** Captions the video again. */
  refresh?: boolean;
  signal?: AbortSignal;
};

export interface Sightline
  extends DatasetOperations,
    DatasetEventOperations,
    ExportOperations,
    FrameOperations,
    ObservationOperations,
    PassageOperations,
    ReviewOperations,
    SavedQuestionOperations,
    ZoneOperations,
    SubtitleOperations {
  /**
   * All endpoints, typed: `client.api.GET('/api/my-videos')`. Transient failures are retried, each write with one
   * `Idempotency-Key`; other failures throw a `SightlineError`.
   */
  api: Client<paths>;
  /** Uploads a file in chunks and resumes after disconnects; a `Blob` from `openAsBlob` streams from disk. */
  upload(file: Blob, options?: UploadOptions): Promise<{ video_id: string }>;
  /** Waits until a video is ready. Throws a `SightlineError` with the server's message if it failed. */
  ready(videoId: string, options?: { signal?: AbortSignal }): Promise<void>;
  /** Uploads a recording (MCAP) and starts its processing. Wait for its videos with `settled`. */
  uploadRecording(file: Blob, options: RecordingOptions): Promise<{ mcap_ingest_id: string }>;
  /** Starts a query and returns at once. */
  start(question: Question, options?: { signal?: AbortSignal }): Promise<Started>;
  /** Dry run: how a query would be understood, who would search for each part, and its cost. Stores nothing. */
  preview(question: Question, options?: { signal?: AbortSignal }): Promise<QueryPreview>;
  /** Yields the events of a query until `done`. Resumes broken connections without gaps or duplicates. */
  follow(streamId: string, options?: FollowOptions): AsyncGenerator<StreamEvent>;
  /** Yields the events of a livestream session until it ends, as `follow` does. */
  followLive(sessionId: string, options?: FollowOptions): AsyncGenerator<StreamEvent>;
  /** Yields what changes in the library, in queries, imports and live sessions. Reconnects and resumes by itself. */
  activity(options?: ActivityOptions): AsyncGenerator<ActivityEvent>;
  /** `start` and `follow`. The first event is `batch_created`. */
  ask(question: Question, options?: FollowOptions): AsyncGenerator<StreamEvent>;
  /** Yields the events of all analyses that match, page by page; `limit` is the size of a page. */
  events(query?: EventQuery, options?: { signal?: AbortSignal }): AsyncGenerator<EventSummary>;
  /**
   * Sets your verdict on events, or corrects them; up to 500 are changed together, all or none. Times are corrected on
   * one event only. Returns the events.
   */
  review(eventIds: readonly string[], change: EventReviewRequest): Promise<EventSummary[]>;
  /** Adds an event that the analysis missed, with your approval. */
  addEvent(videoId: string, analysisId: string, event: NewEvent): Promise<EventSummary>;
  /**
   * Imports a file of labels into the events of a batch: matching events are approved, missed ones are added. A file
   * with errors changes nothing; see `status` and `errors`.
   */
  importLabels(request: LabelImportRequest): Promise<LabelImportResult>;
  /**
   * Captions a whole video and waits for the captions; existing ones are returned at once unless `refresh` is set.
   * Throws a `SightlineError` if the video cannot be captioned.
   */
  captions(videoId: string, options?: CaptionOptions): Promise<VideoIndex>;
  /** Returns the analysis document. */
  document(videoId: string, analysisId: string): Promise<AnalysisDocument>;
  /**
   * Downloads a model to the service and waits until it is there, for administrators. Aborting stops waiting; to end
   * the download, call `POST /api/system/models/{name}/cancel`. Throws a `SightlineError` if it failed.
   */
  downloadModel(name: string, options?: SettleOptions<Model>): Promise<Model>;
  /** Provides a file of a model, for a service without internet access. For administrators. */
  provideModelFile(name: string, fileName: string, file: Blob, options?: { signal?: AbortSignal }): Promise<Model>;
  /** Background jobs of the service by kind, for administrators of its first organization. */
  queues(options?: { signal?: AbortSignal }): Promise<QueueList['queues']>;
  /** Workers of the service with their last heartbeat and what they run, for the same. */
  workers(options?: { signal?: AbortSignal }): Promise<WorkerList['workers']>;
  /** Sends a test message to a webhook and waits for its result, for administrators. Aborting stops waiting. */
  pingWebhook(webhookId: string, options?: SettleOptions<WebhookDelivery>): Promise<WebhookDelivery>;
  /** Deletes an analysis with its events and evidence images; a running one is canceled. */
  deleteAnalysis(videoId: string, analysisId: string): Promise<Answer<'deleteAnalysis'>>;
  /** Calls `ask` with growing pauses up to 2 s until `over` returns true. */
  settled: Settle;
}

/** Throws for every response that is not a success. */
const refuseFailures: Middleware = {
  async onResponse({ response }) {
    if (response.ok) return;
    throw await errorOf(response);
  },
};

const toQuery = ({
  query,
  videoIds,
  plan,
  minConfidence,
  verify,
  visionProfile,
  detector,
  outputSchema,
}: Question) => ({
  query,
  video_ids: [...videoIds],
  ...(plan === undefined ? {} : { plan: plan as never }),
  ...(minConfidence === undefined ? {} : { min_confidence: minConfidence }),
  ...(verify === undefined ? {} : { verify }),
  ...(visionProfile === undefined ? {} : { vision_profile: visionProfile }),
  ...(detector === undefined ? {} : { detector }),
  ...(outputSchema === undefined ? {} : { output_schema: outputSchema }),
});

export function createSightline({ baseUrl, apiKey, fetch = globalThis.fetch }: SightlineOptions): Sightline {
  const base = baseUrl.replace(/\/+$/, '');
  const authentication: Record<string, string> = apiKey === undefined ? {} : { 'x-api-key': apiKey };
  const patient = withRetries(fetch, apiKey);
  const calm = (path: string, init: RequestInit) => patient(base + path, init);
  const once = (path: string, init: RequestInit) =>
    fetch(base + path, { ...init, headers: { ...(init.headers as Record<string, string>), ...authentication } });
  const streamOf = (path: string, options?: FollowOptions) =>
    follow((lastId, signal) => once(`${path}?last_id=${lastId}`, { signal }), options);
  const api = createClient<paths>({ baseUrl: base, fetch: patient });
  api.use(refuseFailures);

  const client: Sightline = {
    api,
    ...createDatasetOperations(api, fetch, (...given) => client.settled(...given)),
    ...createDatasetEventOperations(api, (...given) => client.settled(...given)),
    ...createExportOperations(api, fetch, (...given) => client.settled(...given)),
    ...createFrameOperations(api),
    ...createObservationOperations(api, (...given) => client.settled(...given)),
    ...createPassageOperations(api),
    ...createReviewOperations(api, (...given) => client.follow(...given)),
    ...createSavedQuestionOperations(api),
    ...createZoneOperations(api),
    ...createSubtitleOperations(api),

    async upload(file, options = {}) {
      return { video_id: await uploadInChunks(file, options, once, calm) };
    },

    async ready(videoId, { signal } = {}) {
      const status = () => api.GET('/api/video/{video_id}/status', { params: { path: { video_id: videoId } }, signal });
      const { data } = await client.settled(status, ({ data }) => data!.status !== 'processing', { signal });
      if (data!.status !== 'uploaded') throw new SightlineError(400, data);
    },

    async uploadRecording(file, { name, folderId, scope, sha256, chunkSize, signal }) {
      const { data } = await api.POST('/api/mcap/create-ingest', {
        body: { filename: name, size_bytes: file.size, folder_id: folderId, scope, sha256, chunk_size: chunkSize },
        signal,
      });
      const { mcap_ingest_id, upload_url, upload_headers } = data!;
      const put = () => fetch(upload_url, { method: 'PUT', headers: upload_headers, body: file, signal });
      const sent = await retry(put, signal);
      // 409: the file has arrived and only the response was lost; otherwise the next request fails.
      if (!sent.ok && sent.status !== 409) throw await errorOf(sent);
      const params = { path: { ingest_id: mcap_ingest_id } };
      await api.POST('/api/mcap/{ingest_id}/process', { params, body: {}, signal });
      return { mcap_ingest_id };
    },

    async start({ fast = false, ...question }, { signal } = {}) {
      const body = toQuery(question);
      const path = fast ? '/api/router/query' : '/api/router/v2/query/start';
      return (await api.POST(path, { body, signal })).data!;
    },

    async preview({ fast = false, ...question }, { signal } = {}) {
      const body = { ...toQuery(question), mode: fast ? ('fast' as const) : ('thinking' as const) };
      return (await api.POST('/api/router/v2/query/plan', { body, signal })).data!;
    },

    follow: (streamId, options) => streamOf(`/api/router/v2/query/events/${encodeURIComponent(streamId)}`, options),

    followLive: (sessionId, options) => streamOf(`/api/live/session/${encodeURIComponent(sessionId)}/events`, options),

    activity: (options) =>
      followActivity((lastId, signal) => once(`/api/activity?last_id=${lastId}`, { signal }), options),

    async *ask(question, options) {
      yield* client.follow((await client.start(question, { signal: options?.signal })).stream_id, options);
    },

    async *events(query = {}, { signal } = {}) {
      for (let cursor: string | null | undefined; cursor !== null; ) {
        const { data } = await api.GET('/api/events', { params: { query: { ...query, cursor } }, signal });
        yield* data!.events;
        cursor = data!.next_cursor;
      }
    },

    async captions(videoId, { mode, refresh, signal } = {}) {
      const start = { video_ids: [videoId], mode, refresh };
      const { results, run_id } = (await api.POST('/api/videos/index', { body: start, signal })).data!;
      const poll = { video_ids: [videoId], run_id, mode };
      const state = async () =>
        results[videoId] ?? (await api.POST('/api/videos/index/status', { body: poll, signal })).data!.results[videoId];
      const index = (await client.settled(state, (result) => result !== undefined, { signal }))!;
      if (index.status === 'completed') return index;
      throw new SightlineError(409, { error: index.error_code, message: index.error });
    },

    async document(videoId, analysisId) {
      const path = { video_id: videoId, analysis_id: analysisId };
      const { data } = await api.GET('/api/videos/{video_id}/analyses/{analysis_id}', { params: { path } });
      // The generated types lose the tuples of points in a plan.
      return data as AnalysisDocument;
    },

    async downloadModel(name, { signal, onAnswer } = {}) {
      await api.POST('/api/system/models', { body: { name }, signal });
      const state = async () => {
        const { models } = (await api.GET('/api/system/models', { signal })).data!;
        return models.find((model) => model.name === name)!;
      };
      const model = await client.settled(state, ({ status }) => status !== 'downloading', { signal, onAnswer });
      if (model.status === 'ready') return model;
      const { code, message } = model.problem ?? { code: 'canceled', message: 'The download was canceled.' };
      throw new SightlineError(409, { error: code, message });
    },

    async provideModelFile(name, fileName, file, { signal } = {}) {
      const path = `/api/system/models/${encodeURIComponent(name)}/files/${encodeURIComponent(fileName)}`;
      const headers = { 'content-type': 'application/octet-stream' };
      const response = await once(path, { method: 'PUT', headers, body: file, signal });
      if (!response.ok) {
        throw await errorOf(response);
      }
      return (await response.json()) as Model;
    },

    async review(eventIds, change) {
      const [event_id] = eventIds;
      if (eventIds.length === 1) {
        const params = { path: { event_id: event_id! } };
        return [(await api.PATCH('/api/events/{event_id}', { params, body: change })).data!];
      }
      const { start_s: _start, end_s: _end, ...shared } = change;
      const body = { ...shared, event_ids: [...eventIds] };
      return (await api.POST('/api/events/review', { body })).data!.events;
    },

    async addEvent(videoId, analysisId, event) {
      const params = { path: { video_id: videoId, analysis_id: analysisId } };
      return (await api.POST('/api/videos/{video_id}/analyses/{analysis_id}/events', { params, body: event })).data!;
    },

    importLabels: async (body) => (await api.POST('/api/labels/import', { body })).data!,

    async queues({ signal } = {}) {
      return (await api.GET('/api/system/queues', { signal })).data!.queues;
    },

    async workers({ signal } = {}) {
      return (await api.GET('/api/system/workers', { signal })).data!.workers;
    },

    async pingWebhook(webhook_id, options = {}) {
      const { signal } = options;
      const sent = await api.POST('/api/webhooks/{webhook_id}/ping', { params: { path: { webhook_id } }, signal });
      const params = { path: { webhook_id, delivery_id: sent.data!.delivery_id } };
      const path = '/api/webhooks/{webhook_id}/deliveries/{delivery_id}';
      const state = async () => (await api.GET(path, { params, signal })).data!;
      return client.settled(state, ({ status }) => status !== 'pending', options);
    },

    async deleteAnalysis(videoId, analysisId) {
      const params = { path: { video_id: videoId, analysis_id: analysisId } };
      return (await api.DELETE('/api/videos/{video_id}/analyses/{analysis_id}', { params })).data!;
    },

    async settled(ask, over, { signal, onAnswer } = {}) {
      for (let waitMs = 100; ; waitMs = Math.min(2_000, waitMs * 1.5)) {
        const answer = await ask();
        onAnswer?.(answer);
        if (over(answer)) return answer;
        await sleep(waitMs, signal);
      }
    },
  };
  return client;
}
