import { afterAll, beforeAll, expect, test } from 'vitest';
import { loopedClip, SCENE, sceneClip } from '../server/test/media/clips.ts';
import { ask, DARK, fetchDocument, follow, type ParsedEvent, readEvents, start } from './harness/answers.ts';
import { until } from './harness/processes.ts';
import { makeFolder, type Service, startService, storedFiles } from './harness/service.ts';

/** Interrupted event streams, clients that disconnect, and videos that are deleted during their analysis. */
let folder: Awaited<ReturnType<typeof makeFolder>>;
let service: Service;
/** Long enough to act during its analysis. */
let long: string;
const LONG_S = 150;

beforeAll(async () => {
  folder = await makeFolder();
  // One process without a detector, so that timing is similar on every machine.
  const env = { SIGHTLINE_MEDIA_PROCESSES: '1', SIGHTLINE_MODELS_DIR: `${folder.path}/data/models` };
  service = await startService(`${folder.path}/data`, { env });
  long = await loopedClip(await sceneClip(), LONG_S);
});
afterAll(async () => {
  await service?.stop();
  await folder?.remove();
});

test('a stream that breaks repeatedly resumes by either name of the last id: nothing is lost or repeated', async () => {
  const { stream_id } = await start(service, { query: DARK, video_id: await service.upload(long) });
  const seen: ParsedEvent[] = [];
  for (let connections = 0; seen.at(-1)?.kind !== 'done'; connections++) {
    const leaving = new AbortController();
    const last = seen.at(-1)?.id ?? 0;
    const resume =
      connections % 2 === 0 ? { query: `?last_id=${last}` } : { headers: { 'last-event-id': String(last) } };
    const response = await follow(service, stream_id, { ...resume, signal: leaving.signal });
    let here = 0;
    for await (const event of readEvents(response)) {
      seen.push(event);
      if (++here === 3) break;
    }
    leaving.abort();
  }
  expect(seen.map((event) => event.id)).toEqual(seen.map((_, i) => i + 1));
  const whole = await Array.fromAsync(readEvents(await follow(service, stream_id)));
  expect(whole).toEqual(seen);
  // A browser repeats the old URL and sends its position in the header.
  const header = { 'last-event-id': String(seen.length - 1) };
  const rest = await Array.fromAsync(
    readEvents(await follow(service, stream_id, { query: '?last_id=1', headers: header })),
  );
  expect(rest).toEqual(seen.slice(-1));
});

test('a client that disconnects during the stream: the analysis continues, and its document is available', async () => {
  const videoId = await service.upload(long);
  const leaving = new AbortController();
  const response = await fetch(`${service.url}/api/router/v2/query/stream`, {
    method: 'POST',
    headers: { 'x-api-key': service.env.SIGHTLINE_BOOTSTRAP_KEY!, 'content-type': 'application/json' },
    body: JSON.stringify({ query: DARK, video_id: videoId }),
    signal: leaving.signal,
  });
  let started: Record<string, unknown> = {};
  for await (const { kind, data } of readEvents(response)) {
    if (kind === 'batch_created') started = data;
    if (kind === 'progress' && data.stage === 'observing') break;
  }
  leaving.abort();
  const { json } = await service.call('GET', `/api/batch/${started.batch_id}/status`);
  expect(json.status).toBe('processing');
  const ended = await until(async () => {
    const answer = await service.call('GET', `/api/batch/${started.batch_id}/status`);
    return answer.json.status === 'processing' ? null : answer.json;
  }, 'the analysis to go on to its end');
  expect(ended.status).toBe('completed');
  const [{ analysis_id }] = ended.videos as [{ analysis_id: string }];
  const { analysis } = await fetchDocument(service, videoId, analysis_id);
  expect(analysis.status).toBe('COMPLETED');
  expect(analysis.events).toHaveLength(Math.ceil(LONG_S / SCENE.durationS));
});

test('a video that is deleted during its analysis: the analysis fails with a reason, and nothing of it remains', async () => {
  const videoId = await service.upload(long);
  const { stream_id, batch_id } = await start(service, { query: DARK, video_id: videoId });
  const seen: ParsedEvent[] = [];
  for await (const event of readEvents(await follow(service, stream_id))) {
    seen.push(event);
    if (event.kind !== 'progress' || event.data.stage !== 'observing') continue;
    if (seen.filter((each) => each.kind === 'progress').length > 2) break;
  }
  expect((await service.call('DELETE', `/api/video/${videoId}?erase=true`)).status).toBe(200);
  const rest = await Array.fromAsync(
    readEvents(await follow(service, stream_id, { query: `?last_id=${seen.at(-1)!.id}` })),
  );
  expect(rest.find((event) => event.kind === 'video_completed')!.data).toMatchObject({
    status: 'failed',
    message: 'The video was deleted.',
  });
  expect(rest.at(-1)).toMatchObject({ kind: 'done', data: { status: 'failed', completed: 1, failed: 1 } });

  const batch = await service.call('GET', `/api/batch/${batch_id}/status`);
  expect(batch.json).toMatchObject({ status: 'failed', aggregated_progress: { total: 1, completed: 1, failed: 1 } });
  const [{ analysis_id, last_error }] = batch.json.videos as [{ analysis_id: string; last_error: string }];
  expect(last_error).toBe('The video was deleted.');
  const status = await service.call('GET', `/api/videos/${videoId}/analyses/${analysis_id}/status`);
  expect(status.json).toMatchObject({ status: 'FAILED', error: 'video_deleted' });
  const mine = async () =>
    (await storedFiles(service)).filter((name) => name.includes(videoId) || name.includes(analysis_id));
  await until(async () => (await mine()).length === 0, 'its files to be removed');

  // The only media process is free again at once: the next prompt is answered.
  const next = await ask(service, { query: DARK, video_id: await service.upload(await sceneClip()) });
  expect(next.document.analysis.events).toHaveLength(1);
});

test('two concurrent prompts about one video decode it once', async () => {
  const videoId = await service.upload(long);
  const both = await Promise.all(
    [DARK, 'the picture freezes'].map((query) => ask(service, { query, video_id: videoId })),
  );
  expect(both.map(({ document }) => document.analysis.status)).toEqual(['COMPLETED', 'COMPLETED']);
  const observed = both.filter(({ events }) => events.some((event) => event.data.stage === 'observing'));
  expect(observed).toHaveLength(1);
});
