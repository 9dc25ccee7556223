import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { startFaultyProxy } from '#test/servers/faulty-proxy';
import { createS3TestClient } from '#test/servers/s3-client';
import { type S3Server, startS3Server } from '#test/servers/s3-server';
import { transferRows, WORKERS_PER_IMPORT } from './background-jobs.ts';
import { createVideo, type ImportService, openImportService, s3Keys } from './test-service.fixture.ts';

const { s3Server } = inject('programs');
const RATE = { bytesPerS: 50_000, windowMs: 1_000 };

describe.skipIf(!s3Server)('imports of two organizations', () => {
  let server: S3Server;
  let proxy: Awaited<ReturnType<typeof startFaultyProxy>>;
  let filler: ReturnType<typeof createS3TestClient>;
  let service: ImportService;

  beforeAll(async () => {
    server = await startS3Server(s3Server!);
    proxy = await startFaultyProxy(server.endpoint);
    filler = createS3TestClient(server.endpoint);
    service = await openImportService({}, { overrides: { fetchRate: { ...RATE, bytesPerS: 1 } } });
    await filler.makeBucket('fleet');
    const large = await createVideo('large', 2_000_000);
    for (let i = 0; i < WORKERS_PER_IMPORT; i++) await filler.put('fleet', `slow/${i}.mp4`, large);
    await filler.put('fleet', 'fast.mp4', await createVideo('fast'));
  });
  afterAll(async () => {
    await service.close();
    filler.close();
    await proxy.stop();
    await server.stop();
  });

  async function begin(key: string, endpoint: string, body: object): Promise<string> {
    const saved = await service.call(
      'POST',
      '/api/cloud-integrations/s3',
      { name: 'Own', ...s3Keys(endpoint, 'fleet') },
      key,
    );
    const { json, text } = await service.call(
      'POST',
      '/api/s3/upload',
      { integration_id: saved.json.id, ...body },
      key,
    );
    expect(json.import_job_id, text).toBeDefined();
    return String(json.import_job_id);
  }
  const stateOf = async (id: string, key?: string) =>
    (await service.call('GET', `/api/import-jobs/${id}`, undefined, key)).json;

  test('run concurrently although one exceeds the capacity of a node with slow objects', async () => {
    proxy.inject({ hits: ({ url }) => url!.includes('/slow/'), kind: 'slow', bytesPerS: 1_000 });
    const slow: string[] = [];
    const imports = (2 * transferRows.concurrency) / WORKERS_PER_IMPORT + 1;
    for (let i = 0; i < imports; i++)
      slow.push(await begin(service.me.key, proxy.endpoint, { prefix: 'slow/', force: true }));
    const isReading = () => new Set(proxy.log.filter((line) => /GET .*slow\/\d/.test(line))).size > 0;
    await expect.poll(isReading).toBe(true);
    const { library } = service;
    const other = await library.keyOf(await library.addUser(), ['read', 'write']);
    const fast = await begin(other.key, server.endpoint, { keys: ['fast.mp4'] });
    await expect
      .poll(() => stateOf(fast, other.key), { interval: 200 })
      .toMatchObject({ status: 'completed', uploaded: 1 });
    for (const id of slow) expect(await stateOf(id)).toMatchObject({ status: 'importing', uploaded: 0 });
    for (const id of slow) await service.call('POST', `/api/import-jobs/${id}/cancel`);
    proxy.heal();
  });
});

test.skipIf(!s3Server)('an object below the minimum transfer rate fails with a reason', async () => {
  const server = await startS3Server(s3Server!);
  const proxy = await startFaultyProxy(server.endpoint);
  const filler = createS3TestClient(server.endpoint);
  const service = await openImportService({}, { overrides: { fetchRate: RATE } });
  try {
    await filler.makeBucket('fleet');
    await filler.put('fleet', 'slow.mp4', await createVideo('slow', 2_000_000));
    proxy.inject({
      hits: ({ url, method }) => method === 'GET' && url!.includes('slow'),
      kind: 'slow',
      bytesPerS: 1_000,
    });
    const integration = await service.save('s3', s3Keys(proxy.endpoint, 'fleet'));
    const { json } = await service.call('POST', '/api/s3/upload', {
      integration_id: integration,
      keys: ['slow.mp4'],
    });
    await service.ended(String(json.import_job_id));
    expect(await service.rows(String(json.import_job_id))).toMatchObject([
      { status: 'UPLOADING_FAILED', error: 'fetch_too_slow' },
    ]);
  } finally {
    await service.close();
    filler.close();
    await proxy.stop();
    await server.stop();
  }
});
