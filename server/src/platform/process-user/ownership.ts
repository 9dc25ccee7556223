import {
  closeSync,
  constants,
  type Dirent,
  fchmodSync,
  fchownSync,
  fstatSync,
  lchownSync,
  lstatSync,
  opendirSync,
  openSync,
  type Stats,
} from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';

export type FolderOwner = { uid: number; gid: number };

export type OwnershipOptions = {
  signal: AbortSignal;
  /** Called every few thousand files, with the number of those that were looked at. */
  onProgress?: (seen: number) => void;
};

/** Files between two pauses, in which an interruption is noticed. */
const BATCH = 5_000;
/** Each level has an open folder. */
const MAX_DEPTH = 64;

const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW, O_NONBLOCK } = constants;
const FOLDER = O_RDONLY | O_DIRECTORY | O_NOFOLLOW;
const FILE = O_RDONLY | O_NOFOLLOW | O_NONBLOCK;

/** A file with several names. All of them must be in the folder: another one may be a file of the system. */
type SharedFile = { names: string[]; links: number };

/**
 * Gives a folder and all that it contains to another user. For root, on Linux. Changes only what it has open, or a link
 * itself, and never follows links; files that also have a name outside of the folder are an error. While it works, only
 * root can enter the folder. After an interruption, the next call continues: what belongs to the user already is only
 * looked at. Returns the number of changed entries.
 */
export async function giveFolder(path: string, owner: FolderOwner, options: OwnershipOptions): Promise<number> {
  const top = openSync(path, FOLDER);
  try {
    const { mode } = fstatSync(top);
    fchownSync(top, 0, 0);
    fchmodSync(top, 0o700);
    const walk = { owner, ...options, shared: new Map<string, SharedFile>(), seen: 0, changed: 0 };
    await giveContent(top, path, 1, walk);
    for (const file of walk.shared.values()) giveShared(file, walk);
    fchownSync(top, owner.uid, owner.gid);
    fchmodSync(top, mode & 0o777);
    return walk.changed + 1;
  } finally {
    closeSync(top);
  }
}

type Walk = OwnershipOptions & {
  owner: FolderOwner;
  shared: Map<string, SharedFile>;
  seen: number;
  changed: number;
};

const owns = ({ uid, gid }: FolderOwner, found: Stats) => found.uid === uid && found.gid === gid;

async function giveContent(folder: number, path: string, depth: number, walk: Walk): Promise<void> {
  if (depth > MAX_DEPTH) throw new Error(`${path} has more than ${MAX_DEPTH} levels of folders.`);
  // The path of an open folder, whatever its names are meanwhile.
  const open = `/proc/self/fd/${folder}`;
  const entries = opendirSync(open, { bufferSize: 256 });
  try {
    for (let entry = entries.readSync(); entry; entry = entries.readSync()) {
      if (++walk.seen % BATCH === 0) {
        walk.onProgress?.(walk.seen);
        await setImmediate();
      }
      walk.signal.throwIfAborted();
      await giveEntry(entry, join(open, entry.name), join(path, entry.name), depth, walk);
    }
  } finally {
    entries.closeSync();
  }
}

async function giveEntry(entry: Dirent, at: string, path: string, depth: number, walk: Walk): Promise<void> {
  if (!entry.isDirectory() && !entry.isFile()) {
    // A link, a socket, a pipe. `lchown` changes the link.
    if (owns(walk.owner, lstatSync(at))) return;
    lchownSync(at, walk.owner.uid, walk.owner.gid);
    walk.changed++;
    return;
  }
  const opened = openSync(at, entry.isDirectory() ? FOLDER : FILE);
  try {
    const found = fstatSync(opened);
    if (found.isDirectory()) await giveContent(opened, path, depth + 1, walk);
    else if (found.nlink > 1 && !owns(walk.owner, found)) return noteShared(found, path, walk);
    give(opened, found, walk);
  } finally {
    closeSync(opened);
  }
}

function give(opened: number, found: Stats, walk: Walk): void {
  if (owns(walk.owner, found)) return;
  fchownSync(opened, walk.owner.uid, walk.owner.gid);
  walk.changed++;
}

function noteShared({ dev, ino, nlink }: Stats, path: string, { shared }: Walk): void {
  const file = shared.get(`${dev}:${ino}`) ?? { names: [], links: nlink };
  file.names.push(path);
  shared.set(`${dev}:${ino}`, file);
}

function giveShared({ names, links }: SharedFile, walk: Walk): void {
  if (names.length < links) {
    throw new Error(
      `${names[0]} is also the file of another path, outside of the data folder. Copy it, or remove one of the two names.`,
    );
  }
  const opened = openSync(names[0]!, FILE);
  try {
    give(opened, fstatSync(opened), walk);
  } finally {
    closeSync(opened);
  }
}
