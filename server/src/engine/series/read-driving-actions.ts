import { type DrivingAction, listDrivingActions } from '../find/index.ts';
import type { Telemetry } from '../observe/observations.ts';
import { SENTENCES } from './sources.ts';
import type { StoredArrays } from './stored-arrays.ts';
import type { StoredObservations } from './types.ts';

/** Samples that are closer together are left out; a long recording has at most so many. */
const STEP_S = 0.1;
const MAX_SAMPLES = 200_000;
/** Values per read. */
const BLOCK_LENGTH = 2 ** 18;
/** A gap is at least so many steps. */
const GAP_STEPS = 2.5;
const COLUMNS = ['speedMps', 'accelerationMps2', 'yawRateDps'] as const;

type Facts = { measured: boolean; reason: string | null; source: string; notes: string[]; gapS: number };

/** Actions of the vehicle by its telemetry, or the reason why there are none. */
export async function readDrivingActions(
  stored: StoredObservations,
): Promise<{ source: string; notes: string[]; actions: DrivingAction[] } | { reason: string }> {
  const arrays = stored.get('telemetry');
  const facts = (arrays?.facts ?? {}) as Partial<Facts>;
  if (!arrays) return { reason: SENTENCES.not_observed };
  if (!facts.measured) return { reason: `${SENTENCES.no_telemetry}${facts.reason ? ` Reason: ${facts.reason}.` : ''}` };
  const telemetry = await readColumns(arrays, facts as Facts);
  const actions = listDrivingActions(telemetry);
  if (actions.length === 0) return { reason: SENTENCES.not_measured };
  return { source: telemetry.source, notes: telemetry.notes, actions };
}

async function readColumns(arrays: StoredArrays, { source, notes, gapS }: Facts): Promise<Telemetry> {
  const end = await arrays.findIndex('timeS', Number.POSITIVE_INFINITY);
  const [last = 0] = end > 0 ? await arrays.read('timeS', end - 1, end) : [];
  const { stepS, isTaken } = createThinning(last);
  const timeS: number[] = [];
  const columns = COLUMNS.map((): number[] => []);
  for (let from = 0; from < end; from += BLOCK_LENGTH) {
    const to = Math.min(end, from + BLOCK_LENGTH);
    const [times, ...values] = await Promise.all(['timeS', ...COLUMNS].map((name) => arrays.read(name, from, to)));
    for (let i = 0; i < times!.length; i++) {
      if (!isTaken(times![i]!)) continue;
      timeS.push(times![i]!);
      for (const [c, column] of columns.entries()) column.push(values[c]![i]!);
    }
  }
  return telemetryOf({ source, notes, gapS: Math.max(gapS, GAP_STEPS * stepS) }, timeS, columns);
}

/** The same actions as `readDrivingActions`, of measurements in memory. */
export function findDrivingActions({ source, notes, gapS, ...measured }: Telemetry): DrivingAction[] {
  const { stepS, isTaken } = createThinning(measured.timeS.at(-1) ?? 0);
  const taken = [...measured.timeS.keys()].filter((i) => isTaken(measured.timeS[i]!));
  const columns = COLUMNS.map((name) => taken.map((i) => measured[name][i]!));
  const facts = { source, notes, gapS: Math.max(gapS, GAP_STEPS * stepS) };
  const timeS = taken.map((i) => measured.timeS[i]!);
  return listDrivingActions(telemetryOf(facts, timeS, columns));
}

/** Decides sample by sample, in the order of time, which are used. */
function createThinning(lastS: number) {
  const stepS = Math.max(STEP_S, lastS / MAX_SAMPLES);
  let nextS = 0;
  const isTaken = (timeS: number): boolean => {
    if (timeS < nextS) return false;
    nextS = timeS + stepS * 0.999;
    return true;
  };
  return { stepS, isTaken };
}

function telemetryOf(
  facts: Pick<Telemetry, 'source' | 'notes' | 'gapS'>,
  timeS: readonly number[],
  columns: readonly (readonly number[])[],
): Telemetry {
  const [speedMps, accelerationMps2, yawRateDps] = columns.map((column) => Float64Array.from(column));
  const none = new Float64Array(timeS.length).fill(Number.NaN);
  return {
    ...facts,
    timeS: Float64Array.from(timeS),
    speedMps: speedMps!,
    accelerationMps2: accelerationMps2!,
    yawRateDps: yawRateDps!,
    headingDeg: none,
    latitude: none,
    longitude: none,
    altitudeM: none,
  };
}
