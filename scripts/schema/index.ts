import { embeddedFolder } from '../../server/src/platform/db/connect.ts';
import { startEmbedded } from '../../server/src/platform/db/embedded/index.ts';
import { migrate } from '../../server/src/platform/db/migrate.ts';
import { createLog } from '../../server/src/platform/log.ts';
import { dumpSchema } from './dump.ts';
import { generateTypes } from './types.ts';

/**
 * Describes the schema of a real database after all migrations: `schema.sql` for people to read and diff, and the query
 * builder's types. `dataDir` is an empty data folder, in which that database remains; paths are relative to the
 * repository.
 */
export async function generateSchema(dataDir: string): Promise<{ file: string; content: string }[]> {
  const log = createLog('warn');
  const server = await startEmbedded({ dir: embeddedFolder(dataDir), log, mode: 'own', durable: false });
  try {
    await migrate(server.connection);
    return [
      { file: 'server/migrations/schema.sql', content: await dumpSchema(server.connection) },
      { file: 'server/src/platform/db/schema.generated.ts', content: await generateTypes(server.connection) },
    ];
  } finally {
    await server.stop();
  }
}
