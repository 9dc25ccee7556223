import type { Transaction } from '#platform/db/index';
import { type DiskSpace, storageProblems } from '#platform/storage/index';
import { problems } from './problems.ts';
import * as store from './store.ts';

const RETRY_AFTER_S = 60;
const UNITS = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB'];

export type ReservationsDeps = {
  diskSpace: Pick<DiskSpace, 'freeBytes'>;
  /** Resumable and direct uploads of an organization that may be open at the same time. */
  maxOpen: number;
};

/** Room for uploads that have not arrived: on the disk for all organizations, and in number for each. */
export function createReservations({ diskSpace, maxOpen }: ReservationsDeps) {
  return {
    /**
     * Throws `too_many_uploads` (429) if the organization has as many open uploads as it may. Concurrent calls of an
     * organization wait for one another, because its usage is locked.
     */
    async requireOpenable(trx: Transaction, orgId: string): Promise<void> {
      if ((await store.countOpen(trx, orgId, maxOpen)) < maxOpen) return;
      throw problems.too_many_uploads(
        `Your organization has ${maxOpen} open uploads, which is the maximum: complete or end some of them. Those without a request expire after three days.`,
        { headers: { 'retry-after': String(RETRY_AFTER_S) } },
      );
    },

    /**
     * Throws `storage_full` (507) if the disk has no room for these bytes beside the rest of all open uploads.
     * Concurrent calls wait for one another until their transactions end.
     */
    async requireRoom(trx: Transaction, bytes: number): Promise<void> {
      const freeBytes = await diskSpace.freeBytes();
      if (freeBytes === null) return;
      const room = freeBytes - (await store.sumReserved(trx));
      if (bytes <= room) return;
      throw storageProblems.storage_full(
        `This upload has ${formatBytes(bytes)}, and the disk of this service has room for ${formatBytes(Math.max(0, room))} beside the uploads that are open. Complete or end those, or free some space, then start it again.`,
      );
    },
  };
}

export type Reservations = ReturnType<typeof createReservations>;

/** `1.5 GiB`; rounded down. */
function formatBytes(bytes: number): string {
  const unit = Math.min(UNITS.length - 1, Math.floor(Math.log2(Math.max(1, bytes)) / 10));
  return `${Math.floor((bytes / 1024 ** unit) * 10) / 10} ${UNITS[unit]}`;
}
