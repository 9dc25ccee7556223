import { openConfiguredDatabase } from '#platform/db/connect';
import type { Context } from './types.ts';

/** Migrates the database to this version and prints the migrations that ran. */
export async function migrateDatabase({ config, log }: Context): Promise<void> {
  const database = await openConfiguredDatabase(config, log, { mode: 'share', poolSize: 1 });
  const { migrated } = database.engine;
  await database.close();
  process.stdout.write(migrated.length === 0 ? 'Nothing to migrate.\n' : `Ran ${migrated.join(', ')}.\n`);
}
