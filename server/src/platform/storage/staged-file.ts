import { createHash } from 'node:crypto';
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { isAbandoned, ownerTag } from './owner-tag.ts';
import { problems } from './problems.ts';

/** A received file, hidden beside the path that it is meant for until `commit`. Disposal deletes it before that. */
export type StagedFile = AsyncDisposable & {
  path: string;
  size: number;
  sha256: string;
  commit(): Promise<void>;
};

/**
 * Receives a file for `path`. Throws `file_too_large` (413), `storage_full` (507), the reason of an aborted signal, or
 * the error of the file system or of the body.
 */
export async function stageFile(
  path: string,
  body: AsyncIterable<Uint8Array>,
  { maxBytes, signal }: { maxBytes: number; signal?: AbortSignal },
): Promise<StagedFile> {
  const folder = dirname(path);
  const prefix = `.${basename(path)}.staged.partial-`;
  await mkdir(folder, { recursive: true });
  await deleteAbandoned(folder, prefix);
  const staged = join(folder, `${prefix}${ownerTag()}`);
  const hash = createHash('sha256');
  let size = 0;
  try {
    await using file = await open(staged, 'wx');
    for await (const chunk of body) {
      signal?.throwIfAborted();
      size += chunk.byteLength;
      if (size > maxBytes) throw problems.file_too_large();
      hash.update(chunk);
      await file.writeFile(chunk);
    }
    await file.sync();
  } catch (error) {
    await rm(staged, { force: true });
    const { code = '' } = error as NodeJS.ErrnoException;
    throw ['ENOSPC', 'EDQUOT'].includes(code) ? problems.storage_full(undefined, { cause: error }) : error;
  }
  return {
    path: staged,
    size,
    sha256: hash.digest('hex'),
    commit: () => rename(staged, path),
    [Symbol.asyncDispose]: () => rm(staged, { force: true }),
  };
}

async function deleteAbandoned(folder: string, prefix: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!name.startsWith(prefix)) continue;
    const path = join(folder, name);
    const facts = await stat(path).catch(() => null);
    if (facts && isAbandoned(name, facts.mtime)) await rm(path, { force: true });
  }
}
