import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { type MigrationFile, readMigrations } from '../server/src/platform/db/migrations/files.ts';

/** The recorded digests, in the format of `sha256sum`, so that `sha256sum -c` reads them too. */
export const DIGESTS_FILE = 'server/migrations/SHA256SUMS';
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

/** Returns one sentence for each frozen migration that was changed or removed, and for each number used twice. */
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
  ];
}

const migrationsOf = (root: string): Promise<MigrationFile[]> =>
  readMigrations(pathToFileURL(`${join(root, 'server/migrations')}/`));

/**
 * Returns the digests at the commit where HEAD left the main branch, HEAD's own if there is no such branch, or the
 * content of DIGESTS_FILE outside git.
 */
async function frozenDigests(root: string): Promise<Digests> {
  const git = (...args: string[]) =>
    run('git', ['-C', root, ...args]).then(
      ({ stdout }) => stdout,
      () => null,
    );
  const atCommit = async (commit: string | null) => commit && git('show', `${commit.trim()}:./${DIGESTS_FILE}`);
  for (const branch of MAIN) {
    const frozen = await atCommit(await git('merge-base', 'HEAD', branch));
    if (frozen) return parseDigests(frozen);
  }
  const frozen = (await atCommit('HEAD')) ?? (await readFile(join(root, DIGESTS_FILE), 'utf8').catch(() => ''));
  return parseDigests(frozen);
}

function parseDigests(text: string): Digests {
  return new Map([...text.matchAll(/^([0-9a-f]{64}) {2}(\S+)\.sql$/gm)].map(([, digest, name]) => [name!, digest!]));
}
