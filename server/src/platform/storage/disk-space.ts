import { statfs } from 'node:fs/promises';
import { problems } from './problems.ts';

/** Free bytes to leave, so that a database on the same disk can finish its transactions. */
export const RESERVE_BYTES = 256 * 2 ** 20;
/** Lifetime of a measurement. */
const MEASUREMENT_TTL_MS = 1_000;

/** Checks free space on the local disks that the service writes to. */
export interface DiskSpace {
  /** Throws `storage_full` (507) if a disk has less than the reserve. Folders that cannot be measured are ignored. */
  ensureFree(): Promise<void>;
  /** Bytes that may be written, on the fullest of the disks; null without one that can be measured. */
  freeBytes(): Promise<number | null>;
}

/** Checks the file systems of `folders`. Without folders (S3 and external database) the check always passes. */
export function createDiskSpace(folders: readonly string[], reserveBytes = RESERVE_BYTES): DiskSpace {
  let measuredAt = Number.NEGATIVE_INFINITY;
  let measured = Promise.resolve(Number.POSITIVE_INFINITY);
  const measure = async () => {
    const free = await Promise.all(
      folders.map((folder) =>
        statfs(folder).then(
          ({ bavail, bsize }) => bavail * bsize,
          () => Number.POSITIVE_INFINITY,
        ),
      ),
    );
    return Math.min(...free) - reserveBytes;
  };
  return {
    async ensureFree() {
      if (performance.now() - measuredAt >= MEASUREMENT_TTL_MS) {
        measuredAt = performance.now();
        measured = measure();
      }
      if ((await measured) < 0) throw problems.storage_full(FULL_MESSAGE);
    },
    async freeBytes() {
      const bytes = await measure();
      return bytes === Number.POSITIVE_INFINITY ? null : Math.max(0, bytes);
    },
  };
}

const FULL_MESSAGE =
  'The disk of this service is full, so nothing was changed. Free some space and send the request again.';
