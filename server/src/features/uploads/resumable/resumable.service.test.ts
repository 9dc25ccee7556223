import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { request as httpRequest } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { sceneClip } from '#test/media/clips';
import { createTusClient, openUploads, type UploadsFixture } from '../uploads.fixture.ts';

const NOTHING = { rows: 0, files: 0, partial: 0 };
const digest = (algorithm: string, bytes: Uint8Array, as: 'hex' | 'base64') =>
  createHash(algorithm).update(bytes).digest(as);

let desk: UploadsFixture;
let clip: Buffer;
let tus: ReturnType<typeof createTusClient>;
beforeAll(async () => {
  clip = await readFile(await sceneClip());
  desk = await openUploads();
  tus = createTusClient(desk.api, desk.me.key);
});
afterAll(() => desk?.close());
afterEach(async () => {
  for (const { id } of (await desk.library.videos.list(desk.me.caller, { limit: 100 })).videos) {
    await desk.library.videos.remove(desk.me.caller, id);
  }
  await vi.waitFor(async () => expect(await desk.remains()).toEqual(NOTHING), { timeout: 30_000 });
});

describe('a resumable upload', () => {
  test('becomes an ordinary video', async () => {
    const { db } = desk.library.database;
    const folder = await desk.library.folders.createOrGet(desk.me.caller, { name: 'rides', scope: 'user' });
    const upload = await tus.begin(clip.length, { filename: 'ride.mp4', folder_id: folder.id });
    expect(await tus.offset(upload.id)).toBe(0);
    const half = Math.floor(clip.length / 2);
    const first = await tus.send(upload.id, 0, clip.subarray(0, half));
    expect([first.status, first.headers.get('upload-offset')]).toEqual([204, String(half)]);
    const last = await tus.send(upload.id, half, clip.subarray(half));
    expect([last.status, last.headers.get('tus-resumable')]).toEqual([204, '1.0.0']);
    const { json } = await desk.api.call('GET', `/api/video/${upload.id}/status`, { key: desk.me.key });
    expect(json).toMatchObject({ status: 'uploaded', video_name: 'ride.mp4', folder_name: 'rides' });
    expect(json.metadata).toMatchObject({ sha256: digest('sha256', clip, 'hex'), size_bytes: clip.length });
    // A client that missed the last answer finds that nothing is left to send.
    expect(await tus.offset(upload.id)).toBe(clip.length);
    expect((await tus.call('DELETE', upload.id)).status).toBe(204);
    await desk.uploads.resumable.expire();
    expect(await db.selectFrom('resumableUploads').selectAll().execute()).toEqual([]);
    expect((await desk.api.call('GET', `/api/video/${upload.id}/status`, { key: desk.me.key })).status).toBe(200);
  });

  test('retains the bytes received before a disconnect', async () => {
    const upload = await tus.begin(clip.length);
    const broken = httpRequest(`${desk.api.base}/api/uploads/${upload.id}`, {
      method: 'PATCH',
      headers: { ...tus.headers, 'upload-offset': '0', 'content-length': clip.length, 'x-api-key': desk.me.key },
    });
    broken.on('error', () => {});
    await new Promise((sent) => broken.write(clip.subarray(0, 50_000), sent));
    await vi.waitFor(async () => expect((await desk.remains()).partial).toBe(1), 30_000);
    await sleep(200);
    broken.destroy();
    await vi.waitFor(async () => expect(await tus.offset(upload.id)).toBe(50_000), { timeout: 30_000 });
    expect((await tus.send(upload.id, 50_000, clip.subarray(50_000))).status).toBe(204);
    const video = await desk.library.videos.find(upload.id);
    expect(video).toMatchObject({ status: 'UPLOADED', sha256: digest('sha256', clip, 'hex') });
  });

  test('is not corrupted by two concurrent clients', async () => {
    const upload = await tus.begin(clip.length);
    const step = Math.ceil(clip.length / 8);
    async function client(noise: number): Promise<void> {
      for (;;) {
        const at = await tus.offset(upload.id);
        if (at === clip.length) return;
        // The other may have been first: then this piece is refused whole.
        const answer = await tus.send(upload.id, at, clip.subarray(at, at + step + noise));
        expect([204, 409, 423]).toContain(answer.status);
      }
    }
    await Promise.all([client(0), client(1000)]);
    await vi.waitFor(async () => expect((await desk.library.videos.find(upload.id))?.status).toBe('UPLOADED'), 30_000);
    expect((await desk.library.videos.find(upload.id))?.sha256).toBe(digest('sha256', clip, 'hex'));
  });

  /** A connection that sends a thousand bytes, and more on request. */
  async function hold(id: string) {
    const holding = httpRequest(`${desk.api.base}/api/uploads/${id}`, {
      method: 'PATCH',
      headers: { ...tus.headers, 'upload-offset': '0', 'content-length': clip.length, 'x-api-key': desk.me.key },
    });
    holding.on('error', () => {});
    await new Promise((sent) => holding.write(clip.subarray(0, 1000), sent));
    await vi.waitFor(async () => expect((await desk.remains()).partial).toBe(1), 30_000);
    return holding;
  }

  test('is written by one connection at a time', async () => {
    const upload = await tus.begin(clip.length);
    const holding = await hold(upload.id);
    let sent = 1000;
    const sending = setInterval(() => {
      holding.write(clip.subarray(sent, sent + 10));
      sent += 10;
    }, 250);
    const second = await tus.send(upload.id, 0, clip);
    clearInterval(sending);
    expect([second.status, second.json.error]).toEqual([423, 'upload_locked']);
    holding.destroy();
    await vi.waitFor(async () => expect(await tus.offset(upload.id)).toBe(sent), { timeout: 30_000 });
  });

  test('is resumed by a new connection while the previous one is stalled', async () => {
    const upload = await tus.begin(clip.length);
    const silent = await hold(upload.id);
    const closed = new Promise((resolve) => silent.once('close', resolve));
    expect((await tus.send(upload.id, 1000, clip.subarray(1000))).status).toBe(204);
    expect((await desk.library.videos.find(upload.id))?.sha256).toBe(digest('sha256', clip, 'hex'));
    await closed;
  });

  test('stores a chunk with a checksum completely or not at all', async () => {
    const upload = await tus.begin(clip.length, { sha256: digest('sha256', clip, 'hex') });
    const head = clip.subarray(0, 40_000);
    const checksum = (algorithm: string, bytes: Uint8Array) => ({
      'upload-checksum': `${algorithm} ${digest(algorithm, bytes, 'base64')}`,
    });
    const bad = await tus.send(upload.id, 0, head, checksum('sha1', Buffer.from('else')));
    expect([bad.status, bad.json.error]).toEqual([460, 'upload_checksum_mismatch']);
    expect(await tus.offset(upload.id)).toBe(0);
    const unknown = await tus.send(upload.id, 0, head, { 'upload-checksum': 'crc32 AAAA' });
    expect([unknown.status, unknown.json.error]).toEqual([400, 'upload_header_invalid']);
    expect((await tus.send(upload.id, 0, head, checksum('sha256', head))).status).toBe(204);
    const rest = clip.subarray(40_000);
    expect((await tus.send(upload.id, 40_000, rest, checksum('md5', rest))).status).toBe(204);
    expect((await desk.library.videos.find(upload.id))?.status).toBe('UPLOADED');
  });

  test('that is not a video, or has another digest, is refused with the last chunk and leaves nothing', async () => {
    const noise = Buffer.alloc(5000, 7);
    const nothing = await tus.begin(noise.length);
    const refused = await tus.send(nothing.id, 0, noise);
    expect([refused.status, refused.json.error]).toEqual([400, 'media_unreadable']);
    const other = await tus.begin(clip.length, { sha256: 'a'.repeat(64) });
    const mismatch = await tus.send(other.id, 0, clip);
    expect([mismatch.status, mismatch.json.error]).toEqual([400, 'upload_digest_mismatch']);
    expect(await desk.remains()).toEqual(NOTHING);
    expect((await tus.call('HEAD', other.id)).status).toBe(404);
  });

  test('leaves nothing when it is ended', async () => {
    const upload = await tus.begin(clip.length);
    await tus.send(upload.id, 0, clip.subarray(0, 1000));
    expect((await tus.call('DELETE', upload.id)).status).toBe(204);
    expect(await desk.remains()).toEqual(NOTHING);
    expect((await tus.send(upload.id, 1000, clip.subarray(1000))).status).toBe(404);
  });

  test('that is complete becomes a video although it is ended or expires before its job', async () => {
    const late = await openUploads({}, { worker: false });
    const client = createTusClient(late.api, late.me.key);
    const ids = await Promise.all(
      [1, 2].map(async () => {
        const { id } = await client.begin(clip.length);
        const leaving = fetch(`${late.api.base}/api/uploads/${id}`, {
          method: 'PATCH',
          headers: { ...client.headers, 'upload-offset': '0', 'x-api-key': late.me.key },
          body: clip as Uint8Array<ArrayBuffer>,
          signal: AbortSignal.timeout(5_000),
        });
        await expect(leaving).rejects.toThrow();
        expect(await client.offset(id)).toBe(clip.length);
        return id;
      }),
    );
    const [ended, expired] = ids as [string, string];
    expect((await client.call('DELETE', ended)).status).toBe(204);
    expect((await client.call('HEAD', ended)).status).toBe(404);
    await late.library.database.db
      .updateTable('resumableUploads')
      .set({ expiresAt: new Date(Date.now() - 1000) })
      .where('videoId', '=', expired)
      .execute();
    await late.uploads.resumable.expire();
    await late.library.startWorker();
    for (const id of ids) {
      await vi.waitFor(async () => expect((await late.library.videos.find(id))?.status).toBe('UPLOADED'), 30_000);
    }
    // Those who left may hold their leases for a moment more.
    await vi.waitFor(async () => {
      await late.uploads.resumable.expire();
      const left = await late.library.database.db.selectFrom('resumableUploads').selectAll().execute();
      expect(left).toEqual([]);
    }, 30_000);
    await late.close();
  });

  test('that is never completed expires, and its video has the reason', async () => {
    const { db } = desk.library.database;
    const upload = await tus.begin(clip.length);
    const other = await tus.begin(clip.length);
    await tus.send(upload.id, 0, clip.subarray(0, 1000));
    expect(Date.parse(upload.expires)).toBeGreaterThan(Date.now() + 2 * 24 * 3600 * 1000);
    await db
      .updateTable('resumableUploads')
      .set({ expiresAt: new Date(Date.now() - 1000) })
      .where('videoId', '=', upload.id)
      .execute();
    expect((await tus.call('HEAD', upload.id)).status).toBe(404);
    await desk.uploads.resumable.expire();
    expect(await desk.library.videos.find(upload.id)).toMatchObject({
      status: 'UPLOADING_FAILED',
      problem: { code: 'upload_expired' },
    });
    expect((await desk.remains()).partial).toBe(0);
    expect(await tus.offset(other.id)).toBe(0);
  });
});

describe('the protocol', () => {
  test('lists its capabilities without a key', async () => {
    const { status, headers } = await desk.api.call('OPTIONS', '/api/uploads');
    expect(status).toBe(204);
    expect(headers.get('tus-version')).toBe('1.0.0');
    expect(headers.get('tus-extension')).toBe('creation,expiration,checksum,termination');
    expect(headers.get('tus-max-size')).toBe(String(2 ** 31));
  });

  test('refuses invalid headers with the reason', async () => {
    const create = async (headers: Record<string, string>) => {
      const answer = await desk.api.call('POST', '/api/uploads', { key: desk.me.key, headers });
      return [answer.status, answer.json.error];
    };
    const version = { 'tus-resumable': '1.0.0' };
    expect(await create({ 'upload-length': '5' })).toEqual([412, 'upload_version_unsupported']);
    expect(await create(version)).toEqual([400, 'upload_header_invalid']);
    expect(await create({ ...version, 'upload-length': '0' })).toEqual([400, 'media_empty']);
    expect(await create({ ...version, 'upload-length': '-1' })).toEqual([400, 'upload_header_invalid']);
    expect(await create({ ...version, 'upload-length': String(2 ** 40) })).toEqual([413, 'file_too_large']);
    const strange = { ...version, 'upload-length': '5', 'upload-metadata': 'filename not*base64' };
    expect(await create(strange)).toEqual([400, 'upload_header_invalid']);
    expect(await desk.remains()).toEqual(NOTHING);
  });

  test('refuses a chunk at another offset, one that is too long, and one of another type', async () => {
    const upload = await tus.begin(100);
    expect((await tus.send(upload.id, 7, Buffer.alloc(5))).json.error).toBe('upload_offset_conflict');
    expect((await tus.send(upload.id, 0, Buffer.alloc(101))).json.error).toBe('file_too_large');
    const typed = await tus.send(upload.id, 0, Buffer.alloc(5), { 'content-type': 'application/json' });
    expect(typed.status).toBe(415);
    expect(await tus.offset(upload.id)).toBe(0);
  });

  test('an upload is accessible to its owner only', async () => {
    const upload = await tus.begin(100, { scope: 'org' });
    for (const user of [await desk.library.addUser(desk.library.owner.orgId), await desk.library.addUser()]) {
      const other = createTusClient(desk.api, (await desk.library.keyOf(user, ['write'])).key);
      expect((await other.send(upload.id, 0, Buffer.alloc(5))).json.error).toBe('upload_forbidden');
      expect((await other.call('HEAD', upload.id)).status).toBe(403);
      expect((await other.call('DELETE', upload.id)).status).toBe(403);
    }
  });
});
