import type { DomainEvents } from '#features/events/index';
import { type LiveRoom, liveProblems, type SourceTest } from '#features/live/index';
import type { Database, Transaction } from '#platform/db/index';
import type { Jobs } from '#platform/jobs/index';
import { toLocalTime } from '#platform/local-time';
import { Problem } from '#platform/problem';
import type { Sealer } from '#platform/secrets/index';
import type { CameraFaults } from './faults.ts';
import { startCamera, tendCameras } from './jobs.ts';
import { ownerOf } from './owner.ts';
import { problems } from './problems.ts';
import type { CameraQuestions, ReadQuery } from './questions.ts';
import type { CameraRetention } from './retention.ts';
import { getSecretContext } from './secrets.ts';
import type { Snapshots } from './snapshots.ts';
import { isFollowed, isPush, isWanted, modeOf, retryDelayS, zoneOf } from './state.ts';
import * as store from './store.ts';
import type { Camera } from './types.ts';

export type CameraRunnerDeps = {
  database: Database;
  jobs: Pick<Jobs, 'send' | 'handle' | 'schedule'>;
  live: Pick<LiveRoom, 'start' | 'requestEnd' | 'sources' | 'analysis'>;
  sealer: Sealer;
  snapshots: Snapshots;
  questions: Pick<CameraQuestions, 'queryOf'>;
  retention: Pick<CameraRetention, 'removeExpired'>;
  faults: Pick<CameraFaults, 'follow'>;
};

/** Cameras that the maintenance job reads at once. */
const PAGE = 500;
/** Pause before an attempt is repeated while too many tests run, in seconds. */
const BUSY_S = 5;

/** Another job has started a session of the camera, or it was switched off. */
class StartSuperseded extends Error {}

/** Keeps sessions of the cameras running that are on. */
export function createRunner(deps: CameraRunnerDeps) {
  const { database, jobs, live, sealer, snapshots, questions, retention, faults } = deps;
  const { db } = database;

  /** Throws `secret_key_lost` (409). */
  const sourceOf = ({ id, sourceSecret }: Camera) =>
    (sealer.open(getSecretContext(id), sourceSecret) as { url: string }).url;

  /** Sends the job that starts a session, unless one waits already. */
  const send = (trx: Transaction, { id, orgId }: Pick<Camera, 'id' | 'orgId'>, startAfterS = 0) =>
    jobs.send(trx, startCamera, { cameraId: id }, { orgId, startAfterS, unlessWaiting: true });

  /** Stores why the camera is offline, with the job of the next attempt. */
  async function fail(
    trx: Transaction,
    camera: Camera,
    { problem, attempts }: Pick<store.Failure, 'problem' | 'attempts'>,
  ): Promise<void> {
    const delayS = retryDelayS(attempts);
    await store.setFailure(trx, camera.id, { problem, attempts, delayS });
    await send(trx, camera, delayS);
  }

  /** Tests a camera that was offline, so that no session is started that records nothing. Null: it is busy. */
  async function findFault(camera: Camera, signal: AbortSignal): Promise<SourceTest['problem'] | 'busy'> {
    try {
      const test = await live.sources.test(sourceOf(camera), signal);
      await snapshots.save(camera.id, test);
      return test.problem;
    } catch (error) {
      if (error instanceof Problem && error.code === 'live_test_busy') return 'busy';
      throw error;
    }
  }

  async function startSession(camera: Camera, query: ReadQuery | null): Promise<void> {
    const { id, session, name, folderId, scope, timeZone, preRollS, postRollS } = camera;
    const request = {
      sourceUrl: sourceOf(camera),
      name,
      streamId: id,
      query: query?.query ?? null,
      plan: query?.plan ?? null,
      folderId,
      scope: folderId === null ? scope : null,
      retentionDays: null,
      // Without questions nothing is an event, so everything stays.
      settings: query === null ? null : { recording: camera.recording, preRollS, postRollS },
    };
    await live.start(ownerOf(camera), request, {
      id,
      recordingName: toRecordingName(name, new Date(), zoneOf(camera)),
      timeZone,
      async onCreated(trx, { id: sessionId }) {
        const started = { id, before: session?.id ?? null, sessionId, ...toSessionFields(query) };
        const isOurs = await store.setSession(trx, started);
        if (!isOurs) throw new StartSuperseded();
      },
    });
  }

  async function start({ cameraId }: { cameraId: string }, signal: AbortSignal): Promise<void> {
    const camera = await store.findCamera(db, cameraId);
    const mode = camera ? modeOf(camera) : 'off';
    if (!camera || mode === 'off') return;
    const query = await questions.queryOf(camera, mode);
    if (isFollowed(camera)) return syncSession(camera, query);
    try {
      if (isPush(camera) && !camera.publisher) throw liveProblems.live_push_absent();
      // A session that is ending because its source was lost.
      const wasLost = camera.attempts > 0 || camera.session?.problem != null;
      const fault = wasLost && !isPush(camera) ? await findFault(camera, signal) : null;
      if (fault === 'busy') return void (await database.transaction((trx) => send(trx, camera, BUSY_S)));
      if (fault) throw new Problem({ status: 400, ...fault });
      await startSession(camera, query);
    } catch (error) {
      if (error instanceof StartSuperseded) return;
      if (!(error instanceof Problem) || error.isFault) throw error;
      await database.transaction(async (trx) => {
        const now = await store.lockCamera(trx, cameraId);
        if (!now || !isWanted(now) || isFollowed(now)) return;
        await fail(trx, now, { problem: error, attempts: now.attempts + 1 });
      });
    }
  }

  /**
   * Gives a running session the questions of its camera. One that is only recorded from now on, or that is recorded
   * otherwise, is a new one.
   */
  async function syncSession(camera: Camera, query: ReadQuery | null): Promise<void> {
    if (isInSync(camera, query)) return;
    const { id, session } = camera;
    if (query !== null && hasRecordingSettings(camera, query)) {
      await live.analysis.replaceQuery(session!.id, query.query, query.plan);
      return store.setSessionQuery(db, id, toSessionFields(query));
    }
    await database.transaction(async (trx) => {
      const now = await store.lockCamera(trx, id);
      if (now?.session?.id !== session!.id) return;
      await end(trx, now);
      await send(trx, now);
    });
  }

  /** True if a job has to start a session, or to give the running one other questions or replace it. */
  async function isDue(camera: Camera): Promise<boolean> {
    if (!isFollowed(camera)) return camera.retryAt === null || camera.retryAt <= new Date();
    return !isInSync(camera, await questions.queryOf(camera, modeOf(camera)));
  }

  /** Starts and ends what is due by schedules, or was not started or ended because of a crash. */
  async function tend(): Promise<void> {
    for (let after = ''; ; ) {
      const page = await store.listTended(db, after, PAGE);
      await faults.follow(page);
      for (const camera of page) {
        if (isWanted(camera)) {
          if (await isDue(camera)) await database.transaction((trx) => send(trx, camera));
          continue;
        }
        await database.transaction(async (trx) => {
          const now = await store.lockCamera(trx, camera.id);
          if (now && !isWanted(now)) await end(trx, now);
        });
      }
      if (page.length < PAGE) return;
      after = page.at(-1)!.id;
    }
  }

  async function end(trx: Transaction, camera: Camera): Promise<void> {
    if (isFollowed(camera)) await live.requestEnd(trx, camera.session!.id);
  }

  return {
    sourceOf,
    tend,

    /** Starts, updates or ends the session of a camera as it is wanted. `restart`: a new one, of its present source. */
    async follow(trx: Transaction, camera: Camera, { restart }: { restart: boolean }): Promise<void> {
      if (!isWanted(camera) || restart) await end(trx, camera);
      if (isWanted(camera)) await send(trx, camera);
    },

    /** Domain event: starts the next session of a camera, at once or when the next attempt is due. */
    async onLiveEnded(trx: Transaction, { sessionId, code, message }: DomainEvents['live.ended']): Promise<void> {
      const camera = await store.lockCameraOfSession(trx, sessionId);
      if (!camera || !isWanted(camera)) return;
      if (code === null && (await store.wasEndRequested(trx, sessionId))) return void (await send(trx, camera));
      const ended = problems.camera_source_ended();
      const problem = code === null ? ended : { code, message: message ?? '' };
      const hadFrames = camera.session?.startedAt != null;
      await fail(trx, camera, { problem, attempts: hadFrames ? 1 : camera.attempts + 1 });
    },

    registerJobs(): void {
      jobs.handle(startCamera, (payload, { signal }) => start(payload, signal));
      jobs.handle(tendCameras, async () => {
        await tend();
        await retention.removeExpired();
      });
      jobs.schedule(tendCameras, '* * * * *', {});
    },
  };
}

const toSessionFields = (query: ReadQuery | null) => ({
  sessionQuery: query?.query ?? null,
  sessionReading: query?.digest ?? null,
});

/** True if the session of a camera was given this query, by this reading. */
const hasQuery = (camera: Camera, query: ReadQuery | null): boolean =>
  camera.sessionQuery === (query?.query ?? null) && camera.sessionReading === (query?.digest ?? null);

/** True if the session of a camera records what the camera is set to. Without questions, that is everything. */
function hasRecordingSettings({ session, recording, preRollS, postRollS }: Camera, query: ReadQuery | null): boolean {
  if (query === null || recording === 'continuous') return session!.recording === 'continuous';
  return session!.recording === 'events' && session!.preRollS === preRollS && session!.postRollS === postRollS;
}

const isInSync = (camera: Camera, query: ReadQuery | null): boolean =>
  hasQuery(camera, query) && hasRecordingSettings(camera, query);

/** Name of a recording: that of the camera, and the local time at which it started. */
function toRecordingName(name: string, at: Date, timeZone: string): string {
  const { day, time } = toLocalTime(at, timeZone);
  return `${name} ${day} ${time}`;
}
