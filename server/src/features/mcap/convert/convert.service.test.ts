// Interrupted conversions of a recording, and the attempts after them.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Recordings } from '#engine/robot-logs/index';
import { newId } from '#platform/ids';
import { Problem } from '#platform/problem';
import { openLibrary, PROBE, type TestLibrary } from '#test/library';
import * as store from '../store.ts';
import { createConverter } from './convert.ts';

let library: TestLibrary;
beforeAll(async () => {
  library = await openLibrary();
});
afterAll(() => library.close());

const unavailable = () => new Problem({ status: 503, code: 'storage_unavailable', message: 'Away.' });
const damaged = () => new Problem({ status: 400, code: 'media_damaged', message: 'The video is damaged.' });

async function createIngest() {
  const { database, storage, owner } = library;
  const id = newId();
  const storageKey = `mcap/${id}/file`;
  await storage.write(storageKey, Buffer.from('not read'));
  const of = { orgId: owner.orgId, ownerId: owner.userId, scope: 'user' as const, folderId: null, importId: null };
  const file = {
    objectKey: null,
    objectId: null,
    objectVersion: null,
    filename: 'drive.mcap',
    sourceUri: 'mcap://drive.mcap',
    sizeBytes: 13,
    sha256: null,
  };
  await database.transaction((trx) =>
    store.insert(trx, [{ id, ...of, ...file, reservedBytes: 0, chunkSizeS: null, status: 'processing' }]),
  );
  return { ...(await store.find(database.db, id))!, storageKey };
}

/** A recording of two channels, converted by the given function. */
function converterOf(
  convert: (channelId: number, signal: AbortSignal) => Promise<void>,
  probe: () => Promise<typeof PROBE>,
) {
  const channel = (id: number) => ({
    id,
    name: `/${id}`,
    topic: `/${id}`,
    schema: 'foxglove.CompressedImage',
    messages: 1,
    isVideo: true,
    statesMachine: false,
    statesTime: false,
  });
  const recordings: Recordings = {
    survey: async () => ({ channels: [1, 2].map(channel), startNs: 0n, endNs: 1n, indexed: true, losses: [] }),
    readTelemetry: async () => null,
    readSatelliteTime: async () => null,
    readTrajectory: async () => null,
    createTimeline: async () => {
      throw new Error('There is no telemetry.');
    },
    readEpisodeTable: async () => [],
    readFrames: async () => [],
    async convertChannel({ channelId, folder }, { signal } = {}) {
      await convert(channelId, signal!);
      const path = join(folder, 'video.mp4');
      await writeFile(path, `video of ${channelId}`);
      const part = { part: 0, path, video: 'encoded' as const, frames: 2, startNs: 0n, endNs: 1n, gaps: [] };
      return { parts: [{ ...part, driftPpm: null }], notes: [], losses: [] } as never;
    },
  };
  const trajectories = { store: async () => {} };
  return createConverter({
    ...library,
    media: { probe, trim: () => Promise.reject(new Error('Nothing is cut.')) },
    recordings,
    trajectories,
    atOnce: 2,
  });
}

test('an interrupted attempt leaves nothing running, and the next one keeps its results', async () => {
  const ingest = await createIngest();
  const ended: string[] = [];
  const started = Promise.withResolvers<void>();
  const first = converterOf(
    async (channelId, signal) => {
      if (channelId === 2) {
        await started.promise;
        throw unavailable();
      }
      started.resolve();
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      ended.push('conversion');
      signal.throwIfAborted();
    },
    async () => PROBE,
  );
  await expect(first.make(ingest, AbortSignal.timeout(10_000))).rejects.toThrow('Away.');
  expect(ended).toEqual(['conversion']);

  let away = true;
  const attempt = () =>
    converterOf(
      async (channelId) => {
        if (channelId === 2 && away) throw unavailable();
      },
      async () => {
        throw damaged();
      },
    ).make(ingest, AbortSignal.timeout(10_000));
  const listVideos = () => store.listVideos(library.database.db, ingest.id);
  await expect(attempt()).rejects.toThrow('Away.');
  away = false;
  await attempt();
  await attempt();
  expect(await listVideos()).toMatchObject([
    { channel: '/1', status: 'failed', problem: { code: 'media_damaged' } },
    { channel: '/2', status: 'failed', problem: { code: 'media_damaged' } },
  ]);
});

test('a channel that fails later keeps its completed videos, and its unfinished ones fail', async () => {
  const ingest = await createIngest();
  let probed = 0;
  const first = converterOf(
    async () => {},
    async () => {
      if (++probed > 1) throw unavailable();
      return PROBE;
    },
  );
  await expect(first.make(ingest, AbortSignal.timeout(10_000))).rejects.toThrow('Away.');
  const later = converterOf(
    async () => {
      throw damaged();
    },
    async () => PROBE,
  );
  await later.make(ingest, AbortSignal.timeout(10_000));
  const videos = await store.listVideos(library.database.db, ingest.id);
  expect(videos.map(({ status }) => status).sort()).toEqual(['completed', 'failed']);
  const statusOf = async (videoId: string | null) => (await library.videos.find(videoId!))?.status;
  for (const { status, videoId } of videos) {
    expect(await statusOf(videoId)).toBe(status === 'completed' ? 'UPLOADED' : 'UPLOADING_FAILED');
  }
});
