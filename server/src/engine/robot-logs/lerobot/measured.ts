import { MAX_CHANNELS } from '../../observe/telemetry/channels.ts';
import type { Measure } from '../../observe/telemetry/samples.ts';
import { interpretColumn } from '../../observe/telemetry/units.ts';
import { MAX_VALUES, type RecordedNumbers } from '../telemetry/collector.ts';
import type { RecordingTelemetry } from '../telemetry/index.ts';
import type { RecordedTrajectory } from '../trajectory/index.ts';
import type { DatasetColumn, EpisodeFrames } from './types.ts';

/** Maximum rows of telemetry per second, and samples of a trajectory. */
const TELEMETRY_PER_S = 20;
const TRAJECTORY_PER_S = 50;
const MAX_TRACKS = 20;

/**
 * Measurements of an episode: those that are named as such (speed, acceleration, heading, position), and all numbers by
 * their names. Null if it has none.
 */
export function toEpisodeTelemetry(
  { timeS, values }: EpisodeFrames,
  columns: readonly DatasetColumn[],
  fps: number,
): RecordingTelemetry | null {
  const thin = thinner(fps, TELEMETRY_PER_S);
  const found: RecordingTelemetry['columns'] = {};
  const sources: RecordingTelemetry['sources'] = {};
  // Measured values take precedence over commanded ones.
  const ordered = [...columns.entries()].sort(([, a], [, b]) => Number(isAction(a)) - Number(isAction(b)));
  for (const [at, { name, elements }] of ordered) {
    for (const [i, element] of elements.entries()) {
      const measured = elements.length === 1 ? name.split('.').at(-1)! : element;
      const meaning = measured.length > 1 ? interpretColumn(measured) : null;
      if (typeof meaning !== 'object' || meaning === null || meaning.measure === 'timeS') continue;
      const measure: Measure = meaning.measure;
      const series = values[at]![i]!;
      if (found[measure] || !series.some(Number.isFinite)) continue;
      found[measure] = thin(series).map((value) => value * meaning.factor);
      sources[measure] = name;
    }
  }
  if (timeS.length === 0) return null;
  const numbers = toNumbers({ timeS: thin(timeS), series: (at, i) => thin(values[at]![i]!) }, columns);
  if (numbers === null) return null;
  return {
    originNs: 0n,
    timeS: thin(timeS),
    columns: found,
    sources,
    notes: [],
    numbers,
  };
}

/** All numbers of an episode by their names; null if it has none. */
function toNumbers(
  { timeS, series }: { timeS: Float64Array; series: (column: number, element: number) => Float64Array },
  columns: readonly DatasetColumn[],
): RecordedNumbers | null {
  const all = columns.flatMap(({ name, elements }, at) =>
    elements.map((element, i) => ({ name: elements.length === 1 ? name : `${name}/${element}`, at, i })),
  );
  const named = all.slice(0, MAX_CHANNELS);
  const step = Math.max(1, Math.ceil((named.length * timeS.length) / MAX_VALUES));
  const every = (values: Float64Array) => (step === 1 ? values : values.filter((_, i) => i % step === 0));
  const fields = named
    .map(({ name, at, i }) => ({ name, unit: null, values: every(series(at, i)) }))
    .filter(({ values }) => values.some(Number.isFinite));
  if (fields.length === 0) return null;
  return { groups: [{ timeS: every(timeS), fields }], leftOut: all.length - named.length };
}

/** States and actions of an episode: each column is one track, each of its elements one joint. */
export function toEpisodeTrajectory(
  { timeS, values }: EpisodeFrames,
  columns: readonly DatasetColumn[],
  fps: number,
): RecordedTrajectory | null {
  const thin = thinner(fps, TRAJECTORY_PER_S);
  const tracks = columns.slice(0, MAX_TRACKS).flatMap(({ name, elements }, at) => {
    const joints = Object.fromEntries(elements.map((element, i) => [element, thin(values[at]![i]!)]));
    const none = { frame: null, position: null, rotation: null };
    return timeS.length < 2 ? [] : [{ name, channel: name, schema: 'lerobot', ...none, timeS: thin(timeS), joints }];
  });
  return tracks.length === 0 ? null : { originNs: 0n, tracks };
}

const isAction = ({ name }: DatasetColumn) => /^action\b/.test(name);

/** Takes every n-th value of a series at `fps`, so that at most `perS` per second remain. */
function thinner(fps: number, perS: number) {
  const step = Math.max(1, Math.ceil(fps / perS));
  return (series: Float64Array) => (step === 1 ? series : series.filter((_, i) => i % step === 0));
}
