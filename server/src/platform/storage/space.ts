import { statfs } from 'node:fs/promises';
import { problems } from './problems.ts';

/** Bytes that stay free: the database beside the files needs them to finish what it has accepted. */
export const RESERVE_BYTES = 256 * 2 ** 20;
/** How long a measurement is believed, in milliseconds. */
const BELIEVED_MS = 1_000;

/** Whether the local disks that the service writes to have room. */
export interface Space {
  /** Throws `storage_full` (507) when a disk has less than the reserve. A folder that cannot be measured refuses nothing. */
  require(): Promise<void>;
}

/** Watches the file systems of these folders; without folders (bucket and external database) there is always room. */
export function createSpace(folders: readonly string[], reserveBytes = RESERVE_BYTES): Space {
  let measuredAt = Number.NEGATIVE_INFINITY;
  let full = Promise.resolve(false);
  const measure = async () => {
    const free = await Promise.all(
      folders.map((folder) =>
        statfs(folder).then(
          ({ bavail, bsize }) => bavail * bsize,
          () => Number.POSITIVE_INFINITY,
        ),
      ),
    );
    return free.some((bytes) => bytes < reserveBytes);
  };
  return {
    async require() {
      if (performance.now() - measuredAt >= BELIEVED_MS) {
        measuredAt = performance.now();
        full = measure();
      }
      if (await full) throw problems.storage_full(FULL);
    },
  };
}

const FULL = 'The disk of this service is full, so nothing was changed. Free some space, then send the request again.';
