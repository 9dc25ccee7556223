import { type AuditActor, recordAction } from '#features/audit/index';
import type { Folders } from '#features/folders/index';
import { parseSourceUrl, redactSourceUrl, type SourceTest, toPushUrl } from '#features/live/index';
import { requireTimeZone } from '#features/videos/index';
import { canChange, canRead, reaches } from '#platform/access/index';
import type { Transaction } from '#platform/db/index';
import { type Caller, httpProblems, type IdPage, readIdPage } from '#platform/http/index';
import { newId } from '#platform/ids';
import { type CameraFaultsDeps, createFaults } from './faults.ts';
import { problems } from './problems.ts';
import type { Publishing } from './publishing.ts';
import { createCameraQuestions, type QuestionsDeps } from './questions.ts';
import { createRetention, type RetentionDeps } from './retention.ts';
import { type CameraRunnerDeps, createRunner } from './runner.ts';
import { getSecretContext } from './secrets.ts';
import { createSnapshots, type SnapshotsDeps } from './snapshots.ts';
import { isPush } from './state.ts';
import * as store from './store.ts';
import type { Camera, CameraSettings } from './types.ts';

/** Cameras of an organization. */
const MAX_CAMERAS = 1_000;

export type CamerasDeps = Omit<CameraRunnerDeps, 'snapshots' | 'questions' | 'retention' | 'faults'> &
  CameraFaultsDeps &
  RetentionDeps &
  QuestionsDeps &
  SnapshotsDeps & { folders: Pick<Folders, 'require' | 'requireWritable'>; publishing: Pick<Publishing, 'createKey'> };

/** `questionIds`: saved questions that its sessions answer. */
type Questions = { questionIds: readonly string[] };
/** `sourceUrl`: null for a camera that pushes. */
export type NewCameraRequest = CameraSettings & Questions & { sourceUrl: string | null; scope: 'user' | 'org' | null };
export type CameraChanges = {
  [Name in keyof (CameraSettings & Questions)]?: (CameraSettings & Questions)[Name] | undefined;
} & {
  sourceUrl?: string | undefined;
};

/**
 * Cameras. Functions with an id throw `camera_not_found` (404), or `camera_forbidden` (403) if the caller may not read,
 * or change, the camera.
 */
export function createCameras(deps: CamerasDeps) {
  const { database, folders, live, publishing, sealer } = deps;
  const { db } = database;
  const snapshots = createSnapshots(deps);
  const questions = createCameraQuestions(deps);
  const retention = createRetention(deps);
  const faults = createFaults(deps);
  const runner = createRunner({ ...deps, snapshots, questions, retention, faults });

  function check(caller: Caller, camera: Camera | null): Camera {
    if (!camera) throw problems.camera_not_found();
    if (!canRead(caller, camera)) throw problems.camera_forbidden();
    if (!reaches(caller, camera.folderId)) throw httpProblems.key_limited();
    return camera;
  }

  const get = async (caller: Caller, id: string): Promise<Camera> => check(caller, await store.findCamera(db, id));

  /** The same for a caller who may change it. */
  async function getChangeable(caller: Caller, id: string): Promise<Camera> {
    const camera = await get(caller, id);
    if (!canChange(caller, camera)) throw problems.camera_forbidden();
    return camera;
  }

  /** The same, locked until the end of the transaction, for a caller who may change it. */
  async function lock(trx: Transaction, caller: Caller, id: string): Promise<Camera> {
    const camera = check(caller, await store.lockCamera(trx, id));
    if (!canChange(caller, camera)) throw problems.camera_forbidden();
    return camera;
  }

  /** The stored fields of a source. Throws `live_source_invalid` (400). */
  function toSource(id: string, url: string | null) {
    const source = url === null ? toPushUrl(id) : parseSourceUrl(url);
    const sourceUrl = redactSourceUrl(source);
    const sourceSecret = sealer.seal(getSecretContext(id), { url: source.href });
    return { sourceUrl, sourceSecret, hasCredentials: source.href !== sourceUrl };
  }

  /** Throws `camera_without_questions` if nothing would be an event of the camera. */
  async function requireQuestions(trx: Transaction, { id, recording }: Camera): Promise<void> {
    if (recording === 'events' && !(await questions.byCamera([id], trx)).has(id))
      throw problems.camera_without_questions();
  }

  const record = (
    trx: Transaction,
    by: AuditActor,
    action: string,
    { id, orgId, name }: Pick<Camera, 'id' | 'orgId' | 'name'>,
    detail: object = {},
  ) => recordAction(trx, by, { orgId, action: `camera.${action}`, subjectId: id, detail: { name, ...detail } });

  return {
    snapshots,
    questionsOf: questions.byCamera,
    onLiveEnded: runner.onLiveEnded,
    ...retention,
    onLiveReported: questions.onLiveReported,
    registerJobs: runner.registerJobs,
    /** See `tendCameras`. */
    tend: runner.tend,
    get,
    getChangeable,

    /** Cameras that the caller may read, newest first. Throws the problems of the folders room. */
    async list(caller: Caller, page: IdPage & { folderId: string | null }) {
      if (page.folderId !== null) await folders.require(caller, page.folderId);
      const read = (before: string | null, limit: number) =>
        store.listCameras(db, caller, { folderId: page.folderId, before, limit });
      const { rows, ...next } = await readIdPage<Camera>(page, read, ({ id }) => id);
      return { cameras: rows, ...next };
    },

    /**
     * Adds a camera of the caller, and starts it if it is enabled. Throws `live_source_invalid`,
     * `camera_scope_conflict`, `camera_without_questions`, `time_zone_invalid` (400), `camera_limit` (409), or a
     * problem of the folder or of a saved question.
     */
    async create(caller: Caller, request: NewCameraRequest, by: AuditActor): Promise<Camera> {
      const { name, enabled, timeZone, schedule, mutedUntil, retention, questionIds, sourceUrl } = request;
      const { recording, preRollS, postRollS } = request;
      if (recording === 'events' && questionIds.length === 0) throw problems.camera_without_questions();
      await requireTimeZone(db, timeZone);
      const { orgId, userId: ownerId } = caller;
      const folderId = request.folderId ?? caller.folderId ?? null;
      const folder = folderId === null ? null : await folders.requireWritable(caller, folderId);
      if (folder && request.scope && request.scope !== folder.scope) throw problems.camera_scope_conflict();
      const scope = folder?.scope ?? request.scope ?? 'user';
      const id = newId();
      const source = toSource(id, sourceUrl);
      return database.transaction(async (trx) => {
        const settings = { name, enabled, timeZone, schedule, mutedUntil, retention, folderId, scope };
        const rolls = { recording, preRollS, postRollS };
        const camera = { id, orgId, ownerId, ...settings, ...rolls, ...source };
        if (!(await store.insertCamera(trx, camera, MAX_CAMERAS))) throw problems.camera_limit();
        await questions.setOfCamera(trx, caller, id, questionIds);
        await record(trx, by, 'created', camera, { source_url: source.sourceUrl });
        const created = (await store.findCamera(trx, id))!;
        await runner.follow(trx, created, { restart: false });
        return created;
      });
    },

    /**
     * Changes settings; undefined leaves one unchanged. A camera that runs is restarted if its source or its recording
     * changes; its name and folder apply from the next session on. Throws as `create`.
     */
    async change(caller: Caller, id: string, changes: CameraChanges, by: AuditActor): Promise<Camera> {
      const { sourceUrl, folderId, questionIds, name, enabled, timeZone, schedule, mutedUntil, retention } = changes;
      const { recording, preRollS, postRollS } = changes;
      await requireTimeZone(db, timeZone);
      const { orgId, ownerId: userId } = await getChangeable(caller, id);
      // Its sessions are those of its owner.
      const folder = folderId == null ? null : await folders.requireWritable({ orgId, userId }, folderId);
      const source = sourceUrl === undefined ? {} : toSource(id, sourceUrl);
      return database.transaction(async (trx) => {
        const before = await lock(trx, caller, id);
        if (sourceUrl !== undefined && isPush(before)) throw problems.camera_source_conflict();
        if (folderId !== undefined && !reaches(caller, folderId)) throw httpProblems.key_limited();
        const place = { folderId, scope: folder?.scope };
        const settings = { name, enabled, timeZone, schedule, mutedUntil, retention, ...place };
        const rolls = { recording, preRollS, postRollS };
        await store.updateCamera(trx, id, { ...settings, ...rolls, ...source });
        if (questionIds !== undefined) await questions.setOfCamera(trx, caller, id, questionIds);
        const after = (await store.findCamera(trx, id))!;
        if (recording !== undefined || questionIds !== undefined) await requireQuestions(trx, after);
        const fields = Object.keys(changes).filter((field) => changes[field as keyof CameraChanges] !== undefined);
        const isSwitched = fields.length === 1 && enabled !== undefined && enabled !== before.enabled;
        if (isSwitched) await record(trx, by, enabled ? 'started' : 'stopped', after);
        else await record(trx, by, 'changed', after, { fields });
        await runner.follow(trx, after, { restart: sourceUrl !== undefined });
        return after;
      });
    },

    /** Creates a new key for the encoder of a camera that pushes. See `Publishing.createKey`. */
    createKey: (caller: Caller, id: string, options: Parameters<Publishing['createKey']>[2]) =>
      database.transaction(async (trx) => publishing.createKey(trx, await lock(trx, caller, id), options)),

    /** Deletes a camera and ends its session; its recordings stay. */
    async remove(caller: Caller, id: string, by: AuditActor): Promise<void> {
      await database.transaction(async (trx) => {
        const camera = await lock(trx, caller, id);
        await runner.follow(trx, { ...camera, enabled: false }, { restart: false });
        await store.deleteCamera(trx, id);
        await record(trx, by, 'deleted', camera);
      });
      await snapshots.remove(id);
    },

    /**
     * Tests a source before a camera is added. Throws `live_source_invalid` (400), `live_test_busy` (429), or the
     * reason of the signal.
     */
    testSource: (sourceUrl: string, signal: AbortSignal): Promise<SourceTest> => live.sources.test(sourceUrl, signal),

    /**
     * Tests the source of a camera, and stores its image. Throws as `testSource`, or `secret_key_lost` (409),
     * `camera_push_untested` (400).
     */
    async test(caller: Caller, id: string, signal: AbortSignal): Promise<SourceTest> {
      const camera = await getChangeable(caller, id);
      if (isPush(camera)) throw problems.camera_push_untested();
      const test = await live.sources.test(runner.sourceOf(camera), signal);
      await snapshots.save(id, test);
      return test;
    },
  };
}

export type Cameras = ReturnType<typeof createCameras>;
