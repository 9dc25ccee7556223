import type { Camera, LiveSessionSummary, WallLayout } from '@sightline/sdk';

export type WallFolder = { id: string; name: string };

/** A stream with a place on the wall: a camera, or a session that was started by itself. */
export type WallSource = {
  /** Id of the stream; that of a camera is the id of the camera. */
  id: string;
  name: string;
  folder: WallFolder | null;
  camera: Camera | null;
  /** Its newest session, which runs or ended while the wall was open; null if there is none. */
  session: LiveSessionSummary | null;
};

export type WallSize = WallLayout['size'];
export const WALL_SIZES: readonly WallSize[] = [1, 4, 9, 16];

/** Cameras, and other streams whose sessions run or ran while the wall was open, by name. */
export function toSources(
  cameras: readonly Camera[],
  sessions: readonly LiveSessionSummary[],
  folders: readonly WallFolder[],
): WallSource[] {
  // The newest session of a stream is the first one.
  const newest = new Map(sessions.toReversed().map((session) => [session.stream_id, session]));
  const ofCameras = cameras.map((camera): WallSource => {
    const { camera_id: id, name, folder_id, folder_name } = camera;
    const folder = folder_id === null ? null : { id: folder_id, name: folder_name ?? '' };
    return { id, name, folder, camera, session: newest.get(id) ?? null };
  });
  const ids = new Set(cameras.map(({ camera_id }) => camera_id));
  const others = [...newest.values()]
    .filter(({ stream_id }) => !ids.has(stream_id))
    .map((session): WallSource => {
      const { stream_id: id, name, folder_id } = session;
      const folder = folders.find((each) => each.id === folder_id) ?? null;
      return { id, name, folder, camera: null, session };
    });
  return [...ofCameras, ...others].sort((a, b) => a.name.localeCompare(b.name) || a.id.localeCompare(b.id));
}

/** The sources in the order of their places. Those without one follow, in the given order. */
export function arrange<Source extends { id: string }>(sources: readonly Source[], places: readonly string[]) {
  const byId = new Map(sources.map((source) => [source.id, source]));
  const placed = places.flatMap((id) => byId.get(id) ?? []);
  const ids = new Set(places);
  return [...placed, ...sources.filter(({ id }) => !ids.has(id))];
}

/**
 * The places after two streams of the shown order have changed theirs. Streams that are not shown keep their places at
 * the end, so that one that runs again is where it was.
 */
export function swap(shown: readonly string[], places: readonly string[], a: string, b: string): string[] {
  const [i, j] = [shown.indexOf(a), shown.indexOf(b)];
  const next = [...shown];
  if (i >= 0 && j >= 0) [next[i], next[j]] = [b, a];
  const ids = new Set(shown);
  return [...next, ...places.filter((id) => !ids.has(id))].slice(0, MOST_PLACES);
}

/** The service stores as many. */
const MOST_PLACES = 500;

/** Number of columns of a full wall. */
export const columnsOf = (size: WallSize): number => Math.sqrt(size);

/** Columns and rows for some tiles, as large as they can be; at most those of a full wall. */
export function gridOf(count: number, size: WallSize): { columns: number; rows: number } {
  const columns = Math.min(columnsOf(size), Math.ceil(Math.sqrt(count)));
  return { columns, rows: Math.ceil(count / columns) };
}

/** The page of a place, and how many there are; at least one. */
export const pageOf = (index: number, size: WallSize): number => Math.floor(Math.max(0, index) / size);
export const pageCount = (count: number, size: WallSize): number => Math.max(1, Math.ceil(count / size));

const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] } as const;
export type ArrowKey = keyof typeof STEPS;
export const isArrow = (key: string): key is ArrowKey => key in STEPS;

/** Returns the tile that an arrow key leads to, or the same one at an edge of the wall. */
export function neighbor(index: number, key: ArrowKey, { count, columns }: { count: number; columns: number }): number {
  const [x, y] = STEPS[key];
  const column = (index % columns) + x;
  const next = index + x + y * columns;
  return column < 0 || column >= columns || next < 0 || next >= count ? index : next;
}

export type TileState = 'connecting' | 'live' | 'lost' | 'ending' | 'off' | 'ended';

/** The state that a tile shows. */
export function stateOf({ camera, session }: Pick<WallSource, 'camera' | 'session'>): TileState {
  if (session) {
    if (session.status === 'ENDING') return camera ? 'ending' : 'ended';
    if (session.status === 'ACTIVE') return session.connected ? 'live' : 'lost';
    // A camera tries again and again, which is not yet connecting to somebody who waits.
    if (session.status === 'INITIALIZING') return camera?.state === 'offline' ? 'lost' : 'connecting';
    return 'ended';
  }
  if (!camera) return 'ended';
  if (camera.state === 'off' || camera.state === 'off_by_schedule') return 'off';
  if (camera.state === 'stopping') return 'ending';
  return camera.state === 'offline' ? 'lost' : 'connecting';
}
