import { wilson } from '../../../server/src/features/review/scores/intervals.ts';
import type { BenchmarkRow } from '../../run.ts';
import { type Judged, VERDICTS, type Verdict } from './judge.ts';
import type { Obstacle, UnseenPrompt } from './prompts.ts';
import type { Part } from './recipes.ts';

export type UnseenResult = Judged &
  UnseenPrompt & { clip: string; interpretation: string; answer: string | null; events: number };

const BARS: Partial<Record<Verdict, BenchmarkRow['bar']>> = { right: { min: 0.43 } };
const MIN_RIGHT_OF_READING = 0.7;
const MAX_FALSE = 0.04;
const FALSE: readonly Verdict[] = ['wrong', 'misread', 'silent'];
const READING: readonly Obstacle[] = ['wording', 'operator'];

/** Traps that are refused count in no share. */
const counts = ({ obstacle, verdict }: UnseenResult) => obstacle !== 'trap' || verdict !== 'refused';

/**
 * One row for each verdict: its share of all prompts but the traps that were refused, with its 95 % Wilson interval.
 * Prints the numbers by clip and by obstacle.
 */
export function rowsOfUnseen(results: readonly UnseenResult[], part: Part): BenchmarkRow[] {
  printTable(
    'clip',
    Map.groupBy(results, ({ clip }) => clip),
  );
  printTable(
    'obstacle',
    Map.groupBy(results, ({ obstacle }) => obstacle),
  );
  const counted = results.filter(counts);
  const reading = counted.filter(({ obstacle }) => READING.includes(obstacle));
  const name = `unseen (${part}):`;
  return [
    ...VERDICTS.map((verdict) => shareRow(`${name} ${verdict}`, counted, [verdict], BARS[verdict])),
    shareRow(`${name} wrong, misread or silent`, counted, FALSE, { max: MAX_FALSE }),
    shareRow(`${name} right, of wording and operators`, reading, ['right'], { min: MIN_RIGHT_OF_READING }),
    shareRow(
      `${name} refused, of traps`,
      results.filter(({ obstacle }) => obstacle === 'trap'),
      ['refused'],
    ),
  ];
}

function shareRow(
  name: string,
  results: readonly UnseenResult[],
  verdicts: readonly Verdict[],
  bar?: BenchmarkRow['bar'],
): BenchmarkRow {
  const n = results.filter(({ verdict }) => verdicts.includes(verdict)).length;
  const share = wilson(n, results.length);
  const interval = share ? `${share.low.toFixed(3)} to ${share.high.toFixed(3)}` : 'unknown';
  const note = `95 %: ${interval}; ${n} of ${results.length} prompts`;
  return { name, value: share?.value ?? Number.NaN, unit: '', note, ...(bar ? { bar } : {}) };
}

function printTable(title: string, groups: ReadonlyMap<string, readonly UnseenResult[]>): void {
  console.log(`\n${title.padEnd(20)}${['prompts', ...VERDICTS].map((head) => head.padStart(10)).join('')}`);
  for (const [name, own] of groups) {
    const numbers = [own.length, ...VERDICTS.map((each) => own.filter(({ verdict }) => verdict === each).length)];
    console.log(`${name.padEnd(20)}${numbers.map((n) => String(n).padStart(10)).join('')}`);
  }
  console.log('');
}

/** Prints each prompt that was not answered right, with the answer. */
export function printUnseenFailures(results: readonly UnseenResult[]): void {
  for (const verdict of VERDICTS.filter((each) => each !== 'right').toReversed())
    for (const one of results.filter((result) => result.verdict === verdict && counts(result))) {
      console.log(`${verdict.toUpperCase()}  ${one.clip}  ${one.obstacle}  "${one.prompt}"  (${one.why})`);
      console.log(`    truth ${JSON.stringify(one.truth)}`);
      console.log(`    ${one.interpretation}  → ${one.answer ?? `${one.events} events`}`);
    }
  console.log('');
}
