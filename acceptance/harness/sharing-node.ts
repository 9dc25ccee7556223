/**
 * Runs a whole node until it gets a signal, as `sightline start` does. Observations of clips that other nodes of the
 * run made come from the folder that is its argument: for tests of what is done with observations.
 */
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { compose } from '../../server/src/compose/index.ts';
import { loadConfig } from '../../server/src/platform/config/index.ts';
import { createLog } from '../../server/src/platform/log.ts';
import { shareObservations } from '../../server/test/shared-observations.ts';

const [folder] = process.argv.slice(2);
const config = loadConfig(process.env, availableParallelism());
const sightline = await compose(config, createLog(config.logLevel ?? 'info'), {
  roles: { api: true, worker: true },
  overrides: { wrapEngine: (engine) => shareObservations(engine, folder!) },
});
try {
  const stopped = Promise.race(['SIGINT', 'SIGTERM'].map((signal) => once(process, signal)));
  await sightline.start();
  process.stdout.write('The node is ready.\n');
  await stopped;
} finally {
  await sightline.close();
}
