import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createStorage, type Storage } from '#platform/storage/index';
import { footage, hasFootage } from '#test/footage';
import { sceneClip } from '#test/media/clips';
import { truncatedClip, writeInvalidFiles } from '#test/media/invalid-files';
import { openUploads, slowUpload, type UploadsFixture } from './uploads.fixture.ts';

const NOTHING = { rows: 0, files: 0, partial: 0 };
let desk: UploadsFixture;
let clip: Buffer;
beforeAll(async () => {
  clip = await readFile(await sceneClip());
  desk = await openUploads({ SIGHTLINE_MAX_UPLOAD_BYTES: String(600 * 2 ** 20) });
});
afterAll(() => desk?.close());

describe('files that are no videos', () => {
  test('are refused with the reason and leave nothing', async () => {
    for (const { name, path, code } of await writeInvalidFiles()) {
      const answer = await desk.upload([
        ['source', 'file'],
        ['file', await readFile(path), name],
      ]);
      expect({ name, status: answer.status, error: answer.json.error }).toEqual({ name, status: 400, error: code });
      expect(answer.json.message).toMatch(/^[A-Z].*\.$/);
      expect(await desk.remains(), name).toEqual(NOTHING);
    }
  });

  test('a truncated video with a complete index is accepted', async () => {
    const answer = await desk.upload([
      ['source', 'file'],
      ['file', await readFile(await truncatedClip()), 'half.mp4'],
    ]);
    expect(answer.json.status).toBe('uploaded');
    await desk.library.videos.remove(desk.me.caller, answer.json.video_id as string);
    await vi.waitFor(async () => expect(await desk.remains()).toEqual(NOTHING), { timeout: 30_000 });
  });
});

describe('real footage', () => {
  const clips = [
    'androidx_avi_sample.avi',
    'androidx_flv_sample.flv',
    'androidx_mkv_sample.mkv',
    'androidx_mp4_sample_portrait.mp4',
    'androidx_ts_sample_h264.ts',
    'mediabunny_cursed-vfr.mp4',
    'mediabunny_frames.webm',
    'androidx_mp4_hdr10-av1.mp4',
  ];

  test('is accepted in many formats and under any name', async () => {
    // Where the footage is missing, the drawn clip under two names says the same of the way in.
    const files = hasFootage ? clips.map((name) => footage(`tricky/${name}`)) : [await sceneClip()];
    for (const path of files) {
      const answer = await desk.upload([
        ['source', 'file'],
        ['file', await readFile(path), 'clip.webm'],
      ]);
      expect({ path, error: answer.json.error, status: answer.json.status }).toEqual({ path, status: 'uploaded' });
      expect(answer.json.duration_s).toBeGreaterThan(0);
      await desk.library.videos.remove(desk.me.caller, answer.json.video_id as string);
    }
    await vi.waitFor(async () => expect(await desk.remains()).toEqual(NOTHING), { timeout: 30_000 });
  });
});

describe('trouble on the way', () => {
  const arriving = () =>
    vi.waitFor(
      async () => {
        const [video] = (await desk.library.videos.list(desk.me.caller, { limit: 1 })).videos;
        expect(video?.status).toBe('PREPARE_IN_PROGRESS');
        expect((await desk.remains()).partial).toBe(1);
        return video!.id;
      },
      { timeout: 30_000 },
    );

  test('a client that disconnects leaves nothing', async () => {
    const upload = slowUpload(desk.api.base, desk.me.key);
    await upload.write(clip.subarray(0, clip.length / 2));
    await arriving();
    upload.request.destroy();
    await vi.waitFor(async () => expect(await desk.remains()).toEqual(NOTHING), { timeout: 30_000 });
  });

  test('a form that ends within the file is refused', async () => {
    const upload = slowUpload(desk.api.base, desk.me.key);
    await upload.write(clip.subarray(0, 1000));
    upload.request.end();
    expect(await upload.answered).toMatchObject({ status: 400, json: { error: 'upload_incomplete' } });
    expect(await desk.remains()).toEqual(NOTHING);
  });

  test('a video deleted during its upload is removed, and its client gets an error', async () => {
    const upload = slowUpload(desk.api.base, desk.me.key);
    await upload.write(clip.subarray(0, 1000));
    await desk.library.videos.remove(desk.me.caller, await arriving());
    expect(await upload.answered).toMatchObject({ status: 404, json: { error: 'upload_deleted' } });
    upload.request.destroy();
    await vi.waitFor(async () => expect(await desk.remains()).toEqual(NOTHING), { timeout: 30_000 });
  });

  test('a video deleted just before the end is not marked as ready', async () => {
    const upload = slowUpload(desk.api.base, desk.me.key);
    await upload.write(clip);
    await desk.library.videos.remove(desk.me.caller, await arriving());
    upload.end();
    expect(await upload.answered).toMatchObject({ status: 404, json: { error: 'upload_deleted' } });
    await vi.waitFor(async () => expect(await desk.remains()).toEqual(NOTHING), { timeout: 30_000 });
  });

  test('changes during the upload are retained', async () => {
    const { folders } = desk.library;
    const [first, second] = await Promise.all(
      ['First', 'Second'].map((name) => folders.create(desk.me.caller, { name, scope: 'org' })),
    );
    const fields: [string, string][] = [
      ['source', 'file'],
      ['folder_id', first!.id],
    ];
    const upload = slowUpload(desk.api.base, desk.me.key, { fields });
    await upload.write(clip.subarray(0, 1000));
    const id = await arriving();
    await desk.library.videos.update(desk.me.caller, id, { name: 'mine.mp4', folderId: second!.id });
    const sidecar = Buffer.from('[{"t":0,"speed_kmh":50}]');
    await desk.uploads.putSidecar(
      desk.me.caller,
      id,
      { filename: 'drive.json', bytes: sidecar },
      AbortSignal.timeout(60_000),
    );
    await upload.write(clip.subarray(1000));
    upload.end();
    expect((await upload.answered).json).toMatchObject({
      status: 'uploaded',
      video_name: 'mine.mp4',
      folder_name: 'Second',
      metadata: { sidecar: { filename: 'drive.json' } },
    });
    await desk.library.videos.remove(desk.me.caller, id);
    for (const { id } of [first!, second!]) {
      expect((await folders.require(desk.me.caller, id)).videoCount).toBe(0);
      await folders.remove(desk.me.caller, id);
    }
    await vi.waitFor(async () => expect(await desk.remains()).toEqual(NOTHING), { timeout: 30_000 });
  });

  test('a slow upload sends heartbeats, so that the cleanup skips it', async () => {
    const upload = slowUpload(desk.api.base, desk.me.key);
    await upload.write(clip.subarray(0, 1000));
    const id = await arriving();
    // The form continues after the file.
    await upload.write(clip.subarray(1000));
    upload.next();
    const heartbeatAt = async () =>
      (
        await desk.library.database.db
          .selectFrom('videos')
          .select('heartbeatAt')
          .where('id', '=', id)
          .executeTakeFirstOrThrow()
      ).heartbeatAt!;
    const before = (await heartbeatAt()).getTime();
    await expect.poll(async () => (await heartbeatAt()).getTime()).toBeGreaterThan(before + 4_000);
    upload.end();
    expect(await upload.answered).toMatchObject({ status: 200, json: { video_id: id, status: 'uploaded' } });
    await desk.library.videos.remove(desk.me.caller, id);
    await vi.waitFor(async () => expect(await desk.remains()).toEqual(NOTHING), { timeout: 30_000 });
  });

  test('an upload over the limit is refused: at once if it states its size, else when it exceeds it', async () => {
    const upload = slowUpload(desk.api.base, desk.me.key, { headers: { 'content-length': String(2 ** 40) } });
    expect(await upload.answered).toMatchObject({ status: 413, json: { error: 'file_too_large' } });
    upload.request.destroy();

    const small = await openUploads({ SIGHTLINE_MAX_UPLOAD_BYTES: '100000' }, { worker: false });
    const unsaid = slowUpload(small.api.base, small.me.key);
    for (let i = 0; i < 30; i++) await unsaid.write(Buffer.alloc(10_000));
    unsaid.end();
    expect(await unsaid.answered).toMatchObject({ status: 413, json: { error: 'file_too_large' } });
    expect(await small.remains()).toEqual(NOTHING);
    await small.close();
  });

  test('a full disk is reported, also to a client that continues sending', async () => {
    const full = await createStorage(
      { kind: 'file', dir: desk.library.filesDir },
      { dataDir: desk.library.folder, reserveBytes: 2 ** 60 },
    );
    const overrides = { wrapStorage: (whole: Storage) => ({ ...whole, write: full.write }) };
    const tight = await openUploads({}, { worker: false, overrides });
    const upload = slowUpload(tight.api.base, tight.me.key);
    for (let i = 0; i < 30; i++) await upload.write(Buffer.alloc(100_000));
    upload.end();
    expect(await upload.answered).toMatchObject({ status: 507, json: { error: 'storage_full' } });
    expect(await tight.remains()).toEqual(NOTHING);
    await tight.close();
  });

  test('a large upload is not buffered in memory', async () => {
    const upload = slowUpload(desk.api.base, desk.me.key, { filename: 'large.mp4' });
    const piece = Buffer.alloc(2 ** 20);
    await upload.write(piece);
    globalThis.gc?.();
    const before = process.memoryUsage().rss;
    let most = 0;
    for (let i = 0; i < 500; i++) {
      await upload.write(piece);
      if (i % 10 === 0) most = Math.max(most, process.memoryUsage().rss - before);
    }
    upload.end();
    expect(await upload.answered).toMatchObject({ status: 400, json: { error: 'media_unreadable' } });
    expect(most / 2 ** 20).toBeLessThan(150);
    expect(await desk.remains()).toEqual(NOTHING);
  });
});
