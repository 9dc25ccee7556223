import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loopedClip, sceneClip } from '../server/test/media/clips.ts';
import { ask, DARK, fetchDocument, follow, type ParsedEvent, readEvents, start } from './harness/answers.ts';
import { MEDIA_PROCESS, running, treeOf, until } from './harness/processes.ts';
import { makeFolder, type Service, startService, storedFiles } from './harness/service.ts';

/** Kills the whole process tree, including the database; then the service starts again on the same folder. */
let folder: Awaited<ReturnType<typeof makeFolder>>;
let service: Service;
const again = () => startService(service.dataDir, { env: service.env });

beforeAll(async () => {
  folder = await makeFolder();
  const env = { SIGHTLINE_MEDIA_PROCESSES: '1', SIGHTLINE_MODELS_DIR: `${folder.path}/data/models` };
  service = await startService(`${folder.path}/data`, { env });
});
afterAll(async () => {
  await service?.stop();
  await folder?.remove();
});

test('killed during an upload: acknowledged data is there, and no incomplete file remains', async () => {
  const path = await sceneClip();
  const stored = await service.upload(path, 'stored.mp4');
  const before = await ask(service, { query: DARK, video_id: stored });

  const hanging = hangingUpload(await readFile(path));
  const arriving = async () => (await storedFiles(service)).filter((name) => name.startsWith('.partial'));
  await until(async () => (await arriving()).length > 0, 'the upload to arrive');
  const tree = treeOf(service.pid);
  await service.kill();
  expect(await hanging).toBe('broken off');
  expect(running(tree)).toEqual([]);
  expect(await arriving()).not.toEqual([]);

  service = await again();
  expect(await arriving()).toEqual([]);
  const { json } = await service.call('GET', '/api/my-videos');
  const videos = json.videos as { video_id: string; video_name: string; status: string }[];
  expect(videos.filter((video) => video.status === 'uploaded').map((video) => video.video_id)).toEqual([stored]);
  const signed = await service.call('POST', `/api/video/${stored}/signed-url`);
  const played = Buffer.from(await (await fetch(String(signed.json.url))).arrayBuffer());
  expect(played.equals(await readFile(path))).toBe(true);
  const document = await fetchDocument(service, stored, before.analysisId);
  expect(document.analysis).toMatchObject({ status: 'COMPLETED', query: DARK });
  expect(document.analysis.events).toHaveLength(1);
  expect((await fetch(document.analysis.events[0]!.data.annotated_thumbnail_url!)).status).toBe(200);
});

test('killed during an analysis: it resumes, and clients that follow it miss nothing', async () => {
  const videoId = await service.upload(await loopedClip(await sceneClip(), 150));
  const { stream_id, batch_id } = await start(service, { query: DARK, video_id: videoId });
  const seen: ParsedEvent[] = [];
  for await (const event of readEvents(await follow(service, stream_id))) {
    seen.push(event);
    if (event.data.stage === 'observing' && Number(event.data.progress) > 5) break;
  }
  await service.kill();

  service = await again();
  const rest = await Array.fromAsync(
    readEvents(await follow(service, stream_id, { query: `?last_id=${seen.at(-1)!.id}` })),
  );
  const all = [...seen, ...rest];
  expect(all.map((event) => event.id)).toEqual(all.map((_, i) => i + 1));
  expect(all.at(-1)).toMatchObject({ kind: 'done', data: { status: 'completed', completed: 1, failed: 0 } });
  const progress = all.filter((event) => event.kind === 'progress').map((event) => Number(event.data.progress));
  expect(progress).toEqual(progress.toSorted((a, b) => a - b));
  const batch = await service.call('GET', `/api/batch/${batch_id}/status`);
  const [{ analysis_id }] = batch.json.videos as [{ analysis_id: string }];
  const { analysis } = await fetchDocument(service, videoId, analysis_id);
  expect(analysis.status).toBe('COMPLETED');
  expect(all.filter((event) => event.kind === 'finding')).toHaveLength(analysis.events.length);
  expect((await storedFiles(service)).filter((name) => name.startsWith('.partial'))).toEqual([]);
});

test('a media process that is killed costs a retry, not the service', async () => {
  const videoId = await service.upload(await loopedClip(await sceneClip(), 120));
  const { stream_id } = await start(service, { query: DARK, video_id: videoId });
  let kills = 0;
  const events: ParsedEvent[] = [];
  for await (const event of readEvents(await follow(service, stream_id))) {
    events.push(event);
    if (kills > 0 || event.data.stage !== 'observing') continue;
    kills = await killMediaProcesses(service);
  }
  expect(kills).toBeGreaterThan(0);
  expect(events.at(-1)).toMatchObject({ kind: 'done', data: { status: 'completed' } });
  expect((await service.call('GET', '/ready')).status).toBe(200);
});

test('a killed database restarts, and the service continues', async () => {
  const stored = await service.upload(await sceneClip(), 'before the database died.mp4');
  const postmaster = Number((await readFile(`${service.dataDir}/db/pg/postmaster.pid`, 'utf8')).split('\n')[0]);
  process.kill(postmaster, 'SIGKILL');
  // Until the database is back, clients get a request to retry and never a server error.
  const answers: number[] = [];
  const question = { query: DARK, video_id: stored };
  const wellAgain = async () => {
    answers.push((await service.call('POST', '/api/router/v2/query/start', { json: question })).status);
    return answers.slice(-3).every((status) => status === 200);
  };
  await until(async () => (await wellAgain()) && answers.length >= 3, 'the database to come back');
  expect(answers.filter((status) => status !== 200 && status !== 503)).toEqual([]);
  const { document } = await ask(service, question);
  expect(document.analysis.events).toHaveLength(1);
});

/** Starts to send a file and pauses in the middle. Resolves when the connection breaks. */
async function hangingUpload(bytes: Buffer): Promise<string> {
  const boundary = 'the-end-never-comes';
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="source"\r\n\r\nfile\r\n--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="half.mp4"\r\nContent-Type: video/mp4\r\n\r\n`;
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(Buffer.from(head));
      controller.enqueue(bytes.subarray(0, bytes.length / 2));
    },
  });
  try {
    const answer = await fetch(`${service.url}/api/upload-video`, {
      method: 'POST',
      headers: {
        'x-api-key': service.env.SIGHTLINE_BOOTSTRAP_KEY!,
        'content-type': `multipart/form-data; boundary=${boundary}`,
      },
      body,
      duplex: 'half',
    } as RequestInit);
    return `answered with ${answer.status}`;
  } catch {
    return 'broken off';
  }
}

/** Kills the media processes of the service. Returns their number. */
async function killMediaProcesses({ pid }: Service): Promise<number> {
  const [, ...below] = treeOf(pid);
  let killed = 0;
  for (const child of below) {
    const command = await readFile(`/proc/${child}/cmdline`, 'utf8').catch(() => '');
    if (!command.includes(MEDIA_PROCESS)) continue;
    process.kill(child, 'SIGKILL');
    killed++;
  }
  return killed;
}
