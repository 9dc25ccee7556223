import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { dbProblems } from '../problems.ts';
import type { ConnectionOptions } from '../types.ts';
import type { DatabaseExport, ExportedTable } from './export.ts';
import {
  DERIVED_SCHEMA,
  isQueueStatistic,
  listTables,
  QUEUE_SCHEMA,
  readVersions,
  type Table,
  toNames,
} from './tables.ts';

/**
 * Fills an empty database with an export, in one transaction. Its schema must be the one that the export was made of.
 * Needs no more rights than those of the owner of the tables: foreign keys are added again after the rows, which checks
 * them. Throws `backup_version_differs` or `backup_invalid`.
 */
export async function importDatabase(
  connection: ConnectionOptions,
  { tables: exported, sequences, queue }: DatabaseExport & { tables: readonly ExportedTable[] },
  open: (table: ExportedTable) => Promise<Readable>,
  signal?: AbortSignal,
): Promise<void> {
  const client = new pg.Client({ ...connection, application_name: 'sightline restore' });
  client.on('error', () => {}); // fails the query under way
  await client.connect();
  try {
    const nameOf = await toNames(client);
    const present = await readVersions(client);
    if (present.queue !== queue) {
      throw dbProblems.backup_version_differs(
        `The job queue of the backup has version ${queue}, and that of this version of Sightline ${present.queue}. Restore with the version that made the backup, then upgrade.`,
      );
    }
    const tables = exported.filter((table) => !isQueueStatistic(table));
    requireColumns(tables, await listTables(client));
    await client.query('begin');
    await client.query('set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0');
    await client.query(`drop schema if exists ${DERIVED_SCHEMA} cascade`);
    const keys = await dropForeignKeys(client);
    // All of this version: a job queue has rows of its own from the start.
    const all = (await listTables(client)).map(nameOf);
    for (const name of all) await client.query(`alter table ${name} disable trigger user`);
    await client.query(`truncate ${all.join(', ')}`);
    for (const table of tables) {
      const columns = table.columns.map((column) => client.escapeIdentifier(column)).join(', ');
      const rows = client.query(copyFrom(`copy ${nameOf(table)} (${columns}) from stdin`));
      await pipeline(await open(table), rows, { signal });
      if (rows.rowCount !== table.rows) {
        throw dbProblems.backup_invalid(
          `The backup is damaged: the table ${table.name} has ${rows.rowCount} rows instead of ${table.rows}.`,
        );
      }
    }
    for (const { value, ...sequence } of sequences)
      await client.query('select setval($1::regclass, $2::bigint)', [nameOf(sequence), value]);
    for (const name of all) await client.query(`alter table ${name} enable trigger user`);
    for (const { table, name, definition } of keys)
      await client.query(`alter table ${table} add constraint ${client.escapeIdentifier(name)} ${definition}`);
    await client.query('commit');
    await client.query('analyze').catch(() => {});
  } finally {
    await client.end().catch(() => {});
  }
}

/** True if the database has an account, and so data of a service. */
export async function isInUse(connection: ConnectionOptions): Promise<boolean> {
  const client = new pg.Client({ ...connection, application_name: 'sightline restore' });
  client.on('error', () => {});
  await client.connect();
  try {
    const { rows: found } = await client.query<{ users: boolean }>(`select to_regclass('users') is not null as users`);
    if (!found[0]!.users) return false;
    const { rows } = await client.query<{ used: boolean }>('select exists (select from users) as used');
    return rows[0]!.used;
  } finally {
    await client.end().catch(() => {});
  }
}

function requireColumns(tables: readonly Table[], present: readonly Table[]): void {
  for (const { schema, name, columns } of tables) {
    const known = present.find((table) => table.schema === schema && table.name === name)?.columns ?? [];
    const missing = columns.filter((column) => !known.includes(column));
    if (missing.length > 0) {
      throw dbProblems.backup_version_differs(
        `The backup has ${name} (${missing.join(', ')}), which this version of Sightline does not know. Restore with the version that made the backup.`,
      );
    }
  }
}

/** Removes the foreign keys, and returns them. */
async function dropForeignKeys(client: pg.Client): Promise<{ table: string; name: string; definition: string }[]> {
  const { rows } = await client.query<{ table: string; name: string; definition: string }>(
    `select conrelid::regclass::text as table, conname as name, pg_get_constraintdef(oid) as definition
     from pg_constraint where contype = 'f' and conparentid = 0
       and connamespace in (select oid from pg_namespace where nspname in (current_schema(), $1))`,
    [QUEUE_SCHEMA],
  );
  for (const { table, name } of rows)
    await client.query(`alter table ${table} drop constraint ${client.escapeIdentifier(name)}`);
  return rows;
}
