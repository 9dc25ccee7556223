/**
 * The lit lamp of traffic lights, by sample and by transition: on the shared footage, whose lights are labeled in
 * `lights/labels.tsv` by looking at them, and on videos of one of these lights whose lamps are painted. Needs the
 * shared footage and ffmpeg. `npm run bench -- lights [--failures]`
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createEngine, createModelFolder, type Engine } from '../server/src/engine/index.ts';
import { decodeObservations } from '../server/src/engine/observe/index.ts';
import type { Objects, Track } from '../server/src/engine/observe/observations.ts';
import { createLog } from '../server/src/platform/log.ts';
import { createMedia } from '../server/src/platform/media/index.ts';
import { UNCONFINED } from '../server/test/media/unconfined.ts';
import { observed } from './lib/observed.ts';
import { litAt, makeLights, PHASES } from './lights/made.ts';
import type { BenchmarkRow } from './run.ts';

type Label = { file: string; light: string; timeS: number; x: number; y: number; color: string };
/** The color that is stated of a light in one sampled frame; null if it is not detected. */
type Sample = { name: string; timeS: number; expected: string; stated: string | null };

const SHARED = fileURLToPath(new URL('../../shared/', import.meta.url));
const LABELS = new URL('./lights/labels.tsv', import.meta.url);
const TRAFFIC_LIGHT = 'traffic light';
/** A change is found if one to the same color is at most this far from it, in seconds. */
const SAME_TIME_S = 0.5;
/** Samples this close to a change may show either color. */
const CHANGING_S = 0.25;

export async function run(args: string[]): Promise<BenchmarkRow[]> {
  const log = createLog('error');
  const media = await createMedia({ processes: 1, maxSeconds: 86_400, sandbox: UNCONFINED, log });
  const dir = await mkdtemp(join(tmpdir(), 'bench-lights-'));
  try {
    const engine = createEngine({ media, models: createModelFolder(join(SHARED, 'models')), vision: null, log });
    const real = await readReal(engine);
    const made = await readMade(engine, dir);
    if (args.includes('--failures'))
      for (const { name, timeS, expected, stated } of [...real, ...made.samples])
        if (stated !== expected)
          console.log(`${name}  ${timeS.toFixed(1)} s  ${expected}, stated: ${stated ?? 'not detected'}`);
    return [
      ...rowsOf('footage', real, { right: 0.9, wrong: 0 }),
      ...rowsOf('painted', made.samples, { right: 0.9, wrong: 0.02 }),
      { name: 'painted: changes found', value: made.found / made.changes, unit: '', note: `of ${made.changes}` },
      {
        name: 'painted: changes found, of lights that were tracked throughout',
        value: made.foundTracked / Math.max(1, made.changesTracked),
        unit: '',
        bar: { min: 0.9 },
        note: `of ${made.changesTracked}`,
      },
      { name: 'painted: changes that are none', value: made.wrong, unit: '', bar: { max: 0 } },
    ];
  } finally {
    await media.close();
    await rm(dir, { recursive: true });
  }
}

function rowsOf(name: string, all: readonly Sample[], bar: { right: number; wrong: number }): BenchmarkRow[] {
  const detected = all.filter(({ stated }) => stated !== null);
  const stated = detected.filter((sample) => sample.stated !== 'none');
  const wrong = stated.filter((sample) => sample.stated !== sample.expected);
  const lit = detected.filter(({ expected }) => expected !== 'none');
  const right = lit.filter((sample) => sample.stated === sample.expected);
  return [
    {
      name: `${name}: samples of tracked lights`,
      value: detected.length / all.length,
      unit: '',
      note: `of ${all.length}`,
    },
    {
      name: `${name}: right color, of lit`,
      value: right.length / lit.length,
      unit: '',
      bar: { min: bar.right },
      note: `of ${lit.length}`,
    },
    {
      name: `${name}: wrong color, of stated`,
      value: wrong.length / stated.length,
      unit: '',
      bar: { max: bar.wrong },
      note: `of ${stated.length}`,
    },
  ];
}

async function readReal(engine: Engine): Promise<Sample[]> {
  const labels = await readLabels();
  const samples: Sample[] = [];
  for (const file of new Set(labels.map((label) => label.file))) {
    const artifacts = await observed(engine, join(SHARED, 'data', file), { fresh: false, pass: 'dense' });
    const objects = decodeObservations(artifacts).objects!;
    for (const [light, own] of Map.groupBy(
      labels.filter((label) => label.file === file),
      (label) => label.light,
    )) {
      for (const timeS of objects.timeS) {
        const place = placeAt(own, timeS);
        if (place) samples.push({ name: light, timeS, expected: place.color, stated: stateAt(objects, timeS, place) });
      }
    }
  }
  return samples;
}

async function readMade(engine: Engine, dir: string) {
  const changes = PHASES.slice(1).flatMap(({ startS, lit }) => (lit.length === 1 ? [{ startS, color: lit[0]! }] : []));
  const total = { samples: [] as Sample[], changes: 0, found: 0, changesTracked: 0, foundTracked: 0, wrong: 0 };
  for (const { path, scale, daytime } of await makeLights(dir, join(SHARED, 'data'))) {
    const objects = decodeObservations(await engine.observe(path, ['signals', 'objects'])).objects!;
    const samples = [...objects.timeS].flatMap((timeS): Sample[] => {
      const lit = litAt(timeS);
      const isChanging = PHASES.some(({ startS }) => startS > 0 && Math.abs(startS - timeS) < CHANGING_S);
      if (isChanging || lit.length > 1) return [];
      return [{ name: `${daytime} ${scale}`, timeS, expected: lit[0]!, stated: stateAt(objects, timeS, null) }];
    });
    const turns = lightsOf(objects).flatMap(({ lit = [] }) =>
      lit.filter(({ startS }, at) => lit[at - 1]?.endS === startS).map(({ startS, color }) => ({ startS, color })),
    );
    const isSame = (a: (typeof turns)[number], b: (typeof turns)[number]) =>
      a.color === b.color && Math.abs(a.startS - b.startS) <= SAME_TIME_S;
    // Red and yellow together may be read as either.
    const isNone = (turn: (typeof turns)[number]) =>
      !changes.some((change) => isSame(change, turn)) && litAt(turn.startS).length === 1;
    const found = changes.filter((change) => turns.some((turn) => isSame(turn, change))).length;
    const isTracked = samples.every(({ stated }) => stated !== null);
    total.samples.push(...samples);
    total.changes += changes.length;
    total.found += found;
    if (isTracked) {
      total.changesTracked += changes.length;
      total.foundTracked += found;
    }
    total.wrong += turns.filter(isNone).length;
    console.log(
      `${daytime.padEnd(6)}${String(scale).padEnd(6)}${samples.filter(({ stated }) => stated !== null).length} of ${samples.length} samples tracked, ${samples.filter(({ stated, expected }) => stated === expected).length} right, ${found} of ${changes.length} changes`,
    );
  }
  return total;
}

const lightsOf = ({ tracks }: Objects) => tracks.filter(({ className }) => className === TRAFFIC_LIGHT);

/** Returns the color of the light at a place, or of any light: "none" for no lamp, null if it is not tracked. */
function stateAt(objects: Objects, timeS: number, place: { x: number; y: number } | null): string | null {
  const track = lightsOf(objects).find((each) => {
    const at = each.frame.findIndex((index) => Math.abs(objects.timeS[index]! - timeS) < 1e-6);
    return at >= 0 && (place === null || isAt(each, at, place));
  });
  if (!track) return null;
  return track.lit?.find(({ startS, endS }) => startS <= timeS + 1e-6 && endS >= timeS - 1e-6)?.color ?? 'none';
}

const isAt = (track: Track, at: number, { x, y }: { x: number; y: number }) =>
  Math.abs(track.x[at]! - x) <= track.width[at]! / 2 && Math.abs(track.y[at]! - y) <= track.height[at]! / 2;

/** Place and color of a labeled light, between its labels; null where it is not in view. */
function placeAt(labels: readonly Label[], timeS: number) {
  const next = labels.findIndex((label) => label.timeS >= timeS - 1e-6);
  const [before, after] = [labels[Math.max(0, next - 1)], labels[next]];
  if (!before || !after || before.timeS > timeS + 1e-6) return null;
  const part = after.timeS > before.timeS ? (timeS - before.timeS) / (after.timeS - before.timeS) : 0;
  const mix = (key: 'x' | 'y') => before[key] + (after[key] - before[key]) * part;
  return { x: mix('x'), y: mix('y'), color: before.color };
}

async function readLabels(): Promise<Label[]> {
  const [, ...lines] = (await readFile(LABELS, 'utf8')).trim().split('\n');
  return lines.map((line) => {
    const [file, light, timeS, x, y, color] = line.split('\t') as [string, string, string, string, string, string];
    return { file, light, timeS: Number(timeS), x: Number(x), y: Number(y), color };
  });
}
