import type { Database } from '#platform/db/index';
import type { Sealer } from '#platform/secrets/index';
import { reseal, sealed } from './follow-store.ts';
import { sealOf } from './service.ts';

/** Seals the sources of sessions that go on with the present root secret. Returns how many were sealed anew. */
export async function rotateSources({ database, sealer }: { database: Database; sealer: Sealer }): Promise<number> {
  let rotated = 0;
  for (const { id, secret } of await sealed(database.db)) {
    const fresh = sealer.rewrap(sealOf(id), secret);
    if (fresh && (await reseal(database.db, id, fresh))) rotated++;
  }
  return rotated;
}
