import type { Readable } from 'node:stream';
import pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import type { ConnectionOptions } from '../types.ts';
import {
  type DatabaseSequence,
  listSequences,
  listTables,
  readVersions,
  type Table,
  toNames,
  type Versions,
} from './tables.ts';

export type ExportedTable = Table & { rows: number };
export type DatabaseExport = Versions & { postgresql: string; sequences: DatabaseSequence[] };

/**
 * Reads all rows in one snapshot while the service runs, and passes each table as text of COPY to `onTable`. Memory use
 * is constant. Returns what a restore has to know besides the rows.
 */
export async function exportDatabase(
  connection: ConnectionOptions,
  onTable: (table: Table, text: Readable, countRows: () => number) => Promise<void>,
  signal?: AbortSignal,
): Promise<DatabaseExport> {
  const client = new pg.Client({ ...connection, application_name: 'sightline backup' });
  client.on('error', () => {}); // fails the query under way
  await client.connect();
  try {
    await client.query('begin isolation level repeatable read read only');
    await client.query(`set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0`);
    const nameOf = await toNames(client);
    for (const table of await listTables(client)) {
      signal?.throwIfAborted();
      const columns = table.columns.map((column) => client.escapeIdentifier(column)).join(', ');
      const rows = client.query(copyTo(`copy ${nameOf(table)} (${columns}) to stdout`));
      await onTable(table, rows, () => rows.rowCount);
    }
    const versions = await readVersions(client);
    const sequences = await listSequences(client);
    const { rows } = await client.query<{ version: string }>(
      `select split_part(current_setting('server_version'), ' ', 1) as version`,
    );
    return { ...versions, sequences, postgresql: rows[0]!.version };
  } finally {
    await client.end().catch(() => {});
  }
}
