import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { Problem } from '#platform/problem';
import { createSealer } from '#platform/secrets/index';
import { SECRET } from '#test/library';
import { maintainSessions } from './jobs.ts';
import { openStudio, type Studio } from './live.fixture.ts';
import { rotateSourceSecrets } from './source-secrets.ts';

/** Operations on sessions. No worker records them here. */
let studio: Studio;
beforeAll(async () => {
  studio = await openStudio({}, { worker: false });
});
afterAll(async () => studio?.close());

const SOURCE = 'rtsp://camera.example/stream1';
const list = async (query = '', key = studio.key) =>
  (await studio.api.call('GET', `/api/live/live-sessions${query}`, { key })).json.sessions as Record<string, unknown>[];

test('a session takes a form, JSON, and nothing that is no source', async () => {
  const session = await studio.start(SOURCE, { stream_id: '', rapid_review_query: '', scope: '' });
  expect(session).toMatchObject({
    status: 'INITIALIZING',
    session_id: expect.any(String),
    stream_id: expect.any(String),
  });
  const json = { source_url: 'srt://camera.example:9000?passphrase=hush', name: 'Dock', stream_id: null, scope: 'org' };
  const { json: other } = await studio.api.call('POST', '/api/live/start-session', { key: studio.key, json });
  expect(await studio.read(other as never)).toMatchObject({
    name: 'Dock',
    source_url: 'srt://camera.example:9000?passphrase=***',
    scope: 'org',
    rapid_review_query: null,
    chunk_count: 0,
    chunks: [],
    events: [],
    gaps: [],
    started_at: null,
    connected: false,
    created_by: expect.stringMatching(/^[0-9a-f]{32}$/),
    created_by_display_name: expect.any(String),
  });
  for (const source_url of [
    '',
    'file:///etc/passwd',
    'stream1',
    'srt://camera',
    'srt://c:1?mode=listener',
    'udp://1.2.3.4:5',
  ]) {
    const refused = await studio.post('/api/live/start-session', { source_url, name: 'Gate' });
    expect(refused.status, source_url).toBe(400);
  }
  expect((await studio.post('/api/live/start-session', { source_url: SOURCE })).status).toBe(400);
  const odd = await studio.post('/api/live/start-session', { source_url: SOURCE, name: 'x', stream_id: '../x' });
  expect(odd.status).toBe(400);
});

test.each([
  ['rtsp://me:hush@camera.example/stream1?token=hush#hush', 'rtsp://camera.example/stream1?token=***'],
  ['rtsps://camera.example/stream1?hush', 'rtsps://camera.example/stream1?***'],
  ['rtmp://me:hush@live.example/app/hush', 'rtmp://live.example/app/***'],
  ['rtmps://live.example/app/one/hush/?auth=hush', 'rtmps://live.example/app/one/***?auth=***'],
  ['rtmp://live.example/hush', 'rtmp://live.example/***'],
  ['srt://live.example:9000?streamid=%23!::r=gate,u=hush', 'srt://live.example:9000?streamid=***'],
])('secrets in %s are never returned', async (source, shown) => {
  const session = await studio.start(source);
  const [live, video] = [await studio.read(session), await studio.library.videos.find(session.video_id)];
  const { db } = studio.library.database;
  const rows = await db.selectFrom('liveSessions').selectAll().where('id', '=', session.session_id).execute();
  const streams = await db.selectFrom('liveStreams').selectAll().where('id', '=', session.stream_id).execute();
  expect(live.source_url).toBe(shown);
  expect([video!.sourceUri, rows[0]!.sourceUrl, streams[0]!.sourceUrl]).toEqual([shown, shown, shown]);
  expect(JSON.stringify([live, video, rows, streams])).not.toContain('hush');
});

test('a repeated start begins once', async () => {
  const start = () =>
    studio.api.call('POST', '/api/live/start-session', {
      key: studio.key,
      headers: { 'idempotency-key': 'start-once' },
      body: new URLSearchParams({ source_url: SOURCE, name: 'Once' }),
    });
  const [first, second] = [await start(), await start()];
  expect(second.json).toEqual(first.json);
  expect((await list()).filter(({ name }) => name === 'Once')).toHaveLength(1);
});

test('streams group sessions, by the name that the organization gives them', async () => {
  const attached = { stream_id: 'dock:1', stream_name: 'Dock', source_url: SOURCE, retention_days: '7' };
  expect((await studio.post('/api/live/attach-stream', attached)).json).toEqual({ ok: true });
  const sessions = [];
  for (let i = 0; i < 3; i++) sessions.push(await studio.start(SOURCE, { stream_id: 'dock:1' }));
  const ids = sessions.map(({ session_id }) => session_id).reverse();
  const page = await studio.api.call('GET', '/api/live/live-sessions?stream_id=dock:1&limit=2', { key: studio.key });
  expect(page.json).toMatchObject({ has_more: true, sessions: [{ session_id: ids[0] }, { session_id: ids[1] }] });
  const rest = await list(`?stream_id=dock:1&limit=2&cursor=${page.json.next_cursor}`);
  expect(rest.map(({ session_id }) => session_id)).toEqual([ids[2]]);
  expect((await studio.end({ ...sessions[0]!, stream_id: 'other' })).status).toBe(404);
  // Another organization has a stream of that name of its own.
  const other = await studio.library.keyOf(await studio.library.addUser(), ['read', 'write']);
  const theirs = await studio.post(
    '/api/live/start-session',
    { source_url: SOURCE, name: 'x', stream_id: 'dock:1' },
    other.key,
  );
  expect(theirs.status).toBe(200);
  expect(await list('?stream_id=dock:1', other.key)).toHaveLength(1);
});

test('only the owner of a stream or an admin changes the retention of its recordings', async () => {
  const { orgId } = studio.caller;
  const attached = { stream_id: 'kept', stream_name: 'Kept', source_url: SOURCE };
  const days = async () => {
    const stream = studio.library.database.db.selectFrom('liveStreams').selectAll().where('id', '=', 'kept');
    return (await stream.executeTakeFirstOrThrow()).retentionDays;
  };
  await studio.post('/api/live/attach-stream', { ...attached, retention_days: '30' });
  const { key } = await studio.library.keyOf(await studio.library.addUser(orgId), ['read', 'write']);
  for (const path of ['attach-stream', 'start-session']) {
    const request = { ...attached, name: 'Kept' };
    const refused = await studio.post(`/api/live/${path}`, { ...request, retention_days: '1' }, key);
    expect(refused).toMatchObject({ status: 403, json: { error: 'live_stream_forbidden' } });
    // A user who does not change the retention uses the stream as before.
    expect((await studio.post(`/api/live/${path}`, request, key)).status).toBe(200);
    expect((await studio.post(`/api/live/${path}`, { ...request, retention_days: '30' }, key)).status).toBe(200);
    expect(await days()).toBe(30);
  }
  await studio.post('/api/live/attach-stream', { ...attached, retention_days: '20' });
  expect(await days()).toBe(20);
  const admin = await studio.library.keyOf(await studio.library.addUser(orgId), ['admin']);
  await studio.post('/api/live/attach-stream', { ...attached, retention_days: '10' }, admin.key);
  expect(await days()).toBe(10);
});

test('who may see a session', async () => {
  const { orgId } = studio.caller;
  const mine = await studio.start(SOURCE);
  const shared = await studio.start(SOURCE, { scope: 'org' });
  const colleague = await studio.library.keyOf(await studio.library.addUser(orgId), ['read', 'write']);
  const reader = await studio.library.keyOf(await studio.library.addUser(orgId), ['read']);
  const read = (session: { stream_id: string; session_id: string }, key: string) =>
    studio.api.call('GET', `/api/live/live-sessions/${session.stream_id}/${session.session_id}`, { key });
  expect((await read(shared, colleague.key)).status).toBe(200);
  expect(await read(mine, colleague.key)).toMatchObject({ status: 403, json: { error: 'live_forbidden' } });
  const seen = (await list('', colleague.key)).map(({ session_id }) => session_id);
  expect(seen).toContain(shared.session_id);
  expect(seen).not.toContain(mine.session_id);
  expect(await list('?scope=personal', colleague.key)).toEqual([]);
  expect((await list('?scope=org')).every(({ scope }) => scope === 'org')).toBe(true);
  const refused = await studio.post(
    '/api/live/end-session',
    { stream_id: shared.stream_id, session_id: shared.session_id },
    reader.key,
  );
  expect(refused).toMatchObject({ status: 403, json: { error: 'scope_missing' } });
  expect((await studio.end(mine)).json).toEqual({ status: 'ended' });
  expect((await studio.end(mine)).json).toEqual({ status: 'already_ended' });
  expect((await studio.read(mine)).status).toBe('ENDING');
});

test('an organization follows so many at once', async () => {
  const owner = await studio.library.keyOf(await studio.library.addUser(), ['read', 'write']);
  const start = () => studio.post('/api/live/start-session', { source_url: SOURCE, name: 'Gate' }, owner.key);
  const answers = await Promise.all(Array.from({ length: 24 }, start));
  const refused = answers.filter(({ status }) => status === 429);
  expect(refused).toHaveLength(4);
  expect(refused[0]!.json).toMatchObject({
    error: 'live_too_many',
    message: expect.stringContaining('20 active livestreams'),
  });
  expect(refused[0]!.headers.get('retry-after')).toBe('60');
});

test('the source is re-encrypted when keys rotate, and deleted at the end', async () => {
  const { database } = studio.library;
  const session = await studio.start('rtsp://me:hush@camera.example/stream1');
  const stored = () =>
    database.db.selectFrom('liveSessions').selectAll().where('id', '=', session.session_id).executeTakeFirstOrThrow();
  const before = await stored();
  expect(JSON.stringify(before)).not.toContain('hush');
  const sealer = createSealer('another root secret that is long enough', SECRET);
  expect(await rotateSourceSecrets({ database, sealer })).toEqual({ rotated: expect.toSatisfy((n) => n > 0), lost: 0 });
  expect(await rotateSourceSecrets({ database, sealer })).toEqual({ rotated: 0, lost: 0 });
  const after = (await stored()).sourceSecret as never;
  expect(sealer.open(`live-session ${session.session_id}`, after)).toEqual({
    url: 'rtsp://me:hush@camera.example/stream1',
  });
});

test('recordings go when their stream keeps them no longer', async () => {
  const { database, videos } = studio.library;
  const old = await studio.start(SOURCE, { stream_id: 'short', retention_days: '2' });
  const young = await studio.start(SOURCE, { stream_id: 'short' });
  const retained = await studio.start(SOURCE, { stream_id: 'long' });
  // Of the stream, and of somebody else for themselves.
  const colleague = await studio.library.keyOf(await studio.library.addUser(studio.caller.orgId), ['read', 'write']);
  const form = { source_url: SOURCE, name: 'Mine', stream_id: 'short' };
  const theirs = (await studio.post('/api/live/start-session', form, colleague.key)).json as typeof old;
  async function end({ session_id, video_id }: typeof old, days: number): Promise<void> {
    const ended_at = new Date(Date.now() - days * 86_400_000);
    await database.db
      .updateTable('liveSessions')
      .set({ status: 'FINISHED', endedAt: ended_at })
      .where('id', '=', session_id)
      .execute();
    expect(await videos.find(video_id)).not.toBeNull();
  }
  await end(old, 3);
  await end(theirs, 3);
  await end(young, 1);
  await end(retained, 300);
  const held = await studio.start(SOURCE, { stream_id: 'short' });
  await end(held, 3);
  const ofHeld = database.db.updateTable('videos').where('id', '=', held.video_id);
  await ofHeld.set({ status: 'UPLOADED', heldAt: new Date(), heldBy: 'admin', holdReason: 'Claim' }).execute();
  await studio.library.startWorker();
  const tend = () => database.transaction((trx) => studio.library.jobs.send(trx, maintainSessions, {}));
  // One that could not be removed is tried again.
  const busy = new Problem({ status: 409, code: 'busy', message: 'It is in use.' });
  const removeMany = vi.spyOn(videos, 'removeMany').mockResolvedValue([{ videoId: old.video_id, problem: busy }]);
  onTestFinished(() => removeMany.mockRestore());
  await tend();
  await expect.poll(() => removeMany.mock.calls.length).toBeGreaterThan(0);
  expect(await videos.find(old.video_id)).not.toBeNull();
  const removed = removeMany.mock.calls.flatMap(([, ids]) => ids);
  removeMany.mockRestore();
  await tend();
  await expect.poll(() => videos.find(old.video_id)).toBeNull();
  expect(await videos.find(young.video_id)).not.toBeNull();
  expect(await videos.find(retained.video_id)).not.toBeNull();
  expect(await videos.find(theirs.video_id)).not.toBeNull();
  // A recording on legal hold is deleted after its release.
  expect(await videos.find(held.video_id)).not.toBeNull();
  expect(removed).not.toContain(held.video_id);
  await ofHeld.set({ heldAt: null, heldBy: null, holdReason: null }).execute();
  await tend();
  await expect.poll(() => videos.find(held.video_id)).toBeNull();
});
