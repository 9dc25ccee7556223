import type { Telemetry, TelemetryReading } from '../observe/observations.ts';
import { type Measure, measures } from '../observe/telemetry/columns.ts';
import type { CameraWhat, Quantity, What } from '../plan/index.ts';
import { type Domain, type Looked, round } from './hit.ts';
import { hysteresis, indexAt, median, mergeGaps, runs, type Span } from './intervals.ts';
import type { Scene } from './scene.ts';
import { picturedHits, type Shown } from './shown.ts';
import { LIMITS, STATES } from './thresholds.ts';

const NOT_READ: TelemetryReading = { telemetry: null, reason: 'telemetry was not looked for in this video yet' };

type QuantityWhat = Extract<What, { kind: 'quantity' }>;

/** Looks for a measured quantity within limits. Only what was measured is told: nothing in the picture stands for it. */
export function findQuantity(what: QuantityWhat, scene: Scene): Looked {
  const name = what.quantity.replaceAll('_', ' ');
  const { telemetry, reason } = scene.observations.telemetry ?? NOT_READ;
  if (!telemetry) {
    const why = reason ?? 'there is no telemetry with this video';
    return { unavailable: `${why}, and a ${name} cannot be measured from the picture` };
  }
  const domain = domainOf(telemetry, scene);
  const values = quantityAt(what.quantity, telemetry, domain);
  if (!values) return { unavailable: `the telemetry of this video (${telemetry.source}) holds no ${name}` };
  const { unit, noise } = QUANTITIES[what.quantity];
  const { min, max } = what.range;
  const within = runs(
    values.length,
    (i) => values[i]! >= (min ?? 0) && values[i]! <= (max ?? Number.POSITIVE_INFINITY),
  );
  const spans = mergeGaps(within, domain.timeS, LIMITS.measuredGap.limit);
  const shown = spans
    .filter((span) => lasts(domain, span) >= LIMITS.measuredMin.limit)
    .map((span) => {
      const isFloor = min !== null;
      return state(values, domain, span, { name, unit, limit: (isFloor ? min : max) ?? 0, noise, falling: !isFloor });
    });
  return looked(what, shown, telemetry, domain, scene);
}

const QUANTITIES: Record<Quantity, { unit: string /** What a good receiver is off by. */; noise: number }> = {
  speed: { unit: 'm/s', noise: 0.5 },
  acceleration: { unit: 'm/s²', noise: 0.4 },
  deceleration: { unit: 'm/s²', noise: 0.4 },
  lateral_acceleration: { unit: 'm/s²', noise: 0.5 },
  yaw_rate: { unit: 'rad/s', noise: 0.03 },
};

const RADIANS = Math.PI / 180;

function quantityAt(quantity: Quantity, t: Telemetry, domain: Domain): Float64Array | null {
  if (quantity === 'speed') return columnAt('speedMps', t, domain);
  if (quantity === 'acceleration') return columnAt('accelerationMps2', t, domain);
  if (quantity === 'deceleration') return columnAt('accelerationMps2', t, domain)?.map((a) => -a) ?? null;
  const yaw = columnAt('yawRateDps', t, domain)?.map((rate) => Math.abs(rate) * RADIANS) ?? null;
  if (quantity === 'yaw_rate' || !yaw) return yaw;
  const speed = columnAt('speedMps', t, domain);
  return speed && yaw.map((rate, i) => rate * speed[i]!);
}

/**
 * What the vehicle does, by what was measured: surer than the picture, which shows only how the scenery moves. Null when telemetry cannot tell it: pans, tilts
 * and zooms are the camera's own, and a speed has no direction.
 */
export function findMeasured(what: CameraWhat, scene: Scene): Looked | null {
  const telemetry = scene.observations.telemetry?.telemetry;
  if (!telemetry) return null;
  const domain = domainOf(telemetry, scene);
  const shown = MOVES[what.move]?.(telemetry, domain, what);
  return shown ? looked(what, shown, telemetry, domain, scene) : null;
}

type Mover = (t: Telemetry, domain: Domain, what: CameraWhat) => Shown[] | null;

const MOVES: Partial<Record<CameraWhat['move'], Mover>> = {
  moves: (t, domain) => driving(t, domain)?.moving ?? null,
  forward: (t, domain) => driving(t, domain)?.moving ?? null,
  still: (t, domain) => driving(t, domain)?.still ?? null,
  stops: (t, domain) => afterChange(driving(t, domain)?.still),
  starts: (t, domain) => afterChange(driving(t, domain)?.moving),
  brakes,
  turns,
};

/** States that begin in the video: one that it begins with began before. */
const afterChange = (states: Shown[] | undefined) =>
  states?.filter(({ from }) => from > 0).map((state) => ({ ...state, best: state.from })) ?? null;

function driving(t: Telemetry, domain: Domain): { moving: Shown[]; still: Shown[] } | null {
  const speed = columnAt('speedMps', t, domain);
  if (!speed) return null;
  const shown = (span: Span, falling: boolean) =>
    state(speed, domain, span, { name: 'speed', unit: 'm/s', limit: STATES.driving.enter, noise: 0.5, falling });
  const moving = mergeGaps(hysteresis(known(speed), STATES.driving), domain.timeS, LIMITS.stillMin.limit);
  const isMoving = new Uint8Array(speed.length);
  for (const { from, to } of moving) isMoving.fill(1, from, to + 1);
  const still = runs(speed.length, (i) => isMoving[i] === 0 && !Number.isNaN(speed[i]!));
  const longEnough = (span: Span) => lasts(domain, span) >= LIMITS.stillMin.limit;
  return {
    moving: moving.filter(longEnough).map((span) => shown(span, false)),
    still: still.filter(longEnough).map((span) => shown(span, true)),
  };
}

function brakes(t: Telemetry, domain: Domain, { hard = false }: CameraWhat): Shown[] | null {
  const braking = quantityAt('deceleration', t, domain);
  if (!braking) return null;
  const threshold = hard ? STATES.hardBraking : STATES.braking;
  return mergeGaps(hysteresis(known(braking), threshold), domain.timeS, LIMITS.measuredGap.limit)
    .filter((span) => lasts(domain, span) >= LIMITS.measuredMin.limit)
    .map((span) =>
      state(braking, domain, span, {
        name: 'deceleration',
        unit: 'm/s²',
        limit: threshold.enter,
        noise: 0.4,
        falling: false,
      }),
    );
}

/** Turns by angle, not by rate alone: a lane is changed as fast as a wide bend is driven. */
function turns(t: Telemetry, domain: Domain, what: CameraWhat): Shown[] | null {
  const yaw = columnAt('yawRateDps', t, domain);
  if (!yaw) return null;
  return (['left', 'right'] as const)
    .filter((way) => what.direction === null || what.direction === way)
    .flatMap((way) => {
      const rate = known(yaw.map((value) => (way === 'left' ? value : -value)));
      return mergeGaps(hysteresis(rate, STATES.turning), domain.timeS, LIMITS.measuredGap.limit).flatMap((span) => {
        let angle = 0;
        for (let i = span.from + 1; i <= span.to; i++) angle += rate[i]! * (domain.timeS[i]! - domain.timeS[i - 1]!);
        const most = Math.max(...rate.subarray(span.from, span.to + 1));
        if (!(angle >= LIMITS.turnAngle.limit) || (what.hard && most < LIMITS.sharpTurn.limit)) return [];
        const { enter: limit, unit } = STATES.turning;
        const found = state(rate, domain, span, {
          name: `turning to the ${way}`,
          unit,
          limit,
          noise: 4,
          falling: false,
        });
        return [
          {
            ...found,
            because: `${found.because}, ${round(angle, 0)} degrees in all`,
            what: { ...what, direction: way },
          },
        ];
      });
    })
    .toSorted((a, b) => a.from - b.from);
}

type Rule = {
  name: string;
  unit: string;
  limit: number;
  noise: number /** Whether low values are what was looked for. */;
  falling: boolean;
};

/** A stretch with the numbers: the value that shows it best, and how far that is beyond the limit, in what receivers are off by. */
function state(values: Float64Array, domain: Domain, span: Span, { name, unit, limit, noise, falling }: Rule): Shown {
  let best = span.from;
  for (let i = span.from; i <= span.to; i++) {
    if (falling ? values[i]! < values[best]! : values[i]! > values[best]!) best = i;
  }
  const value = round(values[best]!);
  const extreme = falling ? 'least' : 'most';
  return {
    ...span,
    best,
    margin: Math.abs(values[best]! - limit) / noise,
    signals: [{ name, value, threshold: round(limit), unit }],
    because: `${name} was ${value} ${unit} at ${extreme} (threshold ${round(limit)}) in ${round(lasts(domain, span))} s`,
  };
}

function looked(what: What, shown: readonly Shown[], telemetry: Telemetry, domain: Domain, scene: Scene): Looked {
  return {
    hits: picturedHits(what, shown, { ...scene, frames: domain }),
    by: [`telemetry (${telemetry.source})`],
    limits: notesOn(telemetry, domain),
    domain,
  };
}

/** Limits of the source, and how much of the video it is silent about. */
function notesOn(telemetry: Telemetry, { timeS }: Domain): string[] {
  const covered = timeS.reduce((count, time) => count + (isCovered(telemetry, time) ? 1 : 0), 0);
  const share = timeS.length > 0 ? covered / timeS.length : 0;
  const silent =
    share < LIMITS.measuredShare.limit ? [`telemetry covers ${Math.round(share * 100)} % of the video`] : [];
  return [...telemetry.notes, ...silent];
}

/** Values that a state can be looked for in: what is not known is in no state. */
const known = (values: Float64Array) => values.map((value) => (Number.isNaN(value) ? Number.NEGATIVE_INFINITY : value));

const lasts = ({ timeS }: Domain, { from, to }: Span) => timeS[Math.min(to + 1, timeS.length - 1)]! - timeS[from]!;

/** The frames, where they lie close enough; where only a few were looked at, the samples' own times. */
function domainOf(telemetry: Telemetry, scene: Scene): Domain {
  const { frames, observations } = scene;
  const step = median(frames.timeS.slice(1).map((time, i) => time - frames.timeS[i]!));
  if (frames.timeS.length > 1 && step <= LIMITS.measuredStep.limit) return frames;
  const { timeBase, durationS } = observations.video;
  const timeS = telemetry.timeS.filter((time) => time >= 0 && time <= durationS);
  const first = frames.pts[0] ?? 0;
  return { timeS, pts: timeS.map((time) => first + Math.round((time * timeBase[1]) / timeBase[0])) };
}

/** A column at given times, straight between samples and unknown across gaps; null when it was never measured. */
function columnAt(name: Measure, t: Telemetry, { timeS }: Domain): Float64Array | null {
  if (!measures(t, name)) return null;
  const told = [...t.timeS.keys()].filter((i) => !Number.isNaN(t[name][i]!));
  const times = Float64Array.from(told, (i) => t.timeS[i]!);
  const values = Float64Array.from(told, (i) => t[name][i]!);
  return timeS.map((time) => {
    const i = indexAt(times, time);
    const [before, after] = [times[i], times[i + 1]];
    if (before === undefined || after === undefined) {
      const end = i < 0 ? 0 : i;
      return Math.abs(times[end]! - time) <= t.gapS / 2 ? values[end]! : Number.NaN;
    }
    if (after - before > t.gapS) return Number.NaN;
    return values[i]! + ((values[i + 1]! - values[i]!) * (time - before)) / (after - before);
  });
}

function isCovered(t: Telemetry, time: number): boolean {
  const i = indexAt(t.timeS, time);
  return (
    Math.min(
      Math.abs((t.timeS[i] ?? Number.NEGATIVE_INFINITY) - time),
      Math.abs((t.timeS[i + 1] ?? Number.POSITIVE_INFINITY) - time),
    ) <= t.gapS
  );
}
