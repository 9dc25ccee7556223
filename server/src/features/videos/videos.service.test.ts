import { createHash } from 'node:crypto';
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { DomainEvents } from '#features/events/index';
import type { Caller } from '#platform/http/index';
import { newId } from '#platform/ids';
import type { Storage } from '#platform/storage/index';
import type { ApiClient } from '#test/http';
import { openLibrary, PROBE, type TestLibrary } from '#test/library';

let library: TestLibrary;
let api: ApiClient;
/** The owner, a colleague, an administrator's key of the owner's organization, and someone of another organization. */
let me: { key: string; caller: Caller };
let colleague: typeof me;
let admin: typeof me;
let stranger: typeof me;
const published: { topic: string; videoId: string }[] = [];

beforeAll(async () => {
  library = await openLibrary({}, { worker: true });
  const { owner } = library;
  me = await library.keyOf(owner, ['read', 'write']);
  colleague = await library.keyOf(await library.addUser(owner.orgId), ['read', 'write']);
  admin = await library.keyOf(await library.addUser(owner.orgId), ['admin']);
  stranger = await library.keyOf(await library.addUser(), ['read', 'write']);
  library.events.subscribe('videos.ready', async (_trx, { videos }) => {
    published.push(...videos.map(({ videoId }) => ({ topic: 'videos.ready', videoId })));
  });
  for (const topic of ['video.failed', 'video.deleted'] as const) {
    library.events.subscribe(
      topic,
      async (_trx, { videoId }: DomainEvents[typeof topic]) => void published.push({ topic, videoId }),
    );
  }
  api = library.api;
});
afterAll(() => library?.close());

/** Each video has its own bytes: a job deletes the file of one that repeats another. */
const facts = (id: string) => ({
  probe: PROBE,
  sizeBytes: 1000,
  sha256: createHash('sha256').update(id).digest('hex'),
});
const ready = (id: string) => library.database.transaction((trx) => library.videos.markReady(trx, id, facts(id)));
const fail = (id: string) =>
  library.database.transaction((trx) => library.videos.markFailed(trx, id, 'media_unreadable', 'This is no video.'));
const topicsOf = (id: string) => published.filter(({ videoId }) => videoId === id).map(({ topic }) => topic);
const status = (id: string, { key } = me) =>
  api.call('GET', `/api/video/${id}/status?firebase_collection_name=videos`, { key });
const list = async (query = '', { key } = me) => (await api.call('GET', `/api/my-videos${query}`, { key })).json;
const ids = (answer: Record<string, unknown>) => (answer.videos as { video_id: string }[]).map((v) => v.video_id);
const remove = (id: string, { key } = me) =>
  api.call('DELETE', `/api/video/${id}?firebase_collection_name=videos`, { key });
const silence = (id: string, seconds: number) =>
  library.database.db
    .updateTable('videos')
    .set({ heartbeatAt: sql<Date>`now() - make_interval(secs => ${seconds})` })
    .where('id', '=', id)
    .execute();
const count = async (folderId: string) => (await library.folders.require(me.caller, folderId)).videoCount;

describe('status', () => {
  test('has the fields that existing clients poll, in each state', async () => {
    const id = await library.add(me.caller, { name: 'a.mp4', metadata: { sidecar: { fields: [] } } });
    expect((await status(id)).json).toMatchObject({
      video_id: id,
      status: 'processing',
      video_name: 'a.mp4',
      duration_s: null,
      visual_analysis: { status: { status: 'PREPARE_IN_PROGRESS' } },
      metadata: {
        visual_analysis: { status: { status: 'PREPARE_IN_PROGRESS' } },
        chunks_total: 1,
        chunks_uploaded: 0,
        sidecar: { fields: [] },
      },
    });
    expect(await ready(id)).toBe(true);
    expect((await status(id)).json).toMatchObject({
      status: 'uploaded',
      duration_s: 12.5,
      visual_analysis: { status: { status: 'UPLOADED' } },
      metadata: {
        visual_analysis: { status: { status: 'UPLOADED' } },
        chunks_total: 1,
        chunks_uploaded: 1,
        size_bytes: 1000,
        width: 640,
        height: 360,
        frame_rate: 25,
        container: 'mp4',
        video_codec: 'h264',
        audio_codec: null,
      },
    });
    expect((await status(id)).json).not.toHaveProperty('error');
    expect(topicsOf(id)).toEqual(['videos.ready']);
  });

  test('has the reason of a failed upload', async () => {
    const id = await library.add(me.caller);
    await fail(id);
    const why = { error: 'media_unreadable', message: 'This is no video.' };
    expect((await status(id)).json).toMatchObject({
      status: 'uploading_failed',
      ...why,
      metadata: { visual_analysis: { status: { status: 'UPLOADING_FAILED', ...why } }, chunks_uploaded: 0 },
    });
    expect(topicsOf(id)).toEqual(['video.failed']);
  });

  test('an uploaded or failed video does not change its state', async () => {
    const [good, bad] = [await library.add(me.caller), await library.add(me.caller)];
    await ready(good);
    await fail(bad);
    expect([await fail(good), await ready(good), await ready(bad), await library.videos.heartbeat(good)]).toEqual([
      false,
      false,
      false,
      false,
    ]);
    await library.storage.write(`contents/${good}/source`, Buffer.from('film'));
    await library.videos.discard(good);
    expect((await status(good)).json.status).toBe('uploaded');
    expect(await library.storage.stat(`contents/${good}/source`)).toMatchObject({ size: 4 });
    expect(topicsOf(good)).toEqual(['videos.ready']);
  });

  test('requires access to the video', async () => {
    const [personal, shared] = [await library.add(me.caller), await library.add(me.caller, { scope: 'org' })];
    const seen = (id: string) =>
      Promise.all([me, colleague, admin, stranger].map(async (who) => (await status(id, who)).status));
    expect(await seen(personal)).toEqual([200, 403, 200, 403]);
    expect(await seen(shared)).toEqual([200, 200, 200, 403]);
    expect((await status(personal, colleague)).json.error).toBe('video_forbidden');
    for (const id of [newId(), 'nonsense', '%F0%9F%8E%A5', 'a'.repeat(200)]) {
      expect(await status(id)).toMatchObject({ status: 404, json: { error: 'video_not_found' } });
    }
  });
});

describe('many at once', () => {
  test('are returned in order with duplicates; an error names the first invalid id', async () => {
    const [a, b] = [await library.add(me.caller), await library.add(me.caller)];
    const found = await library.videos.getMany(me.caller, [b, a, b]);
    expect(found.map(({ id }) => id)).toEqual([b, a, b]);
    expect(await library.videos.getMany(me.caller, [])).toEqual([]);
    const [missing, foreign] = [newId(), await library.add(stranger.caller)];
    await expect(library.videos.getMany(me.caller, [a, missing, foreign])).rejects.toMatchObject({
      code: 'video_not_found',
      message: expect.stringContaining(missing),
    });
    await expect(library.videos.getMany(me.caller, [a, foreign, missing])).rejects.toMatchObject({
      code: 'video_forbidden',
      message: expect.stringContaining(foreign),
    });
  });

  test('have their source URIs', async () => {
    const a = await library.add(me.caller, { source: 'video_url', sourceUri: 'https://films.example/a.mp4' });
    const b = await library.add(me.caller);
    expect(await library.videos.sourceUris([a, b, newId()])).toEqual(
      new Map([
        [a, 'https://films.example/a.mp4'],
        [b, null],
      ]),
    );
  });
});

describe('deletion', () => {
  const exists = (path: string) =>
    access(path).then(
      () => true,
      () => false,
    );

  test('is immediate for everyone; files and record are erased later', async () => {
    const folder = await library.folders.create(me.caller, { name: 'Bin' });
    const id = await library.add(me.caller, { folderId: folder.id });
    const { storageKey } = (await library.videos.find(id))!;
    await library.storage.write(storageKey, Buffer.from('film'));
    await library.storage.write(`videos/${id}/observations/a.bin`, Buffer.from('seen'));
    await ready(id);
    expect(await remove(id)).toMatchObject({ status: 200, json: { status: 'deleted', video_id: id } });
    expect((await status(id)).status).toBe(404);
    expect(await library.videos.find(id)).toBeNull();
    expect(ids(await list('?folder=Bin'))).toEqual([]);
    expect(await count(folder.id)).toBe(0);
    expect(topicsOf(id)).toEqual(['videos.ready', 'video.deleted']);
    expect((await remove(id)).status).toBe(404);
    await vi.waitFor(
      async () => {
        expect(await exists(join(library.filesDir, 'videos', id))).toBe(false);
        const row = await library.database.db.selectFrom('videos').select('id').where('id', '=', id).executeTakeFirst();
        expect(row).toBeUndefined();
      },
      { timeout: 30_000 },
    );
  });

  test('is refused without access or with a read-only key', async () => {
    const id = await library.add(me.caller);
    expect((await remove(id, stranger)).status).toBe(403);
    expect((await remove(id, colleague)).status).toBe(403);
    expect((await remove(id, await library.keyOf(library.owner, ['read']))).status).toBe(403);
    expect((await remove(newId())).status).toBe(404);
    expect((await status(id)).status).toBe(200);
  });

  test('of a pending upload stops its connection and removes later bytes', async () => {
    const id = await library.add(me.caller);
    expect(await library.videos.heartbeat(id)).toBe(true);
    await remove(id);
    expect(await library.videos.heartbeat(id)).toBe(false);
    expect(await ready(id)).toBe(false);
    expect(topicsOf(id)).toEqual(['video.deleted']);
    const jobs = await sql<{ data: unknown }>`
      select data from pgboss.job where name = 'videos.erase' and data->>'videoId' = ${id}`.execute(
      library.database.db,
    );
    expect(jobs.rows).toHaveLength(2);
  });

  test('happens once for concurrent requests', async () => {
    const folder = await library.folders.create(me.caller, { name: 'Race' });
    const id = await library.add(me.caller, { folderId: folder.id });
    const answers = await Promise.all(Array.from({ length: 8 }, () => remove(id)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 404)).toHaveLength(7);
    expect(await count(folder.id)).toBe(0);
  });

  test('whose job was lost is retried by the cleanup', async () => {
    const id = await library.add(me.caller);
    await library.storage.write(`contents/${id}/source`, Buffer.from('film'));
    const long = sql<Date>`now() - interval '7 hours'`;
    await library.database.db
      .updateTable('videos')
      .set({ deletedAt: long, eraseAfter: long })
      .where('id', '=', id)
      .execute();
    await library.videos.cleanUp();
    await vi.waitFor(async () => expect(await exists(join(library.filesDir, 'videos', id))).toBe(false), {
      timeout: 30_000,
    });
  });
});

describe('arrival', () => {
  test('a stalled upload fails with a reason and its files are removed; one with a heartbeat continues', async () => {
    const [silent, heard, byJob] = [
      await library.add(me.caller),
      await library.add(me.caller),
      await library.add(me.caller, { heartbeat: false }),
    ];
    await library.storage.write(`contents/${silent}/source`, Buffer.from('half'));
    await silence(silent, 61);
    await silence(heard, 50);
    await library.videos.cleanUp();
    expect((await status(silent)).json).toMatchObject({
      status: 'uploading_failed',
      error: 'upload_interrupted',
      message: expect.stringMatching(/Upload it again\.$/),
    });
    expect(await library.storage.stat(`contents/${silent}/source`)).toBeNull();
    expect(topicsOf(silent)).toEqual(['video.failed']);
    expect((await status(heard)).json.status).toBe('processing');
    expect((await status(byJob)).json.status).toBe('processing');
  });

  test('an upload whose files cannot be removed does not block others', async () => {
    const stuck: string[] = [];
    const wrapStorage = (files: Storage) => ({
      ...files,
      async removeAll(prefix: string) {
        if (stuck.some((id) => prefix.includes(id))) throw new Error('access denied');
        await files.removeAll(prefix);
      },
    });
    const other = await openLibrary({}, { overrides: { wrapStorage } });
    const [first, second] = [await other.add(other.owner), await other.add(other.owner)];
    stuck.push(first);
    await other.database.db
      .updateTable('videos')
      .set({ heartbeatAt: sql<Date>`now() - interval '2 minutes'` })
      .execute();
    await other.videos.cleanUp();
    const statusOf = async (id: string) => (await other.videos.find(id))?.status;
    expect([await statusOf(first), await statusOf(second)]).toEqual(['PREPARE_IN_PROGRESS', 'UPLOADING_FAILED']);
    await other.close();
  });

  test('a heartbeat counts from the time it is recorded', async () => {
    const id = await library.add(me.caller);
    await silence(id, 100);
    expect(await library.videos.heartbeat(id)).toBe(true);
    await library.videos.cleanUp();
    expect((await status(id)).json.status).toBe('processing');
  });

  test('changes during the upload are stored, and folder counts stay correct', async () => {
    const [a, b] = await Promise.all(
      ['A', 'B'].map((name) => library.folders.create(me.caller, { name, scope: 'org' })),
    );
    const id = await library.add(me.caller, { folderId: a!.id, scope: 'org' });
    const amend = (changes: Parameters<typeof library.videos.updatePending>[2]) =>
      library.database.transaction((trx) => library.videos.updatePending(trx, id, changes));
    expect(await amend({ folderId: b!.id, name: 'new.mp4', metadata: { sidecar: [1] } })).toBe(true);
    expect([await count(a!.id), await count(b!.id)]).toEqual([0, 1]);
    expect(await library.videos.find(id)).toMatchObject({
      name: 'new.mp4',
      folderName: 'B',
      metadata: { sidecar: [1] },
    });
    await ready(id);
    expect(await amend({ folderId: null })).toBe(false);
    expect(await count(b!.id)).toBe(1);
  });

  test.each(['fail', 'discard'] as const)(
    '%s in the moment in which it is ready leaves no video without its file',
    async (end) => {
      const { promise: started, resolve: begin } = Promise.withResolvers<void>();
      const { promise: made, resolve: make } = Promise.withResolvers<unknown>();
      const wrapStorage = (files: Storage) => ({
        ...files,
        async removeAll(prefix: string) {
          if (prefix.startsWith('contents/')) {
            begin();
            await Promise.race([made, sleep(500)]);
          }
          await files.removeAll(prefix);
        },
      });
      const other = await openLibrary({}, { overrides: { wrapStorage } });
      const id = await other.add(other.owner);
      const { storageKey } = (await other.videos.find(id))!;
      await other.storage.write(storageKey, Buffer.from('film'));
      const ending = other.videos[end](id, { code: 'upload_failed', message: 'It failed.' });
      await started;
      const ready = other.database.transaction((trx) => other.videos.markReady(trx, id, facts(id)));
      make(await Promise.race([ready, sleep(500)]));
      await ending;
      await ready;
      const stored = (await other.videos.find(id))?.status === 'UPLOADED';
      expect(await other.storage.stat(storageKey)).toEqual(stored ? expect.anything() : null);
      await other.close();
    },
  );

  test('a discarded upload leaves nothing', async () => {
    const folder = await library.folders.create(me.caller, { name: 'Taken back' });
    const id = await library.add(me.caller, { folderId: folder.id });
    await library.storage.write(`contents/${id}/source`, Buffer.from('x'));
    await library.videos.discard(id);
    expect((await status(id)).status).toBe(404);
    expect(await count(folder.id)).toBe(0);
    expect(await library.storage.stat(`contents/${id}/source`)).toBeNull();
    expect(topicsOf(id)).toEqual([]);
  });
});
