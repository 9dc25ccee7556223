// Cameras that record only what is around events, on an RTSP server that is dark every other three seconds.
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest';
import { request as requestJson } from '#test/http';
import { testPattern } from '#test/servers/live-sources';
import { startRtspServer } from '#test/servers/rtsp-server';
import { openStudio, type Studio } from '../live/live.fixture.ts';

const { ffmpeg } = inject('programs');
const SOURCE = 'rtsp://camera.example/ch1';

type Json = Record<string, unknown>;
let studio: Studio;
const request = (method: string, path: string, json?: object) =>
  requestJson({ api: studio.api, key: studio.key }, method, path, json);
const change = (id: unknown, changes: object) => request('PATCH', `/api/cameras/${id}`, changes);
const read = (id: unknown) => request('GET', `/api/cameras/${id}`);
const until = async (id: unknown, isThere: (camera: Json) => boolean) => {
  await expect.poll(async () => isThere(await read(id)), { timeout: 90_000, interval: 200 }).toBe(true);
  return read(id);
};
const refusal = async (method: string, path: string, json: object) => {
  const { status, json: problem } = await studio.api.call(method, path, { key: studio.key, json });
  return [status, problem.error];
};

describe.runIf(ffmpeg)('a camera that records around events', { timeout: 240_000 }, () => {
  beforeAll(async () => {
    studio = await openStudio();
  });
  afterAll(async () => studio?.close());

  const save = async (query: string) =>
    String((await request('POST', '/api/saved-questions', { name: query, query })).saved_question_id);

  test('needs questions', async () => {
    const camera = { name: 'Dock', source_url: SOURCE, enabled: false, recording: 'events' };
    expect(await refusal('POST', '/api/cameras', camera)).toEqual([400, 'camera_without_questions']);
    const question = await save('a loud noise');
    const added = await request('POST', '/api/cameras', { ...camera, saved_question_ids: [question] });
    expect(added).toMatchObject({ recording: 'events', pre_roll_s: 5, post_roll_s: 10, session_recording: null });
    const path = `/api/cameras/${added.camera_id}`;
    expect(await refusal('PATCH', path, { saved_question_ids: [] })).toEqual([400, 'camera_without_questions']);
    expect(await read(added.camera_id)).toMatchObject({ questions: [{ saved_question_id: question }] });
    expect(await change(added.camera_id, { recording: 'continuous', saved_question_ids: [] })).toMatchObject({
      recording: 'continuous',
      questions: [],
    });
    expect(await refusal('PATCH', path, { recording: 'events' })).toEqual([400, 'camera_without_questions']);
    expect(await refusal('PATCH', path, { pre_roll_s: 601 })).toEqual([400, 'request_invalid']);
  });

  test('records all while its questions are paused, and starts again when its recording changes', async () => {
    const server = await startRtspServer(ffmpeg!, { input: testPattern({ sound: false, darkS: 3 }) });
    onTestFinished(() => server.stop());
    const question = await save('the picture is dark');
    await request('PATCH', `/api/saved-questions/${question}`, { enabled: false });
    const { camera_id: id } = await request('POST', '/api/cameras', {
      name: 'Gate',
      source_url: `rtsp://127.0.0.1:${server.port}/ch1`,
      recording: 'events',
      pre_roll_s: 1,
      saved_question_ids: [question],
    });
    const paused = await until(id, ({ state }) => state === 'live');
    expect(paused).toMatchObject({ recording: 'events', session_recording: 'continuous', retained_s: 0 });
    await request('PATCH', `/api/saved-questions/${question}`, { enabled: true });
    await studio.library.cameras.tend();
    const isEvents = ({ session_recording, event_count }: Json) => session_recording === 'events' && event_count !== 0;
    const active = await until(id, isEvents);
    expect(active.session_id).not.toBe(paused.session_id);
    const retained = await until(id, ({ retained_s }) => Number(retained_s) > 0);
    expect(retained.session_id).toBe(active.session_id);
    const other = await change(id, { post_roll_s: 1 });
    expect(other).toMatchObject({ pre_roll_s: 1, post_roll_s: 1 });
    const again = await until(id, ({ session_id, state }) => session_id !== active.session_id && state === 'live');
    const session = await studio.read({ stream_id: String(id), session_id: String(again.session_id) });
    expect(session).toMatchObject({ recording: 'events', pre_roll_s: 1, post_roll_s: 1 });
    await change(id, { enabled: false });
    await until(id, ({ state }) => state === 'off');
  });
});
