import type { Database } from '#platform/db/index';
import type { Rotation, Sealer } from '#platform/secrets/index';
import { listSourceSecrets, updateSourceSecret } from './store.ts';

/** Context that the encrypted source URL of a session is bound to. */
export const getSecretContext = (sessionId: string) => `live-session ${sessionId}`;

/** Re-encrypts the sources of open sessions with the current root secret. */
export async function rotateSourceSecrets({
  database,
  sealer,
}: {
  database: Database;
  sealer: Sealer;
}): Promise<Rotation> {
  const outcome = { rotated: 0, lost: 0 };
  for (const { id, secret } of await listSourceSecrets(database.db)) {
    const fresh = sealer.rewrap(getSecretContext(id), secret);
    if (fresh === 'lost') outcome.lost++;
    else if (fresh && (await updateSourceSecret(database.db, id, fresh))) outcome.rotated++;
  }
  return outcome;
}
