import { rotateFactorKeys } from '#features/accounts/index';
import { rotateCameraSecrets } from '#features/cameras/index';
import { createEvents } from '#features/events/index';
import { createIdentity, createIntegrations } from '#features/integrations/index';
import { rotateSourceSecrets } from '#features/live/index';
import { rotateWebhookSecrets } from '#features/webhooks/index';
import { openConfiguredDatabase } from '#platform/db/connect';
import { createGuardedFetch } from '#platform/net/index';
import { createSealer, loadRootSecret } from '#platform/secrets/index';
import type { Context } from './types.ts';

/** Re-encrypts all stored secrets with the current root secret, also while the service runs. */
export async function rotateSecrets({ config, log }: Context): Promise<void> {
  const database = await openConfiguredDatabase(config, log, { mode: 'share', poolSize: 2 });
  const net = createGuardedFetch({ allowedNetworks: config.allowedNetworks });
  const sealer = createSealer(loadRootSecret(config.secret, config.dataDir), config.previousSecret);
  try {
    const integrations = createIntegrations({
      database,
      net,
      sealer,
      events: createEvents({ database }),
      identity: createIdentity(null),
      hubUrl: config.hubUrl,
      gcsUrl: config.gcsUrl,
    });
    const done = [
      await rotateFactorKeys({ database, sealer }),
      await integrations.reencrypt(),
      await rotateSourceSecrets({ database, sealer }),
      await rotateCameraSecrets({ database, sealer }),
      await rotateWebhookSecrets({ database, sealer }),
    ];
    const rotated = done.reduce((sum, each) => sum + each.rotated, 0);
    const lost = done.reduce((sum, each) => sum + each.lost, 0);
    process.stdout.write(rotated === 0 ? 'No secret had to be re-encrypted.\n' : `Re-encrypted secrets: ${rotated}.\n`);
    process.stdout.write(
      lost === 0
        ? 'All secrets are encrypted with SIGHTLINE_SECRET; SIGHTLINE_PREVIOUS_SECRET is no longer needed.\n'
        : `Secrets that neither of the two root secrets can decrypt: ${lost}. Replace those credentials, or set SIGHTLINE_PREVIOUS_SECRET to the root secret that encrypted them.\n`,
    );
  } finally {
    await net.close();
    await database.close();
  }
}
