import type { Config } from '#platform/config/index';
import { reportDatabase } from '#platform/db/report';
import type { Log } from '#platform/log';
import { attempt, type Finding, failed, ok, warning } from './finding.ts';

/** Connections of a node besides its pool: the job queue and notifications, and two more while it starts. */
const OTHER_CONNECTIONS = 6;
const DEFAULT_CONNECTIONS = { embedded: 10, external: 20 };
/** Leases and signed requests depend on clocks; they allow for some seconds. */
const MAX_CLOCK_MS = 2_000;

/** The database: version, settings, connection budget; and the clock of this machine beside the server's. */
export async function checkDatabase(
  config: Pick<Config, 'databaseUrl' | 'dataDir' | 'databaseConnections'>,
  log: Log,
  signal: AbortSignal,
): Promise<Finding[]> {
  const remedy = config.databaseUrl
    ? 'Start the server, and check the host, the port, the password and the network of DATABASE_URL.'
    : 'See the log of PostgreSQL in the data folder, and docs/operations.md.';
  return attempt('database', remedy, async () => {
    const report = await reportDatabase(config, log, signal);
    if (!report) return ok('database', 'embedded, created by the first start');
    const { kind, version, unsafe, allowedConnections: allowed, usedConnections: used, clockAheadMs } = report;
    const needed = (config.databaseConnections ?? DEFAULT_CONNECTIONS[kind]) + OTHER_CONNECTIONS;
    const budget = `this node needs ${needed}, the server allows ${allowed}, and ${used} are open`;
    const advice =
      'Raise max_connections of the server, or lower SIGHTLINE_DATABASE_CONNECTIONS of its nodes (docs/deploy.md).';
    const ahead = Math.abs(clockAheadMs);
    return [
      ok('database', `${kind}, PostgreSQL ${version}`),
      unsafe.length === 0
        ? ok('database settings', 'writes are durable')
        : failed(
            'database settings',
            `${unsafe.join(', ')} off: a crash of the server loses or damages data`,
            `Turn ${unsafe.join(', ')} on in the configuration of the server, and reload it.`,
          ),
      needed > allowed
        ? failed('connection budget', budget, advice)
        : needed > allowed - used
          ? warning('connection budget', budget, advice)
          : ok('connection budget', budget),
      ahead <= MAX_CLOCK_MS
        ? ok('clock', `${(ahead / 1_000).toFixed(1)} s from that of the database`)
        : failed(
            'clock',
            `${Math.round(ahead / 1_000)} s ${clockAheadMs > 0 ? 'behind' : 'ahead of'} that of the database`,
            'Synchronize the clocks of both machines, for example with chrony or systemd-timesyncd.',
          ),
    ];
  });
}
