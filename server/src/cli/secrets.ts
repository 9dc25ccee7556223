import { createEvents } from '#features/events/index';
import { createIdentity, createIntegrations } from '#features/integrations/index';
import { rotateSources } from '#features/live/index';
import { openConfiguredDatabase } from '#platform/db/connect';
import { createGuardedFetch } from '#platform/net/index';
import { createSealer, loadRootSecret } from '#platform/secrets/index';
import type { Context } from './index.ts';

/** Seals what is kept sealed with the present root secret, beside a running service or without one. */
export async function rotateSecrets({ config, log }: Context): Promise<void> {
  const database = await openConfiguredDatabase(config, log, { mode: 'share', poolSize: 2 });
  const net = createGuardedFetch({ allowedNetworks: config.allowedNetworks });
  const sealer = createSealer(loadRootSecret(config.secret, config.dataDir), config.previousSecret);
  try {
    const integrations = createIntegrations({
      ...{ database, net, sealer },
      events: createEvents({ database }),
      identity: createIdentity(null),
      hubUrl: config.hubUrl,
      gcsUrl: config.gcsUrl,
    });
    const count = (await integrations.rotate()) + (await rotateSources({ database, sealer }));
    process.stdout.write(
      count === 0
        ? 'Everything is sealed with the present secret.\n'
        : `Sealed ${count} anew: the previous secret is not needed any more.\n`,
    );
  } finally {
    await net.close();
    await database.close();
  }
}
