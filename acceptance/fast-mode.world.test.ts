// Fast mode on videos that the service has never seen before, asked by the published Python SDK, unmodified.
import { execFile } from 'node:child_process';
import { copyFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { footage, hasFootage } from '../server/test/footage.ts';
import { SCENE, sceneClip } from '../server/test/media/clips.ts';
import { follow, readEvents } from './harness/answers.ts';
import { REPOSITORY } from './harness/command.ts';
import { makeFolder, type Service, startService } from './harness/service.ts';

const { nomadicml } = inject('programs');
const DRIVER = join(REPOSITORY, 'acceptance/clients/nomadicml_fast.py');
const TIMEOUT_MS = 180_000;

let folder: Awaited<ReturnType<typeof makeFolder>>;
let service: Service;
beforeAll(async () => {
  folder = await makeFolder();
  service = await startService(join(folder.path, 'data'));
}, TIMEOUT_MS);
afterAll(async () => {
  await service?.stop();
  await folder?.remove();
});

/** The SDK refuses names of images; the service reads the content and ignores the name. */
async function named(clip: string): Promise<string> {
  const path = join(folder.path, `${basename(clip)}.mp4`);
  await copyFile(footage(clip), path);
  return path;
}

type SdkEvent = { t_start: string; t_end: string; label: string; confidence: number };

async function analyzeFast(path: string, prompt: string): Promise<{ status: string; events: SdkEvent[] }> {
  const args = [DRIVER, service.url, service.key, path, prompt];
  const { stdout } = await promisify(execFile)(nomadicml!.newer, args, { timeout: TIMEOUT_MS });
  return JSON.parse(stdout);
}

test.runIf(nomadicml)('the Python SDK finds a cut in a new video in fast mode', { timeout: TIMEOUT_MS }, async () => {
  const { status, events } = await analyzeFast(await sceneClip(), 'a cut');
  expect(status).toBe('completed');
  expect(events.map(({ t_start }) => t_start)).toContain(`00:0${Math.floor(SCENE.cutS)}`);
});

test.runIf(nomadicml && hasFootage)(
  'real footage: the Python SDK finds a walking person in a new video in fast mode',
  { timeout: TIMEOUT_MS },
  async () => {
    // A worker walks away from the camera from 0 to 3.2 s and then stands still.
    const worker = await analyzeFast(await named('security/intel_worker_zone_detection.gif'), 'a person walking');
    expect(worker.status).toBe('completed');
    expect(worker.events).toHaveLength(1);
    expect(worker.events[0]).toMatchObject({ t_start: '00:00', label: expect.stringContaining('person') });
    expect(worker.events[0]!.confidence).toBeGreaterThan(0.5);
    // Two people in an aisle of a shop, and a third who walks between them from 1.1 s on.
    const shop = await analyzeFast(await named('security/intel_store_aisle_detection.gif'), 'a person walking');
    expect(shop.events.length).toBeGreaterThan(0);
  },
);

test('the stream of a fast query reports that it looks closer', { timeout: TIMEOUT_MS }, async () => {
  const videoId = await service.upload(await sceneClip());
  const { json } = await service.call('POST', '/api/router/query', {
    json: { query: 'a cut', video_id: videoId, prefer_fast: true, quick_analysis: true, use_thinking: false },
  });
  const events = await Array.fromAsync(readEvents(await follow(service, String(json.stream_id))));
  const progress = events.filter(({ kind }) => kind === 'progress').map(({ data }) => data);
  expect(progress).toContainEqual(expect.objectContaining({ stage: 'looking_closer', message: 'Looking closer' }));
  const ended = events.find(({ kind }) => kind === 'video_completed');
  expect(ended?.data).toMatchObject({ status: 'completed', events: 1 });
});
