import type { Service } from './service.ts';

/** A prompt with exactly one event in the rendered scene: `SCENE.dark`. */
export const DARK = 'the picture gets dark';

/** Different questions about the seconds of the rendered scene in which it is dark. */
export const DARK_QUESTIONS = [
  'the picture is dark',
  'is the picture dark?',
  'when is the picture dark',
  'how long is the picture dark',
  'the picture is dark in the first 10 seconds',
];

export type ParsedEvent = { id: number; kind: string; data: Record<string, unknown> };
export type StartedTestQuery = { batch_id: string; stream_id: string; status: string; total: number };

/** An analysis document, as far as the tests read it. */
export type Document = {
  video_id: string;
  analysis_id: string;
  analysis: {
    status: string;
    query: string;
    answer: string;
    plan: unknown;
    message?: string;
    error?: string;
    events: StoredEvent[];
    coverage: { text: string; status: string; by: string[]; reason: string | null; findings: number }[];
  };
  metadata: Record<string, unknown>;
  events: Record<string, unknown>[];
};

export type StoredEvent = {
  event_id: string;
  type: string;
  time: string;
  description: string;
  start_s: number;
  end_s: number;
  data: {
    confidence: number;
    annotated_thumbnail_url?: string;
    start_pts: number;
    time_base: [number, number];
    evidence: { frames: { url?: string; boxes: unknown[] }[]; tracks: { class: string }[]; signals: unknown[] };
  };
};

export type TestQuery = { query: string; video_id?: string; video_ids?: string[]; plan?: unknown };

/** Starts a query and returns at once. Throws if it is refused. */
export async function start(service: Service, question: TestQuery): Promise<StartedTestQuery> {
  const answer = await service.call('POST', '/api/router/v2/query/start', { json: question });
  if (answer.status !== 200) throw new Error(`refused with ${answer.status}: ${answer.text}`);
  return answer.json as StartedTestQuery;
}

/** Runs a query, follows its events to the end, and fetches the document of the first video. */
export async function ask(service: Service, question: TestQuery) {
  const started = await start(service, question);
  const events = await Array.fromAsync(service.sdk.follow(started.stream_id));
  const ended = events.find((event) => event.kind === 'video_completed')!;
  const analysisId = String(ended.data.analysis_id);
  const document = await fetchDocument(service, String(ended.data.video_id), analysisId);
  return { ...started, analysisId, events, document };
}

export async function fetchDocument(service: Service, videoId: string, analysisId: string): Promise<Document> {
  const answer = await service.call('GET', `/api/videos/${videoId}/analyses/${analysisId}`);
  if (answer.status !== 200) throw new Error(`no document, but ${answer.status}: ${answer.text}`);
  return answer.json as Document;
}

/** Opens the event stream of a query. */
export function follow(
  service: Service,
  streamId: string,
  { query = '', headers = {}, signal }: { query?: string; headers?: Record<string, string>; signal?: AbortSignal } = {},
): Promise<Response> {
  const url = `${service.url}/api/router/v2/query/events/${streamId}${query}`;
  const { SIGHTLINE_BOOTSTRAP_KEY: key } = service.env;
  return fetch(url, { headers: { 'x-api-key': key!, ...headers }, signal: signal ?? AbortSignal.timeout(90_000) });
}

/** Parses server-sent events by the standard until the response ends. */
export async function* readEvents(response: Response): AsyncGenerator<ParsedEvent> {
  const type = response.headers.get('content-type') ?? '';
  if (response.status !== 200 || !type.startsWith('text/event-stream')) {
    throw new Error(`no event stream, but ${response.status} ${type}: ${await response.text()}`);
  }
  let rest = '';
  for await (const text of response.body!.pipeThrough(new TextDecoderStream())) {
    const blocks = (rest + text).split('\n\n');
    rest = blocks.pop()!;
    for (const block of blocks) {
      const field = (name: string) => new RegExp(`^${name}: ?(.*)$`, 'm').exec(block)?.[1];
      const data = field('data');
      if (data === undefined) continue; // A comment that keeps the connection alive.
      yield { id: Number(field('id')), kind: field('event')!, data: JSON.parse(data) };
    }
  }
}
