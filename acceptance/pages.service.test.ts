// Runs every command of the pages on imports, MCAP recordings and livestreams as printed, as a reader with buckets,
// recordings and cameras.
import { copyFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { sceneClip } from '../server/test/media/clips.ts';
import { startHlsOrigin } from '../server/test/servers/live-sources.ts';
import { startClouds } from './harness/clouds.ts';
import { runPage } from './harness/page.ts';
import { makeFolder, type Service, startService } from './harness/service.ts';

const TIMEOUT_MS = 150_000;
const { s3Server, gcsServer, ffmpeg } = inject('programs');

describe.runIf(s3Server && gcsServer && ffmpeg)('every command works as it is printed:', () => {
  let folder: Awaited<ReturnType<typeof makeFolder>>;
  let clouds: Awaited<ReturnType<typeof startClouds>>;
  let service: Service;
  beforeAll(async () => {
    folder = await makeFolder();
    const clip = await sceneClip();
    clouds = await startClouds(folder.path, await readFile(clip));
    for (const name of ['front.mp4', 'rear.mp4']) await copyFile(clip, join(folder.path, name));
    await writeFile(join(folder.path, 'key.json'), JSON.stringify(clouds.settings.account));
    const env = { SIGHTLINE_MODELS_DIR: `${folder.path}/data/models`, SIGHTLINE_ALLOWED_NETWORKS: '127.0.0.0/8' };
    service = await startService(`${folder.path}/data`, { env: { ...env, ...clouds.env } });
  });
  afterAll(async () => {
    await service?.stop();
    await clouds?.stop();
    await folder?.remove();
  });

  test('imports', { timeout: TIMEOUT_MS }, async () => {
    const { code, output } = await runPage('imports', service, folder.path, { MINIO_URL: clouds.s3Url });
    expect(code, output).toBe(0);
    const jobs = (await service.call('GET', '/api/import-jobs')).json.import_jobs as { source: string }[];
    expect(new Set(jobs.map(({ source }) => source))).toEqual(new Set(['s3', 'gcs', 'hf_bucket']));
  });

  test('mcap', { timeout: TIMEOUT_MS }, async () => {
    const access = { name: 'Fleet', bucket: 'fleet-recordings', region: 'us-east-1' };
    const keys = { access_key_id: 'AKIATEST', secret_access_key: 'secret' };
    const { json } = await service.call('POST', '/api/cloud-integrations/s3', { json: { ...access, ...keys } });
    expect(json).toMatchObject({ id: expect.any(String) });
    const { code, output } = await runPage('mcap', service, folder.path, { INTEGRATION: String(json.id) });
    expect(code, output).toBe(0);
    // The uploaded recording, the imported recording and the batch: all completed.
    expect(output.match(/completed$/gm), output).toHaveLength(3);
    expect(output.split('== ').at(-1)).toMatch(/"view_types":\["front","rear"\]/);
  });

  test('cameras', { timeout: TIMEOUT_MS }, async () => {
    const camera = await startHlsOrigin(ffmpeg!);
    try {
      await expect.poll(async () => (await fetch(camera.url)).status, { timeout: 60_000 }).toBe(200);
      const { code, output } = await runPage('cameras', service, folder.path, { CAMERA_URL: camera.url });
      expect(code, output).toBe(0);
      expect(output).toContain('"step":"format","ok":true');
      expect(output.split('== ').at(-1)).toMatch(/"video_name":"Loading bay 2 [\d :-]+"/);
    } finally {
      await camera.stop();
    }
  });

  test('live', { timeout: TIMEOUT_MS }, async () => {
    const camera = await startHlsOrigin(ffmpeg!);
    try {
      const { code, output } = await runPage('live', service, folder.path, { CAMERA_URL: camera.url });
      expect(code, output).toBe(0);
      expect(output).toContain('#EXTM3U');
      expect(output).toContain('{"status":"ended"}');
    } finally {
      await camera.stop();
    }
  });
});
