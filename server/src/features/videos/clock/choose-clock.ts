import { toInstant } from '#platform/local-time';
import type { ClockReading, ClockSource, RecordingClock, StoredClock } from './types.ts';

const MINUTE_MS = 60_000;
/** Offsets of time zones are whole quarters of an hour, at most 14 hours from UTC. */
const QUARTER_MS = 15 * MINUTE_MS;
const FURTHEST_MS = 14 * 60 * MINUTE_MS;
/** Sources that differ by less agree. */
const SAME_MS = MINUTE_MS;

/** Ranks of readings: those that say in which zone they are go first, each kind from the best source to the worst. */
const SOURCES: readonly ClockSource[] = ['person', 'live', 'log', 'container', 'name'];

type Candidate = { source: ClockSource; at: number; timeZone: string | null; isZoneKnown: boolean; rank: number };

/** When a video was recorded, by what its sources say and a person set; null if nothing says it. */
export function chooseClock({ readings, settings }: StoredClock): RecordingClock | null {
  const zone = settings?.timeZone ?? null;
  const shiftMs = (settings?.shiftS ?? 0) * 1_000;
  const candidates = readings
    .map((reading) => toCandidate(reading, readings, zone))
    .toSorted((a, b) => a.rank - b.rank);
  const set: Candidate[] = settings?.recordedAt
    ? [{ source: 'person', at: Date.parse(settings.recordedAt), timeZone: zone, isZoneKnown: true, rank: 0 }]
    : [];
  const [best] = [...set, ...candidates];
  if (!best) return null;
  const at = best.source === 'person' ? best.at : best.at + shiftMs;
  return {
    recordedAt: new Date(at),
    timeZone: zone ?? best.timeZone,
    source: best.source,
    isZoneKnown: best.isZoneKnown,
    conflicts: candidates
      .filter((each) => each !== best && contradicts(each, best))
      .map(({ source, at: other }) => ({ source, recordedAt: new Date(other) })),
  };
}

function toCandidate(reading: ClockReading, all: readonly ClockReading[], zone: string | null): Candidate {
  const { source, time, offsetMin, isDoubtful } = reading;
  const written = Date.parse(`${time}Z`);
  const rankOf = (isZoneKnown: boolean) => SOURCES.indexOf(source) + (isZoneKnown ? 0 : SOURCES.length);
  const candidate = (at: number, timeZone: string | null, isZoneKnown: boolean): Candidate => ({
    source,
    at,
    timeZone,
    isZoneKnown,
    rank: rankOf(isZoneKnown),
  });
  if (offsetMin === null) {
    const utc = all.map((other) => utcBeside(written, other)).find((at) => at !== null) ?? null;
    if (zone) return candidate(toInstant(time, zone).getTime(), zone, true);
    return utc === null ? candidate(written, null, false) : candidate(utc, toOffset(written - utc), true);
  }
  const at = written - offsetMin * MINUTE_MS;
  // An exact instant in UTC says nothing about the place.
  const place = offsetMin === 0 ? null : toOffset(offsetMin * MINUTE_MS);
  return candidate(at, place, !isDoubtful);
}

/**
 * The instant of a time without a zone, if another source states UTC and both differ by the offset of a zone; null if
 * not. Where they are equal, either the zone is UTC or the other source is local time too.
 */
function utcBeside(written: number, { time, offsetMin, source }: ClockReading): number | null {
  if (source === 'name' || offsetMin === null) return null;
  const utc = Date.parse(`${time}Z`) - offsetMin * MINUTE_MS;
  const offset = Math.round((written - utc) / QUARTER_MS) * QUARTER_MS;
  const isOffset = offset !== 0 && Math.abs(offset) <= FURTHEST_MS && Math.abs(written - offset - utc) < SAME_MS;
  return isOffset ? written - offset : null;
}

/** `+01:00` of a difference to UTC in milliseconds. */
function toOffset(ms: number): string {
  const minutes = Math.abs(Math.round(ms / MINUTE_MS));
  const [h, m] = [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, '0'));
  return `${ms < 0 ? '-' : '+'}${h}:${m}`;
}

/** True unless both agree, where a source without a zone may be in any zone. */
function contradicts(one: Candidate, best: Candidate): boolean {
  const difference = Math.abs(one.at - best.at);
  if (difference < SAME_MS) return false;
  const isZoneOpen = !(one.isZoneKnown && best.isZoneKnown) && difference <= FURTHEST_MS + SAME_MS;
  const rest = difference % QUARTER_MS;
  return !isZoneOpen || Math.min(rest, QUARTER_MS - rest) >= SAME_MS;
}

/** The source of the time at which a video was recorded; null if nothing says it. */
export const clockSource = (stored: StoredClock): ClockSource | null => chooseClock(stored)?.source ?? null;
