// Daily digests: when they are due, what they say, and that one arrives by mail, with its recap.
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { SMTPServer } from 'smtp-server';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { dayBefore, startOfDay, toLocalTime } from '#platform/local-time';
import { createEvent } from '#test/events';
import { PUBLIC_URL } from '#test/library';
import { flatClip } from '#test/media/clips';
import { type AnalysesWorld, openAnalyses } from '../../analyses/analyses.fixture.ts';
import { findDueDay } from './digests.ts';
import { type DigestEvent, summarize } from './summary.ts';

type Json = Record<string, unknown>;
/** Recaps are rendered at the lowest priority, which takes minutes where other test files keep the processors busy. */
const WAIT = { timeout: 240_000, interval: 100 };
const DAY_MS = 24 * 3_600_000;
const BERLIN = 'Europe/Berlin';

describe('local days', () => {
  test.each([
    ['2026-11-25', BERLIN, '2026-11-24T23:00:00.000Z'],
    ['2026-07-01', BERLIN, '2026-06-30T22:00:00.000Z'],
    // The clocks change on these days.
    ['2026-03-29', BERLIN, '2026-03-28T23:00:00.000Z'],
    ['2026-03-30', BERLIN, '2026-03-29T22:00:00.000Z'],
    ['2026-10-26', BERLIN, '2026-10-25T23:00:00.000Z'],
    ['2026-11-25', 'Asia/Kathmandu', '2026-11-24T18:15:00.000Z'],
    ['2026-11-25', 'Pacific/Kiritimati', '2026-11-24T10:00:00.000Z'],
    ['2026-11-25', 'Pacific/Niue', '2026-11-25T11:00:00.000Z'],
    ['2026-11-25', 'UTC', '2026-11-25T00:00:00.000Z'],
  ])('%s in %s starts at %s', (day, timeZone, expected) => {
    const start = startOfDay(day, timeZone);
    expect(start.toISOString()).toBe(expected);
    expect(toLocalTime(start, timeZone)).toEqual({ day, time: '00:00' });
    expect(toLocalTime(new Date(start.getTime() - 1), timeZone).day).toBe(dayBefore(day));
  });

  const rule = {
    labels: [],
    minConfidence: null,
    cooldownS: 0,
    quietHours: null,
    digest: { at: '08:00', timeZone: BERLIN },
  };
  const question = { rule, snoozedUntil: null, createdAt: new Date('2026-11-24T12:00:00Z') };
  const dueAt = (now: string, more: Partial<Parameters<typeof findDueDay>[0]> = {}) =>
    findDueDay({ ...question, ...more }, new Date(now))?.yesterday ?? null;

  test('a digest is due from its time of day on, about the day before', () => {
    expect(dueAt('2026-11-26T06:59:59Z')).toBeNull();
    expect(dueAt('2026-11-26T07:00:00Z')).toBe('2026-11-25');
    expect(dueAt('2026-11-26T22:59:00Z')).toBe('2026-11-25');
    expect(dueAt('2026-11-26T23:01:00Z')).toBeNull();
    // Days before the question existed have no digest.
    expect(dueAt('2026-11-24T13:00:00Z')).toBeNull();
    expect(dueAt('2026-11-25T07:00:00Z')).toBe('2026-11-24');
    expect(dueAt('2026-11-26T07:00:00Z', { snoozedUntil: new Date('2026-11-27T00:00:00Z') })).toBeNull();
    expect(dueAt('2026-11-26T07:00:00Z', { rule: { ...rule, digest: null } })).toBeNull();
  });
});

test('a summary has at most five lines, of one line of text each', () => {
  const event = (index: number, more: Partial<DigestEvent> = {}): DigestEvent => ({
    analysisId: 'a',
    position: index,
    videoId: 'v1',
    videoName: 'gate.mp4',
    label: 'Truck stops',
    confidence: 0.5 + index / 100,
    startS: 12.4,
    approval: 'pending',
    ...more,
  });
  const none = { undated: { videos: [], eventCount: 0 }, late: 0 };
  const facts = { name: 'Trucks\nat the gate', day: '2026-11-25', recorded: 5, ...none };
  const events = [
    ...[0, 1, 2].map((index) => event(index)),
    event(3, { label: 'Truck\u2028leaves', videoId: 'v2', videoName: 'yard.mp4', approval: 'approved' }),
  ];
  expect(summarize(facts, events, 2)).toEqual([
    'Trucks at the gate, Wednesday 25 November: 4 events in 2 of 5 videos.',
    'Most often: Truck stops (3), Truck leaves (1).',
    'Most events: gate.mp4 (3).',
    'Most certain: Truck leaves in yard.mp4 at 0:12.4, confidence 0.53.',
    'Reviewed: 1 approved, 2 rejected, 3 open.',
  ]);
  expect(summarize(facts, [], 1)).toEqual([
    'Trucks at the gate, Wednesday 25 November: nothing was found in 5 videos.',
  ]);
  expect(summarize({ ...facts, recorded: 0 }, [], 0)).toEqual([
    'Trucks at the gate, Wednesday 25 November: no videos of this day.',
  ]);
  const undated = { videos: ['a.mp4', 'b.mp4', 'c.mp4', 'd\n.mp4'], eventCount: 1 };
  const withOthers = summarize({ ...facts, undated, late: 2 }, events, 2);
  expect(withOthers).toHaveLength(5);
  expect(withOthers.at(-1)).toBe(
    'Also analyzed: 4 videos without a time of recording, 1 event (a.mp4, b.mp4, c.mp4, and 1 more); 2 videos of other days.',
  );
  expect(summarize({ ...facts, recorded: 0, undated: { videos: ['a.mp4'], eventCount: 0 } }, [], 0)).toEqual([
    'Trucks at the gate, Wednesday 25 November: no videos of this day.',
    'Also analyzed: 1 video without a time of recording, 0 events (a.mp4).',
  ]);
});

describe('a digest by mail', () => {
  const mails: string[] = [];
  const smtp = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    authOptional: true,
    onData(stream, _session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        mails.push(Buffer.concat(chunks).toString());
        done();
      });
    },
  });
  let world: AnalysesWorld;
  /** Milliseconds that the clock of the service is ahead. */
  let aheadMs = 0;

  beforeAll(async () => {
    const listening = smtp.listen(0, '127.0.0.1');
    if (!listening.listening) await once(listening, 'listening');
    const { port } = listening.address() as { port: number };
    const env = {
      SIGHTLINE_SMTP_URL: `smtp://127.0.0.1:${port}`,
      SIGHTLINE_MAIL_FROM: 'Sightline <alerts@example.com>',
    };
    world = await openAnalyses(env, { media: true, overrides: { now: () => Date.now() + aheadMs } });
    const admin = (await world.library.keyOf(world.library.owner, ['admin'])).key;
    const json = { url: 'mailto:ada@example.com', event_types: ['digest.created'] };
    await done('POST', '/api/webhooks', json, admin);
    await vi.waitFor(() => expect(mails).toHaveLength(1), WAIT);
    const [request] = mails.splice(0) as [string];
    const text = request.replaceAll('=\r\n', '').replaceAll('=3D', '=');
    const [link] = /http:\/\/\S+\/api\/mail-recipients\/\S+/.exec(text)!;
    const { pathname, search } = new URL(link);
    const confirmed = await world.api.call('POST', pathname + search, { json: { answer: 'confirm' } });
    expect(confirmed.status, confirmed.text).toBe(200);
  });
  afterAll(async () => {
    await world?.close();
    await new Promise((resolve) => smtp.close(() => resolve(null)));
  });

  async function done(method: string, path: string, json?: object, key = world.key): Promise<Json> {
    const answer = await world.api.call(method, path, json ? { key, json } : { key });
    expect(answer.status, answer.text).toBe(200);
    return answer.json;
  }
  const save = async (digest: object | null) =>
    String(
      (await done('POST', '/api/saved-questions', { name: 'Cars', query: 'a red car', rule: { digest } }))
        .saved_question_id,
    );
  const digestRows = () => world.library.database.db.selectFrom('savedQuestionDigests').selectAll();
  const messagesOf = (id: string) =>
    world.library.database.db
      .selectFrom('webhookMessages')
      .select('id')
      .where('subject', '=', `saved-question/${id}`)
      .execute();

  test('arrives once with five lines and a recap that plays, whatever number of nodes sends it', async () => {
    const id = await save({ at: '00:00', time_zone: 'UTC' });
    expect(await done('GET', `/api/saved-questions/${id}`)).toMatchObject({
      rule: { digest: { at: '00:00', time_zone: 'UTC' } },
    });
    world.engine.events = [createEvent(0), createEvent(1), { ...createEvent(2), confidence: 0.9 }];
    // Small frames: the recap is rendered at low priority, which takes minutes beside other tests.
    const clip = await flatClip({ times: Array.from({ length: 40 }, (_, i) => i / 5), endS: 8 });
    const add = async (name: string, recordedAt: number | null) => {
      const added = await world.library.addStored(world.caller, await readFile(clip), { name });
      const recorded = recordedAt === null ? null : { recorded_at: new Date(recordedAt).toISOString() };
      if (recorded) await done('PATCH', `/api/video/${added}`, recorded);
    };
    await add('gate.mp4', Date.now());
    await add('old.mp4', Date.now() - 5 * DAY_MS);
    await add('undated.mp4', null);
    const runs = async () => (await done('GET', `/api/saved-questions/${id}/runs`)).runs as Json[];
    await vi.waitFor(async () => expect(await runs()).toMatchObject(Array(3).fill({ status: 'completed' })), WAIT);
    const { sendDigests } = world.library.savedQuestions;
    await sendDigests();
    expect(await digestRows().execute()).toEqual([]);

    // A day later, the digest is about today.
    aheadMs = DAY_MS;
    await Promise.all([sendDigests(), sendDigests(), sendDigests()]);
    await vi.waitFor(async () => {
      await Promise.all([sendDigests(), sendDigests()]);
      expect(mails).toHaveLength(1);
    }, WAIT);
    const text = mails[0]!.replaceAll('=\r\n', '').replaceAll('=3D', '=');
    expect(text).toMatch(/Subject: Cars, \w+ \d+ \w+: 3 events in 1 of 1 video\./);
    expect(text).toMatch(
      /Most often: red car 0 \(1\), red car 1 \(1\), red car 2 \(1\)\.\s+Most certain: red car 2 in gate\.mp4 at 0:04\.3, confidence 0\.90\.\s+Reviewed: 0 approved, 0 rejected, 3 open\.\s+Also analyzed: 1 video without a time of recording, 3 events \(undated\.mp4\); 1 video of other days\./,
    );
    const [recap] = /http:\/\/\S+\/api\/exports\/\S+/.exec(text)!;
    const file = await fetch(recap.replace(PUBLIC_URL, world.api.base));
    expect([file.status, file.headers.get('content-type')]).toEqual([200, 'video/mp4']);
    expect(Buffer.from(await file.arrayBuffer()).toString('latin1', 4, 8)).toBe('ftyp');

    await sendDigests();
    expect(await messagesOf(id)).toHaveLength(1);
    // Two days later, only the last one is sent: nothing new.
    aheadMs = 3 * DAY_MS;
    await vi.waitFor(async () => {
      await sendDigests();
      expect(mails).toHaveLength(2);
    }, WAIT);
    expect(mails[1]).toMatch(/Subject: Cars, \w+ \d+ \w+: no videos of this day\./);
    expect(mails[1]).not.toContain('Recap');
    await done('DELETE', `/api/saved-questions/${id}`);
    expect(await digestRows().execute()).toEqual([]);
  });

  test('is stored with its message or not at all', async () => {
    aheadMs = 0;
    const id = await save({ at: '00:00', time_zone: BERLIN });
    const { events, savedQuestions } = world.library;
    // Before the digest is due: the service looks for such every minute.
    const dies = vi.spyOn(events, 'publish').mockRejectedValue(new Error('The node dies.'));
    aheadMs = 2 * DAY_MS;
    await expect(savedQuestions.sendDigests()).rejects.toThrow('The node dies.');
    dies.mockRestore();
    expect(await messagesOf(id)).toEqual([]);
    await savedQuestions.sendDigests();
    await savedQuestions.sendDigests();
    expect(await messagesOf(id)).toHaveLength(1);
  });

  test('needs a known time zone, and paused questions send none', async () => {
    const json = { name: 'Cars', query: 'a red car', rule: { digest: { at: '08:00', time_zone: 'Mars/Olympus' } } };
    const refused = await world.api.call('POST', '/api/saved-questions', { key: world.key, json });
    expect([refused.status, refused.json.error]).toEqual([400, 'digest_invalid']);
    aheadMs = 0;
    const id = await save({ at: '00:00', time_zone: 'UTC' });
    await done('PATCH', `/api/saved-questions/${id}`, { enabled: false });
    aheadMs = 2 * DAY_MS;
    await world.library.savedQuestions.sendDigests();
    expect(await digestRows().where('questionId', '=', id).execute()).toEqual([]);
  });
});
