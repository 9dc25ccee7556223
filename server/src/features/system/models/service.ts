import { createReadStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { BUNDLED, type Engine, isPinned, type ModelEntry, type ModelFile, type ModelFiles } from '#engine/index';
import { type AuditActor, recordAction } from '#features/audit/index';
import type { Database, Transaction } from '#platform/db/index';
import type { Caller } from '#platform/http/index';
import type { Jobs } from '#platform/jobs/index';
import type { Log } from '#platform/log';
import { type GuardedFetch, removePartialFiles } from '#platform/net/index';
import type { Problem } from '#platform/problem';
import { type StagedFile, type Storage, stageFile } from '#platform/storage/index';
import { problems } from '../problems.ts';
import { createDownloadHandler } from './download-job.ts';
import { toFolderProblem } from './folder-problem.ts';
import { abandonDownload, downloadModel } from './jobs.ts';
import type { Model, ModelList } from './schema.ts';
import { currentFile, storageKeyOf } from './shared-models.ts';
import * as store from './store.ts';

/** Provided files may differ in size from the published ones. */
const MAX_PROVIDED_BYTES = 2 ** 30;
const POLL_MS = 200;

export type ModelsDeps = {
  database: Database;
  storage: Storage;
  jobs: Pick<Jobs, 'send' | 'cancel' | 'handle'>;
  net: Pick<GuardedFetch, 'get' | 'minimumRate'>;
  engine: Pick<Engine, 'tryModel'>;
  catalog: readonly ModelEntry[];
  /** The models folder of this node. */
  folder: ModelFiles;
  downloadsAllowed: boolean;
  /** Base URL of the files, instead of those of their publishers; null: none. */
  mirror: string | null;
  /** Organization of the operator; null before the first start. */
  operatorOrg: () => Promise<string | null>;
  log: Log;
};

type Actor = NonNullable<AuditActor>;
export type ProvidedFile = { body: AsyncIterable<Uint8Array>; length: number | null; sha256: string | null };

/**
 * Models of the service, which all nodes and organizations share. Every administrator may add the published files of a
 * model for a task that has none; anything else changes the results of other organizations and is left to the
 * operator's.
 */
export interface Models {
  /** License of every model, whether it is there or not. */
  licenses(): Pick<Model, 'name' | 'title' | 'task' | 'license'>[];
  list(): Promise<ModelList>;
  get(name: string): Promise<Model>;
  /**
   * Starts a download, unless it runs or the model is there. Throws `model_download_off` or `model_not_published`
   * (409), `operator_needed` (403).
   */
  startDownload(caller: Caller, name: string, by: Actor): Promise<Model>;
  /** Cancels a running download. What it has received is used by the next one. Throws `operator_needed` (403). */
  cancelDownload(caller: Caller, name: string, by: Actor): Promise<Model>;
  /**
   * Stores a provided file for all nodes. Throws `operator_needed` (403), `model_unusable` (400) if the
   * engine cannot use it, or `file_too_large` (413).
   */
  provide(
    caller: Caller,
    name: string,
    fileName: string,
    file: ProvidedFile,
    by: Actor,
    signal: AbortSignal,
  ): Promise<Model>;
  /** Removes the files of a model from the service. Throws `operator_needed` (403). */
  remove(caller: Caller, name: string, by: Actor): Promise<Model>;
  /** On the first start of a service: downloads the default model of each task for which there is none. */
  downloadDefaults(): Promise<void>;
  /** Waits until no download runs, at most for `ms` milliseconds. */
  settled(ms: number, signal?: AbortSignal): Promise<void>;
  /** Registers the job handlers. */
  work(): void;
}

export function createModels(deps: ModelsDeps): Models {
  const { database, storage, jobs, engine, catalog, folder, log } = deps;
  const mirror = deps.mirror?.replace(/\/+$/, '');
  const urlsOf = (file: ModelFile) => (mirror !== undefined && isPinned(file) ? [`${mirror}/${file.name}`] : file.urls);
  const isPublished = ({ files }: ModelEntry) => files.every((file) => urlsOf(file).length > 0);
  const inOrder = catalog.toSorted((a, b) => Number(b.isDefault) - Number(a.isDefault));

  function find(name: string): ModelEntry {
    const model = catalog.find((each) => each.name === name);
    if (!model) throw problems.model_not_found();
    return model;
  }

  async function describe(model: ModelEntry, row: store.ModelRow | null): Promise<Model> {
    const files = await Promise.all(
      model.files.map(async (file) => ({
        name: file.name,
        sizeBytes: file.bytes,
        sha256: file.sha256 ?? '',
        urls: [...urlsOf(file)],
        installedSha256: currentFile(row, file.name, await folder.locate(model, file))?.sha256 ?? null,
      })),
    );
    const isReady = files.every(({ installedSha256 }) => installedSha256 !== null);
    const latest = row?.download ?? 'none';
    const status = latest === 'running' ? 'downloading' : isReady ? 'ready' : latest === 'none' ? 'missing' : latest;
    return {
      name: model.name,
      title: model.title,
      task: model.task,
      adds: model.adds,
      questions: [...model.questions],
      contract: model.contract,
      cost: model.cost,
      trainedOn: model.trainedOn,
      quality: model.quality,
      source: model.source ?? null,
      isDefault: model.isDefault,
      isFallback: model.isFallback ?? false,
      license: model.license,
      files,
      status,
      sizeBytes: model.files.reduce((sum, { bytes }) => sum + bytes, 0),
      verified: isReady ? files.every(({ sha256, installedSha256 }) => sha256 === installedSha256) : null,
      bytesDone: latest === 'running' ? row!.bytesDone : 0,
      problem: status === 'failed' ? row!.problem : null,
    };
  }

  async function requireOperator({ orgId }: Caller): Promise<void> {
    if ((await deps.operatorOrg()) !== orgId) throw problems.operator_needed();
  }

  async function endRunning(trx: Transaction, row: store.ModelRow, state: store.DownloadState): Promise<void> {
    if (row.download === 'running' && row.jobId) await jobs.cancel(trx, downloadModel, row.jobId);
    await store.setDownload(trx, row.name, { state, jobId: null });
  }

  const record = (trx: Transaction, { orgId }: { orgId: string }, by: Actor | null, action: string, detail: object) =>
    recordAction(trx, by, { orgId, action, subjectId: (detail as { model: string }).model, detail: { ...detail } });

  async function send(trx: Transaction, name: string): Promise<void> {
    await store.setDownload(trx, name, { state: 'running', jobId: await jobs.send(trx, downloadModel, { name }) });
  }

  async function stage(file: ModelFile, { body }: ProvidedFile, signal: AbortSignal): Promise<StagedFile> {
    try {
      return await stageFile(join(folder.dir, file.name), body, { maxBytes: MAX_PROVIDED_BYTES, signal });
    } catch (error) {
      throw toFolderProblem(error);
    }
  }

  /** Tries a provided file with the other files of the model; as long as one is missing, the model is not used. */
  async function requireUsable(model: ModelEntry, file: ModelFile, path: string): Promise<void> {
    const paths = await Promise.all(
      model.files.map(async (each) => (each === file ? path : ((await folder.locate(model, each))?.path ?? null))),
    );
    if (paths.includes(null)) return;
    const reason = await engine.tryModel(model, paths as string[]).catch((error: Error) => error.message);
    if (reason !== null) throw problems.model_unusable(`The engine cannot use this file: ${reason}`);
  }

  return {
    licenses: () => [...inOrder, ...BUNDLED].map(({ name, title, task, license }) => ({ name, title, task, license })),
    async list() {
      const rows = await store.listModels(database.db);
      const rowOf = ({ name }: ModelEntry) => rows.find((row) => row.name === name) ?? null;
      const models = await Promise.all(inOrder.map((model) => describe(model, rowOf(model))));
      return { downloadsAllowed: deps.downloadsAllowed, models };
    },
    async get(name) {
      const model = find(name);
      return describe(model, await store.findModel(database.db, name));
    },

    async startDownload(caller, name, by) {
      const model = find(name);
      if (!isPublished(model)) throw problems.model_not_published();
      if (!deps.downloadsAllowed) throw problems.model_download_off();
      await requireOperator(caller);
      const { verified } = await describe(model, await store.findModel(database.db, name));
      return database.transaction(async (trx) => {
        const row = await store.lockModel(trx, name);
        if (row.download !== 'running' && verified !== true) {
          await send(trx, name);
          await record(trx, caller, by, 'model.download_started', { model: name });
        }
        return describe(model, await store.findModel(trx, name));
      });
    },

    async cancelDownload(caller, name, by) {
      const model = find(name);
      await requireOperator(caller);
      return database.transaction(async (trx) => {
        const row = await store.lockModel(trx, name);
        if (row.download === 'running') {
          await endRunning(trx, row, 'canceled');
          await record(trx, caller, by, 'model.download_canceled', { model: name });
        }
        return describe(model, await store.findModel(trx, name));
      });
    },

    async provide(caller, name, fileName, provided, by, signal) {
      const model = find(name);
      const file = model.files.find((each) => each.name === fileName);
      if (!file) throw problems.model_file_not_found();
      // Refused before the file is sent.
      await requireOperator(caller);
      await using staged = await stage(file, provided, signal);
      const { sha256, size } = staged;
      if (provided.sha256 !== null && provided.sha256 !== sha256) throw problems.model_digest_mismatch();
      const verified = sha256 === file.sha256;
      if (!verified) await requireUsable(model, file, staged.path);
      await storage.write(storageKeyOf(staged), createReadStream(staged.path), { signal });
      const previous = await database.transaction(async (trx) => {
        const row = await store.lockModel(trx, name);
        await endRunning(trx, row, 'none');
        const others = (row.files ?? []).filter((each) => each.name !== fileName);
        await store.setFiles(trx, name, [...others, { name: fileName, bytes: size, sha256 }]);
        await record(trx, caller, by, 'model.provided', { model: name, file: fileName, sha256, verified });
        return row.files?.find((each) => each.name === fileName && each.sha256 !== sha256) ?? null;
      });
      await staged.commit();
      if (previous) await storage.remove(storageKeyOf(previous)).catch((err) => log.warn({ err }, 'cannot remove'));
      return await this.get(name);
    },

    async remove(caller, name, by) {
      const model = find(name);
      await requireOperator(caller);
      const removed = await database.transaction(async (trx) => {
        const row = await store.lockModel(trx, name);
        await endRunning(trx, row, 'none');
        await store.setFiles(trx, name, null);
        await record(trx, caller, by, 'model.removed', { model: name });
        return row.files ?? [];
      });
      try {
        for (const file of model.files) {
          await rm(join(folder.dir, file.name), { force: true });
          await removePartialFiles(join(folder.dir, file.name));
        }
        for (const file of removed) await storage.remove(storageKeyOf(file));
      } catch (error) {
        // The files are no longer used; they only take space.
        log.warn({ err: error, model: name }, 'cannot delete the files of a removed model');
      }
      return this.get(name);
    },

    async downloadDefaults() {
      const orgId = await deps.operatorOrg();
      if (!deps.downloadsAllowed || orgId === null) return;
      const { models: listed } = await this.list();
      const models = listed.filter(({ name }) => !find(name).isFallback);
      for (const model of inOrder.filter((each) => each.isDefault && isPublished(each))) {
        if (models.some(({ task, status }) => task === model.task && status === 'ready')) continue;
        await database.transaction(async (trx) => {
          const { download, changedAt, name } = await store.lockModel(trx, model.name);
          // Neither what a user has canceled, nor what one has removed.
          if (changedAt !== null || download === 'running' || download === 'canceled') return;
          await send(trx, name);
          await record(trx, { orgId }, null, 'model.download_started', { model: name });
        });
      }
    },

    async settled(ms, signal) {
      const endMs = performance.now() + ms;
      while (performance.now() < endMs) {
        const rows = await store.listModels(database.db);
        if (rows.every(({ download }) => download !== 'running')) return;
        await sleep(POLL_MS, undefined, { signal });
      }
    },

    work() {
      const download = createDownloadHandler({ ...deps, urlsOf });
      jobs.handle(downloadModel, async ({ name }, context) => {
        const model = catalog.find((each) => each.name === name);
        if (model) await download(model, context);
      });
      jobs.handle(abandonDownload, async ({ name }) => {
        const { code, message } = problems.model_abandoned() satisfies Problem;
        await store.abandonDownload(database.db, name, { code, message });
      });
    },
  };
}
