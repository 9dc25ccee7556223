import { watchWithNoise } from '../../server/src/engine/live/calibration.fixture.ts';
import {
  askNoisyOracle,
  brierScoreOf,
  calibrationErrorOf,
  type JudgedEvent,
} from '../../server/src/engine/vision/reliability/calibration.fixture.ts';
import { verifyWithNoise } from '../../server/src/engine/vision/reliability/review-calibration.fixture.ts';
import type { BenchmarkRow } from '../run.ts';
import { createReport } from './report.ts';

const CLIPS = 400;
const VERIFIED_CLIPS = 150;
const STREAMS = 40;
const RATES = { any: [0, 0.05, 0.1, 0.2], footage: [0.05, 0.1, 0.2, 0.3], repeated: [0.05, 0.1, 0.2] } as const;
/** Rates of errors up to which confidence has to fit; errors that repeat in every look are not recognized. */
const MAX_RATE = 0.1;
const BAR = 0.1;

/**
 * Distance of the confidence of events from the share that is right, of an oracle that errs at several rates: events
 * that it found, events of an observer that it verified, and those of streams.
 */
export async function calibrationRows(): Promise<BenchmarkRow[]> {
  const rows: BenchmarkRow[] = [];
  const cells = Object.entries(RATES).flatMap(([noise, rates]) =>
    rates.map((rate) => ({ noise: noise as keyof typeof RATES, rate })),
  );
  const report = createReport('calibration: ', 3 * cells.length);
  const add = (kind: string, cell: (typeof cells)[number], events: readonly JudgedEvent[], note: string) => {
    const found = events.filter(({ isCandidate }) => !isCandidate);
    const right = found.filter(({ isRight }) => isRight).length;
    const mean = found.reduce((sum, { confidence }) => sum + confidence, 0) / found.length;
    rows.push({
      name: `calibration error${kind}, errors in ${cell.noise} answers: ${cell.rate}`,
      value: calibrationErrorOf(events),
      unit: '',
      ...(cell.noise !== 'repeated' && cell.rate <= MAX_RATE ? { bar: { max: BAR } } : {}),
      note: `${found.length} events, confidence ${mean.toFixed(2)}, right ${(right / found.length).toFixed(2)}, ${events.length - found.length} candidates${note}`,
    });
    report(`${kind} ${cell.noise} ${cell.rate}`);
  };
  for (const cell of cells) {
    const { events, believed } = await askNoisyOracle(cell.noise, cell.rate, CLIPS);
    add('', cell, events, `, believed in ${believed} of ${CLIPS} clips`);
  }
  for (const cell of cells) {
    const { events, before, believed } = await verifyWithNoise(cell.noise, cell.rate, VERIFIED_CLIPS);
    const brier = `Brier score ${brierScoreOf(events).toFixed(3)}, before ${brierScoreOf(before).toFixed(3)}`;
    add(' after verification', cell, events, `, ${brier}, believed in ${believed} of ${VERIFIED_CLIPS} clips`);
  }
  for (const cell of cells)
    add(
      ' of streams',
      cell,
      await watchWithNoise(cell.noise, cell.rate, STREAMS),
      `, ${STREAMS} streams of ten minutes`,
    );
  return rows;
}
