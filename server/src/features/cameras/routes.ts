import { actorOf } from '#features/audit/index';
import { DEFAULT_POST_ROLL_S, DEFAULT_PRE_ROLL_S, type SourceTest } from '#features/live/index';
import type { CameraQuestion } from '#features/saved-questions/index';
import { type App, type Caller, routes, tokenOf } from '#platform/http/index';
import { problems } from './problems.ts';
import { refusalCodeOf } from './refusals.ts';
import { nextChange } from './schedule.ts';
import {
  CameraChange,
  CameraKey,
  CameraList,
  CameraListQuery,
  CameraParams,
  CameraResource,
  CameraSource,
  CameraTest,
  DeletedCamera,
  NewCamera,
  SnapshotQuery,
} from './schema.ts';
import type { Cameras } from './service.ts';
import { faultOf, isPush, modeOf, offlineSinceOf, problemOf, stateOf, zoneOf } from './state.ts';
import type { Camera, Retention } from './types.ts';

const DEFAULT_LIMIT = 100;

/** `pushUrl`: URL that cameras push to; null: they cannot. */
export function camerasRoutes(app: App, cameras: Cameras, pushUrl: string | null): void {
  const route = routes(app, { tag: 'Cameras', scope: 'read', folderKeys: true });
  const media = routes(app, { tag: 'Cameras', scope: 'public' });

  const toPush = ({ hasPushKey, publisher, refusal }: Camera) => ({
    url: pushUrl,
    hasKey: hasPushKey,
    publishing: publisher !== null,
    remote: publisher?.remote ?? null,
    connectedAt: publisher?.connectedAt ?? null,
    refusedAt: refusal?.at ?? null,
    refusedCode: refusal && refusalCodeOf(refusal.reason),
    refusedReason: refusal?.reason ?? null,
  });

  const toResource = (caller: Caller, camera: Camera, questions: readonly CameraQuestion[]) => ({
    ...camera,
    mode: modeOf(camera),
    nextChangeAt: camera.enabled ? nextChange(camera.schedule, zoneOf(camera), new Date()) : null,
    questions: questions.map(({ id, name, active }) => ({ savedQuestionId: id, name, active })),
    source: isPush(camera) ? ('push' as const) : ('pull' as const),
    push: isPush(camera) ? toPush(camera) : null,
    retryAt: isPush(camera) ? null : camera.retryAt,
    cameraId: camera.id,
    state: stateOf(camera),
    bitrate: stateOf(camera) === 'live' ? camera.bitrate : null,
    error: problemOf(camera)?.code ?? null,
    message: problemOf(camera)?.message ?? null,
    offlineSince: offlineSinceOf(camera),
    fault: faultOf(camera),
    sessionId: camera.session?.id ?? null,
    videoId: camera.session?.videoId ?? null,
    startedAt: camera.session?.startedAt ?? null,
    eventCount: camera.session?.eventCount ?? 0,
    sessionRecording: camera.session?.recording ?? null,
    durationS: camera.session?.durationS ?? 0,
    retainedS: camera.session?.retainedS ?? 0,
    discardedS: camera.session?.discardedS ?? 0,
    snapshotUrl: cameras.snapshots.urlOf(caller, camera),
    createdBy: camera.ownerId,
    createdByDisplayName: camera.ownerName,
  });

  async function toResources(caller: Caller, found: readonly Camera[]) {
    const questions = await cameras.questionsOf(found.map(({ id }) => id));
    return found.map((camera) => toResource(caller, camera, questions.get(camera.id) ?? []));
  }
  const toOne = async (caller: Caller, camera: Camera) => (await toResources(caller, [camera]))[0]!;

  route.post(
    '/api/cameras',
    {
      id: 'createCamera',
      summary: 'Add a camera',
      description:
        'Adds a camera. While it is on, the service keeps a live session of its source running: it starts the next one when a session ends, and tries again while the source cannot be reached. Test the source before with `POST /api/cameras/test`.',
      scope: 'write',
      body: NewCamera,
      response: CameraResource,
      errors: [404, 409],
    },
    async (request) => {
      const { caller, body } = request;
      const sourceUrl = body.sourceUrl ?? null;
      if ((body.source === 'push') !== (sourceUrl === null)) throw problems.camera_source_conflict();
      const camera = {
        name: body.name,
        sourceUrl,
        folderId: body.folderId || null,
        scope: body.scope ?? null,
        enabled: body.enabled ?? true,
        timeZone: body.timeZone ?? null,
        schedule: body.schedule ?? null,
        mutedUntil: body.mutedUntil ?? null,
        retention: toRetention(body.retention) ?? null,
        recording: body.recording ?? 'continuous',
        preRollS: body.preRollS ?? DEFAULT_PRE_ROLL_S,
        postRollS: body.postRollS ?? DEFAULT_POST_ROLL_S,
        questionIds: body.savedQuestionIds ?? [],
      };
      return toOne(caller, await cameras.create(caller, camera, actorOf(request)));
    },
  );

  route.get(
    '/api/cameras',
    {
      id: 'listCameras',
      summary: 'List cameras',
      description: 'Lists the cameras that you may read, with their states, newest first.',
      query: CameraListQuery,
      response: CameraList,
      errors: [404],
    },
    async ({ caller, query }) => {
      const { folderId = null, limit = DEFAULT_LIMIT, cursor = null } = query;
      const page = await cameras.list(caller, { folderId, limit, cursor });
      return { ...page, cameras: await toResources(caller, page.cameras) };
    },
  );

  route.get(
    '/api/cameras/:camera_id',
    {
      id: 'getCamera',
      summary: 'Get a camera',
      description: 'Returns a camera and its state.',
      params: CameraParams,
      response: CameraResource,
      errors: [404],
    },
    async ({ caller, params }) => toOne(caller, await cameras.get(caller, params.cameraId)),
  );

  route.patch(
    '/api/cameras/:camera_id',
    {
      id: 'changeCamera',
      summary: 'Change a camera',
      description:
        'Changes the settings that the request has; `enabled` switches the camera on or off. A camera that runs is restarted if its source or its recording changes; a new name or folder applies to its next recordings.',
      scope: 'write',
      params: CameraParams,
      body: CameraChange,
      response: CameraResource,
      errors: [404],
    },
    async (request) => {
      const { caller, params, body } = request;
      const changes = {
        name: body.name ?? undefined,
        sourceUrl: body.sourceUrl ?? undefined,
        folderId: body.folderId == null ? undefined : body.folderId || null,
        enabled: body.enabled ?? undefined,
        timeZone: body.timeZone,
        schedule: body.schedule,
        mutedUntil: body.mutedUntil,
        retention: toRetention(body.retention),
        recording: body.recording ?? undefined,
        preRollS: body.preRollS ?? undefined,
        postRollS: body.postRollS ?? undefined,
        questionIds: body.savedQuestionIds ?? undefined,
      };
      return toOne(caller, await cameras.change(caller, params.cameraId, changes, actorOf(request)));
    },
  );

  route.delete(
    '/api/cameras/:camera_id',
    {
      id: 'deleteCamera',
      summary: 'Delete a camera',
      description: 'Deletes a camera and ends its session. Its recordings stay in the library.',
      scope: 'write',
      params: CameraParams,
      response: DeletedCamera,
      errors: [404],
    },
    async (request) => {
      const { cameraId } = request.params;
      await cameras.remove(request.caller, cameraId, actorOf(request));
      return { status: 'deleted' as const, cameraId };
    },
  );

  route.post(
    '/api/cameras/:camera_id/key',
    {
      id: 'createCameraKey',
      // Not `replay`: the response contains the key, of which only a digest is stored.
      idempotency: 'resumable',
      summary: 'Create a key of a camera that pushes',
      description:
        'Creates the key with which an encoder publishes to the camera. It is shown only in this response. A previous key stops working, and an encoder that publishes with it is disconnected within seconds.',
      scope: 'write',
      params: CameraParams,
      response: CameraKey,
      errors: [404, 409],
    },
    async (request) => {
      const { caller, params, savedReference } = request;
      if (savedReference !== null) throw problems.camera_key_shown_once();
      const pushKey = await cameras.createKey(caller, params.cameraId, {
        by: actorOf(request),
        saveReference: (trx, id) => request.saveReference(id, trx),
      });
      return { cameraId: params.cameraId, pushUrl, pushKey };
    },
  );

  route.post(
    '/api/cameras/test',
    {
      id: 'testCameraSource',
      folderKeys: false,
      summary: 'Test a source',
      description:
        'Connects to a source for at most 25 seconds, as a session would, and reports each step with its time, the format and an image, or the first step that failed with its reason. Nothing is stored.',
      scope: 'write',
      idempotency: 'none',
      body: CameraSource,
      response: CameraTest,
    },
    async ({ body, disconnected }) => toTest(await cameras.testSource(body.sourceUrl, disconnected)),
  );

  route.post(
    '/api/cameras/:camera_id/test',
    {
      id: 'testCamera',
      summary: 'Test a camera',
      description: 'Tests the source of a camera with its stored credentials, and stores the image as its snapshot.',
      scope: 'write',
      idempotency: 'none',
      params: CameraParams,
      response: CameraTest,
      errors: [404, 409],
    },
    async ({ caller, params, disconnected }) => toTest(await cameras.test(caller, params.cameraId, disconnected)),
  );

  media.file(
    '/api/cameras/media/:camera_id/snapshot.jpg',
    {
      id: 'getCameraSnapshot',
      summary: 'Get an image of a camera',
      type: 'image/jpeg',
      what: 'The newest frame of a camera.',
      description:
        'The newest frame of a camera, at most some seconds old while it is recorded, or the image of its last connection test. `Range`, `If-None-Match` and `HEAD` work. An expired or altered URL is 403.',
      params: CameraParams,
      query: SnapshotQuery,
    },
    ({ params, query }) => cameras.snapshots.open(params.cameraId, tokenOf(query)),
  );
}

/** Undefined stays so. */
const toRetention = (
  retention: { [Name in keyof NonNullable<Retention>]?: NonNullable<Retention>[Name] | null } | null | undefined,
): Retention | undefined =>
  retention && {
    days: retention.days ?? null,
    bytes: retention.bytes ?? null,
    keepApproved: retention.keepApproved ?? true,
  };

const toTest = ({ problem, snapshot, ...test }: SourceTest) => ({
  ...test,
  ok: problem === null,
  error: problem?.code ?? null,
  message: problem?.message ?? null,
  snapshot: snapshot?.toString('base64') ?? null,
});
