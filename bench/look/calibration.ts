import { askNoisyOracle, calibrationErrorOf } from '../../server/src/engine/vision/doubt/calibration.fixture.ts';
import type { BenchmarkRow } from '../run.ts';
import { createReport } from './report.ts';

const CLIPS = 400;
const RATES = { any: [0, 0.05, 0.1, 0.2], footage: [0.05, 0.1, 0.2, 0.3], repeated: [0.05, 0.1, 0.2] } as const;
/** Rates of errors up to which confidence has to fit; errors that repeat in every look are not recognized. */
const MAX_RATE = 0.1;
const BAR = 0.1;

/** Distance of the confidence of events from the share that is right, of an oracle that errs at several rates. */
export async function calibrationRows(): Promise<BenchmarkRow[]> {
  const rows: BenchmarkRow[] = [];
  const cells = Object.entries(RATES).flatMap(([noise, rates]) =>
    rates.map((rate) => ({ noise: noise as keyof typeof RATES, rate })),
  );
  const report = createReport('calibration: ', cells.length);
  for (const { noise, rate } of cells) {
    const { events, believed } = await askNoisyOracle(noise, rate, CLIPS);
    const found = events.filter(({ isCandidate }) => !isCandidate);
    const right = found.filter(({ isRight }) => isRight).length;
    const mean = found.reduce((sum, { confidence }) => sum + confidence, 0) / found.length;
    rows.push({
      name: `calibration error, errors in ${noise} answers: ${rate}`,
      ...{ value: calibrationErrorOf(events), unit: '' },
      ...(noise !== 'repeated' && rate <= MAX_RATE ? { bar: { max: BAR } } : {}),
      note: `${found.length} events, confidence ${mean.toFixed(2)}, right ${(right / found.length).toFixed(2)}, ${events.length - found.length} candidates, believed in ${believed} of ${CLIPS} clips`,
    });
    report(`${noise} ${rate}`);
  }
  return rows;
}
