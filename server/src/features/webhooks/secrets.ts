import type { Database } from '#platform/db/index';
import type { EncryptedSecret, Rotation, Sealer } from '#platform/secrets/index';
import * as store from './store.ts';
import type { StoredWebhook } from './types.ts';

/** Context that the encrypted secrets of a webhook are bound to. */
const toContext = (webhookId: string) => `webhook ${webhookId}`;

export const sealSecret = (sealer: Pick<Sealer, 'seal'>, webhookId: string, secret: string): EncryptedSecret =>
  sealer.seal(toContext(webhookId), { secret });

/** The secrets that sign a message now: the present one, then the previous one until its end. */
export function openSecrets(sealer: Pick<Sealer, 'open'>, webhook: StoredWebhook): string[] {
  const { id, encryptedSecret, encryptedPreviousSecret, previousSecretUntil } = webhook;
  const open = (encrypted: EncryptedSecret) => (sealer.open(toContext(id), encrypted) as { secret: string }).secret;
  const overlaps = encryptedPreviousSecret && previousSecretUntil && previousSecretUntil > new Date();
  return [open(encryptedSecret), ...(overlaps ? [open(encryptedPreviousSecret)] : [])];
}

/** Re-encrypts the secrets of all webhooks with the current root secret. */
export async function rotateWebhookSecrets({
  database,
  sealer,
}: {
  database: Database;
  sealer: Sealer;
}): Promise<Rotation> {
  const outcome = { rotated: 0, lost: 0 };
  for (const { id, column, secret } of await store.listSecrets(database.db)) {
    const fresh = sealer.rewrap(toContext(id), secret);
    if (fresh === 'lost') outcome.lost++;
    else if (fresh && (await store.replaceSecret(database.db, { id, column, secret }, fresh))) outcome.rotated++;
  }
  return outcome;
}
