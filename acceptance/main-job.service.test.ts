import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { footage, hasFootage } from '../server/test/footage.ts';
import { SCENE, sceneClip } from '../server/test/media/clips.ts';
import { ask, DARK, type Document, fetchDocument, follow, readEvents, start } from './harness/answers.ts';
import { until } from './harness/processes.ts';
import { makeFolder, type Service, startService, storedFiles } from './harness/service.ts';

/** The main job over HTTP: upload a video, run a prompt, get events. */
let folder: Awaited<ReturnType<typeof makeFolder>>;
let service: Service;

beforeAll(async () => {
  folder = await makeFolder();
  service = await startService(`${folder.path}/data`);
});
afterAll(async () => {
  await service?.stop();
  await folder?.remove();
});

const PROMPT = 'a cut, the picture gets dark, the picture freezes, silence';

describe('a rendered clip', () => {
  let path: string;
  let videoId: string;
  let answer: Awaited<ReturnType<typeof ask>>;

  beforeAll(async () => {
    path = await sceneClip();
    videoId = await service.upload(path, 'scène 1.mp4');
    answer = await ask(service, { query: PROMPT, video_id: videoId });
  });

  test('is ready with correct metadata', async () => {
    const second = await service.sdk.upload(new Blob([await readFile(path)]), { name: 'again.mp4' });
    await service.sdk.ready(second.video_id);
    const { json } = await service.call('GET', `/api/video/${videoId}/status`);
    expect(json).toMatchObject({
      video_id: videoId,
      status: 'uploaded',
      video_name: 'scène 1.mp4',
      visual_analysis: { status: { status: 'UPLOADED' } },
      metadata: {
        visual_analysis: { status: { status: 'UPLOADED' } },
        chunks_total: 1,
        chunks_uploaded: 1,
        width: SCENE.width,
        height: SCENE.height,
      },
    });
    expect(json.duration_s).toBeCloseTo(SCENE.durationS, 1);
  });

  test('its stream has increasing progress, events, and an end', () => {
    const { events, batch_id } = answer;
    expect(events.map((event) => event.id)).toEqual(events.map((_, i) => i + 1));
    for (const { kind, data } of events) expect(data).toMatchObject({ event: kind, batch_id });
    expect(events[0]!.kind).toBe('batch_created');
    const progress = events.filter((event) => event.kind === 'progress').map((event) => Number(event.data.progress));
    expect(progress.length).toBeGreaterThan(0);
    expect(progress).toEqual(progress.toSorted((a, b) => a - b));
    expect(events.filter((event) => event.kind === 'finding').length).toBe(answer.document.analysis.events.length);
    expect(events.at(-1)).toMatchObject({
      kind: 'done',
      data: { status: 'completed', total: 1, completed: 1, failed: 0 },
    });
  });

  test('its document has the events at their exact times, in both formats', () => {
    const { analysis, events, metadata } = answer.document;
    expect(analysis).toMatchObject({ status: 'COMPLETED', query: PROMPT });
    const at = (pattern: RegExp) => analysis.events.find((event) => pattern.test(event.description));
    const frame = 1 / SCENE.frameRate;
    expect(Math.abs(at(/cut/i)!.start_s - SCENE.cutS)).toBeLessThanOrEqual(frame + 1e-6);
    expect(Math.abs(at(/dark/i)!.start_s - SCENE.dark.startS)).toBeLessThanOrEqual(0.2);
    // The codec keeps refining the first frozen frames for a while.
    expect(Math.abs(at(/fr[eo]+z/i)!.start_s - SCENE.frozen.startS)).toBeLessThanOrEqual(0.5);
    const { silence } = SCENE.sound;
    expect(at(/silen/i)!.start_s).toBeLessThanOrEqual(silence.startS + 0.1);
    expect(at(/silen/i)!.end_s).toBeGreaterThanOrEqual(silence.endS - 0.1);
    for (const event of analysis.events) {
      expect(event.time).toBe(`t=${event.start_s.toFixed(3)}`);
      const [numerator, denominator] = event.data.time_base;
      expect(Number.isInteger(event.data.start_pts)).toBe(true);
      expect((event.data.start_pts * numerator) / denominator).toBeGreaterThanOrEqual(event.start_s - 1e-3);
      expect(event.data.confidence).toBeGreaterThan(0);
      expect(event.data.confidence).toBeLessThanOrEqual(1);
    }
    expect(events.map((event) => event.event_id)).toEqual(analysis.events.map((event) => event.event_id));
    expect(analysis.coverage.map((part) => part.text)).toEqual([
      'cut',
      'picture gets dark',
      'picture freezes',
      'silence',
    ]);
    expect(analysis.coverage.filter((part) => part.status === 'not_looked_for' || part.findings === 0)).toEqual([]);
    expect(metadata).toMatchObject({ filename: 'scène 1.mp4', width: SCENE.width, height: SCENE.height });
  });

  test('each event has an evidence image, a JPEG behind a signed URL that needs no key', async () => {
    const { events } = answer.document.analysis;
    const pictured = events.filter((event) => event.type !== 'sound');
    for (const { data } of pictured) {
      const response = await fetch(data.annotated_thumbnail_url!);
      expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/jpeg']);
      const bytes = Buffer.from(await response.arrayBuffer());
      expect([...bytes.subarray(0, 3), ...bytes.subarray(-2)]).toEqual([0xff, 0xd8, 0xff, 0xff, 0xd9]);
      expect(bytes.length).toBeGreaterThan(1_000);
    }
    const url = new URL(pictured[0]!.data.annotated_thumbnail_url!);
    url.searchParams.set('token', `${url.searchParams.get('token')!.slice(0, -2)}xx`);
    const forged = await fetch(url);
    expect([forged.status, ((await forged.json()) as { error: string }).error]).toEqual([
      403,
      'evidence_token_invalid',
    ]);
  });

  test('the batch is complete and returns the same document in bulk', async () => {
    const { batch_id, analysisId, document } = answer;
    const batch = await service.call('GET', `/api/batch/${batch_id}/status`);
    expect(batch.json).toMatchObject({
      status: 'completed',
      aggregated_progress: { total: 1, completed: 1, failed: 0 },
      videos: [{ video_id: videoId, analysis_id: analysisId, status: 'completed', last_error: null }],
    });
    const bulk = await service.call('POST', `/api/batch/${batch_id}/analyses/bulk`, {
      json: { video_ids: [videoId, 'unknown'] },
    });
    expect(bulk.json).toMatchObject({ unresolved_video_ids: ['unknown'], not_found_analysis_ids: [] });
    const [first] = bulk.json.analyses as Document[];
    expect(withoutTokens(first)).toEqual(withoutTokens(document));
    const status = await service.call('GET', `/api/videos/${videoId}/analyses/${analysisId}/status`);
    expect(status.json).toMatchObject({ status: 'COMPLETED', progress: 100, analysis_id: analysisId });
  });

  test('plays behind a signed URL, with ranges and HEAD', async () => {
    const { json } = await service.call('POST', `/api/video/${videoId}/signed-url`, { json: { expires_in: 60 } });
    const url = String(json.url);
    const bytes = await readFile(path);
    expect(Buffer.from(await (await fetch(url)).arrayBuffer()).equals(bytes)).toBe(true);

    const head = await fetch(url, { method: 'HEAD' });
    expect([head.status, head.headers.get('content-length'), head.headers.get('accept-ranges')]).toEqual([
      200,
      String(bytes.length),
      'bytes',
    ]);
    expect((await head.arrayBuffer()).byteLength).toBe(0);

    const part = await fetch(url, { headers: { range: 'bytes=100-199' } });
    expect([part.status, part.headers.get('content-range')]).toEqual([206, `bytes 100-199/${bytes.length}`]);
    expect(Buffer.from(await part.arrayBuffer()).equals(bytes.subarray(100, 200))).toBe(true);
    const tail = await fetch(url, { headers: { range: 'bytes=-10' } });
    expect(Buffer.from(await tail.arrayBuffer()).equals(bytes.subarray(-10))).toBe(true);
    const beyond = await fetch(url, { headers: { range: `bytes=${bytes.length}-` } });
    expect([beyond.status, ((await beyond.json()) as { error: string }).error]).toEqual([416, 'range_outside']);
    const forged = await fetch(`${url.slice(0, -2)}xx`);
    expect(forged.status).toBe(403);
  });

  test('the second prompt decodes nothing', async () => {
    const second = await ask(service, { query: DARK, video_id: videoId });
    const stages = second.events.filter((event) => event.kind === 'progress').map((event) => event.data.stage);
    expect(stages).not.toContain('observing');
    expect(second.document.analysis.events).toHaveLength(1);
    const fast = await service.call('POST', '/api/router/query', {
      json: { query: DARK, video_id: videoId, prefer_fast: true, quick_analysis: true, use_thinking: false },
    });
    const events = await Array.fromAsync(readEvents(await follow(service, String(fast.json.stream_id))));
    expect(events.at(-1)).toMatchObject({ kind: 'done', data: { status: 'completed' } });
  });

  test('a plan from a document, sent back, gives the same events whatever the prompt text', async () => {
    const { analysis } = answer.document;
    const again = await ask(service, { query: 'something else', video_id: videoId, plan: analysis.plan });
    const streamed = (document: Document) =>
      document.analysis.events.map(({ description, start_s, end_s, data }) => ({
        description,
        start_s,
        end_s,
        c: data.confidence,
      }));
    expect(streamed(again.document)).toEqual(streamed(answer.document));
    expect(again.document.analysis).toMatchObject({ query: 'something else', plan: analysis.plan });
  });

  test('unsupported prompts get no events, and the coverage states why', async () => {
    const { document, events } = await ask(service, { query: 'pothole', video_id: videoId });
    expect(document.analysis).toMatchObject({ status: 'COMPLETED', events: [] });
    expect(document.events).toEqual([]);
    expect(events.at(-1)).toMatchObject({ data: { status: 'completed' } });
    const [part] = document.analysis.coverage;
    expect(part).toMatchObject({ text: 'pothole', status: 'not_looked_for', findings: 0 });
    expect(part!.reason).toMatch(/\w+ \w+/);
    expect(document.analysis.answer).toMatch(/pothole/);
  });

  test('the stream endpoint returns the same events in its response', async () => {
    const response = await fetch(`${service.url}/api/router/v2/query/stream`, {
      method: 'POST',
      headers: { authorization: `Bearer ${service.env.SIGHTLINE_BOOTSTRAP_KEY}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        query: DARK,
        video_ids: [videoId],
        video_id: null,
        client_info: 'sdk-analyze-thinking',
      }),
    });
    const events = await Array.fromAsync(readEvents(response));
    expect(events.map((event) => event.kind)).toEqual(
      expect.arrayContaining(['batch_created', 'finding', 'video_completed', 'done']),
    );
  });

  test('a repeat with the same Idempotency-Key starts nothing and stores nothing again', async () => {
    const headers = { 'idempotency-key': 'a-client-that-tries-again' };
    const question = { json: { query: DARK, video_id: videoId }, headers };
    const first = await service.call('POST', '/api/router/v2/query/start', question);
    const repeat = await service.call('POST', '/api/router/v2/query/start', question);
    expect([first.status, repeat.json.batch_id]).toEqual([200, first.json.batch_id]);
    const other = { ...question, json: { query: 'another question', video_id: videoId } };
    const conflict = await service.call('POST', '/api/router/v2/query/start', other);
    expect([conflict.status, conflict.json.error]).toEqual([409, 'idempotency_conflict']);

    const send = async () => {
      const body = new FormData();
      body.set('source', 'file');
      body.set('file', new Blob([await readFile(path)]), 'repeated.mp4');
      return service.call('POST', '/api/upload-video', { body, headers: { 'idempotency-key': 'an-upload' } });
    };
    const one = await send();
    const two = await send();
    expect([one.status, two.status, two.json.video_id]).toEqual([200, 200, one.json.video_id]);
    const { json } = await service.call('GET', '/api/my-videos');
    const names = (json.videos as { video_name: string }[]).map((video) => video.video_name);
    expect(names.filter((name) => name === 'repeated.mp4')).toHaveLength(1);
  });

  test('a deleted video disappears everywhere', async () => {
    const erasedId = await service.upload(path, 'erased.mp4');
    const { batch_id, stream_id, analysisId, document } = await ask(service, { query: DARK, video_id: erasedId });
    const { json: signed } = await service.call('POST', `/api/video/${erasedId}/signed-url`);
    const evidence = document.analysis.events[0]!.data.annotated_thumbnail_url!;
    const listed = async () => {
      const { json } = await service.call('GET', '/api/my-videos');
      return (json.videos as { video_id: string }[]).some((video) => video.video_id === erasedId);
    };
    const stored = async () =>
      (await storedFiles(service)).filter((name) => name.includes(erasedId) || name.includes(analysisId));
    expect(await listed()).toBe(true);
    expect(await stored()).not.toEqual([]);

    const deleted = await service.call('DELETE', `/api/video/${erasedId}?erase=true`);
    const answer = { status: 'deleted', video_id: erasedId, restorable_until: null };
    expect([deleted.status, deleted.json]).toEqual([200, answer]);
    expect(await listed()).toBe(false);
    const unavailable: [string, string, string][] = [
      ['GET', `/api/video/${erasedId}/status`, 'video_not_found'],
      ['DELETE', `/api/video/${erasedId}`, 'video_not_found'],
      ['POST', `/api/video/${erasedId}/signed-url`, 'video_not_found'],
      ['GET', `/api/videos/${erasedId}/analyses/${analysisId}`, 'analysis_gone'],
    ];
    for (const [method, url, error] of unavailable) {
      const answer = await service.call(method, url);
      expect([url, answer.status, answer.json.error]).toEqual([url, 404, error]);
    }
    await expect(start(service, { query: DARK, video_id: erasedId })).rejects.toThrow('404');
    expect((await fetch(String(signed.url))).status).toBe(404);
    expect((await fetch(evidence)).status).toBe(404);
    const bulk = await service.call('POST', `/api/batch/${batch_id}/analyses/bulk`, {
      json: { video_ids: [erasedId] },
    });
    expect(bulk.json).toMatchObject({ analyses: [], not_found_analysis_ids: [analysisId] });
    expect((await Array.fromAsync(readEvents(await follow(service, stream_id)))).at(-1)!.kind).toBe('done');
    await until(async () => (await stored()).length === 0, 'its files to be removed');
  });
});

const dashcam = footage('road/udacity_solidWhiteRight.mp4');
const above = footage('road/intel_car_detection_topdown.mp4');
describe.runIf(hasFootage)('real footage: cars', () => {
  let videoId: string;
  beforeAll(async () => {
    videoId = await service.upload(dashcam);
  });

  test('red cars are found, with their tracks and boxes', async () => {
    const { document } = await ask(service, { query: 'red car', video_id: videoId });
    const { events, coverage } = document.analysis;
    expect(coverage).toMatchObject([{ status: 'looked_for', by: [expect.stringContaining('objects')] }]);
    // By eye: one from 0.0 s, a second one from about 5.8 s.
    expect(events).toHaveLength(2);
    expect(events[0]!.start_s).toBeLessThan(0.5);
    expect(Math.abs(events[1]!.start_s - 5.8)).toBeLessThan(1);
    for (const { data } of events) {
      expect(data.evidence.tracks).toMatchObject([{ class: 'car' }]);
      expect(data.evidence.frames[0]!.boxes).toHaveLength(1);
      expect((await fetch(data.annotated_thumbnail_url!)).headers.get('content-type')).toBe('image/jpeg');
    }
  });

  test('a car that enters from the left is distinguished from one that was there, without decoding again', async () => {
    const { document, events } = await ask(service, { query: 'a red car enters from the left', video_id: videoId });
    expect(events.some((event) => event.data.stage === 'observing')).toBe(false);
    const starts = document.analysis.events.map((event) => event.start_s);
    expect(
      starts.some((s) => Math.abs(s - 5.8) < 1),
      `starts at ${starts.join(', ')} s; by eye at 5.8 s`,
    ).toBe(true);
  });

  test('no false pedestrian is found on this motorway', async () => {
    const { document } = await ask(service, { query: 'a pedestrian', video_id: videoId });
    expect(document.analysis.events).toEqual([]);
    expect(document.analysis.coverage).toMatchObject([{ status: 'looked_for' }]);
  });

  test('motion under a camera that looks straight down is found, at the right times', async () => {
    const id = await service.upload(above);
    const { document } = await ask(service, { query: 'something moves', video_id: id });
    // By eye: 4.4 to 8.5, 14.5 to 18.9 and 25.3 to 27.9 s; nothing in between.
    const eye: [number, number][] = [
      [4.4, 8.5],
      [14.5, 18.9],
      [25.3, 27.9],
    ];
    const { events } = document.analysis;
    expect(events).toHaveLength(eye.length);
    for (const [i, [from, to]] of eye.entries()) {
      expect(Math.abs(events[i]!.start_s - from)).toBeLessThan(1);
      expect(Math.abs(events[i]!.end_s - to)).toBeLessThan(1);
    }
    // From straight above, a car looks like a phone to this detector; phones do not drive.
    const { analysis } = (await ask(service, { query: 'a vehicle', video_id: id })).document;
    expect(analysis.events.length).toBeGreaterThan(0);
    for (const { start_s, end_s } of analysis.events) {
      expect(eye.some(([from, to]) => start_s > from - 1 && end_s < to + 1)).toBe(true);
    }
  });
});

const aisle = footage('security/intel_store_aisle_detection.gif');
const arm = footage('robotics/octo--pour_corn.mp4');
describe.runIf(hasFootage)('real footage: people in a shop, a robot arm', () => {
  test('two videos in one query, each with its own document', async () => {
    const ids = [await service.upload(aisle), await service.upload(arm)];
    const { batch_id, events } = await ask(service, { query: 'a person', video_ids: ids });
    expect(events.at(-1)).toMatchObject({ kind: 'done', data: { status: 'completed', total: 2, completed: 2 } });
    const { json } = await service.call('GET', `/api/batch/${batch_id}/status`);
    const videos = json.videos as { video_id: string; analysis_id: string }[];
    expect(videos.map((video) => video.video_id)).toEqual(ids);
    const shop = await fetchDocument(service, ids[0]!, videos[0]!.analysis_id);
    expect(shop.analysis.events.length).toBeGreaterThan(0);
    expect(shop.analysis.events[0]!.data.evidence.tracks[0]!.class).toBe('person');
    const robot = await fetchDocument(service, ids[1]!, videos[1]!.analysis_id);
    expect(robot.analysis.status).toBe('COMPLETED');
  });
});

/** Signed URLs differ between responses. */
function withoutTokens(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value).replaceAll(/token=[^"]*/g, 'token='));
}
