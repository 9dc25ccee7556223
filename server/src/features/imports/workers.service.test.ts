import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { setQuota } from '#features/videos/index';
import { nextMessage } from '#test/child-messages';
import { startFaultyProxy } from '#test/servers/faulty-proxy';
import { createS3TestClient } from '#test/servers/s3-client';
import { type S3Server, startS3Server } from '#test/servers/s3-server';
import { createVideo, type ImportService, openImportService, s3Keys } from './test-service.fixture.ts';

const { s3Server } = inject('programs');
/** Enough for workers to claim batches of several rows. */
const OBJECTS = 64;

describe.skipIf(!s3Server)('workers', () => {
  let server: S3Server;
  let proxy: Awaited<ReturnType<typeof startFaultyProxy>>;
  let filler: ReturnType<typeof createS3TestClient>;
  let service: ImportService;
  let integration: string;

  beforeAll(async () => {
    server = await startS3Server(s3Server!);
    proxy = await startFaultyProxy(server.endpoint);
    filler = createS3TestClient(server.endpoint);
    service = await openImportService({}, { worker: false });
    await filler.makeBucket('fleet');
    for (let i = 0; i < OBJECTS; i++) await filler.put('fleet', `in/${i}.mp4`, await createVideo(`video ${i}`));
    integration = await service.save('s3', s3Keys(proxy.endpoint, 'fleet'));
  });
  afterAll(async () => {
    await service.close();
    filler.close();
    await proxy.stop();
    await server.stop();
  });

  async function spawnWorker(): Promise<ChildProcess> {
    const env = JSON.stringify(service.library.env);
    const child = fork(new URL('worker.fixture.ts', import.meta.url), [env], { execArgv: [] });
    await nextMessage(child);
    return child;
  }

  test('that are killed at random lose no row and import none twice', async () => {
    // Slow enough to kill each worker while it transfers several objects.
    proxy.inject({ hits: ({ url }) => url!.includes('/in/'), kind: 'slow', bytesPerS: 100_000 });
    const { json } = await service.call('POST', '/api/s3/upload', {
      integration_id: integration,
      prefix: 'in/',
      force: true,
    });
    const id = String(json.import_job_id);
    const uploaded = async () => Number((await service.call('GET', `/api/import-jobs/${id}`)).json.uploaded);
    for (let round = 0; round < 3; round++) {
      const worker = await spawnWorker();
      const before = await uploaded();
      // Kill it only after it has imported something, which must persist.
      await expect.poll(uploaded, { timeout: 45_000, interval: 50 }).toBeGreaterThan(before);
      await sleep(Math.random() * 300);
      worker.kill('SIGKILL');
      await once(worker, 'exit');
    }
    proxy.heal();
    const last = await spawnWorker();
    try {
      expect(await service.ended(id, 90_000)).toMatchObject({
        status: 'completed',
        total: OBJECTS,
        uploaded: OBJECTS,
        failed: 0,
      });
    } finally {
      last.kill('SIGKILL');
      await once(last, 'exit');
    }
    const rows = await service.rows(id);
    expect(new Set(rows.map((row) => row.import_source_uri)).size).toBe(OBJECTS);
    const { videos } = await service.library.videos.list(service.me.caller, { limit: 1_000 });
    expect(videos.map((video) => video.id).sort()).toEqual(rows.map((row) => row.video_id).sort());
    expect(videos.every((video) => video.status === 'UPLOADED')).toBe(true);
    // Each object's bytes are stored once.
    expect(new Set(videos.map((video) => video.sha256)).size).toBe(OBJECTS);
  }, 240_000);

  test('do not wait for a slow object', async () => {
    proxy.inject({ hits: ({ url }) => url!.includes('/in/40.mp4'), kind: 'slow', bytesPerS: 500 });
    const keys = Array.from({ length: OBJECTS }, (_, i) => `in/${i}.mp4`);
    const { json } = await service.call('POST', '/api/s3/upload', { integration_id: integration, keys, force: true });
    const worker = await spawnWorker();
    try {
      const id = String(json.import_job_id);
      await expect
        .poll(async () => (await service.call('GET', `/api/import-jobs/${id}`)).json.uploaded, { timeout: 60_000 })
        .toBe(OBJECTS - 1);
      expect((await service.rows(id))[40]).toMatchObject({ status: 'PROCESSING' });
      await service.call('POST', `/api/import-jobs/${id}/cancel`);
      expect(await service.ended(id)).toMatchObject({ status: 'cancelled', uploaded: OBJECTS - 1, failed: 1 });
      expect((await service.rows(id))[40]).toMatchObject({ status: 'UPLOADING_FAILED', error: 'import_cancelled' });
    } finally {
      proxy.heal();
      worker.kill('SIGKILL');
      await once(worker, 'exit');
    }
  }, 180_000);

  test('import as many as the quota allows', async () => {
    const { orgId } = service.me.caller;
    const { database, videos } = service.library;
    const before = (await videos.getQuota(orgId)).videos;
    await setQuota(database.db, orgId, { maxVideos: before + OBJECTS - 10 });
    const { json } = await service.call('POST', '/api/s3/upload', {
      integration_id: integration,
      prefix: 'in/',
      force: true,
    });
    const worker = await spawnWorker();
    try {
      const id = String(json.import_job_id);
      expect(await service.ended(id)).toMatchObject({ status: 'partial', uploaded: OBJECTS - 10, failed: 10 });
      const refused = (await service.rows(id)).filter((row) => row.status === 'UPLOADING_FAILED');
      expect(refused.map((row) => row.error)).toEqual(Array.from({ length: 10 }, () => 'quota_exceeded'));
      expect((await videos.getQuota(orgId)).videos).toBe(before + OBJECTS - 10);
    } finally {
      worker.kill('SIGKILL');
      await once(worker, 'exit');
    }
  }, 180_000);
});
