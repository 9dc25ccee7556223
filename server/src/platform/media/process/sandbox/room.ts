import { createHash } from 'node:crypto';
import { chmodSync, chownSync, constants, existsSync, mkdirSync, mkdtempSync, realpathSync } from 'node:fs';
import { chmod, chown, copyFile, link, lstat, mkdir, readdir, realpath, rename, rm, stat } from 'node:fs/promises';
import { basename, extname, join, resolve, sep } from 'node:path';
import type { Log } from '../../../log.ts';
import { linkCompileCache } from '../compile-cache.ts';
import { othersCanRead, type ProcessAccount } from './account.ts';

/** Files of a task, as absolute paths that its arguments contain. */
export type TaskFiles = {
  /** Files that it reads. */
  reads?: readonly string[];
  /** Files that it writes, or existing folders that it writes files into. */
  writes?: readonly string[];
};

/** A task whose files are in place. */
export type PreparedTask = {
  args: unknown;
  /** Moves what was written to its place, and returns the result with the paths of these places. */
  publish(result: unknown): Promise<unknown>;
  /** Removes the files of the task from the folder of the process. */
  clear(): Promise<void>;
};

export type RoomSettings = {
  tempDir: string;
  /** Null for a process that runs as the user of the service. */
  account: ProcessAccount | null;
  /** False for a process that reaches files by their own paths. */
  hasOwnFiles: boolean;
  /** True for a process that reads files whatever their mode is. */
  keepsReading: boolean;
  /** Folder of compiled modules, if it reads any. */
  cache: string | null;
  /** Files that the process may read at their own paths. */
  readable: readonly string[];
  /** Folders whose files may become readable for the group of media processes. */
  ownFolders: readonly string[];
  log: Log;
};

/** The folder of a process as the process sees it, which needs no access to the folders above it. */
const SEEN = '/proc/self/cwd';
const IN = 'in';
const OUT = 'out';
const CACHE = 'compiled';
const SHARED = 'shared-';

export type Room = {
  path: string;
  /** Folder for temporary files, as the process sees it. */
  temp: string;
  /** Folder of compiled modules, as the process sees it. */
  cache: string | null;
  /** Folders that the process may read and write, relative to its own, which it may not reach from above. */
  readable: readonly string[];
  writable: readonly string[];
  prepare(args: unknown, files: TaskFiles): Promise<PreparedTask>;
  remove(): Promise<void>;
};

/**
 * Creates the folder of one media process. A pooled process cannot be handed open files later, so that the files of its
 * task are linked into this folder, and what it writes is moved out of it.
 */
export function openRoom(settings: RoomSettings): Room {
  const { tempDir, account, hasOwnFiles, keepsReading, ownFolders, log } = settings;
  const path = mkdtempSync(join(tempDir, 'sightline-media-'));
  const out = join(path, OUT);
  let next = 1;
  const remove = () => rm(path, { recursive: true, force: true }).catch(() => {});
  if (!hasOwnFiles) {
    const prepare = async (args: unknown) => ({
      args,
      publish: async (result: unknown) => result,
      clear: async () => {},
    });
    return { path, temp: path, cache: settings.cache, readable: [], writable: [], prepare, remove };
  }
  mkdirSync(join(path, IN), { mode: 0o711 });
  mkdirSync(out, { mode: 0o700 });
  if (account) {
    // Before the process starts, which opens its folders at once.
    for (const folder of [path, join(path, IN)]) chmodSync(folder, 0o711);
    chownSync(out, account.uid, account.gid);
  }
  const cache = account && settings.cache && linkCompileCache(settings.cache, join(path, CACHE), account);
  // Rules for a folder are those for what a link to it names.
  const readable = settings.readable.map(realPathOf);

  /** Puts a file into the folder. Returns its path there, or its own if the process can read that. */
  async function place(named: string, id: number): Promise<string> {
    // A hard link to a symbolic link would lead out of the folder.
    const source = await realpath(named);
    const isShared = readable.some((folder) => isInside(folder, source));
    if (isShared && (account === null || keepsReading || othersCanRead(source))) return source;
    const name = `${isShared ? await sharedName(source) : id}${safeExtension(source)}`;
    const target = join(path, IN, name);
    if (isShared && existsSync(target)) return `${SEEN}/${IN}/${name}`;
    await link(source, target)
      .then(() => (account && !keepsReading ? grantFile(target, source) : undefined))
      .catch(async (error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') throw error;
        await rm(target, { force: true });
        await copyFile(source, target, constants.COPYFILE_FICLONE);
        if (account) await chown(target, 0, account.gid);
        await chmod(target, 0o640);
        log.warn({ source, code: error.code }, COPIED);
      });
    return `${SEEN}/${IN}/${name}`;
  }

  /** Lets the group of media processes read a file of the service; refuses those of others. */
  async function grantFile(target: string, source: string): Promise<void> {
    const { mode, uid, gid } = await stat(target);
    if ((mode & 0o004) !== 0 || (gid === account!.gid && (mode & 0o040) !== 0)) return;
    if (!ownFolders.some((folder) => isInside(folder, source))) throw new Error('it is not a file of the service');
    await chown(target, uid, account!.gid);
    await chmod(target, (mode & 0o777) | 0o040);
  }

  async function prepare(args: unknown, { reads = [], writes = [] }: TaskFiles): Promise<PreparedTask> {
    const id = next++;
    const seen = new Map<string, string>();
    const written: { target: string; folder: string; isFolder: boolean; seen: string }[] = [];
    for (const [i, source] of [...new Set(reads)].entries())
      seen.set(source, await place(resolve(source), id * 1_000 + i));
    for (const [i, target] of writes.entries()) {
      const isFolder = (await stat(target).catch(() => null))?.isDirectory() ?? false;
      const name = `${id}-${i}`;
      const folder = join(out, name);
      await mkdir(folder, { mode: 0o700 });
      if (account) await chown(folder, account.uid, account.gid);
      const inside = `${SEEN}/${OUT}/${name}`;
      const path = isFolder ? inside : `${inside}/${basename(target)}`;
      seen.set(target, path);
      written.push({ target: resolve(target), folder, isFolder, seen: path });
    }
    return {
      args: replaceStrings(args, (text) => seen.get(text) ?? text),
      async publish(result) {
        for (const { target, folder, isFolder } of written) {
          const names = isFolder ? await readdir(folder) : [basename(target)];
          for (const name of names) await takeFile(join(folder, name), isFolder ? join(target, name) : target);
        }
        return replaceStrings(result, (text) => {
          const from = written.find((each) => text === each.seen || text.startsWith(`${each.seen}/`));
          if (!from) return text;
          const found = join(from.target, text.slice(from.seen.length));
          if (!isInside(from.target, found)) throw new Error('a media process returned a path outside of its folder');
          return found;
        });
      },
      async clear() {
        const files = [...seen.values()].filter((each) => each.startsWith(`${SEEN}/${IN}/`) && !each.includes(SHARED));
        for (const each of files) await rm(join(path, IN, basename(each)), { force: true });
        for (const { folder } of written) await rm(folder, { recursive: true, force: true });
      },
    };
  }

  /** Moves a file that the process wrote. It may have put anything there, such as a link to a file of the service. */
  async function takeFile(from: string, to: string): Promise<void> {
    // The process cannot change what is in this folder.
    const held = join(path, IN, `${next++}.taken`);
    try {
      await rename(from, held);
      const entry = await lstat(held);
      if (!entry.isFile() || entry.nlink !== 1) throw new Error('a media process wrote something that is not a file');
      if (account) await chown(held, 0, 0);
      await chmod(held, 0o600);
      await rename(held, to).catch(async (error: NodeJS.ErrnoException) => {
        if (error.code !== 'EXDEV') throw error;
        await copyFile(held, to);
      });
    } finally {
      await rm(held, { recursive: true, force: true });
    }
  }

  return {
    path,
    temp: `${SEEN}/${OUT}`,
    cache: cache ? `${SEEN}/${CACHE}` : settings.cache,
    readable: cache ? [IN, CACHE] : [IN],
    writable: [OUT],
    prepare,
    remove,
  };
}

/** The path without symbolic links; the same if there is no such file yet. */
function realPathOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

const COPIED =
  'a file was copied for a media process, because it cannot be linked: it is in another file system or of another user';

const isInside = (folder: string, path: string): boolean =>
  path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);

/** Files that all processes may read, such as models, stay under one name, so that tasks can keep them open. */
async function sharedName(source: string): Promise<string> {
  const { mtimeMs, size } = await stat(source);
  return SHARED + createHash('sha256').update(`${source} ${mtimeMs} ${size}`).digest('hex').slice(0, 24);
}

/** Libraries choose readers by it. */
const safeExtension = (path: string): string => extname(path).match(/^\.[A-Za-z0-9]{1,10}$/)?.[0] ?? '';

/** Replaces strings in plain objects and lists. */
function replaceStrings(value: unknown, replace: (text: string) => string): unknown {
  if (typeof value === 'string') return replace(value);
  if (Array.isArray(value)) return value.map((each) => replaceStrings(each, replace));
  if (value === null || typeof value !== 'object') return value;
  const prototype = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, replaceStrings(each, replace)]));
}
