import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { approachRate } from '../../server/src/engine/find/camera/index.ts';
import { smooth } from '../../server/src/engine/find/time/intervals.ts';
import type { Engine } from '../../server/src/engine/index.ts';
import { decodeObservations } from '../../server/src/engine/observe/encoding.ts';
import type { Media } from '../../server/src/platform/media/index.ts';
import { DRIVES, driveClip, posesOf } from '../../server/test/media/clips.ts';
import type { BenchmarkRow } from '../run.ts';
import { type Paced, type PacedArgs, SMOOTH_S } from './camera-task.ts';

/**
 * Camera motion against recordings: approach speed of the scene against recorded speed, rotation against yaw and roll,
 * and stops. No shared recording has both images and a varying speed, so rendered drives of known speed replace them.
 * Real clips played at one to three times their pace, with stops, show the effect of changing scenery. The figures of
 * the real recordings at their own pace are reported as well.
 */
const SPEED_BAR = { min: 0.8 };
const STOPS_BAR = { min: 0.9 };
/** Minimum intersection over union of a found stop with a true one. */
const SAME_STOP = 0.5;
/** Shortest stop in seconds that the engine searches for. */
const STOP_S = 1;

/** Clips of cameras that drive or walk at an even speed, and the paces at which they are played in turn. */
const PACED = [
  'road/kitti_seq1_10fps.mp4',
  'road/camvid_0016E5_cyclists_15fps.mp4',
  'road/udacity_solidWhiteRight.mp4',
  'road/udacity_vd_test_small2.mp4',
  'telemetry/gopro_hero7_walk.mp4',
];

type Span = { startS: number; endS: number };

export async function cameraRows(engine: Engine, media: Media, dataDir: string): Promise<BenchmarkRow[]> {
  const rows: BenchmarkRow[] = [];
  const stops = { right: 0, found: 0, there: 0 };
  for (const name of Object.keys(DRIVES) as (keyof typeof DRIVES)[]) {
    const poses = posesOf(DRIVES[name]);
    const artifacts = await engine.observe(await driveClip(name), ['signals']);
    const signals = decodeObservations(artifacts).signals!;
    const at = (values: ArrayLike<number>, sign = 1) => smooth(values, signals.timeS, SMOOTH_S).map((v) => v * sign);
    const speed = poses.map(({ speedMps }) => speedMps);
    const moves = (i: number) => speed[i]! > 0 && i > 0;
    const against = (estimated: Float64Array, recorded: number[]) => correlation(estimated, recorded, moves);
    if (varies(speed))
      rows.push(
        row(`drive ${name}: speed while moving, correlation`, against(at(approachRate(signals)), speed), SPEED_BAR),
      );
    for (const [what, recorded, estimated] of [
      ['yaw', poses.map(({ yawDps }) => yawDps), at(signals.globalX)],
      ['roll', poses.map(({ rollDps }) => rollDps), at(signals.roll, -1)],
    ] as const) {
      if (varies(recorded))
        rows.push(row(`drive ${name}: ${what} while moving, correlation`, against(estimated, recorded), SPEED_BAR));
    }
    const found = engine.answer(engine.plan('the camera stops'), artifacts).events;
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
  for (const file of PACED) {
    const path = join(dataDir, file);
    if (!existsSync(path)) continue;
    const args: PacedArgs = { path };
    const { estimated, pace } = await media.run<Paced>({
      module: new URL('./camera-task.ts', import.meta.url),
      name: 'observePaced',
      args,
    });
    rows.push({
      ...row(
        `${basename(path)}, paced: speed while moving, correlation (raw)`,
        correlation(estimated, pace, (i) => pace[i]! > 0.2 && i > 0),
      ),
      note: 'no bar: how near the scenery is changes as well',
    });
  }
  return [...rows, ...(await recorded(engine, dataDir))];
}

/**
 * Real footage with a recorded speed. Both clips have nearly constant speed, so the figure says little and has no bar.
 */
async function recorded(engine: Engine, dataDir: string): Promise<BenchmarkRow[]> {
  const rows: BenchmarkRow[] = [];
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
    const { telemetry } = decodeObservations(made).telemetry!;
    rows.push(await realRow(engine, 'GoPro walk (GPS)', walk, [...telemetry!.timeS], [...telemetry!.speedMps]));
  }
  return rows;
}

async function realRow(
  engine: Engine,
  name: string,
  path: string,
  timeS: number[],
  speed: number[],
): Promise<BenchmarkRow> {
  const signals = decodeObservations(await engine.observe(path, ['signals'])).signals!;
  const estimated = smooth(approachRate(signals), signals.timeS, SMOOTH_S);
  const frames = [...signals.timeS].map((time) => speed[nearest(timeS, time)]!);
  const [least, most] = [Math.min(...speed), Math.max(...speed)];
  return {
    ...row(
      `${name}: speed, correlation (raw)`,
      correlation(estimated, frames, (i) => i > 0),
    ),
    note: `no bar: it goes at ${least.toFixed(1)} to ${most.toFixed(1)} m/s throughout, without a stop`,
  };
}

const row = (name: string, value: number, bar?: BenchmarkRow['bar']): BenchmarkRow => ({
  name,
  value,
  unit: '',
  ...(bar ? { bar } : {}),
});
const varies = (values: readonly number[]) => values.some((value) => value !== values[0]);
const nearest = (times: readonly number[], time: number) =>
  times.reduce((best, each, i) => (Math.abs(each - time) < Math.abs(times[best]! - time) ? i : best), 0);

/** Intervals at speed 0 that do not start with the video. */
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

/** Pearson correlation over the frames that count. */
function correlation(
  estimated: ArrayLike<number>,
  recorded: ArrayLike<number>,
  counts: (i: number) => boolean,
): number {
  let [n, sx, sy, sxx, syy, sxy] = [0, 0, 0, 0, 0, 0];
  for (let i = 0; i < Math.min(estimated.length, recorded.length); i++) {
    if (!counts(i)) continue;
    const [x, y] = [estimated[i]!, recorded[i]!];
    n++;
    sx += x;
    sy += y;
    sxx += x * x;
    syy += y * y;
    sxy += x * y;
  }
  return (n * sxy - sx * sy) / Math.sqrt((n * sxx - sx * sx) * (n * syy - sy * sy));
}
