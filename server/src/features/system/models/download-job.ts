import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { isPinned, type ModelEntry, type ModelFile, type ModelFiles } from '#engine/index';
import type { Database } from '#platform/db/index';
import type { JobContext } from '#platform/jobs/index';
import type { Log } from '#platform/log';
import { downloadPinnedFile, type GuardedFetch, isTransientFetchError } from '#platform/net/index';
import { Problem } from '#platform/problem';
import type { Storage } from '#platform/storage/index';
import { toFolderProblem } from './folder-problem.ts';
import { storageKeyOf } from './shared-models.ts';
import * as store from './store.ts';

const PROGRESS_MS = 500;

export type DownloadDeps = {
  database: Database;
  storage: Storage;
  net: Pick<GuardedFetch, 'get' | 'minimumRate'>;
  folder: ModelFiles;
  urlsOf: (file: ModelFile) => readonly string[];
  log: Log;
};

/** Returns the handler of `system.download-model`: downloads a model to this node and stores it for all. */
export function createDownloadHandler({ database, storage, net, folder, urlsOf, log }: DownloadDeps) {
  return async (model: ModelEntry, { jobId, attempt, lastAttempt, signal: stopped }: JobContext): Promise<void> => {
    const { name } = model;
    // Models with other files are not published.
    const files = model.files.filter(isPinned);
    const fence = { jobId, attempt };
    if (!(await store.claimDownload(database.db, name, fence))) return;
    const lost = new AbortController();
    const signal = AbortSignal.any([stopped, lost.signal]);
    let done = 0;
    let published = -1;
    let first: number | null = null;
    const onProgress = (bytes: number) => {
      first ??= bytes;
      done = bytes;
    };
    const publishing = setInterval(() => {
      if (done === published) return;
      published = done;
      store.setProgress(database.db, name, fence, done).then(
        (ours) => ours || lost.abort(),
        (error) => log.warn({ err: error, model: name }, 'cannot publish the progress of a download'),
      );
    }, PROGRESS_MS);

    try {
      let before = 0;
      for (const file of files) {
        const at = before;
        const local = await folder.locate(model, file);
        if (local?.sha256 !== file.sha256) {
          const pinned = { ...file, urls: urlsOf(file), path: join(folder.dir, file.name) };
          await downloadPinnedFile(net, pinned, { signal, onProgress: (bytes) => onProgress(at + bytes) });
        }
        before += file.bytes;
        onProgress(before);
      }
      for (const file of files) {
        const key = storageKeyOf(file);
        if (await storage.stat(key)) continue;
        await storage.write(key, createReadStream(join(folder.dir, file.name)), { signal });
      }
      await database.transaction(async (trx) => {
        if (!(await store.endDownload(trx, name, fence, null))) return;
        const installed = files.map(({ name, bytes, sha256 }) => ({ name, bytes, sha256 }));
        await store.setFiles(trx, name, installed);
      });
      log.info({ model: name }, 'downloaded a model');
    } catch (error) {
      if (lost.signal.aborted) return;
      stopped.throwIfAborted();
      const problem = toFolderProblem(error);
      // Somebody is waiting: an attempt that received nothing is not repeated in silence.
      const hasProgressed = first !== null && done > first;
      if (isTransientFetchError(problem) && hasProgressed && !lastAttempt) throw problem;
      // Problems are expected, and shown with the model: their stack would only alarm the reader of the log.
      if (problem instanceof Problem) log.info({ model: name, reason: problem.message }, 'cannot download a model');
      else log.warn({ err: error, model: name }, 'cannot download a model');
      await store.endDownload(database.db, name, fence, describeFailure(problem));
    } finally {
      clearInterval(publishing);
    }
  };
}

function describeFailure(error: unknown): { code: string; message: string } {
  if (error instanceof Problem) return { code: error.code, message: error.message };
  return { code: 'internal_error', message: 'The download failed on our side; the log has the reason.' };
}
