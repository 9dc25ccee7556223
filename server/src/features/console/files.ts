import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { extname, join, sep } from 'node:path';

/** A file of the built console, held in memory (about 2 MB altogether). */
export type ConsoleFile = {
  type: string;
  etag: string;
  /** Content by `Content-Encoding`. */
  bytes: Partial<Record<'br' | 'gzip', Buffer>> & { identity: Buffer };
};

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
  '.woff': 'font/woff',
  '.json': 'application/json; charset=utf-8',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
};
const ENCODED = { '.br': 'br', '.gz': 'gzip' } as const;

/** The files of a build by their path in it, such as `assets/index-4f1c.js`. */
export async function readFiles(folder: string): Promise<ReadonlyMap<string, ConsoleFile>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const names = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1))
    .sort((a, b) => a.length - b.length);
  const files = new Map<string, ConsoleFile>();
  for (const name of names) {
    const bytes = await readFile(join(folder, name));
    const path = name.split(sep).join('/');
    const encoding = ENCODED[extname(path) as keyof typeof ENCODED];
    const original = encoding && files.get(path.slice(0, -extname(path).length));
    if (original) original.bytes[encoding] = bytes;
    else
      files.set(path, {
        type: TYPES[extname(path)] ?? 'application/octet-stream',
        etag: etagOf(bytes),
        bytes: { identity: bytes },
      });
  }
  return files;
}

const etagOf = (bytes: Buffer) => `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`;
