import createClient, { type Middleware } from 'openapi-fetch';
import { followActivity } from './activity.ts';
import type { paths } from './api.generated.ts';
import { errorOf, SightlineError } from './errors.ts';
import { type FollowOptions, follow } from './events.ts';
import { sleep } from './platform.ts';
import { retry, withRetries } from './requests.ts';
import { createCameraOperations } from './resources/cameras.ts';
import { createDatasetEventOperations } from './resources/dataset-events.ts';
import { createDatasetOperations } from './resources/datasets.ts';
import { createExportOperations } from './resources/exports.ts';
import { createFrameOperations } from './resources/frames.ts';
import { createObservationOperations } from './resources/observations.ts';
import { createPassageOperations } from './resources/passages.ts';
import { createReviewOperations } from './resources/review.ts';
import { createSavedQuestionOperations } from './resources/saved-questions.ts';
import { createSubtitleOperations } from './resources/subtitles.ts';
import { createZoneOperations } from './resources/zones.ts';
import type { Model } from './resources.generated.ts';
import type { AnalysisDocument, Question, Sightline, SightlineOptions } from './types.ts';
import { uploadInChunks } from './upload.ts';

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
  library,
  plan,
  minConfidence,
  verify,
  visionProfile,
  detector,
  timeZone,
  preliminary,
  outputSchema,
}: Question) => ({
  query,
  ...(library ? { library } : { video_ids: [...(videoIds ?? [])] }),
  ...(plan === undefined ? {} : { plan: plan as never }),
  ...(minConfidence === undefined ? {} : { min_confidence: minConfidence }),
  ...(verify === undefined ? {} : { verify }),
  ...(visionProfile === undefined ? {} : { vision_profile: visionProfile }),
  ...(detector === undefined ? {} : { detector }),
  ...(timeZone === undefined ? {} : { time_zone: timeZone }),
  ...(preliminary === undefined ? {} : { preliminary }),
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
    ...createCameraOperations(api),
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

    async eventStatistics(query = {}, { signal } = {}) {
      const params = { query: { ...query, statistics: true, limit: 1 } };
      return (await api.GET('/api/events', { params, signal })).data!.statistics!;
    },

    async decideIncident(eventId, body, { signal } = {}) {
      const params = { path: { event_id: eventId } };
      return (await api.POST('/api/events/{event_id}/incident', { params, body, signal })).data!.events;
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
