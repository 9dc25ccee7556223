// Webhooks by mail and to MQTT, received by an SMTP server and by a broker.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { connectAsync } from 'mqtt';
import { SMTPServer } from 'smtp-server';
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest';
import { freePort } from '#platform/net/index';
import { createEvent } from '#test/events';
import { jobsEnded } from '#test/jobs';
import { statusAndError } from '#test/people';
import { temporaryFolder } from '#test/temporary-folder';
import { type AnalysesWorld, openAnalyses } from '../analyses/analyses.fixture.ts';
import { parseTarget } from './target.ts';

type Json = Record<string, unknown>;
type Received = { to: string[]; source: string };
const FINISHED = { timeout: 30_000, interval: 20 };
const { mosquitto } = inject('programs');

let world: AnalysesWorld;
let admin: string;
let broker: { url: string; stop(): Promise<void> } | null = null;
const mails: Received[] = [];
let accepts: (address: string) => boolean = () => true;

/** An SMTP server that stores what it receives, and lets only one user in. */
const smtp = new SMTPServer({
  disabledCommands: ['STARTTLS'],
  allowInsecureAuth: true,
  onAuth: ({ username, password }, _session, done) =>
    username === 'sightline' && password === 'se:cret' ? done(null, { user: username }) : done(new Error('no')),
  onRcptTo: ({ address }, _session, done) =>
    accepts(address) ? done() : done(Object.assign(new Error('No such user here'), { responseCode: 550 })),
  onData(stream, session, done) {
    const chunks: Buffer[] = [];
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    stream.on('end', () => {
      mails.push({
        to: session.envelope.rcptTo.map(({ address }) => address),
        source: Buffer.concat(chunks).toString(),
      });
      done();
    });
  },
});

async function startBroker(program: string): Promise<{ url: string; stop(): Promise<void> }> {
  const port = await freePort();
  const settings = join(await temporaryFolder(), 'mosquitto.conf');
  await writeFile(settings, `listener ${port} 127.0.0.1\nallow_anonymous true\npersistence false\n`);
  const child = spawn(program, ['-c', settings], { stdio: 'ignore' });
  const url = `mqtt://127.0.0.1:${port}`;
  return {
    url,
    async stop() {
      const ended = once(child, 'exit');
      child.kill();
      await ended;
    },
  };
}

beforeAll(async () => {
  const listening = smtp.listen(0, '127.0.0.1');
  if (!listening.listening) await once(listening, 'listening');
  const { port } = listening.address() as { port: number };
  broker = mosquitto ? await startBroker(mosquitto) : null;
  const env = {
    SIGHTLINE_SMTP_URL: `smtp://sightline:se%3Acret@127.0.0.1:${port}`,
    SIGHTLINE_MAIL_FROM: 'Sightline <alerts@example.com>',
    SIGHTLINE_MQTT_URL: broker?.url ?? 'mqtt://127.0.0.1:9',
  };
  world = await openAnalyses(env, { overrides: { webhookRetryDelaysS: [1] } });
  admin = (await world.library.keyOf(world.library.owner, ['admin'])).key;
});
afterEach(async () => {
  accepts = () => true;
  const { db } = world.library.database;
  await db.deleteFrom('webhookEndpoints').execute();
  await db.deleteFrom('mailRecipients').execute();
  await db.deleteFrom('rateLimits').where('subject', 'like', 'mail%').execute();
  // No message of this test arrives during the next.
  await jobsEnded(world.library.database);
  mails.length = 0;
});
afterAll(async () => {
  await world?.close();
  await new Promise((resolve) => smtp.close(() => resolve(null)));
  await broker?.stop();
});

async function call(method: string, path: string, json?: object): Promise<Json> {
  const answer = await world.api.call(method, `/api/webhooks${path}`, json ? { key: admin, json } : { key: admin });
  expect(answer.status, answer.text).toBe(200);
  return answer.json;
}
const deliveries = async (id: unknown) => (await call('GET', `/${id}/deliveries`)).deliveries as Json[];
async function finished(id: unknown, count: number): Promise<Json[]> {
  const ended = async () => (await deliveries(id)).filter(({ status }) => status !== 'pending');
  await expect.poll(async () => (await ended()).length, FINISHED).toBe(count);
  return deliveries(id);
}
/** Lines of a mail after its headers, decoded. */
const textOf = ({ source }: Received) => source.split('\r\n\r\n').slice(1).join('\n\n').replaceAll('=\r\n', '').trim();
const headerOf = ({ source }: Received, name: string) =>
  new RegExp(`^${name}:(.*(?:\r\n .*)*)`, 'im').exec(source)?.[1]?.replaceAll('\r\n', '').trim();

/** The path of the page that a mail links to. */
const linkIn = (mail: Received) =>
  /http:\/\/public\.example(\/api\/mail-recipients\/\S+)/.exec(textOf(mail))![1]!.replaceAll('=3D', '=');
/** Opens the page of a link, or answers on it as its buttons do. */
const open = (link: string) => world.api.call('GET', link, { headers: { accept: 'text/html' } });
const answer = (link: string, body: string) =>
  world.api.call('POST', link, { body, headers: { 'content-type': 'application/x-www-form-urlencoded' } });
/** Creates a webhook whose recipient agrees. Returns its id and the link. */
async function createAgreed(settings: object): Promise<{ id: unknown; link: string }> {
  const { webhook_id: id } = await call('POST', '', settings);
  await expect.poll(() => mails.length, FINISHED).toBe(1);
  const link = linkIn(mails.pop()!);
  expect((await answer(link, 'answer=confirm')).status).toBe(200);
  return { id, link };
}

test('a recipient gets one mail that asks, and no other before they agree', async () => {
  const settings = { url: 'mailto:Ada@example.com', event_types: ['video.ready'] };
  const { webhook_id: id, recipient } = await call('POST', '', settings);
  expect(recipient).toBe('unconfirmed');
  await expect.poll(() => mails.length, FINISHED).toBe(1);
  for (let n = 0; n < 5; n++) await world.addVideo();
  expect((await finished(id, 5)).map(({ status, error }) => [status, error])).toEqual(
    Array(5).fill(['failed', 'webhook_recipient_unconfirmed']),
  );
  // Another webhook to the same address waits for the same answer.
  await call('POST', '', { ...settings, url: 'mailto:ada@example.com' });
  expect(mails.every((mail) => headerOf(mail, 'Subject')!.startsWith('Confirm mails'))).toBe(true);
  const link = linkIn(mails[0]!);
  const page = await open(link);
  expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  expect(page.text).toContain('ada@example.com');
  expect(page.headers.get('content-security-policy')).toContain("form-action 'self'");
  // Opening it agrees to nothing: mail servers open links.
  expect((await call('GET', `/${id}`)).recipient).toBe('unconfirmed');
  expect((await answer(link, 'answer=confirm')).text).toContain('Mails are sent to you');
  expect((await call('GET', `/${id}`)).recipient).toBe('confirmed');
  // The mail that asked for the second webhook may still be on its way.
  await jobsEnded(world.library.database);
  mails.length = 0;
  await world.addVideo();
  await expect.poll(() => mails.length, FINISHED).toBe(2);
});

test('a recipient who stops mails gets none, is not asked again, and only they can change that', async () => {
  const { id, link } = await createAgreed({ url: 'mailto:ada@example.com', event_types: ['video.ready'] });
  await world.addVideo();
  await expect.poll(() => mails.length, FINISHED).toBe(1);
  const [mail] = mails.splice(0) as [Received];
  expect(headerOf(mail, 'List-Unsubscribe-Post')).toBe('List-Unsubscribe=One-Click');
  const unsubscribe = /<http:\/\/public\.example([^>]+)>/.exec(
    headerOf(mail, 'List-Unsubscribe')!.replaceAll(' ', ''),
  )![1]!;
  expect((await answer(unsubscribe, 'List-Unsubscribe=One-Click')).text).toContain('No mails are sent to you');
  await call('POST', `/${id}/ping`);
  await world.addVideo();
  expect((await finished(id, 3)).slice(0, 2).map(({ error }) => error)).toEqual(
    Array(2).fill('webhook_recipient_declined'),
  );
  expect((await call('POST', '', { url: 'mailto:ada@example.com' })).recipient).toBe('declined');
  await jobsEnded(world.library.database);
  expect(mails).toEqual([]);
  expect((await answer(link, 'answer=confirm')).status).toBe(200);
  expect((await call('GET', `/${id}`)).recipient).toBe('confirmed');
  const log = await world.api.call('GET', '/api/audit-events?limit=1000', { key: admin });
  const actions = (log.json.events as { action: string }[]).map(({ action }) => action);
  expect(actions.filter((action) => action.startsWith('mail_recipient')).slice(0, 3)).toEqual([
    'mail_recipient.confirmed',
    'mail_recipient.declined',
    'mail_recipient.confirmed',
  ]);
});

test('a link of another address, organization or time is refused with a page', async () => {
  const { link } = await createAgreed({ url: 'mailto:ada@example.com' });
  for (const other of [
    link.replace('ada', 'eve'),
    link.replace(world.library.owner.orgId, 'other'),
    link.replace(/token=\w/, 'token=_'),
  ]) {
    const page = await open(other);
    expect([page.status, page.headers.get('content-type')]).toEqual([403, 'text/html; charset=utf-8']);
    expect(page.text).toContain('This link is not valid');
    const refused = await answer(other, 'answer=decline');
    expect(statusAndError(refused)).toEqual([403, 'mail_link_invalid']);
  }
  expect((await open(link)).text).toContain('Mails are sent to you');
});

test('an address gets three mails that ask in a day at most', async () => {
  const { webhook_id: id } = await call('POST', '', { url: 'mailto:stranger@example.com' });
  for (let n = 0; n < 10; n++) {
    await call('POST', `/${id}/ping`);
    await finished(id, n + 1);
  }
  await jobsEnded(world.library.database);
  expect(mails).toHaveLength(3);
});

test('a burst is limited: more mails than an address may get in a minute wait', async () => {
  const { id } = await createAgreed({ url: 'mailto:ada@example.com', event_types: ['video.ready'] });
  for (let n = 0; n < 15; n++) await world.addVideo();
  await expect.poll(() => mails.length, FINISHED).toBe(10);
  const waiting = async () => (await deliveries(id)).filter(({ status }) => status === 'pending');
  await expect
    .poll(
      async () => (await waiting()).every(({ next_attempt_at: at }) => Date.parse(String(at)) > Date.now()),
      FINISHED,
    )
    .toBe(true);
  expect([(await waiting()).length, mails.length]).toEqual([5, 10]);
});

test('the recipient of a webhook from before is not asked, and can stop its mails', async () => {
  const { webhook_id: id } = await call('POST', '', { url: 'mailto:ada@example.com', event_types: ['video.ready'] });
  await jobsEnded(world.library.database);
  mails.length = 0;
  const { db } = world.library.database;
  await db.updateTable('webhookEndpoints').set({ knownRecipient: true }).where('id', '=', String(id)).execute();
  await world.addVideo();
  await expect.poll(() => mails.length, FINISHED).toBe(1);
  const link = linkIn(mails[0]!);
  expect((await open(link)).text).toContain('Mails are sent to you');
  await answer(link, 'answer=decline');
  expect((await call('GET', `/${id}`)).recipient).toBe('declined');
  const moved = await call('PATCH', `/${id}`, { url: 'mailto:grace@example.com' });
  expect(moved.recipient).toBe('unconfirmed');
});

test('an event arrives as a mail with a link, and its texts add neither recipients nor headers', async () => {
  const { id } = await createAgreed({ url: 'mailto:ada@example.com', event_types: ['event.found'] });
  expect(await call('GET', `/${id}`)).toMatchObject({ format: 'email', url: 'mailto:ada@example.com' });
  world.engine.events = [{ ...createEvent(0), label: 'a red car\r\nBcc: eve@example.com\r\n\r\n<b>now</b>' }];
  await world.start(await world.addVideo());
  const [delivery] = await finished(id, 1);
  expect(delivery).toMatchObject({ status: 'delivered', message: null });
  expect(mails.map(({ to }) => to)).toEqual([['ada@example.com']]);
  const [mail] = mails as [Received];
  expect(headerOf(mail, 'From')).toBe('Sightline <alerts@example.com>');
  expect(headerOf(mail, 'To')).toBe('ada@example.com');
  expect(headerOf(mail, 'Bcc')).toBeUndefined();
  expect(headerOf(mail, 'Subject')).toContain('a red car Bcc: eve@example.com <b>now</b> in');
  expect(headerOf(mail, 'Message-ID')).toMatch(/^<[0-9a-f]{32}@example\.com>$/);
  expect(headerOf(mail, 'Content-Type')).toMatch(/^text\/plain/);
  expect(textOf(mail)).toMatch(/a red car .* at 0:00\.3.*\n\nhttp:\/\/\S+\/videos\//s);
});

test('a mail that the server refuses is tried again, then failed with its reason', async () => {
  const { id } = await createAgreed({ url: 'mailto:gone@example.com', event_types: ['video.ready'] });
  accepts = () => false;
  await world.addVideo();
  const [failed] = await finished(id, 1);
  expect(failed).toMatchObject({ status: 'failed', attempts: 2, response_status: 550 });
  expect(failed!.message).toBe('The mail server refused the message: 550 No such user here');
  accepts = () => true;
  await call('POST', `/${id}/deliveries/${failed!.delivery_id}/resend`);
  expect((await finished(id, 2))[0]).toMatchObject({ status: 'delivered' });
  expect(mails).toHaveLength(1);
});

test.runIf(mosquitto)('messages arrive at a topic, which Home Assistant discovers and forgets', async () => {
  const client = await connectAsync(broker!.url);
  const received: { topic: string; json: Json | null; retained: boolean }[] = [];
  client.on('message', (topic, payload, { retain }) =>
    received.push({ topic, json: payload.length > 0 ? JSON.parse(payload.toString()) : null, retained: retain }),
  );
  try {
    await client.subscribeAsync(['sightline/#', 'homeassistant/#']);
    const settings = { url: 'mqtt:gate/alerts', event_types: ['video.ready'], description: 'The gate' };
    const { webhook_id: id, topic } = await call('POST', '', settings);
    expect(topic).toBe(`sightline/${world.library.owner.orgId}/gate/alerts`);
    await call('POST', `/${id}/ping`);
    const videoId = await world.addVideo();
    expect((await finished(id, 2)).map(({ status }) => status)).toEqual(['delivered', 'delivered']);
    const config = `homeassistant/event/sightline_${id}/config`;
    const events = () => received.filter((each) => each.topic === topic);
    await expect.poll(() => events().length, FINISHED).toBe(2);
    expect(
      events()
        .map(({ json }) => json!.event_type)
        .sort(),
    ).toEqual(['video.ready', 'webhook.ping']);
    expect(events().find(({ json }) => json!.event_type === 'video.ready')!.json).toMatchObject({
      subject: `video/${videoId}`,
      data: { video_id: videoId },
    });
    expect(received.find((each) => each.topic === config)!.json).toMatchObject({
      name: 'The gate',
      state_topic: topic,
      event_types: ['video.ready', 'webhook.ping'],
    });

    await call('DELETE', `/${id}`);
    await expect.poll(() => received.at(-1), FINISHED).toEqual({ topic: config, json: null, retained: false });
    // A later subscriber hears nothing of it.
    received.length = 0;
    await client.unsubscribeAsync('homeassistant/#');
    await client.subscribeAsync('homeassistant/#');
    await client.publishAsync('homeassistant/end', '1', { qos: 1 });
    await expect.poll(() => received.length, FINISHED).toBe(1);
    expect(received[0]!.topic).toBe('homeassistant/end');
  } finally {
    await client.endAsync();
  }
});

test.runIf(mosquitto)(
  'no organization publishes on a topic of another; earlier webhooks keep their topic',
  async () => {
    const { library } = world;
    const stranger = await library.addUser();
    const { key } = await library.keyOf(stranger, ['admin']);
    const create = async (by: string) =>
      (await world.api.call('POST', '/api/webhooks', { key: by, json: { url: 'mqtt:gate/alerts' } })).json as Json;
    const [own, other] = [await create(admin), await create(key)];
    expect([own.topic, other.topic]).toEqual([
      `sightline/${library.owner.orgId}/gate/alerts`,
      `sightline/${stranger.orgId}/gate/alerts`,
    ]);
    // As a node of the previous version created it.
    await library.database.db
      .updateTable('webhookEndpoints')
      .set({ orgTopic: false })
      .where('id', '=', String(own.webhook_id))
      .execute();
    expect(await call('GET', `/${own.webhook_id}`)).toMatchObject({ topic: 'sightline/gate/alerts' });
    const client = await connectAsync(broker!.url);
    const topics: string[] = [];
    client.on('message', (topic) => topics.push(topic));
    try {
      await client.subscribeAsync('sightline/#');
      await call('POST', `/${own.webhook_id}/ping`);
      await world.api.call('POST', `/api/webhooks/${other.webhook_id}/ping`, { key });
      await expect
        .poll(() => topics.toSorted(), FINISHED)
        .toEqual([String(other.topic), 'sightline/gate/alerts'].sort());
    } finally {
      await client.endAsync();
    }
    const changed = await call('PATCH', `/${own.webhook_id}`, { description: 'The gate' });
    expect(changed.topic).toBe('sightline/gate/alerts');
    const moved = await call('PATCH', `/${own.webhook_id}`, { url: 'mqtt:yard' });
    expect(moved.topic).toBe(`sightline/${library.owner.orgId}/yard`);
  },
);

describe('URLs', () => {
  const refusal = (url: string, format: Parameters<typeof parseTarget>[1]) => {
    try {
      return parseTarget(url, format);
    } catch (error) {
      return (error as { code: string }).code;
    }
  };

  test.each([
    ['mailto:ada@example.com', { kind: 'email', address: 'ada@example.com' }],
    ['mailto:ada%2Bgate@example.com', { kind: 'email', address: 'ada+gate@example.com' }],
    ['mailto:ada@example.com,eve@example.com', 'webhook_address_invalid'],
    ['mailto:ada@example.com?bcc=eve@example.com', 'webhook_address_invalid'],
    ['mailto:Ada%20<ada@example.com>', 'webhook_address_invalid'],
    ['mailto:ada@example.com%0d%0aRCPT', 'webhook_address_invalid'],
    ['mailto:%zz@example.com', 'webhook_address_invalid'],
    ['mailto:', 'webhook_address_invalid'],
    ['https://example.com', 'webhook_format_other'],
  ] as const)('%s as mail', (url, expected) => expect(refusal(url, 'email')).toEqual(expected));

  test.each([
    ['mqtt:gate/alerts', { kind: 'mqtt', topic: 'sightline/gate/alerts' }],
    ['mqtt://gate', { kind: 'mqtt', topic: 'sightline/gate' }],
    ['mqtt:gate/#', 'webhook_topic_invalid'],
    ['mqtt:+/a', 'webhook_topic_invalid'],
    ['mqtt:a//b', 'webhook_topic_invalid'],
    ['mqtt:a/%00', 'webhook_topic_invalid'],
    [`mqtt:${'a'.repeat(201)}`, 'webhook_topic_invalid'],
    ['mailto:ada@example.com', 'webhook_format_other'],
  ] as const)('%s as MQTT', (url, expected) => expect(refusal(url, 'mqtt')).toEqual(expected));

  test('other URLs have the formats of HTTP endpoints only', async () => {
    expect(refusal('https://example.com/hook', 'slack')).toEqual({ kind: 'http' });
    expect(refusal('mailto:ada@example.com', 'standard')).toBe('webhook_format_other');
    expect(refusal('https://ada:secret@example.com', 'standard')).toBe('webhook_url_invalid');
    const { webhook_id: id } = await call('POST', '', { url: 'mailto:ada@example.com' });
    const json = { url: 'https://example.com/hook' };
    const { status, json: answer } = await world.api.call('PATCH', `/api/webhooks/${id}`, { key: admin, json });
    expect([status, answer.error]).toEqual([400, 'webhook_format_other']);
  });
});
