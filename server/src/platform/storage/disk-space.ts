import { randomBytes } from 'node:crypto';
import { open, rename, rm, stat, statfs } from 'node:fs/promises';
import { problems } from './problems.ts';

/** Free bytes to leave, so that a database on the same disk can finish its transactions. */
export const RESERVE_BYTES = 256 * 2 ** 20;
/** Lifetime of a measurement. */
const MEASUREMENT_TTL_MS = 1_000;
/** Size of the file that is set aside for deletions: two segments of the database's log. */
const SET_ASIDE_BYTES = 32 * 2 ** 20;
const CHUNK_BYTES = 2 ** 20;

/** Checks free space on the local disks that the service writes to. */
export interface DiskSpace {
  /** Throws `storage_full` (507) if a disk has less than the reserve. Folders that cannot be measured are ignored. */
  ensureFree(): Promise<void>;
  /** Bytes that may be written, on the fullest of the disks; null without one that can be measured. */
  freeBytes(): Promise<number | null>;
  /**
   * Frees the space that is set aside if a disk has almost none: a deletion is recorded before its files go, which
   * needs some. It is set aside again once the disk has room.
   */
  makeRoom(): Promise<void>;
}

type DiskSpaceOptions = {
  /** File that takes the space that is set aside; none by default. */
  setAside?: string;
  reserveBytes?: number;
};

/** Checks the file systems of `folders`. Without folders (S3 and external database) the check always passes. */
export function createDiskSpace(
  folders: readonly string[],
  { setAside, reserveBytes = RESERVE_BYTES }: DiskSpaceOptions = {},
): DiskSpace {
  let measuredAt = Number.NEGATIVE_INFINITY;
  let measured = Promise.resolve(Number.POSITIVE_INFINITY);
  let filling: Promise<void> | null = null;

  async function measure(): Promise<number> {
    const free = await Promise.all(
      folders.map((folder) =>
        statfs(folder).then(
          ({ bavail, bsize }) => bavail * bsize,
          () => Number.POSITIVE_INFINITY,
        ),
      ),
    );
    return Math.min(...free);
  }

  /** Sets space aside in the background, where there is much more. */
  async function fill(file: string, freeBytes: number): Promise<void> {
    if (filling || freeBytes < reserveBytes + 2 * SET_ASIDE_BYTES || (await sizeOf(file)) >= SET_ASIDE_BYTES) return;
    filling ??= writeFilled(file)
      .catch(() => {})
      .finally(() => {
        filling = null;
      });
  }

  return {
    async ensureFree() {
      if (performance.now() - measuredAt >= MEASUREMENT_TTL_MS) {
        measuredAt = performance.now();
        measured = measure();
        if (setAside !== undefined) await fill(setAside, await measured);
      }
      if ((await measured) < reserveBytes) throw problems.storage_full(FULL_MESSAGE);
    },
    async freeBytes() {
      const bytes = await measure();
      return bytes === Number.POSITIVE_INFINITY ? null : Math.max(0, bytes - reserveBytes);
    },
    async makeRoom() {
      if (setAside !== undefined && (await measure()) < SET_ASIDE_BYTES) await rm(setAside, { force: true });
    },
  };
}

const sizeOf = (file: string): Promise<number> =>
  stat(file).then(
    ({ size }) => size,
    () => 0,
  );

/** Writes a file whose bytes a file system neither leaves out nor compresses. */
async function writeFilled(file: string): Promise<void> {
  const partial = `${file}.part`;
  try {
    await using handle = await open(partial, 'w', 0o600);
    const chunk = randomBytes(CHUNK_BYTES);
    for (let size = 0; size < SET_ASIDE_BYTES; size += chunk.length) await handle.write(chunk);
    await rename(partial, file);
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
}

const FULL_MESSAGE =
  'The disk of this service is full, so nothing was changed. Erase some videos, or free some space, then send the request again.';
