import { type Kysely, sql } from 'kysely';
import { dbProblems } from '../problems.ts';
import type { MigrationFile } from './files.ts';
import { compareSchema } from './schema-comparison.ts';

/** The only migration that was applied before digests were recorded. */
const FIRST = '0001_init';
const PERMISSION_DENIED = '42501';
const START_EMPTY =
  'Continue with the version that made it, or start with an empty data folder (SIGHTLINE_DATA_DIR) or an empty database (DATABASE_URL).';

/** An applied migration. */
type Applied = {
  name: string;
  /** Null if it ran before digests were recorded. */
  digest: string | null;
  /** Null if it ran before contracts were recorded. */
  contracts: string[] | null;
};

/** Records the digest of a migration and what it contracts, in the transaction that runs it. */
export async function recordApplied(trx: Kysely<unknown>, { name, digest, contracts }: MigrationFile): Promise<void> {
  await sql`create table if not exists kysely_migration_digest (name text primary key, digest text not null)`.execute(
    trx,
  );
  await sql`alter table kysely_migration_digest add column if not exists contracts text[]`.execute(trx);
  await sql`
    insert into kysely_migration_digest (name, digest, contracts) values (${name}, ${digest}, ${contracts})`.execute(
    trx,
  );
}

/**
 * Throws a Problem unless this version may run on the database: every applied migration is one of `files` with the same
 * text, or is one of a later version that contracts only migrations in `files`. Returns the names of those of later
 * versions. A database without digests is accepted, and its digest recorded, if its schema is the one that the first
 * file creates.
 */
export async function verifyApplied(db: Kysely<unknown>, files: MigrationFile[]): Promise<string[]> {
  const applied = await readApplied(db);
  const isKnown = (name: string) => files.some((file) => file.name === name);
  const later = applied.filter(({ name }) => !isKnown(name));
  const tooNew = later.filter(({ contracts }) => contracts === null || !contracts.every(isKnown));
  if (tooNew.length > 0) {
    const names = tooNew.map(({ name }) => name).join(', ');
    throw dbProblems.database_too_new(
      `A newer version of Sightline migrated the database, and this version cannot run on the result of ${names}: start the newer version, or restore a backup made before it.`,
    );
  }
  for (const { name, digest } of applied) {
    const file = files.find((candidate) => candidate.name === name);
    if (!file) continue;
    if (digest === null) await adopt(db, file);
    else if (digest !== file.digest) throw differs(`${name} was applied in another form than this version has`);
  }
  return later.map(({ name }) => name);
}

async function readApplied(db: Kysely<unknown>): Promise<Applied[]> {
  const { rows: tables } = await sql<{ applied: boolean; columns: string[] }>`
    select to_regclass('kysely_migration') is not null as applied, array(
      select attname::text from pg_attribute
      where attrelid = to_regclass('kysely_migration_digest') and attname in ('digest', 'contracts')) as columns`.execute(
    db,
  );
  const { applied, columns } = tables[0]!;
  if (!applied) return [];
  const recorded = (column: keyof Applied, type: string) =>
    columns.includes(column)
      ? sql`(select ${sql.ref(column)} from kysely_migration_digest d where d.name = m.name)`
      : sql.raw(`null::${type}`);
  const { rows } = await sql<Applied>`
    select name, ${recorded('digest', 'text')} as digest, ${recorded('contracts', 'text[]')} as contracts
    from kysely_migration m order by name`.execute(db);
  return rows;
}

/** Records the digest of a migration that was applied before digests were, if its schema matches. */
async function adopt(db: Kysely<unknown>, file: MigrationFile): Promise<void> {
  if (file.name !== FIRST) throw differs(`no digest was recorded for ${file.name}`);
  const differences = await compareSchema(db, file.text).catch((error: { code?: string }) => {
    if (error.code !== PERMISSION_DENIED) throw error;
    throw differs(
      'its role may not create the schema in which this version would check what it made; grant it CREATE on the database',
    );
  });
  if (differences.length > 0) {
    const shown = differences.slice(0, 3).join(', ') + (differences.length > 3 ? ', …' : '');
    throw differs(`its ${FIRST} was another one: ${shown}`);
  }
  await db.transaction().execute(async (trx) => {
    // Serializes nodes that start at the same time.
    await sql`select pg_advisory_xact_lock(hashtextextended('sightline adopts a database', 0))`.execute(trx);
    const again = (await readApplied(trx)).find(({ name }) => name === file.name);
    if (again?.digest === null) await recordApplied(trx, file);
  });
}

const differs = (what: string) =>
  dbProblems.database_migrations_differ(
    `The database was made by another build of Sightline and cannot be upgraded by this one (${what}). ${START_EMPTY}`,
  );
