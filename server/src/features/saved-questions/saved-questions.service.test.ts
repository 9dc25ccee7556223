// Saved questions through the API, with webhooks that are received over HTTP.
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { Problem } from '#platform/problem';
import { jobsEnded } from '#test/jobs';
import { type AnalysesWorld, openAnalyses } from '../analyses/analyses.fixture.ts';
import { type Receiver, startReceiver, verify } from '../webhooks/receiver.fixture.ts';

type Json = Record<string, unknown>;
let world: AnalysesWorld;
let receiver: Receiver;
let secret: string;
const FINISHED = { timeout: 60_000, interval: 20 };

beforeAll(async () => {
  receiver = await startReceiver();
  world = await openAnalyses({ SIGHTLINE_MAX_SAVED_QUESTIONS: '4' });
  const admin = (await world.library.keyOf(await world.library.addUser(world.caller.orgId), ['admin'])).key;
  const json = { url: receiver.url, event_types: ['alert.raised'] };
  secret = String((await world.api.call('POST', '/api/webhooks', { key: admin, json })).json.secret);
});
afterEach(async () => {
  await world.library.database.db.deleteFrom('savedQuestions').execute();
  // No alert of this test arrives during the next.
  await jobsEnded(world.library.database);
  receiver.received.length = 0;
});
afterAll(async () => {
  await world?.close();
  await receiver?.stop();
});

const call = (method: string, path: string, json?: object, key = world.key) =>
  world.api.call(method, `/api/saved-questions${path}`, { key, ...(json && { json }) });
async function succeed(method: string, path: string, json?: object): Promise<Json> {
  const answer = await call(method, path, json);
  expect(answer.status, answer.text).toBe(200);
  return answer.json;
}
const save = async (settings: object = {}): Promise<string> =>
  String((await succeed('POST', '', { name: 'Cars', query: 'a red car', ...settings })).saved_question_id);
const runs = async (id: string) => (await succeed('GET', `/${id}/runs`)).runs as (Json & { status: string })[];
async function ended(id: string, count: number): Promise<Json[]> {
  const done = async () => (await runs(id)).filter(({ status }) => ['completed', 'failed'].includes(status)).length;
  await expect.poll(done, FINISHED).toBe(count);
  return runs(id);
}
const alerts = () => receiver.received.map(({ json }) => json);
const received = (count: number) => expect.poll(() => receiver.received.length, FINISHED).toBe(count);
const batches = async () => (await world.library.database.db.selectFrom('batches').select('config').execute()).length;

test('a new video is analyzed, and its events are announced once, signed, with a link to the moment', async () => {
  const id = await save();
  const videoId = await world.addVideo();
  const [run] = await ended(id, 1);
  expect(run).toMatchObject({
    video_id: videoId,
    status: 'completed',
    event_count: 3,
    matching_count: 3,
    alert_count: 3,
    silenced: null,
    error: null,
  });
  await received(3);
  for (const message of receiver.received) expect(verify(secret, message)).toEqual(message.json);
  const [first] = alerts().toSorted((a, b) => a.sequence - b.sequence);
  const eventId = `${run!.analysis_id}-0`;
  expect(first).toMatchObject({ type: 'alert.raised', subject: `saved-question/${id}` });
  expect(first!.data).toMatchObject({
    saved_question_id: id,
    saved_question_name: 'Cars',
    query: 'a red car',
    video_id: videoId,
    event_id: eventId,
    label: 'red car 0',
    other_events: 0,
    start_s: 0.34,
    url: expect.stringMatching(new RegExp(`/videos/${videoId}\\?t=0\\.34&.*event=${eventId}$`)),
  });
  const batch = await world.api.call('GET', `/api/batch/${run!.batch_id}/status`, { key: world.key });
  expect(batch.json).toMatchObject({ config: { saved_question_id: id }, query: 'a red car', mode: 'thinking' });
  expect((await succeed('GET', `/${id}`)).last_alert_at).not.toBeNull();
});

test('the folder, the owner and the pause decide which new videos are analyzed', async () => {
  const { library, key } = world;
  const folder = async (name: string) =>
    String((await world.api.call('POST', '/api/folders', { key, json: { name } })).json.id);
  const [gate, yard] = [await folder('Gate'), await folder('Yard')];
  const all = await save({ mode: 'fast' });
  const inGate = await save({ folder_id: gate });
  const paused = await save({ enabled: false });
  const elsewhere = await library.keyOf(await library.addUser(world.caller.orgId), ['read', 'write']);
  const [first, second] = [await world.addVideo({ folderId: gate }), await world.addVideo({ folderId: yard })];
  const foreign = await library.addStored(elsewhere.caller, Buffer.from('video'));
  const shared = await library.addStored(elsewhere.caller, Buffer.from('video'), { scope: 'org' });
  expect((await ended(all, 3)).map((run) => run.video_id).toSorted()).toEqual([first, second, shared].toSorted());
  expect((await ended(inGate, 1))[0]).toMatchObject({ video_id: first });
  expect(await runs(paused)).toEqual([]);
  expect(foreign).not.toBe(shared);
  // Colleagues see the runs on videos that they may read.
  const seen = await call('GET', `/${all}/runs`, undefined, elsewhere.key);
  expect((seen.json.runs as Json[]).map((run) => run.video_id)).toEqual([shared]);
  expect((await succeed('GET', `/${inGate}`)).state).toBe('active');
  await world.api.call('DELETE', `/api/folders/${gate}?videos=move_to_root`, { key });
  expect(await succeed('GET', `/${inGate}`)).toMatchObject({ state: 'folder_deleted', folder_name: null });
});

test('the rule, the cooldown and the snooze decide which events are announced', async () => {
  const quiet = { from: '00:00', to: '23:59', time_zone: 'UTC' };
  const picky = await save({ rule: { labels: ['CAR 1'], min_confidence: 0.7 } });
  const cooling = await save({ rule: { cooldown_s: 3_600 } });
  const snoozed = await save({ snoozed_until: new Date(Date.now() + 3_600_000).toISOString() });
  await Promise.all([world.addVideo(), world.addVideo()]);
  const counts = async (id: string) =>
    (await ended(id, 2)).map(({ alert_count, silenced }) => [alert_count, silenced]).toSorted();
  expect(await counts(picky)).toEqual([
    [1, null],
    [1, null],
  ]);
  expect(await counts(cooling)).toEqual([
    [0, 'cooldown'],
    [1, null],
  ]);
  expect(await counts(snoozed)).toEqual([
    [0, 'snoozed'],
    [0, 'snoozed'],
  ]);
  await received(3);
  const others = alerts().map(({ data }) => [data.saved_question_id, data.label, data.other_events]);
  expect(others.toSorted()).toEqual(
    [
      [picky, 'red car 1', 0],
      [picky, 'red car 1', 0],
      [cooling, 'red car 0', 2],
    ].toSorted(),
  );
  expect(await succeed('GET', `/${snoozed}`)).toMatchObject({ state: 'snoozed' });
  const awake = { snoozed_until: new Date(0).toISOString(), rule: { quiet_hours: quiet } };
  expect(await succeed('PATCH', `/${snoozed}`, awake)).toMatchObject({ state: 'active', rule: { quiet_hours: quiet } });
});

test('a question runs on existing videos as one batch, once, and again on those that failed', async () => {
  const { key } = world;
  const folder = String((await world.api.call('POST', '/api/folders', { key, json: { name: 'Old' } })).json.id);
  const before = await Promise.all([world.addVideo({ folderId: folder }), world.addVideo({ folderId: folder })]);
  const id = await save({ folder_id: folder });
  world.engine.failure = new Problem({ status: 400, code: 'media_damaged', message: 'It is damaged.' });
  const started = await succeed('POST', `/${id}/run`, {});
  expect(started).toMatchObject({ total: 2, has_more: false });
  const failed = await ended(id, 2).finally(() => {
    world.engine.failure = null;
  });
  expect(failed.map((run) => [run.status, run.error])).toEqual(Array(2).fill(['failed', 'media_damaged']));
  const again = await succeed('POST', `/${id}/run`, { announce: true });
  expect(again.total).toBe(2);
  const done = async () => (await runs(id)).map((run) => [run.status, run.error, run.alert_count, run.batch_id]);
  await expect.poll(done, FINISHED).toEqual(Array(2).fill(['completed', null, 3, again.batch_id]));
  await received(6);
  expect((await runs(id)).map((run) => run.video_id).toSorted()).toEqual(before.toSorted());
  expect(await call('POST', `/${id}/run`, {})).toMatchObject({
    status: 409,
    json: { error: 'saved_question_nothing_to_run' },
  });
  // Alerts about existing videos are raised on request only.
  const silent = await save({ name: 'Silent', folder_id: folder });
  await succeed('POST', `/${silent}/run`, {});
  expect((await ended(silent, 2)).map((run) => run.silenced)).toEqual(['not_requested', 'not_requested']);
  expect(receiver.received).toHaveLength(6);
});

test('a transaction that is rolled back leaves no run, and a video becomes ready once', async () => {
  const id = await save();
  const { database, videos, events } = world.library;
  const videoId = await world.addVideo({}, false);
  const ready = { orgId: world.caller.orgId, videos: [{ videoId, sizeBytes: 5 }] };
  const rolledBack = database.transaction(async (trx) => {
    await events.publish(trx, 'videos.ready', ready);
    throw new Error('no');
  });
  await expect(rolledBack).rejects.toThrow('no');
  expect(await runs(id)).toEqual([]);
  await world.markReady(videoId);
  // A second message about the same video starts nothing.
  await database.transaction((trx) => events.publish(trx, 'videos.ready', ready));
  await ended(id, 1);
  await received(3);
  expect(await runs(id)).toHaveLength(1);
  // A video that its owner may not read any more fails the run, with a reason.
  const unreadable = await world.addVideo({}, false);
  const { userId: ownerId } = await world.library.addUser(world.caller.orgId);
  await database.transaction(async (trx) => {
    await events.publish(trx, 'videos.ready', { ...ready, videos: [{ videoId: unreadable, sizeBytes: 5 }] });
    await trx.updateTable('videos').set({ ownerId }).where('id', '=', unreadable).execute();
  });
  const state = async () =>
    (await database.db.selectFrom('savedQuestionRuns').selectAll().where('videoId', '=', unreadable).execute()).map(
      ({ status, problemCode }) => [status, problemCode],
    );
  await expect.poll(state, FINISHED).toEqual([['failed', 'video_forbidden']]);
  expect(await videos.find(unreadable)).not.toBeNull();
});

test('settings are checked, changed and bounded, and deleting a question keeps its analyses', async () => {
  const refused = async (json: object) => {
    const answer = await call('POST', '', { name: 'Cars', query: 'a red car', ...json });
    return [answer.status, answer.json.error];
  };
  expect(await refused({ query: ' ' })).toEqual([400, 'query_empty']);
  expect(await refused({ folder_id: 'none' })).toEqual([404, 'folder_not_found']);
  const zone = { from: '22:00', to: '06:00', time_zone: 'Mars/Base' };
  expect(await refused({ rule: { quiet_hours: zone } })).toEqual([400, 'quiet_hours_invalid']);
  expect(await refused({ rule: { quiet_hours: { ...zone, from: '24:00' } } })).toEqual([400, 'request_invalid']);
  const ids = [await save(), await save(), await save(), await save()];
  expect(await refused({})).toEqual([409, 'saved_question_limit']);
  const [id] = ids as [string];
  const changed = await succeed('PATCH', `/${id}`, { name: 'Vans', min_confidence: 0.9, enabled: false });
  expect(changed).toMatchObject({ name: 'Vans', min_confidence: 0.9, query: 'a red car', state: 'paused' });
  expect(changed.rule).toEqual({ labels: [], min_confidence: null, cooldown_s: 0, quiet_hours: null, digest: null });
  await succeed('PATCH', `/${id}`, { enabled: true });
  await world.addVideo();
  for (const each of ids) await ended(each, 1);
  const count = await batches();
  await Promise.all(ids.map((each) => succeed('DELETE', `/${each}`)));
  expect(await succeed('GET', '')).toEqual({ saved_questions: [] });
  expect(await batches()).toBe(count);
  expect((await call('GET', `/${id}`)).json.error).toBe('saved_question_not_found');
});

test('a question about the time of recording runs on videos of that time, in its zone', async () => {
  const settings = { time_zone: 'Asia/Tokyo', recorded: { time_of_day: '22:00-06:00' }, enabled: false };
  const id = await save(settings);
  const saved = await succeed('GET', '');
  expect(saved.saved_questions).toMatchObject([
    { saved_question_id: id, time_zone: 'Asia/Tokyo', recorded: settings.recorded },
  ]);
  // Midnight and noon in Tokyo, and one about which nothing is known.
  const names = ['20261127_150000Z.mp4', '20261127_030000Z.mp4', 'gate.mp4'];
  const ids: string[] = [];
  for (const name of names) {
    const videoId = await world.addVideo();
    ids.push(videoId);
    await world.library.database.db.updateTable('videos').set({ name }).where('id', '=', videoId).execute();
  }
  const at = async (videoId: string, recorded_at: string) =>
    world.api.call('PATCH', `/api/video/${videoId}`, { key: world.key, json: { recorded_at } });
  await at(ids[0]!, '2026-11-27T15:00:00Z');
  await at(ids[1]!, '2026-11-27T03:00:00Z');
  expect(await succeed('POST', `/${id}/run`, {})).toMatchObject({ total: 1, has_more: false });
  expect((await ended(id, 1)).map(({ video_id }) => video_id)).toEqual([ids[0]]);
  const changed = await succeed('PATCH', `/${id}`, { time_zone: '', recorded: {} });
  expect(changed).toMatchObject({ time_zone: null, recorded: null });
  expect((await call('PATCH', `/${id}`, { time_zone: 'Mars/Olympus' })).json.error).toBe('time_zone_invalid');
  expect(await succeed('POST', `/${id}/run`, {})).toMatchObject({ total: expect.any(Number) });
});

const asAdmin = async () => (await world.library.keyOf(await world.library.addUser(world.caller.orgId), ['admin'])).key;
type AlertPage = { unread: number; alerts: Json[]; mutes: Json[]; next_cursor: string | null };
async function listAlerts(key = world.key, query = ''): Promise<AlertPage> {
  const answer = await world.api.call('GET', `/api/alerts${query}`, { key });
  expect(answer.status, answer.text).toBe(200);
  return answer.json as AlertPage;
}

test('a question that names webhooks sends its alerts to them alone', async () => {
  const admin = await asAdmin();
  const own = await startReceiver();
  const json = { url: own.url, event_types: ['video.failed'], saved_questions_only: true };
  const created = await world.api.call('POST', '/api/webhooks', { key: admin, json });
  const webhookId = String(created.json.webhook_id);
  try {
    expect(created.json).toMatchObject({ saved_questions_only: true });
    const toNobody = await save({ name: 'Listed', webhook_ids: [] });
    const toOne = await save({ name: 'Chosen', webhook_ids: [webhookId, webhookId] });
    expect((await succeed('GET', `/${toOne}`)).webhook_ids).toEqual([webhookId]);
    await world.addVideo();
    await ended(toOne, 1);
    await ended(toNobody, 1);
    await expect.poll(() => own.received.length, FINISHED).toBe(3);
    await jobsEnded(world.library.database);
    expect(own.received.map(({ json }) => json.data.saved_question_name)).toEqual(['Chosen', 'Chosen', 'Chosen']);
    expect(receiver.received).toEqual([]);
    // A question without targets reaches all webhooks that want alerts, and not one that waits to be named.
    await succeed('PATCH', `/${toNobody}`, { enabled: false });
    await succeed('PATCH', `/${toOne}`, { webhook_ids: null });
    await world.addVideo();
    await ended(toOne, 2);
    await received(3);
    await jobsEnded(world.library.database);
    expect(own.received).toHaveLength(3);
    const unknown = await call('PATCH', `/${toOne}`, { webhook_ids: ['019a0b1c2d3e7f008000000000000041'] });
    expect(unknown).toMatchObject({ status: 404, json: { error: 'webhook_not_found' } });
  } finally {
    await world.api.call('DELETE', `/api/webhooks/${webhookId}`, { key: admin });
    await own.stop();
  }
});

test('alerts are listed for those who may read them, seen and muted by each user', async () => {
  const colleague = (await world.library.keyOf(await world.library.addUser(world.caller.orgId), ['read'])).key;
  const stranger = (await world.library.keyOf(await world.library.addUser(), ['admin'])).key;
  const id = await save({ rule: { cooldown_s: 600 } });
  const videoId = await world.addVideo();
  const [run] = await ended(id, 1);
  const { alerts: listed, unread } = await listAlerts();
  expect(unread).toBe(1);
  expect(listed).toMatchObject([
    {
      saved_question_id: id,
      saved_question_name: 'Cars',
      video_id: videoId,
      event_id: `${run!.analysis_id}-0`,
      approval: 'pending',
      other_events: 2,
      is_read: false,
      is_muted: false,
    },
  ]);
  // The video is personal.
  for (const key of [colleague, stranger]) expect(await listAlerts(key)).toMatchObject({ unread: 0, alerts: [] });

  const read = await world.api.call('POST', '/api/alerts/read', {
    key: world.key,
    json: { alert_id: listed[0]!.alert_id },
  });
  expect(read.status).toBe(200);
  expect(await listAlerts()).toMatchObject({ unread: 0, alerts: [{ is_read: true }] });

  await succeed('PATCH', `/${id}`, { rule: { cooldown_s: 0 } });
  await world.addVideo();
  await ended(id, 2);
  expect((await listAlerts()).unread).toBe(3);
  const first = await listAlerts(world.key, '?limit=3');
  const rest = await listAlerts(world.key, `?limit=3&cursor=${first.next_cursor}`);
  expect([...first.alerts, ...rest.alerts].map(({ is_read }) => is_read)).toEqual([false, false, false, true]);

  const mute = (key: string, json: object) => world.api.call('PUT', `/api/saved-questions/${id}/mute`, { key, json });
  expect((await mute(stranger, {})).status).toBe(403);
  expect((await mute(colleague, {})).status).toBe(200);
  expect((await listAlerts()).unread).toBe(3);
  const until = new Date(Date.now() + 3_600_000).toISOString();
  expect((await mute(world.key, { until })).json).toMatchObject({ saved_question_id: id, muted_until: until });
  expect(await listAlerts()).toMatchObject({ unread: 0, mutes: [{ saved_question_name: 'Cars', muted_until: until }] });
  expect((await listAlerts()).alerts.every(({ is_muted }) => is_muted)).toBe(true);
  // A snooze that is over mutes nothing.
  await mute(world.key, { until: new Date(Date.now() - 1_000).toISOString() });
  expect(await listAlerts()).toMatchObject({ unread: 3, mutes: [] });
  await mute(world.key, {});
  await succeed('DELETE', `/${id}/mute`);
  expect(await listAlerts()).toMatchObject({ unread: 3, mutes: [] });
});
