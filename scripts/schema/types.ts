import { Kysely, PostgresDialect } from 'kysely';
import { generate, getDialect } from 'kysely-codegen';
import pg from 'pg';
import type { ConnectionOptions } from '../../server/src/platform/db/index.ts';

/** Row types as `openDatabase` parses them: int8 as numbers, json as text. */
export async function generateTypes(connection: ConnectionOptions): Promise<string> {
  const pool = new pg.Pool({ ...connection, max: 2 });
  // The server may stop before it sees that an idle connection ends; without a listener that error would end the
  // process.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
  try {
    return await generate({
      db,
      dialect: getDialect('postgres', {}),
      outFile: null,
      camelCase: true,
      excludePattern: 'kysely_*',
      typeMapping: { int8: 'number', json: 'string' },
    });
  } finally {
    await db.destroy();
  }
}
