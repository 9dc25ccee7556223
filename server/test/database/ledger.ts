import pg from 'pg';
import type { LocalConnection } from '#platform/db/embedded/index';

/**
 * Creates two tables that every transaction writes to together. After a crash each acknowledged id must exist, and
 * none may be in only one of the tables.
 */
export async function createLedger(connection: LocalConnection): Promise<void> {
  await query(
    connection,
    `create table if not exists ledger (id bigint primary key, note text not null);
     create table if not exists ledger_entries (ledger_id bigint not null, part integer not null, note text not null, primary key (ledger_id, part));
     create index if not exists ledger_entries_by_note on ledger_entries (note, ledger_id)`,
  );
}

/** Writes one id to both tables in one transaction; resolves when the server has acknowledged it. */
export async function writeLedgerEntry(client: pg.Client, id: number): Promise<void> {
  const note = `note ${id} `.repeat(20);
  await client.query('begin');
  await client.query('insert into ledger values ($1, $2)', [id, note]);
  await client.query('insert into ledger_entries select $1, part, $2 from generate_series(1, 3) part', [id, note]);
  await client.query('commit');
}

/** Finds lost acknowledged ids, ids in only one of the tables, and corruption reported by PostgreSQL's amcheck. */
export async function auditLedger(
  server: { connection: LocalConnection; administration: LocalConnection },
  acknowledged: Iterable<number>,
): Promise<{ lost: number[]; torn: number[]; corrupt: string[]; rows: number }> {
  const rows = await query<{ id: string; parts: string }>(
    server.connection,
    `select coalesce(l.id, e.ledger_id) as id, count(e.part) * (l.id is not null)::int as parts
     from ledger l full join ledger_entries e on e.ledger_id = l.id group by 1, l.id`,
  );
  const parts = new Map(rows.map((row) => [Number(row.id), Number(row.parts)]));
  return {
    lost: [...acknowledged].filter((id) => !parts.has(id)),
    torn: [...parts].filter(([, count]) => count !== 3).map(([id]) => id),
    corrupt: await check(server.administration),
    rows: parts.size,
  };
}

/** amcheck on every B-tree, against its table, and on every table. */
function check(administration: LocalConnection): Promise<string[]> {
  return withClient(administration, async (client) => {
    await client.query('create extension if not exists amcheck');
    const found: string[] = [];
    const indexes = await client.query<{ name: string }>(
      `select c.oid::regclass::text as name from pg_index i join pg_class c on c.oid = i.indexrelid join pg_am a on a.oid = c.relam
       where a.amname = 'btree' and c.relpersistence = 'p' and i.indisvalid`,
    );
    for (const { name } of indexes.rows) {
      await client
        .query('select bt_index_check($1::regclass, true)', [name])
        .catch((error: Error) => found.push(`${name}: ${error.message}`));
    }
    const heaps = await client.query<{ msg: string }>(
      `select c.relname || ': ' || h.msg as msg from pg_class c, lateral verify_heapam(c.oid) h where c.relkind = 'r' and c.relpersistence = 'p'`,
    );
    return [...found, ...heaps.rows.map(({ msg }) => msg)];
  });
}

async function query<T extends pg.QueryResultRow>(connection: LocalConnection, text: string): Promise<T[]> {
  return withClient(connection, async (client) => (await client.query<T>(text)).rows);
}

async function withClient<T>(connection: LocalConnection, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
