import { createHash, randomBytes } from 'node:crypto';
import { access, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { CreateBucketCommand, ListMultipartUploadsCommand, S3Client } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { type S3Server, startS3Server } from '#test/servers/s3-server';
import { createStorage, EMPTY_OBJECT, type PartialObject, type Storage, type StorageSettings } from './index.ts';

const { s3Server } = inject('programs');
let folder: string;
let s3: S3Server;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sightline storage '));
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'test');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'test');
  if (!s3Server) return;
  s3 = await startS3Server(s3Server);
  const client = bucketClient();
  await client.send(new CreateBucketCommand({ Bucket: 'videos' }));
  client.destroy();
});
afterAll(async () => {
  await s3?.stop();
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true, force: true });
});

const bucketClient = () => new S3Client({ region: 'us-east-1', endpoint: s3.endpoint, forcePathStyle: true });
const settings = (more: Partial<StorageSettings> = {}): StorageSettings => ({
  dataDir: join(folder, 'data'),
  reserveBytes: 0,
  ...more,
});
const openFile = (more?: Partial<StorageSettings>) =>
  createStorage({ kind: 'file', dir: join(folder, 'files') }, settings(more));
const openBucket = (more?: Partial<StorageSettings>) =>
  createStorage(
    { kind: 's3', bucket: 'videos', prefix: 'a/b', endpoint: s3.endpoint, region: 'us-east-1' },
    settings(more),
  );

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
/** `total` bytes in chunks of various sizes. */
function* pieces(bytes: Buffer): Generator<Buffer> {
  for (let at = 0, step = 1; at < bytes.length; at += step, step = (step * 7) % 70_001) {
    yield bytes.subarray(at, at + step);
  }
}
/** Yields some bytes, then stalls until it is destroyed. */
function stuck(bytes: number): Readable {
  const stream = new Readable({ read() {} });
  stream.push(Buffer.alloc(bytes));
  return stream;
}

const kinds = [['file', openFile] as const, ...(s3Server ? [['s3', openBucket] as const] : [])];

describe.each(kinds)('%s storage', (kind, open) => {
  let storage: Storage;
  beforeAll(async () => {
    storage = await open();
  });
  afterAll(() => storage?.close());

  const keys = async (prefix: string) => (await listed(prefix)).map(({ key }) => key);
  async function listed(prefix: string) {
    const found: { key: string; size: number }[] = [];
    for await (const each of storage.list(prefix)) found.push(each);
    return found;
  }
  /** Unfinished files or uploads in this storage. */
  const unfinished = async () => {
    if (kind === 'file') return readdir(join(folder, 'files', '.partial'));
    const client = bucketClient();
    const { Uploads = [] } = await client.send(new ListMultipartUploadsCommand({ Bucket: 'videos' }));
    client.destroy();
    return Uploads.map(({ Key }) => Key!);
  };

  test('knows what it is', () => {
    expect(storage.kind).toBe(kind);
  });

  test('keeps small and large, streams and bytes, and says their size and SHA-256', async () => {
    const large = randomBytes(18 * 2 ** 20 + 17);
    expect(await storage.write('k/large', Readable.from(pieces(large)))).toEqual({
      size: large.length,
      sha256: sha256(large),
    });
    expect(await storage.write('k/small', Buffer.from('hello'))).toEqual({
      size: 5,
      sha256: sha256(Buffer.from('hello')),
    });
    expect((await storage.write('k/empty', Readable.from([]))).size).toBe(0);
    expect(sha256(await storage.readAll('k/large'))).toBe(sha256(large));
    expect((await storage.readAll('k/small')).toString()).toBe('hello');
    expect(await storage.readAll('k/empty')).toHaveLength(0);
    expect(await storage.stat('k/small')).toMatchObject({ size: 5 });
    expect(Date.now() - (await storage.stat('k/small'))!.modified.getTime()).toBeLessThan(60_000);
    expect(await unfinished()).toEqual([]);
  });

  test('reads ranges, both ends included', async () => {
    const bytes = randomBytes(300_000);
    await storage.write('r/file', bytes);
    const read = async (range: { start?: number; end?: number }) =>
      Buffer.concat(await (await storage.read('r/file', range)).toArray());
    expect(await read({ start: 10, end: 19 })).toEqual(bytes.subarray(10, 20));
    expect(await read({ start: 299_999 })).toEqual(bytes.subarray(299_999));
    expect(await read({ end: 4 })).toEqual(bytes.subarray(0, 5));
    expect(await read({ start: 0, end: 299_999 })).toEqual(bytes);
  });

  test('grows a file by pieces of any size, on any process, and forgets what was not kept', async () => {
    const whole = randomBytes(41 * 2 ** 20 + 11);
    const key = 'p/one/source';
    // Opened first: the test server dates all uploads in parts long ago, and what is that old is cleared away.
    const other = await open();
    let draft = EMPTY_OBJECT;
    const maxBytes = whole.length;
    const keep = async (next: PartialObject) => {
      draft = structuredClone(next);
    };
    const from = (start: number, end: number) => Readable.from(pieces(whole.subarray(start, end)));
    await storage.append(key, draft, from(0, 1000), { onCheckpoint: keep, maxBytes });
    expect(draft.size).toBe(1000);
    // Bytes after the last accepted checkpoint are dropped.
    const strange = Readable.from([randomBytes(20 * 2 ** 20)]);
    await storage.append(key, draft, strange, { onCheckpoint: async () => {}, maxBytes });
    // Bytes before a failure of the body are stored.
    async function* broken() {
      yield* pieces(whole.subarray(1000, 20 * 2 ** 20));
      throw new Error('broken');
    }
    await expect(other.append(key, draft, broken(), { onCheckpoint: keep, maxBytes })).rejects.toThrow('broken');
    expect(draft.size).toBe(20 * 2 ** 20);
    expect(await storage.stat(key)).toBeNull();
    await storage.append(key, draft, from(draft.size, whole.length), { onCheckpoint: keep, maxBytes });
    await storage.complete(key, draft);
    await other.complete(key, draft);
    await other.close();
    expect(sha256(await storage.readAll(key))).toBe(sha256(whole));
    expect(await keys('p/')).toEqual([key]);
    expect(await unfinished()).toEqual([]);
  });

  test('a file in pieces that goes leaves nothing, and cannot be gone on with', async () => {
    let draft = EMPTY_OBJECT;
    const onCheckpoint = async (next: PartialObject) => {
      draft = next;
    };
    const options = { onCheckpoint, maxBytes: 2 ** 30 };
    await storage.append('p/two/source', draft, Readable.from([randomBytes(17 * 2 ** 20)]), options);
    await storage.append('p/two/source', draft, Readable.from([Buffer.alloc(5)]), options);
    await storage.removeAll('p/two/');
    expect(await unfinished()).toEqual([]);
    expect(await keys('p/two/')).toEqual([]);
    const more = storage.append('p/two/source', draft, Readable.from([Buffer.alloc(5)]), options);
    await expect(more).rejects.toMatchObject({ code: 'file_not_found' });
    await expect(storage.complete('p/two/source', draft)).rejects.toMatchObject({ code: 'file_not_found' });
  });

  test('replaces a file as a whole', async () => {
    await storage.write('o/file', Buffer.from('before'));
    await storage.write('o/file', Buffer.from('after, and longer'));
    expect((await storage.readAll('o/file')).toString()).toBe('after, and longer');
  });

  test('says file_not_found for what is not there', async () => {
    const missing = { code: 'file_not_found', status: 404 };
    await expect(storage.read('n/none')).rejects.toMatchObject(missing);
    await expect(storage.readAll('n/none')).rejects.toMatchObject(missing);
    await expect(storage.local('n/none')).rejects.toMatchObject(missing);
    expect(await storage.stat('n/none')).toBeNull();
    await storage.remove('n/none');
    await storage.removeAll('n/');
    expect(await keys('n/')).toEqual([]);
  });

  test('stops at maxBytes and keeps what was there before', async () => {
    await storage.write('m/file', Buffer.from('good'));
    await expect(
      storage.write('m/file', Readable.from(pieces(randomBytes(400_000))), { maxBytes: 399_999 }),
    ).rejects.toMatchObject({ code: 'file_too_large', status: 413 });
    expect((await storage.readAll('m/file')).toString()).toBe('good');
    expect((await storage.write('m/file', Buffer.alloc(10), { maxBytes: 10 })).size).toBe(10);
    expect(await unfinished()).toEqual([]);
  });

  test('keeps nothing of a write that is aborted, and destroys its source', async () => {
    const controller = new AbortController();
    const source = stuck(20 * 2 ** 20);
    const writing = storage.write('a/file', source, { signal: controller.signal });
    setTimeout(() => controller.abort(new Error('gone')), 300);
    await expect(writing).rejects.toThrow('gone');
    expect(source.destroyed).toBe(true);
    expect(await storage.stat('a/file')).toBeNull();
    expect(await unfinished()).toEqual([]);
    await expect(storage.write('a/file', Buffer.alloc(1), { signal: controller.signal })).rejects.toThrow('gone');
    expect(await storage.stat('a/file')).toBeNull();
  });

  test('keeps nothing of a body that breaks off', async () => {
    const broken = Readable.from(
      (async function* () {
        yield Buffer.alloc(17 * 2 ** 20);
        throw new Error('connection lost');
      })(),
    );
    await expect(storage.write('b/file', broken)).rejects.toThrow('connection lost');
    const closed = stuck(10);
    setTimeout(() => closed.destroy(), 100);
    await expect(storage.write('b/file', closed)).rejects.toThrow();
    expect(await storage.stat('b/file')).toBeNull();
    expect(await unfinished()).toEqual([]);
  });

  test('lists and removes by folder, never a neighbor', async () => {
    for (const key of ['v/1/source', 'v/1/deep/er/x.bin', 'v/12/source', 'v/2/source']) {
      await storage.write(key, Buffer.from(key));
    }
    expect((await keys('v/')).sort()).toEqual(['v/1/deep/er/x.bin', 'v/1/source', 'v/12/source', 'v/2/source']);
    expect(await listed('v/2/')).toMatchObject([{ key: 'v/2/source', size: 10 }]);
    await storage.remove('v/2/source');
    await storage.removeAll('v/1/');
    expect(await keys('v/')).toEqual(['v/12/source']);
  });

  test('removes what is half written in a folder, and its writer hears of it', async () => {
    const source = stuck(17 * 2 ** 20);
    const writing = storage.write('h/1/source', source);
    const failed = expect(writing).rejects.toThrow();
    await vi.waitFor(async () => expect(await unfinished()).toHaveLength(1), { timeout: 30_000 });
    await storage.removeAll('h/1/');
    expect(await unfinished()).toEqual([]);
    source.destroy(new Error('over'));
    await failed;
    expect(await storage.stat('h/1/source')).toBeNull();
  });

  test('refuses keys that could leave their place', async () => {
    for (const key of ['../x', 'a/../b', '/abs', 'a//b', '.partial/x', 'a/.hidden', 'a b', 'a\0b', '', 'ä', 'x/']) {
      await expect(storage.write(key, Buffer.alloc(1)), key).rejects.toThrow('not a storage key');
      await expect(storage.read(key), key).rejects.toThrow('not a storage key');
    }
    await expect(storage.removeAll('v')).rejects.toThrow('not a storage prefix');
    await expect(storage.removeAll('/')).rejects.toThrow('not a storage key');
  });

  test('gives a local path, and takes it back', async () => {
    const bytes = randomBytes(100_000);
    await storage.write('l/file', bytes);
    const opened = await Promise.all([storage.local('l/file'), storage.local('l/file')]);
    expect(opened[0].path).toBe(opened[1].path);
    for (const file of opened) {
      expect(await readFile(file.path)).toEqual(bytes);
      await file[Symbol.asyncDispose]();
    }
    expect(sha256(await storage.readAll('l/file'))).toBe(sha256(bytes));
    await expect(storage.local('l/file', AbortSignal.abort(new Error('no')))).rejects.toThrow();
  });

  test('a URL to get the object from, where there is one', async () => {
    await storage.write('p/file', Buffer.from('film'));
    const url = await storage.presignedUrl('p/file', {
      expiresIn: 60,
      contentType: 'video/mp4',
      filename: 'Ä "b".mp4',
    });
    if (kind === 'file') return expect(url).toBeNull();
    const answer = await fetch(url!, { headers: { range: 'bytes=1-2' } });
    expect(answer.status).toBe(206);
    expect(await answer.text()).toBe('il');
    expect(new URL(url!).searchParams.get('X-Amz-Expires')).toBe('60');
    expect(new URL(url!).searchParams.get('response-content-type')).toBe('video/mp4');
  });
});

describe('file storage alone', () => {
  test('removes at start what dead processes left, and only that', async () => {
    const partial = join(folder, 'files', '.partial');
    const storage = await openFile();
    const source = stuck(100);
    const writing = storage.write('s/live', source);
    await vi.waitFor(async () => expect(await readdir(partial)).toHaveLength(1), 30_000);
    const [live] = await readdir(partial);
    const [host, pid] = live!.split('~').at(-1)!.split('-');
    // No process has this number: it is above what the system gives out.
    await writeFile(join(partial, `s~dead~${host}-4999999-aaaaaaaaaaaa`), 'x');
    await writeFile(join(partial, `s~before-us~${host}-${pid}-aaaaaaaaaaaa`), 'x');
    await utimes(join(partial, `s~before-us~${host}-${pid}-aaaaaaaaaaaa`), new Date(0), new Date(0));
    await writeFile(join(partial, 's~elsewhere~ffffffff-12-aaaaaaaaaaaa'), 'x');
    await writeFile(join(partial, 's~elsewhere-old~ffffffff-12-aaaaaaaaaaaa'), 'x');
    await utimes(join(partial, 's~elsewhere-old~ffffffff-12-aaaaaaaaaaaa'), new Date(0), new Date(0));

    await openFile();
    expect((await readdir(partial)).sort()).toEqual([live, 's~elsewhere~ffffffff-12-aaaaaaaaaaaa'].sort());
    source.destroy();
    await expect(writing).rejects.toThrow();
    await rm(join(partial, 's~elsewhere~ffffffff-12-aaaaaaaaaaaa'));
  });

  test('leaves the reserve free: a write that would use it is storage_full', async () => {
    const full = await openFile({ reserveBytes: 2 ** 60 });
    const refused = { code: 'storage_full', status: 507 };
    await expect(full.write('f/file', Buffer.alloc(1))).rejects.toMatchObject(refused);
    expect(await full.stat('f/file')).toBeNull();
    expect(await readdir(join(folder, 'files', '.partial'))).toEqual([]);
  });
});

const aloneS3 = () => {
  test('says which bucket cannot be used', async () => {
    const opening = createStorage(
      { kind: 's3', bucket: 'nope', prefix: '', endpoint: s3.endpoint, region: 'us-east-1' },
      settings(),
    );
    await expect(opening).rejects.toMatchObject({
      code: 'storage_unreachable',
      message: expect.stringContaining('nope'),
    });
  });

  test('local copies are bounded, the oldest go first, those in use stay', async () => {
    const storage = await openBucket({ dataDir: join(folder, 'bounded'), cacheBytes: 250 });
    const exists = (path: string) =>
      access(path).then(
        () => true,
        () => false,
      );
    for (const name of ['a', 'b', 'c']) await storage.write(`c/${name}`, Buffer.alloc(100, name));
    const a = await storage.local('c/a');
    const b = await storage.local('c/b');
    await b[Symbol.asyncDispose]();
    const c = await storage.local('c/c');
    expect(await Promise.all([a, b, c].map(({ path }) => exists(path)))).toEqual([true, false, true]);

    // A new version of the same key is a separate copy.
    await storage.write('c/c', Buffer.alloc(100, 'd'));
    const d = await storage.local('c/c');
    expect((await readFile(d.path)).toString()).toBe('d'.repeat(100));
    expect((await readFile(c.path)).toString()).toBe('c'.repeat(100));
    await storage.close();
    expect(await readdir(join(folder, 'bounded', 'cache', 's3'))).toEqual([]);
  });

  test('copies that were removed behind its back are fetched again', async () => {
    const dataDir = join(folder, 'removed');
    const storage = await openBucket({ dataDir });
    await storage.write('c/a', Buffer.from('film'));
    await (await storage.local('c/a'))[Symbol.asyncDispose]();
    await rm(join(dataDir, 'cache', 's3'), { recursive: true });
    await using again = await storage.local('c/a');
    expect((await readFile(again.path)).toString()).toBe('film');
    await storage.close();
  });
};
if (s3Server) describe('s3 storage alone', aloneS3);
