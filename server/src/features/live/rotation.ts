import type { Database } from '#platform/db/index';
import type { Rotation, Sealer } from '#platform/secrets/index';
import { reseal, sealed } from './follow-store.ts';
import { sealOf } from './service.ts';

/** Seals the sources of sessions that go on with the present root secret. */
export async function rotateSources({ database, sealer }: { database: Database; sealer: Sealer }): Promise<Rotation> {
  const outcome = { rotated: 0, lost: 0 };
  for (const { id, secret } of await sealed(database.db)) {
    const fresh = sealer.rewrap(sealOf(id), secret);
    if (fresh === 'lost') outcome.lost++;
    else if (fresh && (await reseal(database.db, id, fresh))) outcome.rotated++;
  }
  return outcome;
}
