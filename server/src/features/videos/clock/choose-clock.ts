import { toInstant } from '#platform/local-time';
import {
  CLOCK_SOURCES,
  type ClockComparison,
  type ClockPoint,
  type ClockReading,
  type ClockSettings,
  type ClockSource,
  type RecordingClock,
  type StoredClock,
} from './types.ts';

const MINUTE_MS = 60_000;
/** Offsets of time zones are whole quarters of an hour, at most 14 hours from UTC. */
const QUARTER_MS = 15 * MINUTE_MS;
const FURTHEST_MS = 14 * 60 * MINUTE_MS;
/** Sources that differ by less agree. */
const SAME_MS = MINUTE_MS;

type Candidate = {
  source: ClockSource;
  at: number;
  timeZone: string | null;
  isZoneKnown: boolean;
  rank: number;
  rate: number;
  /** Milliseconds by which it may be early. */
  withinMs: number;
};

/** When a video was recorded, by what its sources say and a person set; null if nothing says it. */
export function chooseClock({ readings, settings }: StoredClock): RecordingClock | null {
  const zone = settings?.timeZone ?? null;
  const candidates = readings
    .map((reading) => toCandidate(reading, readings, settings))
    .toSorted((a, b) => a.rank - b.rank);
  const set = settings && setByPerson(settings);
  const [best] = [...(set ? [set] : []), ...candidates];
  if (!best) return null;
  const corrected = best === set ? best : correct(best, settings);
  return {
    recordedAt: new Date(corrected.at),
    timeZone: zone ?? best.timeZone ?? zoneBeside(best, candidates),
    source: best.source,
    isZoneKnown: best.isZoneKnown,
    rate: corrected.rate,
    conflicts: candidates
      .filter((each) => each !== best && contradicts(each, best))
      .map(({ source, at: other }) => ({ source, recordedAt: new Date(other) })),
  };
}

/** The time that a person set, for the first frame or for two points of the video. */
function setByPerson({ recordedAt, timeZone, points }: ClockSettings): Candidate | null {
  const own = { source: 'person', timeZone, isZoneKnown: true, rank: 0, withinMs: 0 } as const;
  if (points) return { ...own, ...lineThrough(points) };
  return recordedAt === null ? null : { ...own, at: Date.parse(recordedAt), rate: 1 };
}

/** The instant of the first frame, and the rate, by two points of the video. */
function lineThrough([a, b]: readonly [ClockPoint, ClockPoint]): { at: number; rate: number } {
  const [first, second] = [Date.parse(a.recordedAt), Date.parse(b.recordedAt)];
  const rate = (second - first) / 1_000 / (b.atS - a.atS);
  return { at: first - a.atS * rate * 1_000, rate };
}

/** The time of a source, with the correction of a wrong clock. */
function correct({ at, rate }: Candidate, settings: ClockSettings | null): { at: number; rate: number } {
  if (settings?.comparisons) {
    const drift = driftOf(settings.comparisons);
    return { at: drift.toActual(at), rate: rate * drift.rate };
  }
  return { at: at + (settings?.shiftS ?? 0) * 1_000, rate };
}

/** A clock that runs evenly too fast or too slow, by two comparisons with the right time. */
function driftOf([a, b]: readonly [ClockComparison, ClockComparison]) {
  const [shown, actual] = [a, b].map(({ shownAt }) => Date.parse(shownAt)) as [number, number];
  const [from, to] = [a, b].map(({ recordedAt }) => Date.parse(recordedAt)) as [number, number];
  const rate = (to - from) / (actual - shown);
  return { rate, toActual: (at: number) => from + (at - shown) * rate };
}

/** Rank of a source: those that say in which zone they are go first. */
const rankOf = (source: ClockSource, isZoneKnown: boolean) =>
  CLOCK_SOURCES.indexOf(source) + (isZoneKnown ? 0 : CLOCK_SOURCES.length);

function toCandidate(reading: ClockReading, all: readonly ClockReading[], settings: ClockSettings | null): Candidate {
  const { source, time, isDoubtful, withinS = 0, rate = 1 } = reading;
  const zone = settings?.timeZone ?? null;
  const written = Date.parse(`${time}Z`);
  const candidate = (at: number, timeZone: string | null, isZoneKnown: boolean): Candidate => ({
    source,
    at,
    timeZone,
    isZoneKnown,
    rank: rankOf(source, isZoneKnown),
    rate,
    withinMs: withinS * 1_000,
  });
  const offsetMin = settings?.isHeaderLocal && isDoubtful ? null : reading.offsetMin;
  if (offsetMin === null) {
    const utc = all.map((other) => utcBeside(written, reading, other)).find((at) => at !== null) ?? null;
    if (zone) return candidate(toInstant(time, zone).getTime(), zone, true);
    return utc === null ? candidate(written, null, false) : candidate(utc, toOffset(written - utc), true);
  }
  const at = written - offsetMin * MINUTE_MS;
  // An exact instant in UTC says nothing about the place.
  const place = offsetMin === 0 ? null : toOffset(offsetMin * MINUTE_MS);
  return candidate(at, place, !isDoubtful);
}

/** Offset of a zone between two times in milliseconds, if they differ by one within a minute; null if not. */
function offsetBetween(local: number, utc: number): number | null {
  const offset = Math.round((local - utc) / QUARTER_MS) * QUARTER_MS;
  const isOffset = offset !== 0 && Math.abs(offset) <= FURTHEST_MS && Math.abs(local - offset - utc) < SAME_MS;
  return isOffset ? offset : null;
}

/**
 * The instant of a time without a zone, if another source states UTC and both differ by the offset of a zone; null if
 * not. Where they are equal, either the zone is UTC or the other source is local time too.
 */
function utcBeside(written: number, own: ClockReading, other: ClockReading): number | null {
  if (other === own || other.source === 'name' || other.offsetMin === null || own.withinS) return null;
  const utc = Date.parse(`${other.time}Z`) - other.offsetMin * MINUTE_MS;
  const offset = offsetBetween(written, utc);
  return offset === null ? null : written - offset;
}

/** The zone by which a file that states local time as UTC differs from an exact source; null without one. */
function zoneBeside(best: Candidate, candidates: readonly Candidate[]): string | null {
  if (!best.isZoneKnown || best.source === 'person') return null;
  const doubtful = candidates.find(({ source, isZoneKnown }) => source === 'container' && !isZoneKnown);
  const offset = doubtful ? offsetBetween(doubtful.at, best.at) : null;
  return offset === null ? null : toOffset(offset);
}

/** `+01:00` of a difference to UTC in milliseconds. */
function toOffset(ms: number): string {
  const minutes = Math.abs(Math.round(ms / MINUTE_MS));
  const [h, m] = [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, '0'));
  return `${ms < 0 ? '-' : '+'}${h}:${m}`;
}

/** True unless both agree, where a source without a zone may be in any zone. */
function contradicts(one: Candidate, best: Candidate): boolean {
  const [early, late] = one.at <= best.at ? [one, best] : [best, one];
  const difference = Math.max(0, late.at - early.at - early.withinMs);
  if (difference < SAME_MS) return false;
  const isZoneOpen = !(one.isZoneKnown && best.isZoneKnown) && difference <= FURTHEST_MS + SAME_MS;
  const rest = difference % QUARTER_MS;
  const isExact = one.withinMs === 0 && best.withinMs === 0;
  return !(isZoneOpen && (!isExact || Math.min(rest, QUARTER_MS - rest) < SAME_MS));
}

/** The source of the time at which a video was recorded; null if nothing says it. */
export const clockSource = (stored: StoredClock): ClockSource | null => chooseClock(stored)?.source ?? null;
