import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest';
import { createTestDatabase } from '#test/database/test-database';
import type { ConnectionOptions } from '../index.ts';
import { migrate } from '../migrate.ts';
import { MIGRATIONS } from './files.ts';

let connection: ConnectionOptions;
let drop: () => Promise<void>;
let client: pg.Client;
let folder: string;

beforeEach(async () => {
  ({ connection, drop } = await createTestDatabase());
  client = new pg.Client(connection);
  await client.connect();
  folder = await mkdtemp(join(inject('folder'), 'migrations '));
});
afterEach(async () => {
  await client.end();
  await drop();
});

const run = () => migrate(connection, pathToFileURL(`${folder}/`));
const digests = async () => (await client.query('select name from kysely_migration_digest order by name')).rows;
const write = (name: string, text: string) => writeFile(join(folder, `${name}.sql`), text);
const empty = () => client.query('drop schema public cascade; create schema public');

test('a database whose applied migration is not the file any more is refused, whatever is left to run', async () => {
  await empty();
  await write('0001_init', 'create table a (id text)');
  expect(await run()).toEqual(['0001_init']);
  await write('0001_init', 'create table a (id text, name text)');
  await write('0002_more', 'create table b (id text)');
  await expect(run()).rejects.toMatchObject({ code: 'database_migrations_differ' });
  await expect(run()).rejects.toThrow(/0001_init was applied in another form.*start with an empty data folder/);
  expect((await client.query(`select to_regclass('b') as b`)).rows).toEqual([{ b: null }]);

  await write('0001_init', 'create table a (id text)');
  expect(await run()).toEqual(['0002_more']);
});

test('migrations with holes in their numbers run in any order of arrival, also when nodes start together', async () => {
  await empty();
  await write('0001_init', 'create table a (id text)');
  await write('0007_late', 'create table late (id text)');
  expect(await run()).toEqual(['0001_init', '0007_late']);
  await write('0003_between', 'create table between_them (id text)');
  await write('0012_last', 'create table last (id text)');
  const ran = await Promise.all([1, 2, 3].map(run));
  expect(ran.flat()).toEqual(['0003_between', '0012_last']);
  expect((await digests()).map(({ name }) => name)).toEqual(['0001_init', '0003_between', '0007_late', '0012_last']);
  expect(await run()).toEqual([]);
});

test('a migration that fails leaves neither its tables nor its digest', async () => {
  await empty();
  await write('0001_init', 'create table a (id text)');
  await run();
  await write('0002_more', 'create table b (id text); select 1/0');
  await expect(run()).rejects.toThrow('division by zero');
  expect(await digests()).toEqual([{ name: '0001_init' }]);
  await write('0002_more', 'create table b (id text)');
  expect(await run()).toEqual(['0002_more']);
});

test('a database from before digests were recorded is adopted if it is what 0001_init makes, by any number of nodes', async () => {
  await copyFirst();
  await beforeDigests(await readFile(join(folder, '0001_init.sql'), 'utf8'));
  await client.query('create table of_somebody_else (id text)');
  await write('0002_more', 'create table b (id text)');
  expect((await Promise.all([1, 2, 3].map(run))).flat()).toEqual(['0002_more']);
  expect(await digests()).toEqual([{ name: '0001_init' }, { name: '0002_more' }]);
  expect(await run()).toEqual([]);
  const { rows } = await client.query(`select count(*)::int as probes from pg_namespace where nspname like '%probe%'`);
  expect(rows).toEqual([{ probes: 0 }]);
});

test.each([
  [
    'a column that was added later',
    'wanted_at timestamptz,',
    'wanted boolean,',
    /column resumable_uploads\.wanted_at is missing/,
  ],
  [
    'a check that was changed',
    `'owner', 'admin', 'member')),\n  password`,
    `'owner')),\n  password`,
    /constraint users_role_check of users is different/,
  ],
  [
    'an index that was added later',
    'create index users_by_org on users (org_id, id);',
    '',
    /index users_by_org is missing/,
  ],
  [
    'a default that was changed',
    'progress real not null default 0',
    'progress real not null',
    /column analyses\.progress is different/,
  ],
  ['a column that was dropped later', 'name text not null,', 'name text not null,\n  old text not null,', /is unknown/],
])(
  'a data folder made before digests is refused when its 0001_init lacks or has %s',
  async (_, now, then, difference) => {
    await copyFirst();
    const text = await readFile(join(folder, '0001_init.sql'), 'utf8');
    expect(text).toContain(now);
    await beforeDigests(text.replace(now, then));
    await write('0002_more', 'create table b (id text)');
    await expect(run()).rejects.toMatchObject({ code: 'database_migrations_differ' });
    await expect(run()).rejects.toThrow(difference);
    expect((await client.query(`select to_regclass('b') as b`)).rows).toEqual([{ b: null }]);
  },
);

test('any other migration without a digest is refused', async () => {
  await empty();
  await write('0001_init', 'create table a (id text)');
  await write('0002_more', 'create table b (id text)');
  await run();
  await client.query(`delete from kysely_migration_digest where name = '0002_more'`);
  await expect(run()).rejects.toThrow('no digest was recorded for 0002_more');
});

describe('a version that lacks migrations which a later one has applied', () => {
  /** Applies migrations as a later version, which this one does not have. */
  async function applyLater(...later: [name: string, text: string][]): Promise<void> {
    for (const [name, text] of later) await write(name, text);
    await run();
    for (const [name] of later) await rm(join(folder, `${name}.sql`));
  }
  const EXPAND = 'alter table a add column title text';
  const DROP = 'alter table a drop column name';

  beforeEach(async () => {
    await empty();
    await write('0001_init', 'create table a (id text, name text)');
    await run();
  });

  test('runs on what they add, also when it starts again, and still applies its own', async () => {
    await applyLater(['0003_title', EXPAND]);
    expect(await run()).toEqual([]);
    await write('0002_more', 'create table b (id text)');
    expect((await Promise.all([1, 2, 3].map(run))).flat()).toEqual(['0002_more']);
    expect((await digests()).map(({ name }) => name)).toEqual(['0001_init', '0002_more', '0003_title']);
  });

  test('runs on what they remove if it has the migration that replaced it', async () => {
    await applyLater(['0004_no_name', `-- contracts: 0001_init\n${DROP}`]);
    expect(await run()).toEqual([]);
    await write('0004_no_name', `-- contracts: 0001_init\n${DROP}`);
    await applyLater(['0005_no_a', '-- contracts: 0001_init\n-- contracts: 0004_no_name\ndrop table a']);
    expect(await run()).toEqual([]);
    await rm(join(folder, '0004_no_name.sql'));
    await expect(run()).rejects.toThrow('cannot run on the result of 0005_no_a:');
  });

  test('is refused in one sentence if it does not have it, and changes nothing', async () => {
    await applyLater(['0003_title', EXPAND], ['0004_no_name', `-- contracts: 0003_title\n${DROP}`]);
    await write('0002_more', 'create table b (id text)');
    await expect(run()).rejects.toMatchObject({
      code: 'database_too_new',
      message:
        'A newer version of Sightline migrated the database, and this version cannot run on the result of 0004_no_name: start the newer version, or restore a backup made before it.',
    });
    expect((await client.query(`select to_regclass('b') as b`)).rows).toEqual([{ b: null }]);
  });

  test('is refused if they ran before contracts were recorded, and later migrations record them', async () => {
    await applyLater(['0003_title', EXPAND]);
    await client.query('alter table kysely_migration_digest drop column contracts');
    await expect(run()).rejects.toMatchObject({ code: 'database_too_new' });
    await write('0003_title', EXPAND);
    await applyLater(['0004_more', 'create table b (id text)']);
    expect(await run()).toEqual([]);
  });
});

async function copyFirst(): Promise<void> {
  await cp(new URL('0001_init.sql', MIGRATIONS), join(folder, '0001_init.sql'));
}

/** Creates the database as a version without digests did: with this text, under the name of the first migration. */
async function beforeDigests(text: string): Promise<void> {
  await empty();
  await client.query(text);
  await client.query(`create table kysely_migration (name varchar(255) primary key, timestamp varchar(255) not null);
    insert into kysely_migration values ('0001_init', '2026-11-22T09:00:00.000Z')`);
}
