import { join } from 'node:path';
import type { Config } from '#platform/config/index';
import type { Log } from '#platform/log';
import { openDatabase } from './database.ts';
import { startEmbedded } from './embedded/index.ts';
import { migrate } from './migrate.ts';
import { awaitServer } from './server-check.ts';
import type { ConnectionOptions, Database } from './types.ts';

/** The migrated, open database of this installation. `close` also releases the embedded server. */
export type ConfiguredDatabase = Database & {
  engine: {
    kind: 'embedded' | 'external';
    /** Version of the server, such as `18.4`. */
    version: string;
    /** Folder of the embedded database. Null for an external one. */
    folder: string | null;
    /** True if this start created the database. */
    created: boolean;
    /** Migrations that ran at this start. */
    migrated: string[];
  };
};

export type ConnectOptions = {
  /** The service owns the embedded server; commands that run beside it share it. */
  mode: 'own' | 'share';
  /** Connections in the pool. Default: 10 embedded, 20 external. */
  poolSize?: number;
  signal?: AbortSignal;
  /** Migrations to run, for a restore into an empty database; default: all. */
  migrations?: readonly string[];
};

/** Folder of the embedded database inside a data folder. */
export function embeddedFolder(dataDir: string): string {
  return join(dataDir, 'db');
}

/** Opens and migrates the PostgreSQL of DATABASE_URL, or the embedded one, which is started if it does not run. */
export async function openConfiguredDatabase(
  config: Pick<Config, 'databaseUrl' | 'dataDir'> & Partial<Pick<Config, 'databaseConnections'>>,
  log: Log,
  { mode, poolSize, signal, migrations }: ConnectOptions,
): Promise<ConfiguredDatabase> {
  if (config.databaseUrl) {
    const connection = { connectionString: config.databaseUrl };
    const version = await awaitServer(connection, signal);
    const migrated = await migrate(connection, undefined, migrations);
    const engine = { kind: 'external', version, folder: null, created: false, migrated } as const;
    return { ...openDatabase(connection, log, poolSize ?? config.databaseConnections ?? 20), engine };
  }
  const folder = embeddedFolder(config.dataDir);
  const server = await startEmbedded({ dir: folder, log, mode, signal });
  try {
    const migrated = await migrate(server.connection, undefined, migrations);
    const { version, origin, connection } = server;
    const engine = { kind: 'embedded', version, folder, created: origin === 'created', migrated } as const;
    const database = openDatabase(connection as ConnectionOptions, log, poolSize ?? config.databaseConnections ?? 10);
    const close = async () => {
      await database.close();
      await server.stop();
    };
    return { ...database, engine, close };
  } catch (error) {
    await server.stop();
    throw error;
  }
}
