// Two organizations import recordings: one more of them than run concurrently, from a server that barely responds.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '#platform/ids';
import { startTestApp, type TestApp } from '#test/app';
import { grayImage, grayLevel, jsonFormat, recordingBytes, recordingTimeNs } from '#test/mcap/recordings';
import { startFaultyProxy } from '#test/servers/faulty-proxy';
import { startHuggingFaceHub } from '#test/servers/hugging-face-hub';
import { transferRecording } from '../jobs.ts';

const TOKEN = 'hf_example';
let app: TestApp;
let hub: Awaited<ReturnType<typeof startHuggingFaceHub>>;
let files: Awaited<ReturnType<typeof startFaultyProxy>>;

beforeAll(async () => {
  hub = await startHuggingFaceHub({ token: TOKEN });
  files = await startFaultyProxy(hub.files);
  hub.sendTo(files.endpoint);
  // By default, transfers from so slow a server fail.
  app = await startTestApp({ SIGHTLINE_ALLOWED_NETWORKS: '127.0.0.0/8', SIGHTLINE_MIN_FETCH_RATE: '1' });
});
afterAll(async () => {
  await app.close();
  await files.stop();
  await hub.stop();
});

/** A key of a user in an organization of their own. */
async function keyOfAnother(): Promise<string> {
  const { database, keys } = app.sightline;
  const [orgId, userId] = [newId(), newId()];
  const name = 'Other';
  await database.db.insertInto('organizations').values({ id: orgId, name }).execute();
  const user = { id: userId, orgId, email: `${userId}@example.org`, name, role: 'member' };
  await database.db.insertInto('users').values(user).execute();
  return (await keys.create({ orgId, userId, name })).key;
}

async function ingest(key: string, keys: string[]): Promise<string> {
  const call = (path: string, body: object) => app.api.call('POST', path, { key, json: body });
  const bucket = { type: 'hf_bucket', token: TOKEN, bucket: 'ns/drives', prefix: null, endpoint_url: hub.endpoint };
  const saved = await call('/api/cloud-integrations/hf-bucket', { name: 'Drives', ...bucket });
  const body = { integration_id: saved.json.id, files: keys.map((each) => ({ key: each })) };
  const { json, text } = await call('/api/mcap/cloud-ingest/s3', body);
  expect(json.mcap_import_job_id, text).toBeDefined();
  return String(json.mcap_import_job_id);
}
const stateOf = async (key: string, id: string) =>
  (await app.api.call('GET', `/api/mcap/import-jobs/${id}`, { key })).json;

test('slow transfers of one organization do not delay those of another', async () => {
  const camera = jsonFormat('foxglove.CompressedImage');
  const recording = await recordingBytes({
    channels: [{ topic: '/cam', ...camera }],
    messages: Array.from({ length: 6 }, (_, i) => ({
      channel: 0,
      logNs: recordingTimeNs(i),
      data: camera.encode({ format: 'jpeg', data: grayImage(grayLevel(i)) }),
    })),
  });
  const slow = Array.from({ length: 2 * transferRecording.concurrency + 1 }, (_, i) => `slow-${i}.mcap`);
  for (const name of slow) hub.put('ns/drives', name, recording);
  hub.put('ns/drives', 'fast.mcap', recording);
  files.inject({ hits: ({ url }) => url!.includes('slow'), kind: 'slow', bytesPerS: 20 });
  const mine = app.sightline.firstKey!;
  const waiting = await ingest(mine, slow);
  const reading = () => files.log.filter((line) => line.includes('slow')).length;
  await expect.poll(reading).toBeGreaterThanOrEqual(transferRecording.concurrency);
  const other = await keyOfAnother();
  const fast = await ingest(other, ['fast.mcap']);
  await expect.poll(() => stateOf(other, fast), { interval: 200 }).toMatchObject({ status: 'completed' });
  expect(await stateOf(mine, waiting)).toMatchObject({ status: 'transferring' });
  files.heal();
  await expect.poll(() => stateOf(mine, waiting), { interval: 200 }).toMatchObject({ status: 'completed' });
});
