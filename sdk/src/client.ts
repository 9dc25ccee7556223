import createClient, { type Client, type Middleware } from 'openapi-fetch';
import type { operations, paths } from './api.generated.ts';
import { bodyOf, SightlineError } from './errors.ts';
import { type FollowOptions, follow, type StreamEvent } from './events.ts';

/** The JSON that an operation answers with status 200. */
type Answer<Name extends keyof operations> = operations[Name] extends {
  responses: { 200: { content: { 'application/json': infer Json } } };
}
  ? Json
  : never;

export type UploadAnswer = Answer<'uploadVideo'>;
export type AnalysisDocument = Answer<'getAnalysis'>;

export type SightlineOptions = {
  /** Where the service is, such as `http://localhost:8099`. */
  baseUrl: string;
  apiKey: string;
  fetch?: typeof globalThis.fetch;
};

export type UploadOptions = { name?: string; folderId?: string; scope?: 'user' | 'org'; signal?: AbortSignal };

export type Question = { query: string; videoIds: readonly string[]; plan?: unknown };

export interface Sightline {
  /** Every endpoint, typed: `client.api.GET('/api/my-videos')`. A failure throws a `SightlineError`. */
  api: Client<paths>;
  /** Sends a file; a `Blob` from `openAsBlob` streams from disk. Resolves when the server has it, usually ready to be asked. */
  upload(file: Blob, options?: UploadOptions): Promise<UploadAnswer>;
  /** Waits until a video is ready. Throws a `SightlineError` with the server's sentence when it failed. */
  ready(videoId: string, options?: { signal?: AbortSignal }): Promise<void>;
  /** Asks, and follows the answer's events to `done`; broken connections are resumed. The first event is `batch_created`. */
  ask(question: Question, options?: FollowOptions): AsyncGenerator<StreamEvent>;
  /** The analysis document, as it is stored. */
  document(videoId: string, analysisId: string): Promise<AnalysisDocument>;
}

/** Throws for every answer that is not a success, so that callers handle data and errors apart. */
const refuseFailures: Middleware = {
  async onResponse({ response }) {
    if (response.ok) return;
    throw new SightlineError(response.status, await bodyOf(response));
  },
};

export function createSightline({ baseUrl, apiKey, fetch = globalThis.fetch }: SightlineOptions): Sightline {
  const base = baseUrl.replace(/\/+$/, '');
  const headers = { 'x-api-key': apiKey };
  const api = createClient<paths>({ baseUrl: base, headers, fetch });
  api.use(refuseFailures);

  return {
    api,

    async upload(file, { name, folderId, scope, signal } = {}) {
      const form = new FormData();
      form.set('source', 'file');
      if (folderId) form.set('folder_id', folderId);
      if (scope) form.set('scope', scope);
      form.set('file', file, name ?? 'video.mp4');
      const response = await fetch(`${base}/api/upload-video`, { method: 'POST', headers, body: form, signal });
      const body = await bodyOf(response);
      if (!response.ok) throw new SightlineError(response.status, body);
      return body as UploadAnswer;
    },

    async ready(videoId, { signal } = {}) {
      for (let waitMs = 100; ; waitMs = Math.min(2_000, waitMs * 1.5)) {
        const { data } = await api.GET('/api/video/{video_id}/status', {
          params: { path: { video_id: videoId } },
          signal,
        });
        if (data!.status === 'uploaded') return;
        if (data!.status !== 'processing') throw new SightlineError(400, data);
        await new Promise((resolve) => setTimeout(resolve, waitMs));
      }
    },

    async *ask({ query, videoIds, plan }, options) {
      const { data } = await api.POST('/api/router/v2/query/start', {
        body: { query, video_ids: [...videoIds], ...(plan === undefined ? {} : { plan: plan as never }) },
        headers: { 'idempotency-key': crypto.randomUUID() },
      });
      const events = `${base}/api/router/v2/query/events/${data!.stream_id}`;
      yield* follow((lastId, signal) => fetch(`${events}?last_id=${lastId}`, { headers, signal }), options);
    },

    async document(videoId, analysisId) {
      const path = { video_id: videoId, analysis_id: analysisId };
      const { data } = await api.GET('/api/videos/{video_id}/analyses/{analysis_id}', { params: { path } });
      // The client's types lose what a tuple is, which a plan has for points.
      return data as AnalysisDocument;
    },
  };
}
