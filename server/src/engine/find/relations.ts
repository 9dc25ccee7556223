import type { Relation } from '../plan/index.ts';
import { type Act, ownWay } from './act.ts';
import { round } from './hit.ts';
import { intersect, mergeGaps, runs, type Span } from './intervals.ts';
import { LIMITS, STATES } from './thresholds.ts';
import type { TrackView } from './views.ts';

/** Where two tracks are in the picture at the same frame: entries of each. `entry[k]` is the other's entry at the first one's entry k, or -1. */
export function alignedEntries(a: TrackView, b: TrackView): Int32Array {
  const entry = new Int32Array(a.track.frame.length).fill(-1);
  let j = 0;
  for (let k = 0; k < entry.length; k++) {
    while (j < b.track.frame.length && b.track.frame[j]! < a.track.frame[k]!) j++;
    if (b.track.frame[j] === a.track.frame[k]) entry[k] = j;
  }
  return entry;
}

type Pair = { a: TrackView; b: TrackView; aspect: number };

/** Entries of `a` in which it stands in a relation to `b`, where `b` qualifies. `aspect` is the picture's width over its height. */
export function relatedEntries(
  kind: Relation,
  pair: Pair,
  allowed: readonly Span[],
): { spans: Span[]; entry: Int32Array } {
  const { a, b } = pair;
  const entry = alignedEntries(a, b);
  if (a.endS < b.startS || b.endS < a.startS) return { spans: [], entry };
  const isAllowed = new Uint8Array(b.track.frame.length);
  for (const span of allowed) isAllowed.fill(1, span.from, span.to + 1);
  const holds = runs(
    entry.length,
    (k) => entry[k]! >= 0 && isAllowed[entry[k]!] === 1 && TESTS[kind](pair, k, entry[k]!),
  );
  const spans = mergeGaps(holds, a.timeS, LIMITS.relationGap.limit);
  const min = LIMITS.relationMin.limit;
  const long = spans.filter((s) => a.timeS[s.to]! - a.timeS[s.from]! >= min);
  if (kind !== 'with') return { spans: long, entry };
  // "with": for most of the time that both are seen.
  const shared = entry.reduce((n, e) => n + (e >= 0 ? 1 : 0), 0);
  const close = long.reduce((n, s) => n + s.to - s.from + 1, 0);
  return { spans: close * 2 >= shared ? long : [], entry };
}

type Test = (pair: Pair, k: number, j: number) => boolean;

const box = (v: TrackView, k: number) => {
  const [x, y, w, h] = [v.track.x[k]!, v.track.y[k]!, v.track.width[k]!, v.track.height[k]!];
  return { x, y, w, h, left: x - w / 2, right: x + w / 2, top: y - h / 2, bottom: y + h / 2 };
};
type BoxSides = ReturnType<typeof box>;

/** Share of the smaller box that lies in the other. */
function overlapOf(a: BoxSides, b: BoxSides): number {
  const w = Math.min(a.right, b.right) - Math.max(a.left, b.left);
  const h = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
  return w <= 0 || h <= 0 ? 0 : (w * h) / Math.max(1e-9, Math.min(a.w * a.h, b.w * b.h));
}

/** Gap between the boxes in picture heights; 0 when they overlap. */
function gapOf(a: BoxSides, b: BoxSides, aspect: number): number {
  const x = Math.max(0, Math.max(a.left, b.left) - Math.min(a.right, b.right)) * aspect;
  const y = Math.max(0, Math.max(a.top, b.top) - Math.min(a.bottom, b.bottom));
  return Math.hypot(x, y);
}

function isNear(pair: Pair, k: number, j: number): boolean {
  return isWithin(pair, k, j, LIMITS.near.limit, LIMITS.nearDepth.limit);
}

/** `gap` and `depth` in heights of the taller box. */
function isWithin({ a, b, aspect }: Pair, k: number, j: number, gap: number, depth: number): boolean {
  const [p, q] = [box(a, k), box(b, j)];
  const taller = Math.max(p.h, q.h);
  // Next to each other in the picture, and standing about equally far down: otherwise one is far behind the other.
  return (
    gapOf(p, q, aspect) <= gap * taller &&
    (overlapOf(p, q) >= LIMITS.overlap.limit || Math.abs(p.bottom - q.bottom) <= depth * taller)
  );
}

const TESTS: Record<Relation, Test> = {
  near: isNear,
  // Overlapping is near at the same depth only: what passes behind is hidden, not touched.
  too_close_to: (pair, k, j) => {
    const [p, q] = [box(pair.a, k), box(pair.b, j)];
    const { limit } = LIMITS.tooClose;
    const taller = Math.max(p.h, q.h);
    return gapOf(p, q, pair.aspect) <= limit * taller && Math.abs(p.bottom - q.bottom) <= limit * taller;
  },
  with: isNear,
  overlaps: ({ a, b }, k, j) => overlapOf(box(a, k), box(b, j)) >= LIMITS.overlap.limit,
  in_front_of: (pair, k, j) => isNear(pair, k, j) && box(pair.a, k).bottom > box(pair.b, j).bottom,
  behind: (pair, k, j) => isNear(pair, k, j) && box(pair.a, k).bottom < box(pair.b, j).bottom,
  left_of: ({ a, b }, k, j) => box(a, k).x < box(b, j).left,
  right_of: ({ a, b }, k, j) => box(a, k).x > box(b, j).right,
  above: ({ a, b }, k, j) => box(a, k).y < box(b, j).top,
  below: ({ a, b }, k, j) => box(a, k).y > box(b, j).bottom,
  on: ({ a, b }, k, j) => {
    const [p, q] = [box(a, k), box(b, j)];
    return overlapOf(p, q) >= LIMITS.overlap.limit && p.y <= q.y && p.x > q.left && p.x < q.right;
  },
  inside: ({ a, b }, k, j) => overlapOf(box(a, k), box(b, j)) >= 0.8 && a.track.width[k]! < b.track.width[j]!,
};

/** Entries of a bike in which somebody sits on it; when that is most of them, it is ridden all the time. */
export function riddenEntries(bike: TrackView, views: readonly TrackView[]): Span[] {
  const n = bike.track.frame.length;
  const ridden = new Uint8Array(n);
  for (const rider of views) {
    if (rider.track.className !== 'person' || rider.endS < bike.startS || rider.startS > bike.endS) continue;
    const pair = { a: rider, b: bike, aspect: 1 };
    const entry = alignedEntries(bike, rider);
    for (let k = 0; k < n; k++) if (entry[k]! >= 0 && TESTS.on(pair, entry[k]!, k)) ridden[k] = 1;
  }
  const share = ridden.reduce((sum, one) => sum + one, 0) / n;
  if (share >= 0.5) return [{ from: 0, to: n - 1 }];
  const spans = mergeGaps(
    runs(n, (k) => ridden[k] === 1),
    bike.timeS,
    LIMITS.relationGap.limit,
  );
  return spans.filter((s) => bike.timeS[s.to]! - bike.timeS[s.from]! >= LIMITS.relationMin.limit);
}

/** `a` goes the same way as `b`, close behind it. */
export function following({ a, b, aspect }: Pair, allowed: readonly Span[]): Act[] {
  const entry = alignedEntries(a, b);
  const usable = new Uint8Array(b.track.frame.length);
  for (const span of allowed) usable.fill(1, span.from, span.to + 1);
  const holds = runs(entry.length, (k) => {
    const j = entry[k]!;
    if (j < 0 || usable[j] !== 1) return false;
    const [p, q] = [box(a, k), box(b, j)];
    const [ax, ay] = [a.motion().vx[k]! * aspect, a.motion().vy[k]!];
    const [bx, by] = [b.motion().vx[j]! * aspect, b.motion().vy[j]!];
    const [pace, other] = [Math.hypot(ax, ay), Math.hypot(bx, by)];
    const slowest = STATES.speed.enter * aspect;
    if (pace < slowest || other < slowest || ax * bx + ay * by < SAME_WAY * pace * other) return false;
    const isBehind = (q.x - p.x) * aspect * ax + (q.y - p.y) * ay > 0;
    const size = Math.max(p.h, q.h, p.w * aspect, q.w * aspect);
    return isBehind && gapOf(p, q, aspect) <= LIMITS.followGap.limit * size;
  });
  return mergeGaps(holds, a.timeS, LIMITS.relationGap.limit)
    .map((span) => ({ ...span, lasts: a.timeS[span.to]! - a.timeS[span.from]! }))
    .filter(({ lasts }) => lasts >= LIMITS.followMin.limit)
    .map(({ from, to, lasts }) => ({
      from,
      to,
      margin: lasts / LIMITS.followMin.limit - 1,
      because: `went the same way behind ${b.track.className} ${b.track.id} for ${round(lasts)} s`,
    }));
}
/** Cosine of the angle between two ways that are the same: 35°. */
const SAME_WAY = 0.82;

/** `a` goes past `b`: from one side of it to the other, close by. */
export function passing(pair: Pair, allowed: readonly Span[]): Act[] {
  const { a, b, aspect } = pair;
  const entry = alignedEntries(a, b);
  const together = intersect(
    runs(entry.length, (k) => entry[k]! >= 0),
    [{ from: 0, to: entry.length - 1 }],
  );
  const usable = new Uint8Array(b.track.frame.length);
  for (const span of allowed) usable.fill(1, span.from, span.to + 1);
  for (const { from, to } of together) {
    const first = [box(a, from), box(b, entry[from]!)] as const;
    const final = [box(a, to), box(b, entry[to]!)] as const;
    for (const axis of ['x', 'y'] as const) {
      const before = first[0][axis] - first[1][axis];
      const after = final[0][axis] - final[1][axis];
      const extent = axis === 'x' ? 'w' : 'h';
      // Of two that go opposite ways, which one is first says all.
      const clear = goApart(pair, { from, to }, entry, axis) ? 0 : (first[0][extent] + first[1][extent]) / 4;
      if (before * after >= 0 || Math.abs(before) < clear || Math.abs(after) < clear) continue;
      const close = runs(to - from + 1, (i) => {
        const k = from + i;
        const [p, q] = [box(a, k), box(b, entry[k]!)];
        const size = Math.max(p.h, q.h, p.w * aspect, q.w * aspect);
        return usable[entry[k]!] === 1 && gapOf(p, q, aspect) <= LIMITS.passGap.limit * size * 0.5;
      })
        .map((s) => ({ from: s.from + from, to: s.to + from }))
        .find((s) => sideAt(s.from, axis) * sideAt(s.to, axis) <= 0);
      if (close)
        return [
          {
            ...close,
            margin: 0.5,
            because: `changed from one side of it to the other at ${round(a.timeS[crossingEntry(close, axis)]!)} s`,
          },
        ];
    }
  }
  return [];

  function sideAt(k: number, axis: 'x' | 'y'): number {
    return Math.sign(box(a, k)[axis] - box(b, entry[k]!)[axis]);
  }
  function crossingEntry(span: Span, axis: 'x' | 'y'): number {
    for (let k = span.from; k < span.to; k++) if (sideAt(k, axis) * sideAt(k + 1, axis) <= 0) return k;
    return span.from;
  }
}

/** Whether both go along an axis, against the scene, and opposite ways. */
function goApart({ a, b }: Pair, { from, to }: Span, entry: Int32Array, axis: 'x' | 'y'): boolean {
  const velocity = (view: TrackView) => (axis === 'x' ? view.motion().vx : view.motion().vy);
  const [own, other] = [
    ownWay(a, velocity(a), { from, to }),
    ownWay(b, velocity(b), { from: entry[from]!, to: entry[to]! }),
  ];
  return own * other < 0 && Math.min(Math.abs(own), Math.abs(other)) >= LIMITS.moveWay.limit;
}

/** The distance between `a` and `b` falls to a good part of what it was. */
export function approaching(pair: Pair, allowed: readonly Span[]): Act[] {
  const { a, b, aspect } = pair;
  const entry = alignedEntries(a, b);
  const usable = new Uint8Array(b.track.frame.length);
  for (const span of allowed) usable.fill(1, span.from, span.to + 1);
  const acts: Act[] = [];
  for (const { from, to } of runs(entry.length, (k) => entry[k]! >= 0 && usable[entry[k]!] === 1)) {
    const distance = (k: number) => {
      const [p, q] = [box(a, k), box(b, entry[k]!)];
      return Math.hypot((p.x - q.x) * aspect, p.y - q.y);
    };
    let far = from;
    let best: Span | null = null;
    let most = 1;
    for (let k = from; k <= to; k++) {
      if (distance(k) >= distance(far)) far = k;
      const left = distance(k) / Math.max(1e-6, distance(far));
      if (a.timeS[k]! - a.timeS[far]! >= LIMITS.moveMin.limit && left < most) {
        most = left;
        best = { from: far, to: k };
      }
    }
    // `a` has to do the moving: a walker does not "approach" because the other one comes.
    if (
      best &&
      most <= LIMITS.closer.limit &&
      travels(a, best) >= travels(b, { from: entry[best.from]!, to: entry[best.to]! })
    )
      acts.push({
        ...best,
        margin: (LIMITS.closer.limit - most) * 3,
        because: `the distance fell to ${round(most * 100, 0)} % in ${round(a.timeS[best.to]! - a.timeS[best.from]!)} s`,
      });
  }
  return acts;
}

function travels(view: TrackView, { from, to }: Span): number {
  let way = 0;
  for (let k = from + 1; k <= to; k++)
    way += Math.hypot(view.motion().vx[k]!, view.motion().vy[k]!) * (view.timeS[k]! - view.timeS[k - 1]!);
  return way;
}
