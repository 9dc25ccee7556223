import type { Signals } from '../observe/observations.ts';
import type { CameraWhat } from '../plan/index.ts';
import { type Looked, round } from './hit.ts';
import { complement, hysteresis, mergeGaps, type Span, smooth } from './intervals.ts';
import type { Scene } from './scene.ts';
import { picturedHits, type Shown } from './shown.ts';
import { LIMITS, STATES } from './thresholds.ts';

/** Looks for motion of the camera, from the motion of the picture as a whole. */
export function findCamera({ hard, ...what }: CameraWhat, scene: Scene): Looked {
  const { signals } = scene.observations;
  if (!signals) return { unavailable: 'the signals of the picture were not observed for this video' };
  return {
    hits: picturedHits(what, FINDERS[what.move](signals, what), scene),
    by: ['signals (motion of the whole picture)'],
    limits: [...(NOTES[what.move] ?? []), ...(hard ? [HARD] : [])],
    domain: scene.frames,
  };
}

const HARD = 'how hard it is cannot be told from the picture: that needs telemetry';
const FORWARD = 'going forward and zooming in look the same in the picture';
const NOTES: Partial<Record<CameraWhat['move'], string[]>> = {
  turns: ['a turn is seen as a long pan'],
  zooms: [
    'told from going forward by things that move otherwise than the whole picture: over a plain scene they look the same',
  ],
  forward: [FORWARD],
  backward: ['going backward and zooming out look the same in the picture'],
  brakes: ['seen as forward motion that comes nearly to nothing: lighter braking is not seen'],
};

type Finder = (s: Signals, what: CameraWhat) => Shown[];

const FINDERS: Record<CameraWhat['move'], Finder> = {
  moves: (s) => bySpeed(s, paceOf(s), moving),
  still: (s) => bySpeed(s, paceOf(s), still),
  pans: (s, what) => sideways(s, what, 'x', STATES.pan, LIMITS.panWay.limit, LIMITS.panMin.limit),
  tilts: (s, what) => sideways(s, what, 'y', STATES.pan, LIMITS.panWay.limit, LIMITS.panMin.limit),
  turns: (s, what) => sideways(s, what, 'x', STATES.turn, LIMITS.turnWay.limit, LIMITS.stateMin.limit),
  zooms: (s, what) =>
    depth(
      s,
      what.direction === 'out' ? ['out'] : what.direction === 'in' ? ['in'] : ['in', 'out'],
      STATES.zoom,
      what.move,
    ),
  rolls: rolling,
  forward: (s) => depth(s, ['in'], STATES.forward, 'forward'),
  backward: (s) => depth(s, ['out'], STATES.forward, 'backward'),
  stops: (s) => begun(bySpeed(s, paceOf(s), still)),
  starts: (s) => begun(bySpeed(s, paceOf(s), moving)),
  brakes,
};

function bySpeed(s: Signals, pace: Pace, spansOf: (s: Signals, pace: Pace) => Span[]): Shown[] {
  return spansOf(s, pace).map((span) => shown(s, span, pace.speed, STATES.moving, 'motion of the picture'));
}

/** Those that begin in the video, each shown by its first frame. */
const begun = (found: readonly Shown[]) =>
  found.filter(({ from }) => from > 0).map((each): Shown => ({ ...each, best: each.from }));

/** How fast the picture as a whole moves, by whatever motion, and how fast the scene comes closer. */
type Pace = { speed: Float64Array; closer: Float64Array };

function paceOf(s: Signals): Pace {
  const w = LIMITS.smoothing.limit;
  const closer = nearing(s);
  const [x, y, z] = [smooth(s.globalX, s.timeS, w), smooth(s.globalY, s.timeS, w), smooth(closer, s.timeS, w)];
  const speed = new Float64Array(x.length);
  for (let i = 0; i < x.length; i++) {
    const across = isUnmeasured(s, i) ? UNMEASURED : x[i]!;
    speed[i] = Math.hypot(across, y[i]!) + Math.abs(z[i]!);
  }
  return { speed, closer };
}

/**
 * How fast the scene comes closer: by its near parts as over a road, or by the picture's growth as before a flat scene, when that is more. Over open
 * ground growth is told from few blocks and strays, so that it may only exceed what the near parts say by so much.
 */
export function nearing({ advance, zoom }: Pick<Signals, 'advance' | 'zoom'>): Float64Array {
  const closer = new Float64Array(advance.length);
  for (let i = 0; i < closer.length; i++) {
    const near = advance[i]!;
    // Zoom moves the rim of the picture by half of it.
    const rim = zoom[i]! / 2;
    const most = GROWTH_TIMES * Math.abs(near) + GROWTH_MORE;
    closer[i] = Math.abs(near) >= Math.abs(rim) ? near : Math.max(-most, Math.min(most, rim));
  }
  return closer;
}
const GROWTH_TIMES = 1.25;
const GROWTH_MORE = 0.03;

/** Speed that is assumed where the picture changes so much that its motion cannot be measured: a camera that stands still can. */
const UNMEASURED = 0.1;
function isUnmeasured(s: Signals, i: number): boolean {
  const none = s.globalX[i] === 0 && s.globalY[i] === 0 && s.zoom[i] === 0 && s.advance[i] === 0;
  return none && s.difference[i]! > LIMITS.unmeasured.limit;
}

const lasts = (s: Signals, span: Span) => s.timeS[span.to]! - s.timeS[span.from]!;

function moving(s: Signals, { speed, closer }: Pace): Span[] {
  const spans = mergeGaps(hysteresis(speed, STATES.moving), s.timeS, LIMITS.stillMin.limit);
  return spans.filter(
    (span) => lasts(s, span) >= LIMITS.motionMin.limit && netWay(s, span, closer) >= LIMITS.cameraWay.limit,
  );
}

/** How far the picture moved and grew in all, to and fro taken off against each other. */
function netWay(s: Signals, { from, to }: Span, closer: Float64Array): number {
  let [x, y, depth] = [0, 0, 0];
  for (let i = Math.max(1, from); i <= to; i++) {
    const dt = s.timeS[i]! - s.timeS[i - 1]!;
    x += s.globalX[i]! * dt;
    y += s.globalY[i]! * dt;
    depth += closer[i]! * dt + (isUnmeasured(s, i) ? UNMEASURED * dt : 0);
  }
  return Math.hypot(x, y) + Math.abs(depth);
}

function still(s: Signals, pace: Pace): Span[] {
  return complement(moving(s, pace), s.timeS.length).filter((span) => lasts(s, span) >= LIMITS.stillMin.limit);
}

function shown(
  s: Signals,
  span: Span,
  values: Float64Array,
  threshold: { enter: number; unit: string },
  name: string,
): Shown {
  let best = span.from;
  let sum = 0;
  for (let i = span.from; i <= span.to; i++) {
    sum += values[i]!;
    if (values[i]! > values[best]!) best = i;
  }
  const mean = round(sum / (span.to - span.from + 1), 3);
  return {
    ...span,
    best,
    margin: Math.abs(mean - threshold.enter) / threshold.enter,
    signals: [{ name, value: mean, threshold: threshold.enter, unit: threshold.unit }],
    because: `${name} was ${mean} ${threshold.unit} on average (threshold ${threshold.enter}) for ${round(lasts(s, span))} s`,
  };
}

/** Pans, tilts and turns: the picture moves the other way. */
function sideways(
  s: Signals,
  what: CameraWhat,
  axis: 'x' | 'y',
  threshold: { enter: number; leave: number; unit: string },
  way: number,
  minS: number,
): Shown[] {
  const motion = smooth(axis === 'x' ? s.globalX : s.globalY, s.timeS, LIMITS.smoothing.limit);
  // Looking right moves the picture left; looking up moves it down.
  const directions =
    axis === 'x'
      ? ([
          ['right', -1],
          ['left', 1],
        ] as const)
      : ([
          ['up', 1],
          ['down', -1],
        ] as const);
  return directions
    .filter(([name]) => what.direction === null || what.direction === name)
    .flatMap(([name, sign]) => {
      const speed = motion.map((v) => v * sign);
      return mergeGaps(hysteresis(speed, threshold), s.timeS, 0.3).flatMap((span): Shown[] => {
        const total = wayOf(speed, s, span);
        if (total < way || lasts(s, span) < minS) return [];
        const picture = shown(s, span, speed, threshold, `motion of the picture to the ${opposite(name)}`);
        return [
          {
            ...picture,
            margin: total / way - 1,
            because: `${picture.because}, ${round(total)} picture ${axis === 'x' ? 'widths' : 'heights'} in all`,
            what: { ...what, direction: name },
          },
        ];
      });
    })
    .toSorted((a, b) => a.from - b.from);
}

const OPPOSITE = { left: 'right', right: 'left', up: 'bottom', down: 'top' } as const;
const opposite = (direction: keyof typeof OPPOSITE) => OPPOSITE[direction];

function depth(
  s: Signals,
  ways: readonly ('in' | 'out')[],
  threshold: { enter: number; leave: number; unit: string },
  move: CameraWhat['move'],
): Shown[] {
  const zoom = smooth(move === 'zooms' ? s.zoom : nearing(s), s.timeS, LIMITS.smoothing.limit);
  return ways
    .flatMap((way) => {
      const rate = zoom.map((v) => (way === 'in' ? v : -v));
      return mergeGaps(hysteresis(rate, threshold), s.timeS, 0.5)
        .filter((span) => lasts(s, span) >= LIMITS.stateMin.limit)
        .filter((span) => (move === 'zooms' ? !hasParallax(s, span) : wayOf(rate, s, span) >= LIMITS.cameraWay.limit))
        .map((span) => ({
          ...shown(s, span, rate, threshold, way === 'in' ? 'growth of the picture' : 'shrinking of the picture'),
          what: { kind: 'camera' as const, move, direction: move === 'zooms' ? way : null },
        }));
    })
    .toSorted((a, b) => a.from - b.from);
}

/** The camera rolls to the right when its picture turns to the left. */
function rolling(s: Signals, what: CameraWhat): Shown[] {
  const motion = smooth(s.roll, s.timeS, LIMITS.smoothing.limit);
  return (['left', 'right'] as const)
    .filter((way) => what.direction === null || what.direction === way)
    .flatMap((way) => {
      const rate = motion.map((v) => (way === 'left' ? v : -v) / RADIANS);
      return mergeGaps(hysteresis(rate, STATES.roll), s.timeS, 0.3).flatMap((span): Shown[] => {
        const total = wayOf(rate, s, span);
        if (total < LIMITS.rollWay.limit || lasts(s, span) < LIMITS.panMin.limit) return [];
        const picture = shown(s, span, rate, STATES.roll, 'turning of the picture');
        const because = `${picture.because}, ${round(total, 0)} degrees in all`;
        return [{ ...picture, margin: total / LIMITS.rollWay.limit - 1, because, what: { ...what, direction: way } }];
      });
    })
    .toSorted((a, b) => a.from - b.from);
}
const RADIANS = Math.PI / 180;

/** What a rate adds up to. */
function wayOf(rate: Float64Array, s: Signals, { from, to }: Span): number {
  let way = 0;
  for (let i = from + 1; i <= to; i++) way += rate[i]! * (s.timeS[i]! - s.timeS[i - 1]!);
  return way;
}

/** A lens enlarges everything alike; going forward moves what is near by more. */
function hasParallax(s: Signals, { from, to }: Span): boolean {
  let sum = 0;
  for (let i = from; i <= to; i++) sum += s.localMotion[i]!;
  return sum / (to - from + 1) > LIMITS.parallax.limit;
}

/** A forward motion that comes to (nearly) nothing within a few seconds: with the scenery alone the rate changes by less. */
function brakes(s: Signals): Shown[] {
  const rate = smooth(nearing(s), s.timeS, 1);
  const n = rate.length;
  const drop = new Float64Array(n);
  let back = 0;
  for (let i = 0; i < n; i++) {
    while (s.timeS[back]! < s.timeS[i]! - 3) back++;
    let most = 0;
    for (let k = back; k <= i; k += 2) most = Math.max(most, rate[k]!);
    drop[i] = most >= LIMITS.brakeRate.limit ? (most - Math.max(0, rate[i]!)) / most : 0;
  }
  const limit = LIMITS.brakeDrop.limit;
  const moves = moving(s, paceOf(s));
  const rolls = rolling(s, { kind: 'camera', move: 'rolls', direction: null });
  return mergeGaps(hysteresis(drop, { enter: limit, leave: limit / 4 }), s.timeS, 0.5).flatMap((span) => {
    const before = moves.find((m) => m.from < span.from && m.to >= span.from);
    if (lasts(s, span) < LIMITS.stateMin.limit || !before || s.timeS[span.from]! - s.timeS[before.from]! < 1) return [];
    // A picture that lies askew shows less of the road.
    if (rolls.some((roll) => roll.from <= span.to && roll.to >= before.from)) return [];
    if (!isEven(s, rate, span.from)) return [];
    const name = 'loss of forward rate';
    return [{ ...shown(s, span, drop, { enter: limit, unit: 'of the forward rate' }, name), margin: 0 }];
  });
}

/** Whether the forward rate was well above its own spread in the seconds before: at night, or over plain asphalt, it is noise. */
function isEven(s: Signals, rate: Float64Array, at: number): boolean {
  let [n, sum, squares] = [0, 0, 0];
  for (let i = at; i >= 0 && s.timeS[i]! >= s.timeS[at]! - 4; i--) {
    if (s.timeS[i]! > s.timeS[at]! - 1) continue;
    n++;
    sum += rate[i]!;
    squares += rate[i]! ** 2;
  }
  if (n < 2) return false;
  const mean = sum / n;
  return mean >= LIMITS.brakeEven.limit * Math.sqrt(Math.max(0, squares / n - mean * mean));
}
