import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { type MigrationFile, readMigrations } from '../server/src/platform/db/migrations/files.ts';
import { findContractions } from './schema-contractions.ts';

/** The recorded digests, in the format of `sha256sum`, so that `sha256sum -c` reads them too. */
export const DIGESTS_FILE = 'server/migrations/SHA256SUMS';
const SCHEMA_FILE = 'server/migrations/schema.sql';
const MAIN = ['origin/HEAD', 'origin/main', 'main'];

/** Digests by migration name. */
type Digests = Map<string, string>;

const run = promisify(execFile);

/**
 * Returns the content for DIGESTS_FILE: frozen entries unchanged, and one entry for each other migration. Migrations
 * are frozen once they are on the main branch; until then they may be rewritten.
 */
export async function renderDigests(root: string): Promise<string> {
  const digests = await frozenDigests(root);
  for (const { name, digest } of await migrationsOf(root)) if (!digests.has(name)) digests.set(name, digest);
  return [...digests]
    .sort()
    .map(([name, digest]) => `${digest}  ${name}.sql\n`)
    .join('');
}

/**
 * Returns one sentence for each frozen migration that was changed or removed, for each number used twice, and for each
 * change of the schema that nodes of the version before cannot work with and no new migration declares.
 */
export async function findMigrationFaults(root: string): Promise<string[]> {
  const files = await migrationsOf(root);
  const recorded = await frozenDigests(root);
  const faults = [...recorded].flatMap(([name, digest]) => {
    const file = files.find((candidate) => candidate.name === name);
    if (!file) return [`${name}.sql was removed. It is on the main branch and databases have run it: restore it.`];
    if (file.digest === digest) return [];
    return [
      `${name}.sql was changed. It is on the main branch and databases have run it: restore it, and put the change into a new migration.`,
    ];
  });
  const twice = files.filter(({ name }, i) => files[i - 1]?.name.slice(0, 4) === name.slice(0, 4));
  return [
    ...faults,
    ...twice.map(({ name }) => `${name}.sql has the number of another migration: give it the next free one.`),
    ...(await findContractFaults(
      root,
      files.filter(({ name }) => !recorded.has(name)),
      recorded,
    )),
  ];
}

async function findContractFaults(root: string, added: MigrationFile[], frozen: Digests): Promise<string[]> {
  const declared = added.flatMap(({ name, contracts }) => contracts.map((contracted) => ({ name, contracted })));
  const early = declared
    .filter(({ contracted }) => !frozen.has(contracted))
    .map(
      ({ name, contracted }) =>
        `${name}.sql contracts ${contracted}, which is not on the main branch: nodes of the version before cannot have it. Merge ${contracted} first, and contract in a later change.`,
    );
  if (declared.length > 0) return early;
  const present = await readFile(join(root, SCHEMA_FILE), 'utf8');
  return findContractions(await frozenText(root, SCHEMA_FILE), present).map(
    (change) =>
      `${change}: nodes of the version before fail on that while both run. Keep what they use, and remove it in a later change, with the line "-- contracts: NAME" in its migration; NAME is the migration with which nodes stopped using it ("Add a migration" in CONTRIBUTING.md).`,
  );
}

const migrationsOf = (root: string): Promise<MigrationFile[]> =>
  readMigrations(pathToFileURL(`${join(root, 'server/migrations')}/`));

const frozenDigests = async (root: string): Promise<Digests> => parseDigests(await frozenText(root, DIGESTS_FILE));

/**
 * Returns the text of a file at the commit where HEAD left the main branch, at HEAD if there is no such branch, or the
 * present one outside git. Empty if there is none.
 */
async function frozenText(root: string, file: string): Promise<string> {
  const git = (...args: string[]) =>
    run('git', ['-C', root, ...args], { maxBuffer: 2 ** 26 }).then(
      ({ stdout }) => stdout,
      () => null,
    );
  const atCommit = async (commit: string | null) => commit && git('show', `${commit.trim()}:./${file}`);
  for (const branch of MAIN) {
    const frozen = await atCommit(await git('merge-base', 'HEAD', branch));
    if (frozen) return frozen;
  }
  return (await atCommit('HEAD')) ?? (await readFile(join(root, file), 'utf8').catch(() => ''));
}

function parseDigests(text: string): Digests {
  return new Map([...text.matchAll(/^([0-9a-f]{64}) {2}(\S+)\.sql$/gm)].map(([, digest, name]) => [name!, digest!]));
}
