// Attempts at a recording that end in the middle, and the ones after them.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Recordings } from '#engine/recording/index';
import { newId } from '#platform/ids';
import { Problem } from '#platform/problem';
import { type Library, openLibrary, PROBE } from '#test/library';
import * as store from './store.ts';
import { createWork } from './work.ts';

let library: Library;
beforeAll(async () => {
  library = await openLibrary();
});
afterAll(() => library.close());

const unavailable = () => new Problem({ status: 503, code: 'storage_unavailable', message: 'Away.' });
const damaged = () => new Problem({ status: 400, code: 'media_damaged', message: 'The film is damaged.' });

async function ingested() {
  const { database, storage, owner } = library;
  const id = newId();
  const storageKey = `mcap/${id}/file`;
  await storage.write(storageKey, Buffer.from('not looked at'));
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
    store.insert(trx, [{ id, ...of, ...file, reservedBytes: 0, partS: null, status: 'processing' }]),
  );
  return { ...(await store.find(database.db, id))!, storageKey };
}

/** Two channels; each film is what `film` makes of its channel, or throws. */
function workOf(film: (channelId: number, signal: AbortSignal) => Promise<void>, probe: () => Promise<typeof PROBE>) {
  const channel = (id: number) => ({
    ...{ id, name: `/${id}`, topic: `/${id}`, schema: 'foxglove.CompressedImage', messages: 1, isVideo: true },
  });
  const recordings: Recordings = {
    survey: async () => ({ channels: [1, 2].map(channel), startNs: 0n, endNs: 1n, indexed: true, losses: [] }),
    telemetry: async () => null,
    timeline: async () => {
      throw new Error('There is no telemetry.');
    },
    async film({ channelId, folder }, { signal } = {}) {
      await film(channelId, signal!);
      const path = join(folder, 'film.mp4');
      await writeFile(path, `film of ${channelId}`);
      const part = { part: 0, path, video: 'encoded' as const, frames: 2, startNs: 0n, endNs: 1n, gaps: [] };
      return { parts: [{ ...part, driftPpm: null }], notes: [], losses: [] } as never;
    },
  };
  return createWork({ ...library, media: { probe }, recordings, atOnce: 2 });
}

test('an attempt that breaks off leaves nothing running behind, and the next one keeps what is known', async () => {
  const ingest = await ingested();
  const ended: string[] = [];
  const begun = Promise.withResolvers<void>();
  const first = workOf(
    async (channelId, signal) => {
      if (channelId === 2) {
        await begun.promise;
        throw unavailable();
      }
      begun.resolve();
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      ended.push('film');
      signal.throwIfAborted();
    },
    async () => PROBE,
  );
  await expect(first.make(ingest, AbortSignal.timeout(10_000))).rejects.toThrow('Away.');
  expect(ended).toEqual(['film']);

  let away = true;
  const attempt = () =>
    workOf(
      async (channelId) => {
        if (channelId === 2 && away) throw unavailable();
      },
      async () => {
        throw damaged();
      },
    ).make(ingest, AbortSignal.timeout(10_000));
  const films = () => store.films(library.database.db, ingest.id);
  await expect(attempt()).rejects.toThrow('Away.');
  away = false;
  await attempt();
  await attempt();
  expect(await films()).toMatchObject([
    { channel: '/1', status: 'failed', problem: { code: 'media_damaged' } },
    { channel: '/2', status: 'failed', problem: { code: 'media_damaged' } },
  ]);
});

test('a channel that fails later keeps the videos that it has, and ends those that were begun', async () => {
  const ingest = await ingested();
  let probed = 0;
  const first = workOf(
    async () => {},
    async () => {
      if (++probed > 1) throw unavailable();
      return PROBE;
    },
  );
  await expect(first.make(ingest, AbortSignal.timeout(10_000))).rejects.toThrow('Away.');
  const later = workOf(
    async () => {
      throw damaged();
    },
    async () => PROBE,
  );
  await later.make(ingest, AbortSignal.timeout(10_000));
  const films = await store.films(library.database.db, ingest.id);
  expect(films.map(({ status }) => status).sort()).toEqual(['completed', 'failed']);
  const statusOf = async (videoId: string | null) => (await library.videos.find(videoId!))?.status;
  for (const { status, videoId } of films) {
    expect(await statusOf(videoId)).toBe(status === 'completed' ? 'UPLOADED' : 'UPLOADING_FAILED');
  }
});
