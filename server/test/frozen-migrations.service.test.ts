import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, inject, test } from 'vitest';
import { DIGESTS_FILE, findMigrationFaults, renderDigests } from '../../scripts/migration-digests.ts';

test('a migration may be rewritten until it is on the main branch, and never after that', async () => {
  const { root, write, commit, git } = await repository('frozen');
  await write('0001_init', 'create table a (id text)');
  await commit();
  git('checkout', '-q', '-b', 'work');
  await write('0003_more', 'create table b (id text)');
  await commit();
  await write('0003_more', 'create table b (id bigint)');
  await commit();
  expect(await findMigrationFaults(root)).toEqual([]);

  await write('0001_init', 'create table a (id bigint)');
  await commit();
  const digest = createHash('sha256').update('create table a (id bigint)\n').digest('hex');
  await writeFile(join(root, DIGESTS_FILE), `${digest}  0001_init.sql\n`);
  git('commit', '-q', '-a', '-m', 'a digest written by hand');
  expect(await findMigrationFaults(root)).toEqual([
    expect.stringMatching(/^0001_init\.sql was changed\..*new migration/),
  ]);
  expect(await renderDigests(root)).not.toContain(digest);

  await write('0001_init', 'create table a (id text)');
  await commit();
  git('checkout', '-q', 'main');
  git('merge', '-q', 'work');
  expect(await findMigrationFaults(root)).toEqual([]);
  await write('0003_more', 'create table b (id text)');
  expect(await findMigrationFaults(root)).toEqual([expect.stringContaining('0003_more.sql was changed')]);
  await rm(join(root, 'server/migrations/0003_more.sql'));
  expect(await findMigrationFaults(root)).toEqual([expect.stringContaining('0003_more.sql was removed')]);
  expect(await renderDigests(root)).toContain('0003_more.sql');
});

test('files may arrive in any order and with either line ending, but no number twice', async () => {
  const { root, write, commit, git } = await repository('order');
  await write('0001_init', 'create table a (id text)');
  await commit();
  for (const name of ['0007_late', '0002_early']) {
    git('checkout', '-q', '-b', name, 'main');
    await write(name, 'select 1');
    await commit();
  }
  git('checkout', '-q', 'main');
  git('merge', '-q', '0007_late');
  git('merge', '-q', '-m', 'merge', '0002_early');
  expect((await renderDigests(root)).match(/\d{4}_\w+/g)).toEqual(['0001_init', '0002_early', '0007_late']);
  await write('0001_init', 'create table a (id text)\r');
  await write('0007_late', 'select 1\r');
  await write('0009_one', 'select 1');
  await write('0009_two', 'select 1');
  expect(await findMigrationFaults(root)).toEqual([
    '0009_two.sql has the number of another migration: give it the next free one.',
  ]);
});

test('without a history the digest file alone decides', async () => {
  const { root, write } = await repository('exported');
  await rm(join(root, '.git'), { recursive: true });
  await write('0001_init', 'select 1');
  await writeFile(join(root, DIGESTS_FILE), await renderDigests(root));
  await write('0002_more', 'select 2');
  await writeFile(join(root, DIGESTS_FILE), await renderDigests(root));
  expect(await findMigrationFaults(root)).toEqual([]);
  await write('0001_init', 'select 3');
  expect(await findMigrationFaults(root)).toEqual([expect.stringContaining('0001_init.sql was changed')]);
});

test('a change that earlier nodes cannot work with must contract a migration that is on the main branch', async () => {
  const { root, write, writeSchema, commit, git } = await repository('contracts');
  await write('0001_init', 'create table a (id text, name text)');
  await writeSchema('id text', 'name text');
  await commit();
  git('checkout', '-q', '-b', 'work');
  await write('0002_title', 'alter table a rename name to title');
  await writeSchema('id text', 'title text');
  expect(await findMigrationFaults(root)).toEqual([
    expect.stringMatching(/^column a\.name is dropped or renamed: .*"-- contracts: NAME".*CONTRIBUTING\.md/),
  ]);

  await write('0002_title', 'alter table a add title text');
  await writeSchema('id text', 'name text', 'title text');
  expect(await findMigrationFaults(root)).toEqual([]);
  await write('0003_no_name', '-- contracts: 0002_title\nalter table a drop name');
  await writeSchema('id text', 'title text');
  expect(await findMigrationFaults(root)).toEqual([
    expect.stringMatching(/^0003_no_name\.sql contracts 0002_title, which is not on the main branch/),
  ]);
  await rm(join(root, 'server/migrations/0003_no_name.sql'));
  await writeSchema('id text', 'name text', 'title text');
  await commit();
  git('checkout', '-q', 'main');
  git('merge', '-q', 'work');
  git('checkout', '-q', '-b', 'later');
  await write('0003_no_name', '-- contracts: 0002_title\nalter table a drop name');
  await writeSchema('id text', 'title text');
  expect(await findMigrationFaults(root)).toEqual([]);
});

/** A git repository with a folder of migrations and, as the product has it, digests that merge line by line. */
async function repository(name: string) {
  const root = join(inject('folder'), `repository ${name}`);
  await mkdir(join(root, 'server/migrations'), { recursive: true });
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', root, '-c', 'user.name=test', '-c', 'user.email=test@localhost', ...args], {
      stdio: 'pipe',
    });
  git('init', '-q', '-b', 'main');
  await writeFile(join(root, '.gitattributes'), `${DIGESTS_FILE} merge=union\n`);
  /** Writes what the migrations add up to: one table with these columns. */
  const writeSchema = (...columns: string[]) =>
    writeFile(join(root, 'server/migrations/schema.sql'), `create table a (\n  ${columns.join(',\n  ')}\n);\n`);
  await writeSchema('id text');
  return {
    root,
    git,
    writeSchema,
    write: (migration: string, text: string) =>
      writeFile(join(root, `server/migrations/${migration}.sql`), `${text}\n`),
    async commit() {
      await writeFile(join(root, DIGESTS_FILE), await renderDigests(root));
      git('add', '-A');
      git('commit', '-q', '-m', 'commit');
    },
  };
}
