import {
  chmodSync,
  chownSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { giveFolder } from './ownership.ts';

const OWNER = { uid: 61_001, gid: 61_002 };
const signal = new AbortController().signal;

let outside: string;
let folder: string;
beforeEach(() => {
  outside = mkdtempSync(join(tmpdir(), 'ownership-'));
  folder = join(outside, 'data');
  mkdirSync(join(folder, 'files', 'aa'), { recursive: true });
  chmodSync(folder, 0o750);
  writeFileSync(join(folder, 'secret'), 'x', { mode: 0o600 });
  for (let n = 0; n < 20; n++) writeFileSync(join(folder, 'files', 'aa', `${n}.mp4`), 'x');
  // As those of PostgreSQL, which root starts as another user.
  chownSync(join(folder, 'files', 'aa', '3.mp4'), 65_534, 65_534);
});
afterEach(() => rmSync(outside, { recursive: true, force: true }));

const everything = () => ['', ...readdirSync(folder, { recursive: true, encoding: 'utf8' })];
const owners = () => [...new Set(everything().map((name) => ownerOf(join(folder, name))))];
const ownerOf = (path: string) => `${lstatSync(path).uid}:${lstatSync(path).gid}`;
const GIVEN = `${OWNER.uid}:${OWNER.gid}`;

describe.runIf(process.getuid?.() === 0)('giving a folder to another user', () => {
  test('gives all that it contains, keeps modes, and changes nothing twice', async () => {
    expect(await giveFolder(folder, OWNER, { signal })).toBe(24);
    expect(owners()).toEqual([GIVEN]);
    expect(statSync(folder).mode & 0o777).toBe(0o750);
    expect(statSync(join(folder, 'secret')).mode & 0o777).toBe(0o600);
    expect(await giveFolder(folder, OWNER, { signal })).toBe(1);
  });

  test('changes links themselves, and nothing that they name', async () => {
    const [file, other] = [join(outside, 'shadow'), join(outside, 'etc')];
    writeFileSync(file, 'x');
    mkdirSync(other);
    writeFileSync(join(other, 'passwd'), 'x');
    symlinkSync(file, join(folder, 'link'));
    symlinkSync(other, join(folder, 'files', 'folder'));
    symlinkSync('/nowhere', join(folder, 'files', 'broken'));
    await giveFolder(folder, OWNER, { signal });
    expect([file, other, join(other, 'passwd')].map(ownerOf)).toEqual(['0:0', '0:0', '0:0']);
    expect(['link', 'files/folder', 'files/broken'].map((name) => ownerOf(join(folder, name)))).toEqual(
      Array(3).fill(GIVEN),
    );
    symlinkSync(folder, join(outside, 'alias'));
    await expect(giveFolder(join(outside, 'alias'), OWNER, { signal })).rejects.toThrow(/ENOTDIR|ELOOP/);
  });

  test('refuses a file that also has a name outside, and gives one with several names inside', async () => {
    linkSync(join(folder, 'secret'), join(folder, 'files', 'in-use'));
    await giveFolder(folder, OWNER, { signal });
    expect(ownerOf(join(folder, 'secret'))).toBe(GIVEN);
    const file = join(outside, 'shadow');
    writeFileSync(file, 'x');
    linkSync(file, join(folder, 'files', 'mine'));
    await expect(giveFolder(folder, OWNER, { signal })).rejects.toThrow(
      `${join(folder, 'files', 'mine')} is also the file of another path`,
    );
    expect(ownerOf(file)).toBe('0:0');
  });

  test('continues after an interruption, during which only root can enter the folder', async () => {
    const controller = new AbortController();
    for (let n = 0; n < 6_000; n++) writeFileSync(join(folder, 'files', `${n}.bin`), '');
    const interrupted = giveFolder(folder, OWNER, {
      signal: controller.signal,
      onProgress: () => controller.abort(new Error('interrupted')),
    });
    await expect(interrupted).rejects.toThrow('interrupted');
    expect(owners().sort()).toEqual(expect.arrayContaining(['0:0', GIVEN]));
    expect([ownerOf(folder), statSync(folder).mode & 0o777]).toEqual(['0:0', 0o700]);
    const changed = await giveFolder(folder, OWNER, { signal });
    expect(changed).toBeLessThan(5_000);
    expect(owners()).toEqual([GIVEN]);
  });
});
