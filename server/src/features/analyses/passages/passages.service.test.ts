// Searches by what is spoken and read, tags and notes: real subtitles, real text in frames, real captions.
import { execFile } from 'node:child_process';
import { openAsBlob } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { createSightline, type EventSummary, type Sightline, type VideoPassage } from '@sightline/sdk';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { openLibrary, type TestLibrary } from '#test/library';

const { ffmpeg } = inject('programs');
const FONT = join(
  dirname(createRequire(import.meta.url).resolve('dejavu-fonts-ttf/package.json')),
  'ttf/DejaVuSans.ttf',
);
const SUBTITLES = `WEBVTT

00:01.000 --> 00:02.500
Good morning to everybody.

00:04.500 --> 00:06.000
Please mind the forklifts in the hall.
`;

describe.skipIf(ffmpeg === null)('passages', () => {
  let dir: string;
  let library: TestLibrary;
  let client: Sightline;
  let key: string;
  let videoId: string;

  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'passages '));
    library = await openLibrary({ SIGHTLINE_RESTORE_HOURS: '1' }, { worker: true });
    key = (await library.keyOf(library.owner, ['read', 'write'])).key;
    client = createSightline({ baseUrl: library.api.base, apiKey: key });
    // A sign until 3 s; dark from 5 s on.
    const path = join(dir, 'hall.mp4');
    const sign = `drawtext=fontfile=${FONT}:text=EXIT 42:fontsize=40:fontcolor=white:x=40:y=60:enable='lt(t,3)'`;
    const filter = `${sign},eq=brightness='if(gte(t,5),-0.8,0)':eval=frame`;
    const source = ['-f', 'lavfi', '-i', 'color=c=0xa0b0c0:s=320x256:r=10:d=8', '-vf', filter, '-c:v', 'libx264'];
    await promisify(execFile)(ffmpeg!, ['-v', 'error', ...source, '-pix_fmt', 'yuv420p', path]);
    videoId = (await client.upload(await openAsBlob(path), { name: 'hall.mp4' })).video_id;
    await client.ready(videoId);
    for await (const event of client.ask({ query: 'the picture gets dark', videoIds: [videoId] }))
      if (event.kind === 'error') throw event;
  });
  afterAll(async () => {
    await library?.close();
    await rm(dir, { recursive: true, force: true });
  });

  const find = async (q?: string, by = client) => {
    const events: EventSummary[] = [];
    for await (const event of by.events({ q })) events.push(event);
    return events;
  };
  const passages = async (query: Parameters<Sightline['passages']>[0], by = client) => {
    const found: VideoPassage[] = [];
    for await (const passage of by.passages(query)) found.push(passage);
    return found;
  };
  const texts = async (query: Parameters<Sightline['passages']>[0], by = client) =>
    (await passages(query, by)).map(({ text }) => text);
  const matchesOf = async (q: string) => (await find(q)).map(({ matches }) => matches.map(({ source }) => source));

  test('events are found by what is spoken during them, as soon as it is known', async () => {
    expect(await find('forklift')).toEqual([]);
    expect(await passages({})).toEqual([]);
    await client.putSubtitles(videoId, new Blob([SUBTITLES]), { filename: 'hall.vtt' });
    await client.observe({ observers: ['subtitles', 'text'], video_ids: [videoId] });

    const [event, ...more] = await find('forklift');
    expect(more).toEqual([]);
    expect(event).toMatchObject({ label: 'picture is dark', video_id: videoId });
    expect([event!.start_s > 4.5, event!.start_s < 6]).toEqual([true, true]);
    const sentence = { text: 'Please mind the forklifts in the hall.', start_s: 4.5, end_s: 6 };
    expect(event!.matches).toEqual([{ source: 'transcript', ...sentence }]);
    // All words have to match, in any of the sources.
    expect(await matchesOf('dark forklifts')).toEqual([['label', 'transcript', 'prompt']]);
    expect(await find('dark elephant')).toEqual([]);
    // Spoken before the event.
    expect(await find('morning')).toEqual([]);
    expect((await find()).flatMap(({ matches }) => matches)).toEqual([]);
  });

  test('what is spoken and read is found without an event, with its time', async () => {
    expect(await passages({ q: 'everybody' })).toEqual([
      {
        video_id: videoId,
        video_name: 'hall.mp4',
        video_duration_s: 8,
        folder_id: null,
        folder_name: null,
        source: 'transcript',
        start_s: 1,
        end_s: 2.5,
        text: 'Good morning to everybody.',
      },
    ]);
    const [sign] = await passages({ q: 'exit' });
    expect(sign).toMatchObject({ source: 'text', text: 'EXIT 42' });
    expect([sign!.start_s < 1, sign!.end_s > 1, sign!.end_s <= 3]).toEqual([true, true, true]);
    expect(await find('exit')).toEqual([]);
    expect(await texts({ source: 'text' })).toEqual(['EXIT 42']);
    expect(await texts({ source: 'transcript', video_id: videoId })).toHaveLength(2);
    expect(await texts({ q: 'the' })).toEqual([]);
    // Pages of one passage each have the same, in order of time.
    const all = await texts({});
    expect(await texts({ limit: 1 })).toEqual(all);
    expect(all).toHaveLength(3);
    const wrong = await library.api.call('GET', '/api/passages?cursor=x', { key });
    expect(wrong).toMatchObject({ status: 400, json: { error: 'cursor_invalid' } });
  });

  test('tags, notes and captions are sources, too', async () => {
    expect(await find('monsoon')).toEqual([]);
    const params = { path: { video_id: videoId } };
    await client.api.PATCH('/api/video/{video_id}', { params, body: { tags: ['monsoon'] } });
    expect(await matchesOf('monsoon')).toEqual([['tag']]);
    expect((await find('monsoon'))[0]!.matches).toEqual([
      { source: 'tag', text: 'monsoon', start_s: null, end_s: null },
    ]);
    await client.api.PATCH('/api/video/{video_id}', { params, body: { tags: [] } });
    expect(await find('monsoon')).toEqual([]);

    const [dark] = await find('dark');
    await client.review([dark!.event_id], { approval: 'approved', note: 'Someone switched the lamps off' });
    expect(await matchesOf('lamp forklift')).toEqual([['transcript', 'note']]);
    const facets = await library.api.call('GET', '/api/events?q=lamp&facets=true', { key });
    expect(facets.json.facets).toMatchObject({ total: 1, approvals: [{ value: 'approved', count: 1 }] });

    const index = await client.captions(videoId);
    expect(index.status).toBe('completed');
    const captions = (await find()).filter(({ query }) => query.startsWith('Captions'));
    expect(captions.length).toBeGreaterThan(0);
    const [caption] = captions;
    const found = (await find(caption!.label)).find(({ event_id }) => event_id === caption!.event_id);
    expect(found!.matches).toContainEqual({ source: 'caption', text: caption!.label, start_s: null, end_s: null });
  });

  test('passages are visible with their video only', async () => {
    const colleague = await library.keyOf(await library.addUser(library.owner.orgId), ['read']);
    const other = createSightline({ baseUrl: library.api.base, apiKey: colleague.key });
    const foreign = await library.keyOf(await library.addUser(), ['admin']);
    const elsewhere = createSightline({ baseUrl: library.api.base, apiKey: foreign.key });
    expect(await texts({}, other)).toEqual([]);
    const folder = (await client.api.POST('/api/folders', { body: { name: 'Halls', scope: 'org' } })).data!;
    const params = { path: { video_id: videoId } };
    await client.api.PATCH('/api/video/{video_id}', { params, body: { folder_id: folder.id } });
    expect(await texts({}, other)).toHaveLength(3);
    expect(await passages({ q: 'forklift', folder_id: folder.id }, other)).toMatchObject([{ folder_name: 'Halls' }]);
    expect(await texts({}, elsewhere)).toEqual([]);
    const limited = await library.keys.create({ ...library.owner, name: 'limited', folderId: folder.id });
    expect(await texts({}, createSightline({ baseUrl: library.api.base, apiKey: limited.key }))).toHaveLength(3);

    await client.api.POST('/api/videos/delete', { body: { video_ids: [videoId] } });
    expect(await texts({})).toEqual([]);
    await client.api.POST('/api/videos/restore', { body: { video_ids: [videoId] } });
    expect(await texts({}, other)).toHaveLength(3);
    expect(await matchesOf('forklift lamp')).toEqual([['transcript', 'note']]);
  });

  test('observations of an earlier version are searched after an update, and stored once', async () => {
    const { db } = library.database;
    const rows = () => db.selectFrom('videoPassages').selectAll().orderBy('kind').orderBy('position').execute();
    const before = await rows();
    await db.deleteFrom('videoPassages').execute();
    await db.updateTable('observations').set({ passagesStored: false }).execute();
    await db.updateTable('analysisEvents').set({ words: '' }).execute();
    const { signal } = new AbortController();
    // Two nodes at the same time.
    await Promise.all([1, 2].map(() => library.analyses.passages.storeEarlier(signal)));
    expect(await rows()).toEqual(before);
    expect(await matchesOf('forklift lamp')).toEqual([['transcript', 'note']]);
  });

  test('removed subtitles are not found any more', async () => {
    await client.deleteSubtitles(videoId);
    expect(await texts({ source: 'transcript' })).toEqual([]);
    expect(await find('forklift')).toEqual([]);
    expect(await texts({ q: 'exit' })).toEqual(['EXIT 42']);
  });
});
