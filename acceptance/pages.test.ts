// Every command of the pages on imports, on recordings and on livestreams is run as it is printed, by a reader who has buckets, recordings and cameras.
import { copyFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { sceneClip } from '../server/test/clips.ts';
import { startHlsOrigin } from '../server/test/live-sources.ts';
import { startClouds } from './harness/clouds.ts';
import { runPage } from './harness/page.ts';
import { makeFolder, type Service, startService } from './harness/service.ts';

const PATIENCE_MS = 150_000;
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
    await writeFile(join(folder.path, 'key.json'), JSON.stringify(clouds.told.account));
    const env = { SIGHTLINE_MODELS_DIR: `${folder.path}/no models`, SIGHTLINE_ALLOWED_NETWORKS: '127.0.0.0/8' };
    service = await startService(`${folder.path}/data`, { env: { ...env, ...clouds.env } });
  });
  afterAll(async () => {
    await service?.stop();
    await clouds?.stop();
    await folder?.remove();
  });

  test('imports', { timeout: PATIENCE_MS }, async () => {
    const { code, said } = await runPage('imports', service, folder.path, { MINIO_URL: clouds.s3Url });
    expect(code, said).toBe(0);
    const jobs = (await service.call('GET', '/api/import-jobs')).json.import_jobs as { source: string }[];
    expect(new Set(jobs.map(({ source }) => source))).toEqual(new Set(['s3', 'gcs', 'hf_bucket']));
  });

  test('mcap', { timeout: PATIENCE_MS }, async () => {
    const access = { name: 'Fleet', bucket: 'fleet-recordings', region: 'us-east-1' };
    const keys = { access_key_id: 'AKIATEST', secret_access_key: 'secret' };
    const { json } = await service.call('POST', '/api/cloud-integrations/s3', { json: { ...access, ...keys } });
    expect(json).toMatchObject({ id: expect.any(String) });
    const { code, said } = await runPage('mcap', service, folder.path, { INTEGRATION: String(json.id) });
    expect(code, said).toBe(0);
    // The recording that was sent, the one that was brought, and the batch: all ended well.
    expect(said.match(/completed$/gm), said).toHaveLength(3);
    expect(said.split('== ').at(-1)).toMatch(/"view_types":\["front","rear"\]/);
  });

  test('live', { timeout: PATIENCE_MS }, async () => {
    const camera = await startHlsOrigin(ffmpeg!);
    try {
      const { code, said } = await runPage('live', service, folder.path, { CAMERA_URL: camera.url });
      expect(code, said).toBe(0);
      expect(said).toContain('#EXTM3U');
      expect(said).toContain('{"status":"ended"}');
    } finally {
      await camera.stop();
    }
  });
});
