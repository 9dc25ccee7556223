import type { Events } from '#features/events/index';
import type { Database } from '#platform/db/index';
import { faultOf } from './state.ts';
import * as store from './store.ts';
import type { Camera } from './types.ts';

export type CameraFaultsDeps = { database: Database; events: Pick<Events, 'publish'> };

/** Stores and publishes when cameras start to send nothing, or a black or frozen picture, and when they recover. */
export function createFaults({ database, events }: CameraFaultsDeps) {
  /** Compares a camera with its stored faults, and stores and publishes what has changed. */
  async function update(cameraId: string): Promise<void> {
    await database.transaction(async (trx) => {
      const camera = await store.lockCamera(trx, cameraId);
      if (!camera) return;
      const at = new Date();
      const fault = faultOf(camera, at);
      const open = await store.listOpenFaults(trx, [cameraId]);
      const publish = async (stored: store.StoredFault, endedAt: Date | null) => {
        if ((camera.mutedUntil ?? 0) > at) return;
        const { orgId, folderId, name, session } = camera;
        const { id: faultId, kind, message, startedAt } = stored;
        const place = { orgId, folderId, cameraId, name, sessionId: session?.id ?? null };
        await events.publish(trx, 'camera.fault', { ...place, faultId, kind, message, startedAt, endedAt });
      };
      for (const stored of open.filter(({ kind }) => kind !== fault?.kind)) {
        await store.endFault(trx, stored.id, at);
        await publish(stored, at);
      }
      const isNew = fault && !open.some(({ kind }) => kind === fault.kind);
      if (isNew) await publish(await store.insertFault(trx, cameraId, fault), null);
    });
  }

  return {
    /** Updates the faults of these cameras. */
    async follow(cameras: readonly Camera[]): Promise<void> {
      const ids = cameras.map(({ id }) => id);
      const open = Map.groupBy(await store.listOpenFaults(database.db, ids), ({ cameraId }) => cameraId);
      for (const camera of cameras) {
        const kinds = (open.get(camera.id) ?? []).map(({ kind }) => kind);
        const fault = faultOf(camera);
        if (kinds.join() !== (fault?.kind ?? '')) await update(camera.id);
      }
    },
  };
}

export type CameraFaults = ReturnType<typeof createFaults>;
