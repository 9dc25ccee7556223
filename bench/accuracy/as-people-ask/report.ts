import type { BenchmarkRow } from '../../run.ts';
import type { Judged, Verdict } from './judge.ts';

export type TypedResult = Judged & {
  clip: string;
  prompt: string;
  /** True if the label states an answer, false if the prompt cannot be answered. */
  known: boolean;
  /** Key parts of the question. */
  meant: string;
  interpretation: string;
  answer: string | null;
  events: number;
};

const VERDICTS: readonly Verdict[] = ['right', 'refused', 'wrong', 'misread'];
const BARS: Record<Verdict, BenchmarkRow['bar']> = {
  right: { min: 0.4 },
  refused: undefined,
  wrong: { max: 0.05 },
  misread: { max: 0 },
};

/** One row for each verdict: its share of all prompts. Prints the numbers by folder of clips. */
export function rowsOfTyped(results: readonly TypedResult[]): BenchmarkRow[] {
  if (results.length === 0) return [];
  const folderOf = ({ clip }: TypedResult) => clip.split('/')[0]!;
  console.log(`\n${'as people ask'.padEnd(20)}${['prompts', ...VERDICTS].map((h) => h.padStart(10)).join('')}`);
  for (const [folder, own] of Map.groupBy(results, folderOf)) {
    const numbers = [own.length, ...VERDICTS.map((verdict) => countOf(own, verdict))];
    console.log(`${folder.padEnd(20)}${numbers.map((n) => String(n).padStart(10)).join('')}`);
  }
  console.log('');
  return VERDICTS.map((verdict) => {
    const n = countOf(results, verdict);
    const bar = BARS[verdict];
    return {
      name: `as people ask: ${verdict}`,
      value: n / results.length,
      unit: '',
      ...(bar ? { bar } : {}),
      note: `${n} of ${results.length} prompts`,
    };
  });
}

const countOf = (results: readonly TypedResult[], wanted: Verdict) =>
  results.filter(({ verdict }) => verdict === wanted).length;

/** Prints what was not answered right; of refusals, those of prompts that a person could answer. */
export function printTypedFailures(results: readonly TypedResult[]): void {
  for (const verdict of ['misread', 'wrong', 'refused'] satisfies Verdict[])
    for (const one of results.filter(
      (result) => result.verdict === verdict && (verdict !== 'refused' || result.known),
    )) {
      const { clip, prompt, why, meant, interpretation, answer, events } = one;
      console.log(`${verdict.toUpperCase()}  ${clip}  "${prompt}"  (${why})`);
      console.log(`    meant ${meant}`);
      console.log(`    ${interpretation}  → ${answer ?? `${events} events`}`);
    }
  console.log('');
}
