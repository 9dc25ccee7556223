import type { Zone } from '@sightline/sdk';

export type FramePoint = { x: number; y: number };

/** Size of the frame in its own pixels; `pixel`: how many of them are a pixel of the screen. */
export type FrameSize = { width: number; height: number; pixel: number };

/** A zone that is drawn or changed. Points are in fractions of the frame. */
export type ZoneDraft = {
  /** Null for a new zone. */
  zoneId: string | null;
  kind: Zone['kind'];
  name: string;
  points: readonly FramePoint[];
  holdsFor: ZoneReach;
};

/** Reach of a new zone: the video, all recordings of its camera, or all videos of its folder. */
export type ZoneReach = 'video' | 'camera' | 'folder';

export const MAX_POINTS = { line: 2, polygon: 32 } as const;
const MIN_POINTS = { line: 2, polygon: 3 } as const;

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';

/** A draft without points. Its name is the first letter that no other zone has, until somebody writes a better one. */
export const newDraft = (
  kind: Zone['kind'],
  holdsFor: ZoneReach,
  zones: readonly Pick<Zone, 'name'>[] = [],
): ZoneDraft => ({
  zoneId: null,
  kind,
  name: [...LETTERS].find((letter) => zones.every(({ name }) => name.toUpperCase() !== letter)) ?? '',
  points: [],
  holdsFor,
});

export const draftOf = ({ zone_id: zoneId, kind, name, points, folder_id, camera_id }: Zone): ZoneDraft => ({
  zoneId,
  kind,
  name,
  points,
  holdsFor: folder_id !== null ? 'folder' : camera_id !== null ? 'camera' : 'video',
});

/** True if the draft has enough points for its kind. */
export const isDrawn = ({ kind, points }: ZoneDraft): boolean => points.length >= MIN_POINTS[kind];
export const isFull = ({ kind, points }: ZoneDraft): boolean => points.length >= MAX_POINTS[kind];

/** Corners that are added without a pointer: first those of a rectangle in the middle. */
const CORNERS: Record<Zone['kind'], readonly FramePoint[]> = {
  polygon: [
    { x: 0.35, y: 0.35 },
    { x: 0.65, y: 0.35 },
    { x: 0.65, y: 0.65 },
    { x: 0.35, y: 0.65 },
  ],
  line: [
    { x: 0.25, y: 0.5 },
    { x: 0.75, y: 0.5 },
  ],
};

/** Adds a point at the end; without a place, beside the last side. */
export function addPoint(draft: ZoneDraft, point?: FramePoint): ZoneDraft {
  if (isFull(draft)) return draft;
  const { points } = draft;
  return { ...draft, points: [...points, clamped(point ?? CORNERS[draft.kind][points.length] ?? between(points))] };
}

/** The middle of the side that closes a polygon. */
const between = (points: readonly FramePoint[]): FramePoint => {
  const [first, last] = [points[0]!, points.at(-1)!];
  return { x: (first.x + last.x) / 2, y: (first.y + last.y) / 2 };
};

export const movePoint = (draft: ZoneDraft, index: number, point: FramePoint): ZoneDraft => ({
  ...draft,
  points: draft.points.with(index, clamped(point)),
});

export const removePoint = (draft: ZoneDraft, index: number): ZoneDraft => ({
  ...draft,
  points: draft.points.toSpliced(index, 1),
});

/** Swaps the sides of a line. */
export const turn = (draft: ZoneDraft): ZoneDraft => ({ ...draft, points: draft.points.toReversed() });

/** Steps of the arrow keys, in fractions of the frame. */
const STEP = 0.01;
const FINE_STEP = 0.002;

/** The point after an arrow key; null for other keys. */
export function movedByKey({ x, y }: FramePoint, key: string, isFine: boolean): FramePoint | null {
  const step = isFine ? FINE_STEP : STEP;
  switch (key) {
    case 'ArrowLeft':
      return { x: x - step, y };
    case 'ArrowRight':
      return { x: x + step, y };
    case 'ArrowUp':
      return { x, y: y - step };
    case 'ArrowDown':
      return { x, y: y + step };
    default:
      return null;
  }
}

const clamped = ({ x, y }: FramePoint): FramePoint => ({ x: inFrame(x), y: inFrame(y) });
const inFrame = (value: number) => Math.round(Math.min(1, Math.max(0, value)) * 1e4) / 1e4;

/** A question about a zone to start with. */
export const questionAbout = (zone: Pick<Zone, 'kind' | 'name'>): string =>
  `a person ${zone.kind === 'line' ? 'crosses' : 'enters'} ${phraseOf(zone)}`;

/** The zone as prompts call it: "zone door", "line A". */
export function phraseOf({ kind, name }: Pick<Zone, 'kind' | 'name'>): string {
  const noun = kind === 'line' ? 'line' : 'zone';
  return new RegExp(`^${noun} .`, 'i').test(name) ? name : `${noun} ${name}`;
}
