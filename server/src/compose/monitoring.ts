import { hostname } from 'node:os';
import type { Config } from '#platform/config/index';
import type { ConfiguredDatabase } from '#platform/db/index';
import type { Log } from '#platform/log';
import type { Media } from '#platform/media/index';
import { createMonitoring, type Monitoring } from '#platform/metrics/index';
import { startTracing } from '#platform/tracing/index';
import { VERSION } from '../version.ts';
import type { Roles } from './types.ts';

/**
 * Listens on the port for monitoring, if there is one. It opens first and closes last, so that probes see a node that
 * starts or stops.
 */
export async function openMonitoring(
  { monitoring: { host, port } }: Config,
  parts: AsyncDisposableStack,
): Promise<Monitoring | null> {
  if (port === null) return null;
  const monitoring = await createMonitoring({ host, port });
  parts.defer(() => monitoring.close());
  return monitoring;
}

/** Exports traces, if there is a collector. Closed last, so that it gets the spans of what ends before. */
export async function openTracing(
  { tracing }: Config,
  { log, roles }: { log: Log; roles: Roles },
  parts: AsyncDisposableStack,
): Promise<void> {
  if (tracing === null) return;
  const { attributes, ...options } = tracing;
  const stop = await startTracing({
    ...options,
    resource: {
      'service.version': VERSION,
      'service.instance.id': `${hostname()}:${process.pid}`,
      'host.name': hostname(),
      'sightline.roles': listRoles(roles),
      ...attributes,
    },
    onState(error) {
      if (error)
        log.warn({ err: error, collector: new URL(tracing.url).host }, 'traces cannot be exported; they are dropped');
      else log.info({ collector: new URL(tracing.url).host }, 'traces are exported again');
    },
  });
  parts.defer(stop);
}

/** The roles of a process as text. */
export const listRoles = ({ api, worker }: Roles): string =>
  [...(api ? ['api'] : []), ...(worker ? ['worker'] : [])].join(',');

/** Logs where this process runs and what it does. */
export function logStart(
  log: Log,
  config: Config,
  {
    database,
    media,
    roles,
    address,
    monitoring,
  }: {
    database: ConfiguredDatabase;
    media: Media;
    roles: Roles;
    address: string | null;
    monitoring: Monitoring | null;
  },
): void {
  const { engine } = database;
  log.info(
    {
      version: VERSION,
      roles: listRoles(roles),
      host: hostname(),
      ...(address === null ? {} : { address, publicUrl: config.publicUrl }),
      monitoringPort: monitoring?.port,
      traces: config.tracing ? new URL(config.tracing.url).host : undefined,
      database: `${engine.kind} PostgreSQL ${engine.version}`,
      migrated: engine.migrated.length,
      storage: config.storage.kind,
      ...(roles.worker ? { mediaProcesses: config.media.processes, sandbox: media.sandbox?.level } : {}),
    },
    'started',
  );
}
