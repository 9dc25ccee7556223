// The client against the wire's edge: answers that no service gives on demand.
import { expect, test } from 'vitest';
import { createSightline } from './client.ts';
import { tracedFetch } from './traced-fetch.ts';

const json = (status: number, body: object, headers = {}) =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json', ...headers } });

/**
 * A client whose requests get these answers, one after the other, and what it sent; an error is a connection that
 * breaks.
 */
function answering(...answers: (Response | Error)[]) {
  const sent: Request[] = [];
  const fetch: typeof globalThis.fetch = async (input, init) => {
    sent.push(new Request(input, init));
    sent.at(-1)!.signal.throwIfAborted();
    const answer = answers.shift()!;
    if (answer instanceof Error) throw answer;
    return answer;
  };
  return { sent, sightline: createSightline({ baseUrl: 'http://service.example', apiKey: 'sk_x', fetch }) };
}

test('a write whose first attempt is still running is retried as the same write', async () => {
  const underWay = json(409, { error: 'idempotency_in_progress' }, { 'retry-after': '1' });
  const { sent, sightline } = answering(underWay, json(200, { id: 'made' }));
  expect((await sightline.api.POST('/api/folders', { body: { name: 'x' } })).data).toEqual({ id: 'made' });
  expect(new Set(sent.map(({ headers }) => headers.get('idempotency-key'))).size).toBe(1);
});

test('a permanent conflict is reported at once', async () => {
  const { sent, sightline } = answering(json(409, { error: 'folder_exists', message: 'It exists.' }));
  const made = sightline.api.POST('/api/folders', { body: { name: 'x' } });
  await expect(made).rejects.toMatchObject({ status: 409, code: 'folder_exists', message: 'It exists.' });
  expect(sent).toHaveLength(1);
});

test('an aborted query is not started', async () => {
  const { sent, sightline } = answering(json(503, {}, { 'retry-after': '9' }), json(200, { stream_id: 's' }));
  const controller = new AbortController();
  const query = sightline.ask({ query: 'a cut', videoIds: ['v'] }, { signal: controller.signal }).next();
  setTimeout(() => controller.abort(new Error('enough')), 50);
  await expect(query).rejects.toThrow();
  expect(sent).toHaveLength(1);
});

test('a recording is sent again when its connection breaks, and only once when but the answer was lost', async () => {
  const started = { mcap_ingest_id: 'i', upload_url: 'http://service.example/put', upload_headers: {} };
  const there = json(409, { error: 'mcap_already_uploaded' });
  const { sent, sightline } = answering(json(200, started), new TypeError('fetch failed'), there, json(200, {}));
  const file = new Blob(['a recording']);
  expect(await sightline.uploadRecording(file, { name: 'drive.mcap' })).toEqual({ mcap_ingest_id: 'i' });
  expect(sent.map(({ method, url }) => `${method} ${new URL(url).pathname}`)).toEqual([
    'POST /api/mcap/create-ingest',
    'PUT /put',
    'PUT /put',
    'POST /api/mcap/i/process',
  ]);
  expect(await sent[2]!.text()).toBe('a recording');

  const refused = answering(json(200, started), json(507, { error: 'storage_full', message: 'The storage is full.' }));
  const full = refused.sightline.uploadRecording(file, { name: 'drive.mcap' });
  await expect(full).rejects.toMatchObject({ status: 507, message: 'The storage is full.' });
  expect(refused.sent).toHaveLength(2);
});

test('events are read page by page with the same filters', async () => {
  const page = (ids: string[], next_cursor: string | null) =>
    json(200, {
      events: ids.map((event_id) => ({ event_id })),
      facets: null,
      has_more: next_cursor !== null,
      next_cursor,
    });
  const { sent, sightline } = answering(page(['a', 'b'], 'next'), page(['c'], null));
  const ids: string[] = [];
  for await (const { event_id } of sightline.events({ q: 'red car', severity: 'high' })) ids.push(event_id);
  expect(ids).toEqual(['a', 'b', 'c']);
  expect(sent.map(({ url }) => new URL(url).search)).toEqual([
    '?q=red%20car&severity=high',
    '?q=red%20car&severity=high&cursor=next',
  ]);
});

const stream = (...blocks: string[]) =>
  new Response(`: stream\n\n${blocks.map((block) => `${block}\n\n`).join('')}`, {
    headers: { 'content-type': 'text/event-stream' },
  });
const change = (id: number) =>
  `id: ${id}\nevent: video\ndata: {"event":"video","type":"video","change":"created","id":"v${id}"}`;

test('activity resumes after the last event when a connection breaks, starts over after a reset, and ends with its key', async () => {
  const { sent, sightline } = answering(
    stream('id: 7\nevent: ready\ndata: {"event":"ready","type":"ready"}', change(8)),
    new TypeError('fetch failed'),
    json(503, {}),
    stream(change(9)),
    stream('event: error\ndata: {"event":"error","type":"error","message":"x","code":"internal_error"}'),
    stream('id: 3\nevent: reset\ndata: {"event":"reset","type":"reset"}', change(4)),
    stream(
      'event: error\ndata: {"event":"error","type":"error","message":"This key was revoked.","code":"key_revoked"}',
    ),
  );
  const seen: unknown[] = [];
  const lost: (string | null)[] = [];
  const reading = (async () => {
    const options = { onConnection: (error: Error | null) => void lost.push(error?.name ?? null) };
    for await (const event of sightline.activity(options)) seen.push([event.eventId, event.type]);
  })();
  await expect(reading).rejects.toMatchObject({ code: 'key_revoked', message: 'This key was revoked.' });
  expect(seen).toEqual([
    [7, 'ready'],
    [8, 'video'],
    [9, 'video'],
    [3, 'reset'],
    [4, 'video'],
  ]);
  expect(sent.map(({ url }) => new URL(url).searchParams.get('last_id'))).toEqual(['0', '8', '8', '8', '9', '9', '4']);
  expect(lost).toEqual([
    null,
    'Error',
    'TypeError',
    'SightlineError',
    null,
    'Error',
    null,
    'SightlineError',
    null,
    'Error',
    null,
  ]);
});

test('activity that is refused throws, and a reader that stops ends the connection', async () => {
  const refused = answering(json(403, { error: 'scope_missing', message: 'No.' })).sightline.activity();
  await expect(refused.next()).rejects.toMatchObject({ status: 403, code: 'scope_missing' });
  const { sent, sightline } = answering(stream(change(8), change(9)));
  for await (const event of sightline.activity({ lastId: 7 })) {
    expect(event.eventId).toBe(8);
    break;
  }
  expect(sent[0]!.signal.aborted).toBe(true);
});

test('the trace of the caller is sent to the service, and to no other server', async () => {
  const started = { mcap_ingest_id: 'i', upload_url: 'http://bucket.example/put', upload_headers: {} };
  const sent: Request[] = [];
  const answers = [json(200, started), json(200, {}), json(200, {})];
  const baseUrl = 'http://service.example/';
  const traceparent = () => `00-${'a'.repeat(32)}-${'b'.repeat(15)}${sent.length}-01`;
  const fetch = tracedFetch(baseUrl, traceparent, async (input, init) => {
    sent.push(new Request(input, init));
    return answers.shift()!;
  });
  const sightline = createSightline({ baseUrl, apiKey: 'sk_x', fetch });
  await sightline.uploadRecording(new Blob(['x']), { name: 'drive.mcap' });
  const traces = sent.map(({ url, headers }) => [new URL(url).host, headers.get('traceparent')?.at(-4) ?? null]);
  expect(traces).toEqual([
    ['service.example', '0'],
    ['bucket.example', null],
    ['service.example', '2'],
  ]);
  expect(sent.map(({ headers }) => headers.get('x-api-key'))).toEqual(['sk_x', null, 'sk_x']);
});
