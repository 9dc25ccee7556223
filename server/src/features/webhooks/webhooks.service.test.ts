// Webhooks through the API, received over HTTP and verified by the reference library of Standard Webhooks.
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test } from 'vitest';
import { Problem } from '#platform/problem';
import { createSealer } from '#platform/secrets/index';
import { jobsEnded } from '#test/jobs';
import { SECRET } from '#test/library';
import { type AnalysesWorld, openAnalyses } from '../analyses/analyses.fixture.ts';
import { setQuota } from '../videos/index.ts';
import { RETRY_DELAYS_S } from './delivery.ts';
import { rotateWebhookSecrets } from './index.ts';
import { type Receiver, startReceiver, verify } from './receiver.fixture.ts';

type Json = Record<string, unknown>;
let world: AnalysesWorld;
let receiver: Receiver;
let admin: string;
const FINISHED = { timeout: 30_000, interval: 20 };

beforeAll(async () => {
  receiver = await startReceiver();
  world = await openAnalyses({}, { overrides: { webhookRetryDelaysS: [1, 1] } });
  admin = (await world.library.keyOf(world.library.owner, ['admin'])).key;
});
afterEach(async () => {
  receiver.reply = () => ({ status: 204 });
  await world.library.database.db.deleteFrom('webhookEndpoints').execute();
  // No message of this test arrives during the next.
  await jobsEnded(world.library.database);
  receiver.received.length = 0;
});
afterAll(async () => {
  await world?.close();
  await receiver?.stop();
});

async function call(method: string, path: string, json?: object): Promise<Json> {
  const answer = await world.api.call(method, `/api/webhooks${path}`, json ? { key: admin, json } : { key: admin });
  expect(answer.status, answer.text).toBe(200);
  return answer.json;
}
async function create(settings: object = {}, path = '/hook'): Promise<{ id: string; secret: string }> {
  const json = await call('POST', '', { url: receiver.url + path, ...settings });
  return { id: String(json.webhook_id), secret: String(json.secret) };
}
const deliveries = async (id: string, query = '') =>
  (await call('GET', `/${id}/deliveries${query}`)).deliveries as (Json & { delivery_id: string })[];
async function finished(id: string, count: number): Promise<Json[]> {
  const ended = async () => (await deliveries(id)).filter(({ status }) => status !== 'pending');
  await expect.poll(async () => (await ended()).length, FINISHED).toBe(count);
  return deliveries(id);
}
const types = () => receiver.received.map(({ json }) => json.type).sort();

/** A video with an analysis that has ended. */
async function analyze(more: Parameters<AnalysesWorld['addVideo']>[0] = {}) {
  const videoId = await world.addVideo(more);
  const analysisId = await world.start(videoId);
  const status = async () => (await world.call(videoId, analysisId, '/status')).json.status;
  await expect.poll(status, FINISHED).not.toMatch(/processing/i);
  return { videoId, analysisId };
}

test('messages report videos, analyses, events and reviews, signed, in an order', async () => {
  const { id, secret } = await create();
  const { videoId, analysisId } = await analyze();
  await finished(id, 5);
  const { key } = world;
  const json = { approval: 'approved', label: 'x'.repeat(255) };
  expect((await world.api.call('PATCH', `/api/events/${analysisId}-1`, { key, json })).status).toBe(200);
  await finished(id, 6);
  const found = ['event.found', 'event.found', 'event.found'];
  expect(types()).toEqual(['analysis.completed', ...found, 'event.reviewed', 'video.ready']);
  for (const message of receiver.received) {
    expect(verify(secret, message)).toEqual(message.json);
    expect(message.headers).toMatchObject({ 'content-type': 'application/json', 'user-agent': 'Sightline' });
    expect(message.json.subject).toBe(
      message.json.type === 'video.ready' ? `video/${videoId}` : `analysis/${analysisId}`,
    );
    expect(message.body.length).toBeLessThan(4_000);
  }
  const altered = { ...receiver.received[0]!, body: `${receiver.received[0]!.body} ` };
  expect(() => verify(secret, altered)).toThrow();
  const inOrder = receiver.received.map((each) => each.json).toSorted((a, b) => a.sequence - b.sequence);
  expect(inOrder.map(({ type }) => type)).toEqual(['video.ready', ...found, 'analysis.completed', 'event.reviewed']);
  expect(inOrder[0]!.data).toMatchObject({ video_id: videoId, folder_id: null, duration_s: 12.5, size_bytes: 5 });
  expect(inOrder[2]!.data).toMatchObject({ event_id: `${analysisId}-1`, label: 'red car 1', confidence: 0.8 });
  expect(inOrder[4]!.data).toMatchObject({ query: 'a red car', event_count: 3, error: null });
  expect(inOrder[5]!.data).toMatchObject({
    event_id: `${analysisId}-1`,
    change: 'changed',
    approval: 'approved',
    label: json.label,
    reviewer: { user_id: world.caller.userId },
  });
});

test('filters by type and by folder select messages', async () => {
  const { key } = world;
  const folder = await world.api.call('POST', '/api/folders', { key, json: { name: 'Gate' } });
  const folderId = String(folder.json.id);
  const inFolder = await create({ folder_id: folderId, event_types: ['video.ready', 'analysis.failed'] }, '/folder');
  const all = await create({ event_types: ['video.ready'] }, '/all');
  const off = await create({ enabled: false }, '/off');
  await Promise.all([world.addVideo({ folderId }), world.addVideo()]);
  await finished(all.id, 2);
  await finished(inFolder.id, 1);
  expect(receiver.received.map(({ path }) => path).sort()).toEqual(['/all', '/all', '/folder']);
  expect(await deliveries(off.id)).toEqual([]);
  world.engine.failure = new Problem({ status: 400, code: 'media_damaged', message: 'It is damaged.' });
  const { videoId } = await analyze({ folderId });
  world.engine.failure = null;
  await finished(inFolder.id, 3);
  expect(receiver.received.findLast(({ path }) => path === '/folder')!.json).toMatchObject({
    type: 'analysis.failed',
    data: { video_id: videoId, folder_id: folderId, error: 'media_damaged' },
  });
});

test('a change that is rolled back is not reported; batches and limits are', async () => {
  const { id } = await create({ event_types: ['video.failed', 'batch.completed', 'limit.reached'] });
  const { database } = world.library;
  const videoId = await world.addVideo({}, false);
  const rolledBack = database.transaction(async (trx) => {
    await world.library.videos.markFailed(trx, videoId, 'media_damaged', 'It is damaged.');
    throw new Error('no');
  });
  await expect(rolledBack).rejects.toThrow('no');
  await world.library.videos.fail(videoId, { code: 'media_damaged', message: 'It is damaged.' });
  const json = { query: 'a red car', video_id: await world.addVideo() };
  expect((await world.api.call('POST', '/api/router/v2/query/start', { key: world.key, json })).status).toBe(200);
  await finished(id, 2);
  const { orgId } = world.caller;
  const { videos } = (await world.api.call('GET', '/api/usage', { key: world.key })).json as { videos: number };
  await setQuota(database.db, orgId, { maxVideos: videos + 1 });
  onTestFinished(async () => {
    await setQuota(database.db, orgId, { maxVideos: null });
  });
  await world.addVideo();
  await finished(id, 3);
  const byType = Object.fromEntries(receiver.received.map((each) => [each.json.type, each.json.data]));
  expect(byType).toMatchObject({
    'video.failed': { video_id: videoId, error: 'media_damaged' },
    'batch.completed': { status: 'completed', total: 1, failed: 0 },
    'limit.reached': { limit: 'videos', percent: 100, used: videos + 1, maximum: videos + 1 },
  });
});

test('imports and livestreams are reported', async () => {
  const { id } = await create({ event_types: ['import.completed', 'import.failed', 'live.event', 'live.ended'] });
  const { orgId } = world.caller;
  const source = { orgId, folderId: null };
  const live = { ...source, sessionId: 'session' };
  const result = { total: 3, uploaded: 2, skipped: 0, failed: 1 };
  const event = { event_id: 'event', label: 'a red car', ongoing: true, start_s: 2, evidence: {} };
  const { database, events } = world.library;
  await database.transaction(async (trx) => {
    const imported = { ...source, ...result, code: null, message: null };
    await events.publish(trx, 'import.ended', { ...imported, importId: 'whole', status: 'partial' });
    const broken = { code: 'import_source_failed', message: 'It is away.' };
    await events.publish(trx, 'import.ended', { ...imported, ...broken, importId: 'broken', status: 'failed' });
    await events.publish(trx, 'live.reported', { ...live, events: [event], startedIds: [] });
    const ended = { ...live, code: null, message: null };
    await events.publish(trx, 'live.ended', { ...ended, videoId: 'video', status: 'FINISHED' });
    await events.publish(trx, 'live.ended', { ...ended, ...broken, videoId: 'video', status: 'FAILED' });
  });
  await finished(id, 5);
  const messages = receiver.received.map(({ json }) => [json.type, json.data]);
  const { evidence: _, ...reported } = event;
  expect(messages).toHaveLength(5);
  expect(messages).toEqual(
    expect.arrayContaining([
      ['import.completed', expect.objectContaining({ import_job_id: 'whole', status: 'partial', ...result })],
      ['import.failed', expect.objectContaining({ import_job_id: 'broken', error: 'import_source_failed' })],
      ['live.event', { session_id: 'session', folder_id: null, ...reported }],
      ['live.ended', expect.objectContaining({ status: 'finished', video_id: 'video' })],
      ['live.ended', expect.objectContaining({ status: 'failed', video_id: null, error: 'import_source_failed' })],
    ]),
  );
});

test('a failed attempt is repeated, the log has the response, and the last failure can be sent again', async () => {
  const { id } = await create({ event_types: ['video.ready'] });
  let failures = 1;
  receiver.reply = () =>
    failures-- > 0 ? { status: 500, body: `\0broken${'!'.repeat(5_000)}` } : { status: 200, body: 'ok' };
  await world.addVideo();
  const [delivered] = await finished(id, 1);
  expect(delivered).toMatchObject({
    status: 'delivered',
    attempts: 2,
    response_status: 200,
    response_excerpt: 'ok',
    error: null,
    next_attempt_at: null,
  });
  const [first, second] = receiver.received;
  expect(first!.headers['webhook-id']).toBe(second!.headers['webhook-id']);
  expect(first!.body).toBe(second!.body);

  failures = 3;
  await world.addVideo();
  await expect.poll(async () => (await deliveries(id, '?status=failed')).length, FINISHED).toBe(1);
  const [failed] = await deliveries(id, '?status=failed');
  expect(failed).toMatchObject({ attempts: 3, response_status: 500, error: 'webhook_refused' });
  expect(failed!.response_excerpt).toBe(`broken${'!'.repeat(1_017)}`);
  expect((await call('GET', `/${id}`)).failing_since).not.toBeNull();
  const again = await call('POST', `/${id}/deliveries/${failed!.delivery_id}/resend`);
  expect(again).toMatchObject({ status: 'pending', attempts: 0, message_id: failed!.message_id });
  await finished(id, 3);
  expect((await call('GET', `/${id}`)).failing_since).toBeNull();
  const detail = await call('GET', `/${id}/deliveries/${again.delivery_id}`);
  expect(detail.body).toBe(receiver.received.at(-1)!.body);
  const page = await call('GET', `/${id}/deliveries?limit=2`);
  expect(page).toMatchObject({ has_more: true, deliveries: [{ delivery_id: again.delivery_id }, {}] });
  // Attempts are made for a day.
  expect(RETRY_DELAYS_S.reduce((sum, delay) => sum + delay)).toBeGreaterThan(0.95 * 86_400);
});

test('secrets are shown once, stored encrypted, and rotated with an overlap', async () => {
  const { id, secret } = await create();
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(await call('GET', `/${id}`)).not.toHaveProperty('secret');
  const { database } = world.library;
  const row = () =>
    database.db.selectFrom('webhookEndpoints').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  expect(JSON.stringify(await row())).not.toContain(secret.slice(6, 20));

  const rotated = await call('POST', `/${id}/rotate-secret`, { overlap_hours: 1 });
  const next = String(rotated.secret);
  expect(rotated.previous_secret_until).not.toBeNull();
  // All secrets are encrypted again with another root secret.
  const sealer = createSealer('another root secret that is long enough', SECRET);
  expect(await rotateWebhookSecrets({ database, sealer })).toEqual({ rotated: 2, lost: 0 });
  const back = createSealer(SECRET, 'another root secret that is long enough');
  expect(await rotateWebhookSecrets({ database, sealer: back })).toEqual({ rotated: 2, lost: 0 });

  await call('POST', `/${id}/ping`);
  await finished(id, 1);
  const [ping] = receiver.received;
  for (const each of [secret, next]) expect(verify(each, ping!)).toMatchObject({ type: 'webhook.ping' });
  await call('POST', `/${id}/rotate-secret`, { overlap_hours: 0 });
  await call('POST', `/${id}/ping`);
  await finished(id, 2);
  for (const each of [secret, next]) expect(() => verify(each, receiver.received[1]!)).toThrow();
});

test('addresses that are not public are refused, and redirects are not followed', async () => {
  const key = admin;
  const refusal = async (url: string) =>
    (await world.api.call('POST', '/api/webhooks', { key, json: { url } })).json.error;
  expect(await refusal('http://10.0.0.1/hook')).toBe('fetch_address_refused');
  expect(await refusal('http://169.254.169.254/')).toBe('fetch_address_refused');
  expect(await refusal('ftp://example.com/')).toBe('fetch_url_invalid');
  expect(await refusal(receiver.url.replace('//', '//user:secret@'))).toBe('webhook_url_invalid');
  const { id } = await create();
  receiver.reply = () => ({ status: 302, headers: { location: `${receiver.url}/elsewhere` } });
  await call('POST', `/${id}/ping`);
  expect((await finished(id, 1))[0]).toMatchObject({ status: 'failed', attempts: 1, response_status: 302 });
  expect(receiver.received.map(({ path }) => path)).toEqual(['/hook']);
  // An address that became private after the webhook was created gets no request.
  const { db } = world.library.database;
  await db.updateTable('webhookEndpoints').set({ url: 'http://10.0.0.1/hook' }).where('id', '=', id).execute();
  await call('POST', `/${id}/ping`);
  expect((await finished(id, 2))[0]).toMatchObject({ error: 'fetch_address_refused', response_status: null });
});

test('an endpoint that fails for days, or was removed, is disabled with a notice in the audit log', async () => {
  const failing = await create({ event_types: ['video.ready'] }, '/failing');
  const removed = await create({ event_types: ['video.ready'] }, '/removed');
  receiver.reply = ({ path }) => ({ status: path === '/removed' ? 410 : 503 });
  const { db } = world.library.database;
  const failingSince = new Date(Date.now() - 4 * 86_400_000);
  await db.updateTable('webhookEndpoints').set({ failingSince }).where('id', '=', failing.id).execute();
  await world.addVideo();
  await expect.poll(async () => (await call('GET', `/${failing.id}`)).disabled_reason, FINISHED).toBe('failing');
  await expect.poll(async () => (await call('GET', `/${removed.id}`)).disabled_reason, FINISHED).toBe('removed');
  expect(await finished(removed.id, 1)).toMatchObject([{ status: 'failed', attempts: 1 }]);
  expect(await finished(failing.id, 1)).toMatchObject([{ status: 'failed', attempts: 1, error: 'webhook_disabled' }]);
  const log = await world.api.call('GET', '/api/audit-events?action=webhook.disabled', { key: admin });
  expect((log.json.events as Json[]).map(({ subject_id }) => subject_id).sort()).toEqual(
    [failing.id, removed.id].sort(),
  );
  const enabled = await call('PATCH', `/${failing.id}`, { enabled: true });
  expect(enabled).toMatchObject({ enabled: true, disabled_reason: null, failing_since: null });
  receiver.reply = () => ({ status: 200 });
  await world.addVideo();
  await finished(failing.id, 2);
  expect(await deliveries(removed.id)).toHaveLength(1);
});

test('an endpoint that does not respond does not hold up others', async () => {
  const hanging = await create({ event_types: ['video.ready'] }, '/hanging');
  const { db } = world.library.database;
  // Nothing listens there.
  await db.updateTable('webhookEndpoints').set({ url: 'http://127.0.0.1:9/' }).where('id', '=', hanging.id).execute();
  await world.addVideo();
  const state = async () => (await deliveries(hanging.id)).map(({ attempts, error }) => [attempts, error]);
  await expect.poll(state, FINISHED).toEqual([[1, 'fetch_unreachable']]);
  await Promise.all(Array.from({ length: 10 }, () => world.addVideo()));
  const next = async () =>
    (await deliveries(hanging.id)).filter(({ next_attempt_at: at }) => Date.parse(String(at)) > Date.now() + 10_000);
  await expect.poll(async () => (await next()).length, FINISHED).toBeGreaterThanOrEqual(10);
  expect((await deliveries(hanging.id)).filter(({ attempts }) => attempts === 0)).toHaveLength(10);
});

test('webhooks belong to an organization, have a limit, and old messages are deleted', async () => {
  const { webhooks } = world.library;
  // Those of the tests before are deleted first, however long ago they were sent.
  const startedAt = new Date();
  await webhooks.purge(startedAt);
  const { id } = await create();
  await call('POST', `/${id}/ping`);
  await finished(id, 1);
  const stranger = await world.library.keyOf(await world.library.addUser(), ['admin']);
  for (const [method, path] of [
    ['GET', `/${id}`],
    ['GET', `/${id}/deliveries`],
    ['POST', `/${id}/ping`],
    ['DELETE', `/${id}`],
  ] as const) {
    const answer = await world.api.call(method, `/api/webhooks${path}`, { key: stranger.key });
    expect(answer).toMatchObject({ status: 403, json: { error: 'webhook_forbidden' } });
  }
  expect(await webhooks.purge(startedAt)).toBe(0);
  expect(await webhooks.purge(new Date(Date.now() + 60_000))).toBeGreaterThan(0);
  expect(await deliveries(id)).toEqual([]);
  const settings = { url: receiver.url };
  const created = await Promise.all(
    Array.from({ length: 22 }, () => world.api.call('POST', '/api/webhooks', { key: admin, json: settings })),
  );
  expect(created.filter(({ status }) => status === 200)).toHaveLength(19);
  expect(created.find(({ status }) => status !== 200)?.json.error).toBe('webhook_limit');
  expect(await call('DELETE', `/${id}`)).toEqual({ status: 'deleted', webhook_id: id });
  expect((await call('GET', '')).webhooks).toHaveLength(19);
});

test('chat formats send a sentence and a link, signed, in which names neither format nor mention', async () => {
  const settings = { event_types: ['event.reviewed'] };
  const formats = ['slack', 'discord', 'teams', 'ntfy'] as const;
  const created = new Map<string, { id: string; secret: string }>();
  for (const format of formats) created.set(format, await create({ ...settings, format }, `/${format}`));
  const { videoId, analysisId } = await analyze();
  const json = { approval: 'approved', label: 'A *bold* <!channel> & @everyone [x](y)' };
  expect((await world.api.call('PATCH', `/api/events/${analysisId}-1`, { key: world.key, json })).status).toBe(200);
  for (const { id } of created.values()) await finished(id, 1);
  const byPath = Object.fromEntries(receiver.received.map((each) => [each.path, each]));
  for (const [format, { secret }] of created) {
    const { body, headers } = byPath[`/${format}`]!;
    // The reference library verifies JSON only.
    if (format === 'ntfy') expect(headers['webhook-signature']).toMatch(/^v1,/);
    else expect(verify(secret, { body, headers })).toEqual(JSON.parse(body));
  }
  const sent = (format: string) => JSON.parse(byPath[`/${format}`]!.body);
  const { body: text, headers } = byPath['/ntfy']!;
  expect(text).toMatch(
    /^Reviewed \(approved\): A \*bold\* <!channel> & @everyone \[x\]\(y\) in .+ at 0:\d\d\.\d, confidence 0\.80$/,
  );
  const url = String(headers.click);
  expect(new URL(url).pathname).toBe(`/videos/${videoId}`);
  expect(headers).toMatchObject({ 'content-type': 'text/plain; charset=utf-8', title: 'Sightline' });
  expect(sent('slack').text).toContain('A *bold* &lt;!channel&gt; &amp; @everyone [x](y) in ');
  expect(sent('slack').text).toMatch(/\n<http[^|>]+\|Open in Sightline>$/);
  expect(sent('discord').content).toContain(String.raw`A \*bold\* \<!channel\> & \@everyone \[x\]\(y\) in `);
  expect(sent('discord').allowed_mentions).toEqual({ parse: [] });
  expect(sent('teams').attachments[0].content).toMatchObject({
    body: [{ type: 'RichTextBlock', inlines: [{ type: 'TextRun', text }] }],
    actions: [{ type: 'Action.OpenUrl', title: 'Open in Sightline', url }],
  });

  const { id } = created.get('ntfy')!;
  const [delivery] = await deliveries(id);
  expect((await call('GET', `/${id}/deliveries/${delivery!.delivery_id}`)).body).toBe(text);
  expect(await call('PATCH', `/${id}`, { format: 'standard' })).toMatchObject({ format: 'standard' });
  await call('POST', `/${id}/ping`);
  await finished(id, 2);
  expect(receiver.received.at(-1)!.json.type).toBe('webhook.ping');
});
