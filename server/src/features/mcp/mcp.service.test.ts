// The MCP server, used by the reference client over both of its transports.
import { fileURLToPath } from 'node:url';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PUBLIC_URL } from '#test/library';
import { type AnalysesWorld, openAnalyses } from '../analyses/analyses.fixture.ts';

type Json = Record<string, unknown>;
type Mode = 'legacy' | 'auto';
type Connection = { key?: string; path?: string; mode?: Mode };
const COMMAND = fileURLToPath(new URL('../../../../sdk/src/cli/main.ts', import.meta.url));
const READING = [
  'export_events',
  'get_clip_link',
  'get_event',
  'list_folders',
  'list_videos',
  'preview_question',
  'search_events',
];

let world: AnalysesWorld;
let videoId: string;
const clients: Client[] = [];

beforeAll(async () => {
  world = await openAnalyses();
  videoId = await world.addVideo();
});
afterAll(async () => {
  for (const client of clients) await client.close();
  await world?.close();
});

async function connect({ key = world.key, path = '/mcp', mode = 'auto' }: Connection = {}): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
  const requestInit = { headers: { authorization: `Bearer ${key}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(path, world.api.base), { requestInit }));
  clients.push(client);
  return client;
}
/** By `sightline mcp`, over stdin and stdout. */
async function connectCommand({ key = world.key, mode = 'auto' }: Connection, ...args: string[]): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
  const env = { SIGHTLINE_URL: world.api.base, SIGHTLINE_API_KEY: key };
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [COMMAND, 'mcp', ...args], env }));
  clients.push(client);
  return client;
}
const toolsOf = async (client: Client) => (await client.listTools()).tools.map(({ name }) => name).sort();
async function use(client: Client, name: string, args: Json, onprogress?: (progress: { progress: number }) => void) {
  const result = await client.callTool({ name, arguments: args }, onprogress ? { onprogress } : undefined);
  const [first, ...others] = result.content as { type: string; text: string; data: string; mimeType: string }[];
  return {
    isError: result.isError ?? false,
    text: first!.text,
    json: result.isError ? {} : (JSON.parse(first!.text) as Json),
    others,
  };
}

const TRANSPORTS = { http: connect, command: connectCommand };
const CASES = Object.keys(TRANSPORTS).flatMap((transport) => ['legacy', 'auto'].map((mode) => [transport, mode]));

describe.each(CASES as [keyof typeof TRANSPORTS, Mode][])('a client by %s that negotiates: %s', (transport, mode) => {
  test('finds a video, asks about it, and looks at the evidence', async () => {
    const client = await TRANSPORTS[transport]({ mode });
    const { json: library } = await use(client, 'list_videos', { limit: 5 });
    expect(library.videos).toMatchObject([{ video_id: videoId, duration_s: 12.5 }]);
    const question = { query: 'a red car', video_ids: [videoId] };
    const preview = await use(client, 'preview_question', question);
    expect(preview.json).toMatchObject({ interpretation: 'Understood as: a red car.', total_videos: 1 });
    const progress: number[] = [];
    const { json } = await use(client, 'ask', { ...question, fast: false }, (each) => progress.push(each.progress));
    expect(json).toMatchObject({ status: 'completed', has_more_events: false });
    expect(json.answers).toMatchObject([{ video_id: videoId, answer: 'Three red cars.' }]);
    expect(progress.length).toBeGreaterThan(0);
    expect(progress).toEqual(progress.toSorted((a, b) => a - b));
    const events = json.events as { event_id: string; analysis_id: string; label: string }[];
    expect(events.map(({ label }) => label).sort()).toEqual(['red car 0', 'red car 1', 'red car 2']);

    const { event_id, analysis_id } = events.find(({ label }) => label === 'red car 0')!;
    const event = await use(client, 'get_event', { event_id });
    expect(event.json).toMatchObject({ event_id, approval: 'pending' });
    expect(event.others).toMatchObject([{ type: 'image', mimeType: 'image/jpeg' }]);
    expect(Buffer.from(event.others[0]!.data, 'base64').toString()).toBe('jpeg at 1');
    const found = await use(client, 'search_events', { q: 'red car', video_id: videoId, limit: 2 });
    expect(found.json.events).toHaveLength(2);

    const uri = `sightline://videos/${videoId}/analyses/${analysis_id}`;
    const [document] = (await client.readResource({ uri })).contents as { text: string }[];
    expect(JSON.parse(document!.text)).toMatchObject({ video_id: videoId, analysis_id });
  });
});

test('a question about the library names the videos that it chose', async () => {
  const client = await connect();
  const library = { name: 'no video has this name' };
  const { json } = await use(client, 'ask', { query: 'a red car', library });
  expect(json).toMatchObject({ status: 'completed', answers: [], events: [], selection: { considered: 0, chosen: 0 } });
  expect(json.answer).toBe('No video was searched: none matches the filters.');
  const all = await use(client, 'ask', { query: 'a red car', library: {} });
  expect(all.json.answers).toMatchObject([{ video_id: videoId }]);
});

test('links need no key: clips, and files of exports', async () => {
  const client = await connect();
  const clip = await use(client, 'get_clip_link', { video_id: videoId, start_s: 1, end_s: 2 });
  expect(String(clip.json.url)).toMatch(/^http:\/\/public\.example\/.+token=/);
  const { json } = await use(client, 'export_events', { format: 'jsonl', video_id: videoId });
  const file = await fetch(String(json.download_url).replace(PUBLIC_URL, world.api.base));
  expect((await file.text()).split('\n').slice(0, -1)).toHaveLength(Number(json.event_count));
});

test.each([
  ['list_videos', { folder: 'x' }, '`folder` is unknown; did you mean `folder_id`?'],
  ['list_folders', { name: 'x' }, '`name` is unknown; this operation has none'],
  ['search_events', { words: 'x' }, '`words` is unknown; did you mean `q`?'],
  ['get_event', { id: 'x', event_id: 'y' }, '`id` is unknown; did you mean `event_id`?'],
  ['ask', { query: 'a car', video_ids: ['x'], mode: 'fast' }, '`mode` is unknown'],
])('%s refuses unknown arguments', async (name, args, message) => {
  const client = await connect();
  expect(await use(client, name, args)).toMatchObject({ isError: true, text: expect.stringContaining(message) });
});

test('every tool refuses unknown arguments', async () => {
  const { tools } = await (await connect({ path: '/mcp?write=true' })).listTools();
  for (const { name, inputSchema } of tools) expect(inputSchema.additionalProperties, name).toBe(false);
});

test('tools follow the scopes of the key, and verdicts need consent', async () => {
  const reader = await world.library.keyOf(world.library.owner, ['read']);
  expect(await toolsOf(await connect({ key: reader.key }))).toEqual(READING);
  expect(await toolsOf(await connect({ key: reader.key, path: '/mcp?write=true' }))).toEqual(READING);
  expect(await toolsOf(await connect())).toEqual([...READING, 'ask'].sort());
  const reviewing = await connect({ path: '/mcp?write=true' });
  expect(await toolsOf(reviewing)).toEqual([...READING, 'ask', 'review_events'].sort());
  expect(await toolsOf(await connectCommand({}, '--allow-review'))).toContain('review_events');
  const [event] = (await use(reviewing, 'search_events', { limit: 1 })).json.events as { event_id: string }[];
  const verdict = { event_ids: [event!.event_id], approval: 'rejected', reason: 'wrong thing' };
  const reviewed = await use(reviewing, 'review_events', verdict);
  expect(reviewed.json.events).toMatchObject([{ event_id: event!.event_id, approval: 'rejected' }]);

  const other = await world.library.keyOf(await world.library.addUser(), ['read', 'write']);
  const stranger = await connect({ key: other.key });
  expect((await use(stranger, 'list_videos', {})).json.videos).toEqual([]);
  const refused = await use(stranger, 'get_event', { event_id: event!.event_id });
  expect(refused).toMatchObject({ isError: true, text: expect.stringContaining('analysis_forbidden') });
  const unknown = { key: `sk_${'x'.repeat(48)}` };
  await expect(connect(unknown)).rejects.toThrow();
  await expect(connectCommand(unknown)).rejects.toThrow('This API key is unknown');
});
