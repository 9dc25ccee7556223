import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { startFaultyProxy } from '#test/faulty-proxy';
import { createFiller } from '#test/s3-filler';
import { type S3Server, startS3Server } from '#test/s3-server';
import { type Dock, openDock, s3Keys, videoOf } from './dock.fixture.ts';
import { LANES, transferRows } from './jobs.ts';

const { s3Server } = inject('programs');
const RATE = { bytesPerS: 50_000, windowMs: 1_000 };

describe.skipIf(!s3Server)('imports of two organisations', () => {
  let server: S3Server;
  let proxy: Awaited<ReturnType<typeof startFaultyProxy>>;
  let filler: ReturnType<typeof createFiller>;
  let dock: Dock;

  beforeAll(async () => {
    server = await startS3Server(s3Server!);
    proxy = await startFaultyProxy(server.endpoint);
    filler = createFiller(server.endpoint);
    dock = await openDock({ minimumRate: { ...RATE, bytesPerS: 1 } });
    await filler.makeBucket('fleet');
    const large = await videoOf('large', 2_000_000);
    for (let i = 0; i < LANES; i++) await filler.put('fleet', `slow/${i}.mp4`, large);
    await filler.put('fleet', 'fast.mp4', await videoOf('fast'));
  }, 180_000);
  afterAll(async () => {
    await dock.close();
    filler.close();
    await proxy.stop();
    await server.stop();
  });

  async function begin(key: string, endpoint: string, body: object): Promise<string> {
    const saved = await dock.call(
      'POST',
      '/api/cloud-integrations/s3',
      { name: 'Own', ...s3Keys(endpoint, 'fleet') },
      key,
    );
    const { json, text } = await dock.call('POST', '/api/s3/upload', { integration_id: saved.json.id, ...body }, key);
    expect(json.import_job_id, text).toBeDefined();
    return String(json.import_job_id);
  }
  const stateOf = async (id: string, key?: string) =>
    (await dock.call('GET', `/api/import-jobs/${id}`, undefined, key)).json;

  test('go on beside each other, although one brings more than a node takes, slowly', async () => {
    proxy.inject({ hits: ({ url }) => url!.includes('/slow/'), kind: 'slow', bytesPerS: 1_000 });
    const slow: string[] = [];
    const imports = (2 * transferRows.concurrency) / LANES + 1;
    for (let i = 0; i < imports; i++)
      slow.push(await begin(dock.me.key, proxy.endpoint, { prefix: 'slow/', force: true }));
    const isReading = () => new Set(proxy.log.filter((line) => /GET .*slow\/\d/.test(line))).size > 0;
    await expect.poll(isReading, { timeout: 20_000 }).toBe(true);
    const { library } = dock;
    const other = await library.keyOf(await library.addUser(), ['read', 'write']);
    const fast = await begin(other.key, server.endpoint, { keys: ['fast.mp4'] });
    await expect
      .poll(() => stateOf(fast, other.key), { timeout: 30_000, interval: 200 })
      .toMatchObject({ status: 'completed', uploaded: 1 });
    for (const id of slow) expect(await stateOf(id)).toMatchObject({ status: 'importing', uploaded: 0 });
    for (const id of slow) await dock.call('POST', `/api/import-jobs/${id}/cancel`);
    proxy.heal();
  }, 120_000);
});

test.skipIf(!s3Server)(
  'an object that comes too slowly fails with a reason',
  async () => {
    const server = await startS3Server(s3Server!);
    const proxy = await startFaultyProxy(server.endpoint);
    const filler = createFiller(server.endpoint);
    const dock = await openDock({ minimumRate: RATE });
    try {
      await filler.makeBucket('fleet');
      await filler.put('fleet', 'slow.mp4', await videoOf('slow', 2_000_000));
      proxy.inject({
        hits: ({ url, method }) => method === 'GET' && url!.includes('slow'),
        kind: 'slow',
        bytesPerS: 1_000,
      });
      const integration = await dock.save('s3', s3Keys(proxy.endpoint, 'fleet'));
      const { json } = await dock.call('POST', '/api/s3/upload', { integration_id: integration, keys: ['slow.mp4'] });
      await dock.ended(String(json.import_job_id));
      expect(await dock.rows(String(json.import_job_id))).toMatchObject([
        { status: 'UPLOADING_FAILED', error: 'fetch_too_slow' },
      ]);
    } finally {
      await dock.close();
      filler.close();
      await proxy.stop();
      await server.stop();
    }
  },
  120_000,
);
