import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';

/** Migrations of this version. */
export const MIGRATIONS = new URL('../../../../migrations/', import.meta.url);

export type MigrationFile = {
  /** File name without `.sql`, such as `0001_init`. */
  name: string;
  text: string;
  /** SHA-256 of the text as hexadecimal digits, independent of its line endings. */
  digest: string;
  /**
   * Earlier migrations that it contracts, from its lines `-- contracts: NAME`: it removes what only versions without
   * them use, so such a version must not run on the result.
   */
  contracts: string[];
};

const CONTRACTS = /^-- contracts: (\S+)$/gm;

/** Reads the migrations in a folder, ordered by number. */
export async function readMigrations(folder: URL): Promise<MigrationFile[]> {
  const names = (await readdir(folder)).filter((name) => /^\d{4}_.*\.sql$/.test(name)).sort();
  return Promise.all(
    names.map(async (name) => {
      const text = (await readFile(new URL(name, folder), 'utf8')).replaceAll('\r\n', '\n');
      return {
        name: name.replace(/\.sql$/, ''),
        text,
        digest: createHash('sha256').update(text).digest('hex'),
        contracts: [...text.matchAll(CONTRACTS)].map(([, contracted]) => contracted!),
      };
    }),
  );
}
