import { link, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { createLog } from '#platform/log';
import { temporaryFolder } from '#test/temporary-folder';
import { COMPILER } from './account.ts';
import { openRoom, type Room, type RoomSettings } from './room.ts';

const rooms: Room[] = [];
afterEach(async () => {
  for (const room of rooms.splice(0)) await room.remove();
});

async function open(settings: Partial<RoomSettings> = {}): Promise<Room> {
  const tempDir = await temporaryFolder();
  const room = openRoom({
    tempDir,
    account: null,
    hasOwnFiles: true,
    keepsReading: false,
    cache: null,
    readable: [],
    ownFolders: [tempDir],
    log: createLog('silent'),
    ...settings,
  });
  rooms.push(room);
  return room;
}

/** The file at a path of the process, seen from outside. */
const outside = (room: Room, path: string) => path.replace('/proc/self/cwd', room.path);

test('a file of a task is linked, not copied, and removed after the task', async () => {
  const folder = await temporaryFolder();
  const path = join(folder, 'a.mp4');
  await writeFile(path, 'video');
  const room = await open({ tempDir: folder });
  const prepared = await room.prepare({ path, others: [path] }, { reads: [path] });
  const args = prepared.args as { path: string; others: string[] };
  expect(args.others).toEqual([args.path]);
  expect((await stat(outside(room, args.path))).ino).toBe((await stat(path)).ino);
  await prepared.clear();
  expect(await readdir(join(room.path, 'in'))).toEqual([]);
  expect(await readFile(path, 'utf8')).toBe('video');
});

test('a task gets the file that a symbolic link names, at a path that leads nowhere else', async () => {
  const folder = await temporaryFolder();
  await mkdir(join(folder, 'blobs'));
  await mkdir(join(folder, 'models'));
  const [blob, name] = [join(folder, 'blobs/abc'), join(folder, 'models/model.onnx')];
  await writeFile(blob, 'weights');
  await symlink(blob, name);
  // As caches of models do, the folder that processes may read has links to files elsewhere.
  const room = await open({ readable: [join(folder, 'models')] });
  const { args } = await room.prepare({ weights: name }, { reads: [name] });
  const { weights } = args as { weights: string };
  expect(weights).toMatch(/^\/proc\/self\/cwd\/in\//);
  expect((await stat(outside(room, weights))).ino).toBe((await stat(blob)).ino);
  expect(await readFile(outside(room, weights), 'utf8')).toBe('weights');
});

test('files of a folder that processes may read keep their paths, also behind a link to the folder', async () => {
  const folder = await temporaryFolder();
  await mkdir(join(folder, 'real'));
  const file = join(folder, 'real/model.onnx');
  await writeFile(file, 'weights');
  await symlink(join(folder, 'real'), join(folder, 'linked'));
  const room = await open({ readable: [join(folder, 'linked')] });
  const named = join(folder, 'linked/model.onnx');
  const { args } = await room.prepare({ weights: named }, { reads: [named] });
  expect(args).toEqual({ weights: file });
});

test('a missing file is an error before the task starts', async () => {
  const room = await open();
  await expect(room.prepare({}, { reads: ['/nowhere/a.mp4'] })).rejects.toMatchObject({ code: 'ENOENT' });
});

test.each([
  ['a symbolic link', (path: string, secret: string) => symlink(secret, path)],
  ['a hard link', (path: string, secret: string) => link(secret, path)],
  ['a folder', (path: string) => mkdir(path)],
])('%s that a process leaves in place of its file is not published', async (_, leave) => {
  const folder = await temporaryFolder();
  const [secret, target] = [join(folder, 'secret'), join(folder, 'out.mp4')];
  await writeFile(secret, 'secret');
  const room = await open({ tempDir: folder });
  const prepared = await room.prepare({ target }, { writes: [target] });
  await leave(outside(room, (prepared.args as { target: string }).target), secret);
  await expect(prepared.publish(null)).rejects.toThrow('is not a file');
  await expect(stat(target)).rejects.toMatchObject({ code: 'ENOENT' });
});

test('a path in a result that leads out of the folder is refused', async () => {
  const folder = await temporaryFolder();
  const room = await open();
  const prepared = await room.prepare({ folder }, { writes: [folder] });
  const inside = (prepared.args as { folder: string }).folder;
  await writeFile(join(outside(room, inside), 'one.mp4'), 'video');
  await expect(prepared.publish({ path: `${inside}/../../../../etc/passwd` })).rejects.toThrow('outside of its folder');
  expect(await prepared.publish({ path: `${inside}/one.mp4` })).toEqual({ path: join(folder, 'one.mp4') });
});

test.runIf(process.getuid?.() === 0)(
  'a user finds what the compiler wrote, and leaves nothing in the cache',
  async () => {
    const cache = await mkdtemp(join(tmpdir(), 'sightline-cache-'));
    try {
      await mkdir(join(cache, `v24-x64-${COMPILER.uid}`));
      await writeFile(join(cache, `v24-x64-${COMPILER.uid}`, 'module'), 'code');
      const room = await open({ cache, account: { uid: 61_300, gid: COMPILER.gid } });
      const seen = outside(room, room.cache!);
      expect(await readFile(join(seen, 'v24-x64-61300/module'), 'utf8')).toBe('code');
      expect(await readdir(cache)).toEqual([`v24-x64-${COMPILER.uid}`]);
    } finally {
      await rm(cache, { recursive: true, force: true });
    }
  },
);
