import type { Database } from '#platform/db/index';
import type { Rotation, Sealer } from '#platform/secrets/index';
import { listSecrets, updateSecret } from './store.ts';

/** Context that the encrypted source URL of a camera is bound to. */
export const getSecretContext = (cameraId: string) => `camera ${cameraId}`;

/** Re-encrypts the sources of all cameras with the current root secret. */
export async function rotateCameraSecrets({
  database,
  sealer,
}: {
  database: Database;
  sealer: Sealer;
}): Promise<Rotation> {
  const outcome = { rotated: 0, lost: 0 };
  for (const { id, secret } of await listSecrets(database.db)) {
    const fresh = sealer.rewrap(getSecretContext(id), secret);
    if (fresh === 'lost') outcome.lost++;
    else if (fresh && (await updateSecret(database.db, { id, before: secret, secret: fresh }))) outcome.rotated++;
  }
  return outcome;
}
