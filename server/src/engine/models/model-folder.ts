import { createHash } from 'node:crypto';
import { createReadStream, type Stats } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, parse } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { ModelEntry, ModelFile } from './catalog.ts';
import type { ConvertModel } from './model-converter.ts';

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

/** Subfolder for models that were converted from packages: their names contain the digest of their content. */
const CONVERTED = 'converted';
const DIGEST_DIGITS = 12;

/**
 * Files in a folder; those that are not there may come with a package of the service, or be converted from one into the
 * folder by `convert`. Digests are computed once per version of a file.
 */
export function createModelFolder(dir: string, convert: ConvertModel | null = null): ModelFiles {
  const known = new Map<string, { version: string; digest: Promise<string> }>();

  function computeDigest(path: string, version: string): Promise<string> {
    const cached = known.get(path);
    if (cached?.version === version) return cached.digest;
    const digest = hashFile(path);
    known.set(path, { version, digest });
    digest.catch(() => known.delete(path));
    return digest;
  }

  async function find(path: string): Promise<LocatedFile | null> {
    const facts = await statFile(path);
    if (!facts?.isFile()) return null;
    const version = `${facts.mtimeMs} ${facts.ctimeMs} ${facts.size} ${facts.ino}`;
    return { path, bytes: facts.size, sha256: await computeDigest(path, version), placedAt: facts.ctime };
  }

  /** The file that is converted from a package: another content is damaged, and replaced. */
  async function findConverted({ name, packaged, sha256 }: ModelFile): Promise<LocatedFile | null> {
    if (!packaged || !convert || sha256 === null) return null;
    const { name: base, ext } = parse(name);
    const path = join(dir, CONVERTED, `${base}-${sha256.slice(0, DIGEST_DIGITS)}${ext}`);
    const findWhole = async () => {
      const found = await find(path);
      return found?.sha256 === sha256 ? found : null;
    };
    const found = await findWhole();
    if (found) return found;
    await convert(packaged, { path, sha256 });
    return findWhole();
  }

  return {
    dir,
    async locate({ module }, file) {
      const installed = module === undefined ? null : assetPath(module, file.name);
      return (
        (await find(join(dir, file.name))) ??
        (installed === null ? null : await find(installed)) ??
        (await findConverted(file))
      );
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
