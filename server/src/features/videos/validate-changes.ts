import { isTimeZone } from '#platform/local-time';
import type { ClockComparison, ClockPoint, ClockSettings } from './clock/index.ts';
import { problems } from './problems.ts';
import { RESERVED_METADATA } from './schema.ts';
import type { ClockChanges, UserMetadata, VideoChanges } from './types.ts';

const MAX_METADATA_FIELDS = 64;

/** Composes characters (NFC) and trims spaces. Throws `video_name_invalid` (400) if the result is empty. */
export function normalizeName(name: string): string {
  const clean = name.normalize('NFC').trim();
  if (clean === '') throw problems.video_name_invalid();
  return clean;
}

/** Trims spaces. Throws `hold_reason_invalid` (400) if the result is empty. */
export function normalizeHoldReason(reason: string): string {
  const clean = reason.normalize('NFC').trim();
  if (clean === '') throw problems.hold_reason_invalid();
  return clean;
}

/** Normalizes each tag as names are and removes duplicates. Throws `video_tag_invalid` (400). */
export function normalizeTags(tags: readonly string[]): string[] {
  const clean = tags.map((tag) => tag.normalize('NFC').trim());
  if (clean.includes('')) throw problems.video_tag_invalid();
  return [...new Set(clean)];
}

/** Merges the changes into the metadata; null removes a name. Throws `video_metadata_invalid` (400). */
export function mergeMetadata(before: UserMetadata, changes: NonNullable<VideoChanges['metadata']>): UserMetadata {
  const reserved = Object.keys(changes).find((name) => RESERVED_METADATA.includes(name));
  if (reserved !== undefined) {
    throw problems.video_metadata_invalid(
      `The name \`${reserved}\` in \`metadata\` is reserved by the service. Use another name.`,
    );
  }
  const after = new Map<string, UserMetadata[string] | null>(Object.entries({ ...before }));
  for (const [name, value] of Object.entries(changes)) after.set(name, value);
  const merged = [...after].filter((entry): entry is [string, UserMetadata[string]] => entry[1] !== null);
  if (merged.length > MAX_METADATA_FIELDS) throw problems.video_metadata_invalid();
  return Object.fromEntries(merged);
}

/** The years that a clock may have; in others it is not set. */
const [EARLIEST, LATEST] = [Date.UTC(1900, 0), Date.UTC(2200, 0)];

/** The given settings of a clock. Throws `time_zone_invalid`, `recorded_at_invalid` or `clock_points_invalid` (400). */
export function toClockSettings({
  recordedAt,
  timeZone,
  shiftS,
  localHeader,
  points,
  comparisons,
}: ClockChanges): Partial<ClockSettings> {
  if (timeZone != null && !isTimeZone(timeZone)) throw problems.time_zone_invalid();
  if (recordedAt && (recordedAt.getTime() < EARLIEST || recordedAt.getTime() >= LATEST)) {
    throw problems.recorded_at_invalid();
  }
  return {
    ...(recordedAt === undefined ? {} : { recordedAt: recordedAt?.toISOString() ?? null, points: null }),
    ...(timeZone === undefined ? {} : { timeZone }),
    ...(shiftS == null ? {} : { shiftS }),
    ...(localHeader == null ? {} : { isHeaderLocal: localHeader }),
    ...(points === undefined ? {} : { points: points && checkPoints(points), ...(points && { recordedAt: null }) }),
    ...(comparisons === undefined ? {} : { comparisons: comparisons && checkComparisons(comparisons) }),
  };
}

/** Seconds of the calendar in a second of a video: slow motion, and time lapses of a frame a day. */
const RATES = { least: 1e-3, most: 1e7 };
/** A clock that runs faster or slower than this does not drift. */
const DRIFTS = { least: 0.5, most: 2 };

type Pair<Point> = readonly [Point, Point];

/** Throws `clock_points_invalid` (400). */
function checkPoints(points: readonly ClockPoint[]): Pair<ClockPoint> {
  const [a, b] = points.toSorted((one, other) => one.atS - other.atS) as [ClockPoint, ClockPoint];
  const rate = (Date.parse(b.recordedAt) - Date.parse(a.recordedAt)) / 1_000 / (b.atS - a.atS);
  if (!(rate >= RATES.least && rate <= RATES.most)) throw problems.clock_points_invalid();
  return [a, b];
}

/** Throws `clock_points_invalid` (400). */
function checkComparisons([a, b]: readonly ClockComparison[]): Pair<ClockComparison> {
  const shownMs = Date.parse(b!.shownAt) - Date.parse(a!.shownAt);
  const rate = (Date.parse(b!.recordedAt) - Date.parse(a!.recordedAt)) / shownMs;
  if (!(rate >= DRIFTS.least && rate <= DRIFTS.most)) throw problems.clock_points_invalid();
  return [a!, b!];
}
