// The network between client and service drops, delays, duplicates and truncates: nothing is lost or happens twice.
import { createHash } from 'node:crypto';
import { openAsBlob } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createSightline, type StreamEvent } from '@sightline/sdk';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { sceneClip } from '../server/test/media/clips.ts';
import { DARK, follow, readEvents } from './harness/answers.ts';
import { beginUser, user } from './harness/command.ts';
import { type NetworkFault, startFaultyWire } from './harness/faulty-wire.ts';
import { killAll, treeOf, until } from './harness/processes.ts';
import { makeFolder, type Service, startService } from './harness/service.ts';

const MIB = 1024 * 1024;
let folder: Awaited<ReturnType<typeof makeFolder>>;
let service: Service;
let wire: Awaited<ReturnType<typeof startFaultyWire>>;
/** A video of 30 MiB: a box that players skip follows its frames. */
let large: string;
let sha256: string;

beforeAll(async () => {
  folder = await makeFolder();
  service = await startService(`${folder.path}/data`, { env: { SIGHTLINE_MODELS_DIR: `${folder.path}/data/models` } });
  const clip = await readFile(await sceneClip());
  const rest = Buffer.alloc(30 * MIB - clip.length, 'skip ');
  rest.writeUInt32BE(rest.length, 0);
  rest.write('free', 4);
  large = join(folder.path, 'large.mp4');
  const bytes = Buffer.concat([clip, rest]);
  sha256 = createHash('sha256').update(bytes).digest('hex');
  await writeFile(large, bytes);
});
afterAll(async () => {
  await service?.stop();
  await folder?.remove();
});
beforeEach(async () => {
  wire = await startFaultyWire(service.url);
});
afterEach(() => wire.stop());

const clientOf = (url: string) => createSightline({ baseUrl: url, apiKey: service.key });

/** The file's SHA-256 as the service reports it. */
async function digestOf(videoId: string): Promise<unknown> {
  const { json } = await service.call('GET', `/api/video/${videoId}/status`);
  return (json.metadata as Record<string, unknown>).sha256;
}

test('an upload survives all faults, and the file is identical', async () => {
  wire.faults.push(
    { kind: 'drop', way: 'down', after: 0 },
    { kind: 'drop', way: 'up', after: 3 * MIB },
    { kind: 'truncate', after: 40 },
    { kind: 'duplicate' },
    { kind: 'drop', way: 'down', after: 10 },
    { kind: 'drop', way: 'up', after: 100 },
    { kind: 'delay', ms: 2 },
  );
  const sightline = clientOf(wire.url);
  const name = `large ${Date.now()}.mp4`;
  const seen: number[] = [];
  const { video_id } = await sightline.upload(await openAsBlob(large), {
    name,
    onProgress: (sent) => void seen.push(sent),
  });
  await sightline.ready(video_id);
  expect(await digestOf(video_id)).toBe(sha256);
  expect(wire.faults).toEqual([]);
  expect(seen).toEqual(seen.toSorted((a, b) => a - b));
  const { json } = await service.call('GET', `/api/videos?name=${encodeURIComponent(name)}`);
  expect(json.videos).toHaveLength(1);
}, 90_000);

test('an upload survives a service that is down for some seconds', async () => {
  let backAt = 0;
  const fetch: typeof globalThis.fetch = (input, init) =>
    Date.now() < backAt ? Promise.reject(new TypeError('fetch failed')) : globalThis.fetch(input, init);
  const { video_id } = await createSightline({ baseUrl: service.url, apiKey: service.key, fetch }).upload(
    await openAsBlob(large),
    {
      onProgress(sent) {
        if (sent > 0) backAt ||= Date.now() + 3_000;
      },
    },
  );
  await service.sdk.ready(video_id);
  expect(await digestOf(video_id)).toBe(sha256);
}, 60_000);

test('an upload whose client crashes resumes when the command runs again', async () => {
  const env = { XDG_CONFIG_HOME: join(folder.path, 'config'), SIGHTLINE_URL: wire.url, SIGHTLINE_API_KEY: service.key };
  wire.faults.push(...Array.from({ length: 9 }, (): NetworkFault => ({ kind: 'delay', ms: 10 })));
  const first = beginUser(['upload', large], { env });
  await until(() => wire.passed.up > 12 * MIB, 'more than one piece to be sent');
  await killAll(treeOf(first.pid));
  wire.faults.splice(0);
  const before = wire.passed.up;
  const { code, stdout, stderr } = await user(['upload', large, '--json'], { env });
  expect(code, stderr).toBe(0);
  expect(await digestOf(JSON.parse(stdout).video_id)).toBe(sha256);
  // Less than the whole file, including what was in flight from the first client.
  expect(wire.passed.up - before).toBeLessThan(29 * MIB);
}, 90_000);

test('a stream arrives complete, without duplicate events', async () => {
  const { video_id } = await service.sdk.upload(await openAsBlob(await sceneClip()));
  await service.sdk.ready(video_id);
  const { stream_id } = await service.sdk.start({ query: DARK, videoIds: [video_id] });
  for (const after of [0, 150, 400, 700]) {
    wire.faults.push(
      { kind: 'drop', way: 'down', after },
      { kind: 'truncate', after: after + 90 },
      { kind: 'duplicate' },
    );
    const seen: StreamEvent[] = await Array.fromAsync(clientOf(wire.url).follow(stream_id));
    expect(seen).toEqual(await Array.fromAsync(readEvents(await follow(service, stream_id))));
    expect(seen.map(({ id }) => id)).toEqual(seen.map((_, i) => i + 1));
    wire.faults.splice(0);
  }
}, 90_000);

test('a write that is repeated, or sent twice at once, happens once', async () => {
  const faults: Record<string, NetworkFault[]> = {
    lost: Array.from({ length: 3 }, (): NetworkFault => ({ kind: 'drop', way: 'down', after: 0 })),
    'broken off': [
      { kind: 'truncate', after: 30 },
      { kind: 'drop', way: 'down', after: 500 },
    ],
    late: [{ kind: 'delay', ms: 400 }],
    doubled: [{ kind: 'duplicate' }],
  };
  for (const [name, each] of Object.entries(faults)) {
    // A new proxy, because existing connections are reused.
    wire.stop();
    wire = await startFaultyWire(service.url);
    wire.faults.push(...each);
    // A second folder of the same name would be refused.
    const own = `${name} ${Date.now()}`;
    const { data } = await clientOf(wire.url).api.POST('/api/folders', { body: { name: own } });
    expect(wire.faults, name).toEqual([]);
    const found = await service.call('GET', `/api/folders/get?name=${encodeURIComponent(own)}`);
    expect(found.json).toMatchObject({ id: data!.id });
  }
  // By hand, like clients that resend a POST up to four times: one batch.
  const { video_id } = await service.sdk.upload(await openAsBlob(await sceneClip()));
  await service.sdk.ready(video_id);
  const headers = { 'idempotency-key': 'four-times' };
  const json = { query: DARK, video_id };
  const answers = await Promise.all(
    [1, 2, 3, 4].map(() => service.call('POST', '/api/router/v2/query/start', { json, headers })),
  );
  expect(new Set(answers.map((answer) => answer.json.batch_id)).size).toBe(1);
}, 60_000);
