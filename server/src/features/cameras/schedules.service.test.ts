// Schedules, time zones, zones and questions of cameras, on an RTSP server that is dark every other three seconds.
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest';
import { request as requestJson } from '#test/http';
import { jobsEnded } from '#test/jobs';
import { testPattern } from '#test/servers/live-sources';
import { startRtspServer } from '#test/servers/rtsp-server';
import { openStudio, type Studio } from '../live/live.fixture.ts';
import { startReceiver } from '../webhooks/receiver.fixture.ts';

const { ffmpeg } = inject('programs');
const DARK = 'the picture is dark';
const NEVER = [{ days: ['mon'], from: '00:00', to: '00:01', analyze: true }];
const SQUARE = [
  { x: 0.1, y: 0.1 },
  { x: 0.5, y: 0.1 },
  { x: 0.5, y: 0.5 },
];

type Json = Record<string, unknown>;
let studio: Studio;
const request = (method: string, path: string, json?: object, key = studio.key) =>
  requestJson({ api: studio.api, key }, method, path, json);
const change = (id: unknown, changes: object) => request('PATCH', `/api/cameras/${id}`, changes);
const read = (id: unknown) => request('GET', `/api/cameras/${id}`);
const until = (id: unknown, state: string) =>
  expect
    .poll(async () => (await read(id)).state, { timeout: 90_000, interval: 200 })
    .toBe(state)
    .then(() => read(id));
/** A day on which it is not Monday in the first minute. */
const isFirstMinuteOfMonday = () => new Date().toISOString().slice(11, 16) === '00:00';

describe.runIf(ffmpeg)('a camera', { timeout: 240_000 }, () => {
  beforeAll(async () => {
    studio = await openStudio();
  });
  afterAll(async () => studio?.close());

  async function startSource() {
    const server = await startRtspServer(ffmpeg!, { input: testPattern({ sound: false, darkS: 3 }) });
    onTestFinished(() => server.stop());
    return `rtsp://127.0.0.1:${server.port}/ch1`;
  }
  const add = (settings: object) => request('POST', '/api/cameras', { name: 'Dock', ...settings });

  test('is not recorded outside of its schedule, and its recordings have its time zone', async () => {
    const schedule = isFirstMinuteOfMonday() ? [] : NEVER;
    const camera = await add({ source_url: await startSource(), time_zone: 'UTC', schedule });
    expect(camera).toMatchObject({ state: 'off_by_schedule', mode: 'off', enabled: true, schedule });
    if (schedule.length > 0) expect(camera.next_change_at).toMatch(/T00:00:00.000Z$/);
    const id = camera.camera_id;
    await change(id, { schedule: null, time_zone: 'Asia/Tokyo' });
    const live = await until(id, 'live');
    expect(live).toMatchObject({ mode: 'analyze', next_change_at: null, time_zone: 'Asia/Tokyo' });
    await change(id, { schedule });
    await until(id, 'off_by_schedule');
    const { videos } = await request('GET', `/api/videos?camera_id=${id}`);
    expect(videos).toMatchObject([{ time_zone: 'Asia/Tokyo', clock: { source: 'live' } }]);
    const refused = await studio.api.call('PATCH', `/api/cameras/${id}`, {
      key: studio.key,
      json: { time_zone: 'Mars/Base' },
    });
    expect([refused.status, refused.json.error]).toEqual([400, 'time_zone_invalid']);
  });

  test('has zones that hold for each of its recordings', async () => {
    const { camera_id } = await add({ source_url: 'rtsp://127.0.0.1:9/x', enabled: false });
    const zone = await request('POST', '/api/zones', { name: 'dock', points: SQUARE, camera_id });
    expect(zone).toMatchObject({ camera_id, video_id: null, folder_id: null });
    expect(await request('GET', `/api/zones?camera_id=${camera_id}`)).toMatchObject({ zones: [{ name: 'dock' }] });
    const video = await studio.library.add(studio.caller, { cameraId: String(camera_id) });
    expect(await request('GET', `/api/zones?video_id=${video}`)).toMatchObject({ zones: [{ name: 'dock' }] });
    await request('POST', '/api/zones', { name: 'Dock', points: SQUARE, video_id: video });
    expect(await request('GET', `/api/zones?video_id=${video}`)).toMatchObject({ zones: [{ video_id: video }] });
    const stranger = await studio.library.keyOf(await studio.library.addUser(), ['read', 'write']);
    const list = await studio.api.call('GET', `/api/zones?camera_id=${camera_id}`, { key: stranger.key });
    expect(list.json.error).toBe('camera_forbidden');
    await request('DELETE', `/api/cameras/${camera_id}`);
    expect(await request('GET', `/api/zones?video_id=${video}`)).toMatchObject({ zones: [{ name: 'Dock' }] });
  });

  test('answers its questions while it is recorded, raises alerts unless it is muted, and is not asked again', async () => {
    const receiver = await startReceiver();
    onTestFinished(() => receiver.stop());
    const admin = (await studio.library.keyOf(await studio.library.addUser(studio.caller.orgId), ['admin'])).key;
    await request('POST', '/api/webhooks', { url: receiver.url, event_types: ['alert.raised'] }, admin);
    const { saved_question_id: question } = await request('POST', '/api/saved-questions', {
      name: 'Dark',
      query: DARK,
    });
    const future = new Date(Date.now() + 3_600_000).toISOString();
    const camera = await add({
      source_url: await startSource(),
      saved_question_ids: [question],
      muted_until: future,
    });
    expect(camera).toMatchObject({
      muted_until: future,
      questions: [{ saved_question_id: question, name: 'Dark', active: true }],
    });
    const id = camera.camera_id;
    const events = async () => Number((await read(id)).event_count);
    await expect.poll(events, { timeout: 90_000, interval: 200 }).toBeGreaterThan(0);
    expect(receiver.received).toEqual([]);
    await change(id, { muted_until: null });
    await expect.poll(() => receiver.received.length, { timeout: 90_000, interval: 200 }).toBeGreaterThan(0);
    const { session_id } = await read(id);
    expect(receiver.received[0]!.json).toMatchObject({
      type: 'alert.raised',
      data: {
        saved_question_id: question,
        saved_question_name: 'Dark',
        query: DARK,
        camera_id: id,
        session_id,
        video_name: 'Dock',
        confidence: expect.any(Number),
      },
    });
    const ofSession = async () =>
      ((await request('GET', '/api/alerts')).alerts as Json[]).filter((alert) => alert.session_id === session_id);
    const live = await ofSession();
    expect(live[0]).toMatchObject({
      saved_question_id: question,
      analysis_id: null,
      video_name: expect.stringMatching(/^Dock /),
      label: 'picture is dark',
      approval: 'pending',
      is_read: false,
    });
    // Without questions it is recorded only, in another session.
    await change(id, { saved_question_ids: [] });
    await expect.poll(async () => (await read(id)).session_id, { timeout: 60_000, interval: 200 }).not.toBe(session_id);
    const next = await until(id, 'live');
    // Their events are those of the recording once it is complete, and have verdicts.
    const isOfRecording = ({ analysis_id, event_id }: Json) =>
      analysis_id !== null && String(event_id).startsWith(`${analysis_id}-`);
    await expect
      .poll(async () => (await ofSession()).every(isOfRecording), { timeout: 60_000, interval: 200 })
      .toBe(true);
    const recorded = await ofSession();
    expect(recorded.length).toBeGreaterThanOrEqual(live.length);
    const { event_id, label, start_s } = recorded.at(-1)!;
    const verdict = await request('PATCH', `/api/events/${event_id}`, { approval: 'approved' });
    expect(verdict).toMatchObject({ event_id, approval: 'approved' });
    expect((await ofSession()).at(-1)).toMatchObject({ event_id, label, start_s, approval: 'approved' });
    await change(id, { saved_question_ids: [question] });
    await expect.poll(events, { timeout: 90_000, interval: 200 }).toBeGreaterThan(0);
    // A running session gets questions without an interruption.
    expect((await read(id)).session_id).toBe(next.session_id);
    await change(id, { enabled: false });
    await until(id, 'off');
    await jobsEnded(studio.library.database);
    const { runs } = await request('GET', `/api/saved-questions/${question}/runs`);
    const { videos } = await request('GET', `/api/videos?camera_id=${id}`);
    const last = (videos as Json[])[0]!.video_id;
    expect((runs as Json[]).map(({ video_id }) => video_id)).not.toContain(last);
  });

  test('is analyzed by the stored readings of its questions, and gets one that is accepted while it runs', async () => {
    const { db } = studio.library.database;
    const saved = async (query: string) =>
      String((await request('POST', '/api/saved-questions', { name: query, query })).saved_question_id);
    const [noise, dark] = [await saved('a loud noise'), await saved(DARK)];
    // An earlier version took the words for something else.
    const other = await db
      .selectFrom('savedQuestions')
      .select('plan')
      .where('id', '=', noise)
      .executeTakeFirstOrThrow();
    const plan = JSON.stringify({ ...JSON.parse(other.plan!), query: DARK });
    await db.updateTable('savedQuestions').set({ plan }).where('id', '=', dark).execute();
    const camera = await add({ source_url: await startSource(), saved_question_ids: [dark] });
    const id = camera.camera_id;
    const { session_id } = await until(id, 'live');
    const stored = async () => {
      const analyses = db.selectFrom('liveAnalyses').select('plan').where('sessionId', '=', String(session_id));
      return (await analyses.executeTakeFirstOrThrow()).plan;
    };
    expect(JSON.parse((await stored())!).searches).toMatchObject([{ text: 'loud noise' }]);
    const { reading } = await request('GET', `/api/saved-questions/${dark}`);
    const { reading_id } = (reading as { proposed: { reading_id: string } }).proposed;
    await request('POST', `/api/saved-questions/${dark}/reading`, { reading_id, decision: 'accept' });
    await expect.poll(stored, { timeout: 90_000, interval: 200 }).toContain('"signal":"dark"');
    const events = async () => Number((await read(id)).event_count);
    await expect.poll(events, { timeout: 90_000, interval: 200 }).toBeGreaterThan(0);
    expect((await read(id)).session_id).toBe(session_id);
    await change(id, { enabled: false });
    await until(id, 'off');
  });
});
