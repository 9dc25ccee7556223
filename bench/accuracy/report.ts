import { median } from '../lib/measure.ts';
import type { BenchmarkRow } from '../run.ts';
import type { Family, LabeledQuestion } from './ask.ts';
import {
  brier,
  type ConfidenceSample,
  calibrationError,
  corrected,
  fitLine,
  meanConfidence,
  reliability,
  shareRight,
} from './calibration.ts';
import type { Score, ScoredEvent } from './score.ts';

export type ScoredPrompt = { clip: string; family: Family; prompt: string; score: Score };
export type PromptResult = { clip: string; prompt: string; found: readonly ScoredEvent[]; hours: number };
export type Answered = LabeledQuestion & { clip: string; reported: string | null; right: boolean };
export type Results = {
  scored: ScoredPrompt[];
  absent: (PromptResult & { family: Family })[];
  /** Prompts for each detector class that is not in view. */
  elsewhere: PromptResult[];
  outside: (PromptResult & { claimed: boolean })[];
  answered: Answered[];
};

const sum = (values: readonly number[]) => values.reduce((a, b) => a + b, 0);
const mean = (values: readonly number[]) => sum(values) / values.length;

/** False events per searched hour; each prompt searches the length of its clip. */
const falseAnHour = (reported: readonly PromptResult[]) =>
  sum(reported.map(({ found }) => found.length)) / sum(reported.map(({ hours }) => hours));

function figures(scored: readonly ScoredPrompt[], absent: readonly PromptResult[]) {
  const scores = scored.map((one) => one.score);
  const right = sum(scores.map((s) => s.right.length));
  const wrong = sum(scores.map((s) => s.wrong.length)) + sum(absent.map(({ found }) => found.length));
  const expected = sum(scores.map((s) => s.expected));
  const overlaps = scores.flatMap((s) => s.overlaps);
  const edges = scores.flatMap((s) => s.edges);
  return {
    prompts: scored.length + absent.length,
    right,
    wrong,
    expected,
    precision: right / (right + wrong),
    recall: 1 - sum(scores.map((s) => s.missed.length)) / expected,
    overlap: mean(overlaps),
    edge: edges.length > 0 ? median(edges) : Number.NaN,
    falseAnHour: falseAnHour(absent),
  };
}

const shown = (value: number, digits = 2) => (Number.isFinite(value) ? value.toFixed(digits) : '-').padStart(10);

export function rowsOf({ scored, absent, elsewhere, outside, answered }: Results): BenchmarkRow[] {
  const families = [...new Set([...scored, ...absent].map(({ family }) => family))].sort();
  console.log(
    `${'family'.padEnd(20)}${['prompts', 'right', 'false', 'expected', 'precision', 'recall', 'overlap', 'edge s', 'false/h'].map((h) => h.padStart(10)).join('')}`,
  );
  for (const family of families) {
    const f = figures(
      scored.filter((one) => one.family === family),
      absent.filter((one) => one.family === family),
    );
    console.log(
      `${family.padEnd(20)}${[shown(f.prompts, 0), shown(f.right, 0), shown(f.wrong, 0), shown(f.expected, 0), shown(f.precision), shown(f.recall), shown(f.overlap), shown(f.edge), shown(f.falseAnHour, 1)].join('')}`,
    );
  }
  const all = figures(scored, absent);
  const samples = samplesOf({ scored, absent, elsewhere });
  printCalibration(samples);

  const yesNo = answered.filter(({ answer }) => typeof answer === 'boolean');
  const counts = answered.filter(({ answer }) => typeof answer !== 'boolean');
  const share = (of: readonly Answered[]) => of.filter(({ right }) => right).length / of.length;
  const unsure = yesNo.filter(({ reported }) => reported?.startsWith('Not certain')).length;
  const invented = outside.filter(({ found }) => found.length > 0);
  const claimed = outside.filter((reported) => reported.claimed);
  return [
    {
      name: 'precision, prompts inside the vocabulary',
      value: all.precision,
      unit: '',
      bar: { min: 0.8 },
      note: `${all.right} right, ${all.wrong} false`,
    },
    { name: 'recall, the same', value: all.recall, unit: '', bar: { min: 0.7 }, note: `of ${all.expected}` },
    { name: 'mean temporal overlap', value: all.overlap, unit: '' },
    { name: 'median edge error', value: all.edge, unit: 's', bar: { max: 0.5 } },
    {
      name: 'false events an hour, prompts that do not happen',
      value: all.falseAnHour,
      unit: '/h',
      note: `${absent.length} prompts`,
    },
    {
      name: 'false events an hour, classes that are not in view',
      value: falseAnHour(elsewhere),
      unit: '/h',
      note: `${sum(elsewhere.map(({ found }) => found.length))} of ${elsewhere.length} prompts`,
    },
    {
      name: 'prompts outside the vocabulary with an event',
      value: invented.length,
      unit: '',
      bar: { max: 0 },
      note: `of ${outside.length}`,
    },
    { name: 'of these, stated to have been looked for in full', value: claimed.length, unit: '', bar: { max: 0 } },
    {
      name: 'yes/no questions answered right',
      value: share(yesNo),
      unit: '',
      bar: { min: 0.8 },
      note: `of ${yesNo.length}; ${unsure} answered "not certain"`,
    },
    { name: 'counts answered right', value: share(counts), unit: '', note: `of ${counts.length}` },
    ...confidenceRows(samples),
  ];
}

type Judged = ConfidenceSample & { category: string };

/** All events that are right or wrong, over all prompts. */
function samplesOf({ scored, absent, elsewhere }: Pick<Results, 'scored' | 'absent' | 'elsewhere'>): Judged[] {
  const judged = (clip: string, found: readonly ScoredEvent[], right: boolean) =>
    found.map(({ confidence, category }) => ({ clip, confidence, category, right }));
  return [
    ...scored.flatMap(({ clip, score }) => [...judged(clip, score.right, true), ...judged(clip, score.wrong, false)]),
    ...[...absent, ...elsewhere].flatMap(({ clip, found }) => judged(clip, found, false)),
  ];
}

function printCalibration(samples: readonly Judged[]): void {
  const row = (name: string, n: number, stated: number, right: number) =>
    console.log(`${name.padEnd(20)}${String(n).padStart(10)}${shown(stated)}${shown(right)}`);
  console.log(`\n${'confidence'.padEnd(20)}${['findings', 'says', 'right'].map((h) => h.padStart(10)).join('')}`);
  for (const { from, to, n, stated, right } of reliability(samples)) row(`${from} to ${to}`, n, stated, right);
  const byCategory = Map.groupBy(samples, ({ category }) => category);
  for (const [category, own] of [...byCategory].sort()) row(category, own.length, meanConfidence(own), shareRight(own));
  console.log('');
}

function confidenceRows(samples: readonly Judged[]): BenchmarkRow[] {
  const { intercept, slope } = fitLine(samples);
  const refitted = corrected(samples);
  return [
    {
      name: 'confidence: calibration error',
      value: calibrationError(samples),
      unit: '',
      bar: { max: 0.1 },
      note: `${samples.length} findings; ${calibrationError(refitted).toFixed(3)} when corrected by a line fitted to the other clips`,
    },
    {
      name: 'confidence: Brier score',
      value: brier(samples),
      unit: '',
      note: `${brier(refitted).toFixed(3)} when corrected`,
    },
    { name: 'confidence: slope of right against stated', value: slope, unit: '', note: '1: nothing to correct' },
    { name: 'confidence: intercept', value: intercept, unit: '', note: '0: nothing to correct' },
  ];
}

export function printFailures({ scored, absent, elsewhere, outside, answered }: Results): void {
  const at = (t: number | null) => (t === null ? '?' : t.toFixed(2));
  const print = (clip: string, prompt: string, what: string) => console.log(`${clip}  "${prompt}"  ${what}`);
  const reported = ({ startS, endS, label, confidence }: ScoredEvent) =>
    `${at(startS)} to ${at(endS)} (${label}, ${confidence.toFixed(2)})`;
  for (const { clip, prompt, score } of scored) {
    for (const span of score.missed) print(clip, prompt, `MISSED ${at(span[0])} to ${at(span[1])}`);
    for (const finding of score.wrong) print(clip, prompt, `FALSE ${reported(finding)}`);
  }
  for (const { clip, prompt, found } of [...absent, ...elsewhere])
    for (const finding of found) print(clip, prompt, `ABSENT ${reported(finding)}`);
  for (const { clip, prompt, found, claimed } of outside) {
    for (const finding of found) print(clip, prompt, `OUTSIDE ${reported(finding)}`);
    if (claimed) print(clip, prompt, 'CLAIMED to have been looked for');
  }
  for (const { clip, prompt, reported, right } of answered) if (!right) print(clip, prompt, `ANSWERED ${reported}`);
  console.log('');
}
