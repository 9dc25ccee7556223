import { createHash } from 'node:crypto';
import { createReadStream, type Stats } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { ModelEntry, ModelFile } from './catalog.ts';

/** A model's file on this machine. */
export type LocatedFile = {
  path: string;
  bytes: number;
  /** Of its content, which may differ from that of the catalog. */
  sha256: string;
  /** When this file came to this path, whatever modification time it has. */
  placedAt: Date;
};

/** Files of models on this machine. */
export interface ModelFiles {
  /** Folder to which an operator can copy files. */
  readonly dir: string;
  /** Returns a file of a model, also one with other content; null if it does not exist. Throws if it cannot be read. */
  locate(model: ModelEntry, file: ModelFile): Promise<LocatedFile | null>;
}

/**
 * Files in a folder; those that are not there may come with a package of the service. Digests are computed once per
 * version of a file.
 */
export function createModelFolder(dir: string): ModelFiles {
  const known = new Map<string, { version: string; digest: Promise<string> }>();

  function computeDigest(path: string, version: string): Promise<string> {
    const cached = known.get(path);
    if (cached?.version === version) return cached.digest;
    const digest = hashFile(path);
    known.set(path, { version, digest });
    digest.catch(() => known.delete(path));
    return digest;
  }

  return {
    dir,
    async locate({ module }, { name }) {
      const installed = module === undefined ? null : assetPath(module, name);
      const paths = [join(dir, name), ...(installed === null ? [] : [installed])];
      const all = await Promise.all(paths.map(async (path) => ({ path, facts: await statFile(path) })));
      const found = all.find(({ facts }) => facts?.isFile());
      if (!found?.facts) return null;
      const { path, facts } = found;
      const version = `${facts.mtimeMs} ${facts.ctimeMs} ${facts.size} ${facts.ino}`;
      const sha256 = await computeDigest(path, version);
      return { path, bytes: facts.size, sha256, placedAt: facts.ctime };
    },
  };
}

async function statFile(path: string): Promise<Stats | null> {
  return stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null;
    throw error;
  });
}

/** Path of a file of a package; null if the package is not installed. */
function assetPath(module: string, name: string): string | null {
  try {
    return join(dirname(createRequire(import.meta.url).resolve(module)), 'assets', name);
  } catch {
    return null;
  }
}

async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}
