import { type Kysely, sql } from 'kysely';
import { dbProblems } from '../problems.ts';
import type { MigrationFile } from './files.ts';
import { compareSchema } from './schema-comparison.ts';

/** The only migration that was applied before digests were recorded. */
const FIRST = '0001_init';
const PERMISSION_DENIED = '42501';
const START_EMPTY =
  'Continue with the version that made it, or start with an empty data folder (SIGHTLINE_DATA_DIR) or an empty database (DATABASE_URL).';

/** Records the digest of a migration, in the transaction that runs it. */
export async function recordDigest(trx: Kysely<unknown>, { name, digest }: MigrationFile): Promise<void> {
  await sql`create table if not exists kysely_migration_digest (name text primary key, digest text not null)`.execute(
    trx,
  );
  await sql`insert into kysely_migration_digest (name, digest) values (${name}, ${digest})`.execute(trx);
}

/**
 * Throws a Problem unless every applied migration is one of `files` with the same text. A database without digests is
 * accepted, and its digest recorded, if its schema is the one that the first file creates.
 */
export async function verifyApplied(db: Kysely<unknown>, files: MigrationFile[]): Promise<void> {
  const applied = await readApplied(db);
  const unknown = applied.filter(({ name }) => !files.some((file) => file.name === name));
  if (unknown.length > 0) {
    throw dbProblems.database_too_new(
      `The database was migrated to a newer version (${unknown.map(({ name }) => name).join(', ')}) than this Sightline supports. Start that newer version, or restore a backup made before it.`,
    );
  }
  for (const { name, digest } of applied) {
    const file = files.find((candidate) => candidate.name === name)!;
    if (digest === null) await adopt(db, file);
    else if (digest !== file.digest) throw differs(`${name} was applied in another form than this version has`);
  }
}

/** Names of the applied migrations with their digests; null if none was recorded. */
async function readApplied(db: Kysely<unknown>): Promise<{ name: string; digest: string | null }[]> {
  const { rows } = await sql<{ applied: boolean; digests: boolean }>`
    select to_regclass('kysely_migration') is not null as applied,
      to_regclass('kysely_migration_digest') is not null as digests`.execute(db);
  const { applied, digests } = rows[0]!;
  if (!applied) return [];
  const digest = digests ? sql`(select digest from kysely_migration_digest d where d.name = m.name)` : sql`null::text`;
  const query = sql<{ name: string; digest: string | null }>`
    select name, ${digest} as digest from kysely_migration m order by name`;
  return (await query.execute(db)).rows;
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
    if (again?.digest === null) await recordDigest(trx, file);
  });
}

const differs = (what: string) =>
  dbProblems.database_migrations_differ(
    `The database was made by another build of Sightline and cannot be upgraded by this one (${what}). ${START_EMPTY}`,
  );
