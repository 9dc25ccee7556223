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
    const done = [await integrations.rotate(), await rotateSources({ database, sealer })];
    const rotated = done.reduce((sum, each) => sum + each.rotated, 0);
    const lost = done.reduce((sum, each) => sum + each.lost, 0);
    process.stdout.write(rotated === 0 ? 'Nothing had to be sealed anew.\n' : `Sealed ${rotated} anew.\n`);
    process.stdout.write(
      lost === 0
        ? 'Everything is sealed with the present secret: the previous one is not needed any more.\n'
        : `${lost} cannot be opened with either secret: give their credentials again, or set SIGHTLINE_PREVIOUS_SECRET to the secret that they were sealed with.\n`,
    );
  } finally {
    await net.close();
    await database.close();
  }
}
