import { isPushUrl, OPEN_STATUSES } from '#features/live/index';
import { type CameraMode, modeAt } from './schedule.ts';
import type { Camera, CameraFault, CameraState } from './types.ts';

/** True while the newest session of a camera has not ended. */
export const isRecording = ({ session }: Pick<Camera, 'session'>): boolean =>
  session !== null && OPEN_STATUSES.includes(session.status);

/** True while the newest session may receive frames: its end was not requested. */
export const isFollowed = ({ session }: Pick<Camera, 'session'>): boolean =>
  session?.status === 'INITIALIZING' || session?.status === 'ACTIVE';

/** True if an encoder publishes to the camera, and the service does not connect to it. */
export const isPush = ({ sourceUrl }: Pick<Camera, 'sourceUrl'>): boolean => isPushUrl(sourceUrl);

/** Time zone of the schedule of a camera. */
export const zoneOf = ({ timeZone }: Pick<Camera, 'timeZone'>): string => timeZone ?? 'UTC';

/** Mode that the settings and the schedule of a camera want now. */
export const modeOf = (camera: Pick<Camera, 'enabled' | 'schedule' | 'timeZone'>, now = new Date()): CameraMode =>
  camera.enabled ? modeAt(camera.schedule, zoneOf(camera), now) : 'off';

/** True if a camera is to be recorded now. */
export const isWanted = (camera: Pick<Camera, 'enabled' | 'schedule' | 'timeZone'>): boolean =>
  modeOf(camera) !== 'off';

export function stateOf(camera: Camera): CameraState {
  if (!isWanted(camera)) {
    if (isRecording(camera)) return 'stopping';
    return camera.enabled ? 'off_by_schedule' : 'off';
  }
  if (isFollowed(camera) && camera.session!.connected) return 'live';
  if (camera.session?.status === 'ACTIVE') return 'offline';
  return camera.problem ? 'offline' : 'starting';
}

/** The reason why a camera is offline; null in other states. */
export function problemOf(camera: Camera): Camera['problem'] {
  if (stateOf(camera) !== 'offline') return null;
  return camera.session?.status === 'ACTIVE' ? camera.session.problem : camera.problem;
}

/** Since when a camera is offline; null in other states. */
export function offlineSinceOf(camera: Camera): Date | null {
  if (stateOf(camera) !== 'offline') return null;
  return camera.session?.status === 'ACTIVE' ? camera.lastFrameAt : camera.offlineSince;
}

/** A camera that is offline for a shorter time is reported as such, and has no fault yet: it reconnects. In seconds. */
const OFFLINE_S = 30;

/** The fault of a camera now; null: none. */
export function faultOf(camera: Camera, now = new Date()): CameraFault | null {
  const offlineSince = offlineSinceOf(camera);
  if (offlineSince && now.getTime() - offlineSince.getTime() >= OFFLINE_S * 1_000)
    return { kind: 'offline', since: offlineSince, message: problemOf(camera)?.message ?? null };
  if (stateOf(camera) !== 'live') return null;
  const { blackSince, frozenSince } = camera.session!;
  if (blackSince) return { kind: 'black', since: blackSince, message: null };
  return frozenSince && { kind: 'frozen', since: frozenSince, message: null };
}

/** Limits of the pause before the next attempt at an offline camera, in seconds; it doubles with every attempt. */
const RETRY_S = { first: 5, longest: 300 };

/** The pause after `attempts` failed ones, in seconds. */
export const retryDelayS = (attempts: number): number =>
  Math.min(RETRY_S.first * 2 ** Math.min(attempts - 1, 10), RETRY_S.longest);
