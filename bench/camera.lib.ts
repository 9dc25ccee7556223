import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { smooth } from '../server/src/engine/find/intervals.ts';
import type { Engine } from '../server/src/engine/index.ts';
import { decodeSignals, decodeTelemetry } from '../server/src/engine/observe/encoding.ts';
import { DRIVES, driveClip, posesOf } from '../server/test/clips.ts';
import type { Row } from './run.ts';

/**
 * Motion of the camera against what was recorded: how fast the scene comes closer against speed, turning of the picture against yaw and roll, and stops.
 * No real recording beside the repository has both a picture and a speed that varies; drawn drives, whose every speed is known, stand for them, and the
 * real ones' raw figures are told beside.
 */
const SPEED_BAR = { min: 0.8 };
const STOPS_BAR = { min: 0.9 };
const SMOOTH_S = 0.5;
/** A found stop is right when it shares this much of its time with a true one, of both together. */
const SAME_STOP = 0.5;
/** A stop is at least this long: what the engine looks for. */
const STOP_S = 1;

type Span = { startS: number; endS: number };

export async function cameraRows(engine: Engine, dataDir: string): Promise<Row[]> {
  const rows: Row[] = [];
  const stops = { right: 0, found: 0, there: 0 };
  for (const name of Object.keys(DRIVES) as (keyof typeof DRIVES)[]) {
    const poses = posesOf(DRIVES[name]);
    const artifacts = await engine.observe(await driveClip(name), ['signals']);
    const { signals } = decodeSignals(artifacts.get('signals')!);
    const at = (values: Float32Array, sign = 1) => smooth(values, signals.timeS, SMOOTH_S).map((v) => v * sign);
    const speed = poses.map(({ speedMps }) => speedMps);
    const moves = (i: number) => speed[i]! > 0 && i > 0;
    const against = (told: Float64Array, recorded: number[]) => correlation(told, recorded, moves);
    if (varies(speed))
      rows.push(row(`drive ${name}: speed while moving, correlation`, against(at(signals.advance), speed), SPEED_BAR));
    for (const [what, recorded, told] of [
      ['yaw', poses.map(({ yawDps }) => yawDps), at(signals.globalX)],
      ['roll', poses.map(({ rollDps }) => rollDps), at(signals.roll, -1)],
    ] as const) {
      if (varies(recorded))
        rows.push(row(`drive ${name}: ${what} while moving, correlation`, against(told, recorded), SPEED_BAR));
    }
    const found = engine.answer(engine.plan('the camera stops'), artifacts).findings;
    const there = stopsIn(
      poses.map(({ timeS }) => timeS),
      speed,
    );
    stops.found += found.length;
    stops.there += there.length;
    stops.right += there.filter((stop) => found.some((each) => overlap(each, stop) >= SAME_STOP)).length;
  }
  const f1 = (2 * stops.right) / (stops.found + stops.there);
  rows.push({
    ...row('stops in the drives, F1', f1, STOPS_BAR),
    note: `${stops.right} right of ${stops.found} found, ${stops.there} there`,
  });
  return [...rows, ...(await recorded(engine, dataDir))];
}

/** Real footage with a recorded speed: both go at nearly one speed, so that the figure says little and has no bar. */
async function recorded(engine: Engine, dataDir: string): Promise<Row[]> {
  const rows: Row[] = [];
  const kitti = join(dataDir, 'road/kitti_seq1_10fps.mp4');
  if (existsSync(kitti)) {
    const lines = readFileSync(join(dataDir, 'road/kitti_seq1.speed.csv'), 'utf8').trim().split('\n').slice(1);
    const samples = lines.map((line) => line.split(',').map(Number));
    rows.push(
      await realRow(
        engine,
        'KITTI sequence',
        kitti,
        samples.map(([t]) => t!),
        samples.map(([, v]) => v!),
      ),
    );
  }
  const walk = join(dataDir, 'telemetry/gopro_hero7_walk.mp4');
  if (existsSync(walk)) {
    const made = await engine.observe(walk, ['telemetry']);
    const { telemetry } = decodeTelemetry(made.get('telemetry')!);
    rows.push(await realRow(engine, 'GoPro walk (GPS)', walk, [...telemetry!.timeS], [...telemetry!.speedMps]));
  }
  return rows;
}

async function realRow(engine: Engine, name: string, path: string, timeS: number[], speed: number[]): Promise<Row> {
  const { signals } = decodeSignals((await engine.observe(path, ['signals'])).get('signals')!);
  const told = smooth(signals.advance, signals.timeS, SMOOTH_S);
  const frames = [...signals.timeS].map((time) => speed[nearest(timeS, time)]!);
  const [least, most] = [Math.min(...speed), Math.max(...speed)];
  return {
    ...row(
      `${name}: speed, correlation (raw)`,
      correlation(told, frames, (i) => i > 0),
    ),
    note: `no bar: it goes at ${least.toFixed(1)} to ${most.toFixed(1)} m/s throughout, without a stop`,
  };
}

const row = (name: string, value: number, bar?: Row['bar']): Row => ({
  name,
  value,
  unit: '',
  ...(bar ? { bar } : {}),
});
const varies = (values: readonly number[]) => values.some((value) => value !== values[0]);
const nearest = (times: readonly number[], time: number) =>
  times.reduce((best, each, i) => (Math.abs(each - time) < Math.abs(times[best]! - time) ? i : best), 0);

/** Stretches at speed 0 that do not begin with the video. */
function stopsIn(timeS: readonly number[], speed: readonly number[]): Span[] {
  const stops: Span[] = [];
  for (let i = 1; i < speed.length; i++) {
    if (speed[i] !== 0 || speed[i - 1] === 0) continue;
    let to = i;
    while (speed[to + 1] === 0) to++;
    if (timeS[to]! - timeS[i]! >= STOP_S) stops.push({ startS: timeS[i]!, endS: timeS[to]! });
  }
  return stops;
}

function overlap(a: Span, b: Span): number {
  const both = Math.min(a.endS, b.endS) - Math.max(a.startS, b.startS);
  return Math.max(0, both) / (Math.max(a.endS, b.endS) - Math.min(a.startS, b.startS));
}

/** Pearson's, over the frames that count. */
function correlation(told: ArrayLike<number>, recorded: ArrayLike<number>, counts: (i: number) => boolean): number {
  let [n, sx, sy, sxx, syy, sxy] = [0, 0, 0, 0, 0, 0];
  for (let i = 0; i < Math.min(told.length, recorded.length); i++) {
    if (!counts(i)) continue;
    const [x, y] = [told[i]!, recorded[i]!];
    n++;
    sx += x;
    sy += y;
    sxx += x * x;
    syy += y * y;
    sxy += x * y;
  }
  return (n * sxy - sx * sy) / Math.sqrt((n * sxx - sx * sx) * (n * syy - sy * sy));
}
