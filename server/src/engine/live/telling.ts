import type { Finding } from '../index.ts';
import { LEAD_S } from './signals.ts';

/** A finding in a stream: its times are seconds of the stream. `search` is the part of the prompt that asked for it. */
export type LiveFinding = { search: string; finding: Finding };

/** What was told, as far as it takes to know it again in a later answer. */
export type Told = {
  id: string;
  search: string;
  category: string;
  label: string;
  startS: number;
  endS: number;
  /** Whether it may go on. */
  going: boolean;
  /** Places of the things that it rests on, by the second of the stream; empty where it rests on none. */
  points: [timeS: number, x: number, y: number][];
};

export type LiveNews = {
  /** Found now, and certain; `going` where its end is not known yet. */
  begun: (LiveFinding & { id: string; going: boolean })[];
  /** Told before, and ended. */
  ended: { id: string; endS: number }[];
  /** To be given with the next answer. */
  told: Told[];
};

export type Telling = {
  told: readonly Told[];
  findings: readonly LiveFinding[];
  /** From where to where the stream was looked at for these findings, in seconds of the stream. */
  startS: number;
  endS: number;
  /** Until where it was known at the last telling. */
  knownS: number;
  /** Whether nothing follows: all that goes on has ended. */
  over: boolean;
  /** When a part of the prompt was first asked for: what ended before that is not told. */
  sinceS(search: string): number;
  newId(): string;
};

/** What begins closer to the edge than this may look different once more is seen. */
const SETTLED_S = LEAD_S / 2;
/** What was not seen for this long has ended: lost things are looked for as long as that, and pauses bridged. */
const LOST_S = 2.5;
/** What ended longer ago than this before the last telling would have been told then; where it is found only now, nobody waits for it. */
const LATE_S = 5;
/** Stretches this far apart may be one, seen a little differently. */
const APART_S = 0.5;
/** How far apart, in fractions of the picture, two paths of one thing may lie at one time. */
const ONE_PLACE = 0.04;
const POINTS = 8;
const MOST_TRACKS = 4;

/**
 * What there is to tell after one more piece of a stream: each finding once, when it is certain, and once more that it ended. A stream is answered anew with each piece, and the
 * same happening is found again, with another end, another number, or as a little more than it was: it is known by what it rests on.
 */
export function tell({ told, findings, startS, endS, knownS, over, sinceS, newId }: Telling): LiveNews {
  const matches = matched(told, findings);
  const ended: LiveNews['ended'] = [];
  const before = told.flatMap((one): Told[] => {
    const now = matches.get(one)?.finding;
    const lastS = Math.max(one.endS, now?.endS ?? 0);
    const going = !over && lastS > endS - LOST_S;
    if (one.going && !going) ended.push({ id: one.id, endS: lastS });
    if (lastS < startS - LOST_S && !going) return [];
    return [{ ...one, endS: lastS, going, points: now ? pointsOf(now) : one.points }];
  });
  const known = new Set(matches.values());
  const begun = findings
    .filter((one) => !known.has(one))
    .filter(({ finding }) => over || finding.startS <= endS - SETTLED_S)
    .filter(({ search, finding }) => finding.endS >= Math.max(sinceS(search), knownS - LATE_S))
    .map((one) => ({ ...one, id: newId(), going: !over && one.finding.endS > endS - LOST_S }));
  const after = begun.map(({ id, search, going, finding }): Told => {
    const { category, label, startS: fromS, endS: untilS } = finding;
    return { id, search, category, label, startS: fromS, endS: untilS, going, points: pointsOf(finding) };
  });
  return { begun, ended, told: [...before, ...after] };
}

/** Which finding is what was told before: one each, those that are most alike first. */
function matched(told: readonly Told[], findings: readonly LiveFinding[]): Map<Told, LiveFinding> {
  const pairs = told.flatMap((one) =>
    findings.filter((other) => isAlike(one, other)).map((other) => ({ one, other, likeness: likeness(one, other) })),
  );
  pairs.sort((a, b) => b.likeness - a.likeness);
  const matches = new Map<Told, LiveFinding>();
  const taken = new Set<LiveFinding>();
  for (const { one, other } of pairs) {
    if (matches.has(one) || taken.has(other)) continue;
    matches.set(one, other);
    taken.add(other);
  }
  return matches;
}

function isAlike(one: Told, { search, finding }: LiveFinding): boolean {
  if (one.search !== search || one.category !== finding.category) return false;
  if (finding.startS > one.endS + APART_S || finding.endS < one.startS - APART_S) return false;
  return one.points.length === 0 || finding.evidence.tracks.length === 0 || sharesPath(one.points, finding);
}

/** The same words count for more than the same time. */
function likeness(one: Told, { finding }: LiveFinding): number {
  const shared = Math.min(one.endS, finding.endS) - Math.max(one.startS, finding.startS);
  const both = Math.max(one.endS, finding.endS) - Math.min(one.startS, finding.startS);
  return Number(one.label === finding.label) + (both > 0 ? Math.max(0, shared) / both : 1) / 2;
}

function sharesPath(points: Told['points'], { evidence: { tracks } }: Finding): boolean {
  const near = points.flatMap(([timeS, x, y]) => {
    const places = tracks.flatMap(({ path }) => placeAt(path, timeS) ?? []);
    return places.length > 0 ? [places.some((place) => Math.hypot(place.x - x, place.y - y) <= ONE_PLACE)] : [];
  });
  return near.length > 0 && near.filter(Boolean).length * 2 >= near.length;
}

/** Where a path is at a time; null before it begins and after it ends. */
function placeAt(path: Finding['evidence']['tracks'][number]['path'], timeS: number): { x: number; y: number } | null {
  const next = path.findIndex(([t]) => t >= timeS - 1e-3);
  if (next < 0) return null;
  const [t1, x1, y1] = path[next]!;
  if (Math.abs(t1 - timeS) <= 1e-3) return { x: x1, y: y1 };
  if (next === 0) return null;
  const [t0, x0, y0] = path[next - 1]!;
  const part = (timeS - t0) / (t1 - t0);
  return { x: x0 + (x1 - x0) * part, y: y0 + (y1 - y0) * part };
}

/** A few points of each path, its last one among them. */
function pointsOf({ evidence: { tracks } }: Finding): Told['points'] {
  return tracks.slice(0, MOST_TRACKS).flatMap(({ path }) => {
    const every = Math.ceil(path.length / POINTS);
    return path.filter((_, i) => (path.length - 1 - i) % every === 0);
  });
}
