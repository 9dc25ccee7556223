import { median } from '../lib/measure.ts';
import type { Row } from '../run.ts';
import type { Family, Question } from './ask.ts';
import {
  brier,
  calibrationError,
  corrected,
  fitLine,
  meanSaid,
  reliability,
  type Sample,
  shareRight,
} from './calibration.ts';
import type { Found, Score } from './score.ts';

/** What came of asking, as tables and rows. */

export type Asked = { clip: string; family: Family; prompt: string; score: Score };
export type Told = { clip: string; prompt: string; found: readonly Found[]; hours: number };
export type Answered = Question & { clip: string; told: string | null; right: boolean };
export type Results = {
  asked: Asked[];
  absent: (Told & { family: Family })[];
  /** Of every class of the detector that is not in view. */
  elsewhere: Told[];
  outside: (Told & { claimed: boolean })[];
  answered: Answered[];
};

const sum = (values: readonly number[]) => values.reduce((a, b) => a + b, 0);
const mean = (values: readonly number[]) => sum(values) / values.length;

/** Hours are those searched: of every prompt, the clip's. */
const falseAnHour = (told: readonly Told[]) =>
  sum(told.map(({ found }) => found.length)) / sum(told.map(({ hours }) => hours));

function figures(asked: readonly Asked[], absent: readonly Told[]) {
  const scores = asked.map((one) => one.score);
  const right = sum(scores.map((s) => s.right.length));
  const wrong = sum(scores.map((s) => s.wrong.length)) + sum(absent.map(({ found }) => found.length));
  const expected = sum(scores.map((s) => s.expected));
  const overlaps = scores.flatMap((s) => s.overlaps);
  const edges = scores.flatMap((s) => s.edges);
  return {
    prompts: asked.length + absent.length,
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

export function rowsOf({ asked, absent, elsewhere, outside, answered }: Results): Row[] {
  const families = [...new Set([...asked, ...absent].map(({ family }) => family))].sort();
  console.log(
    `${'family'.padEnd(20)}${['prompts', 'right', 'false', 'expected', 'precision', 'recall', 'overlap', 'edge s', 'false/h'].map((h) => h.padStart(10)).join('')}`,
  );
  for (const family of families) {
    const f = figures(
      asked.filter((one) => one.family === family),
      absent.filter((one) => one.family === family),
    );
    console.log(
      `${family.padEnd(20)}${[shown(f.prompts, 0), shown(f.right, 0), shown(f.wrong, 0), shown(f.expected, 0), shown(f.precision), shown(f.recall), shown(f.overlap), shown(f.edge), shown(f.falseAnHour, 1)].join('')}`,
    );
  }
  const all = figures(asked, absent);
  const samples = samplesOf({ asked, absent, elsewhere });
  printCalibration(samples);

  const yesNo = answered.filter(({ answer }) => typeof answer === 'boolean');
  const counts = answered.filter(({ answer }) => typeof answer !== 'boolean');
  const share = (of: readonly Answered[]) => of.filter(({ right }) => right).length / of.length;
  const unsure = yesNo.filter(({ told }) => told?.startsWith('Not certain')).length;
  const invented = outside.filter(({ found }) => found.length > 0);
  const claimed = outside.filter((told) => told.claimed);
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
    { name: 'of these, said to have been looked for in full', value: claimed.length, unit: '', bar: { max: 0 } },
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

type Judged = Sample & { category: string };

/** Every finding that is right or false, whatever was asked. */
function samplesOf({ asked, absent, elsewhere }: Pick<Results, 'asked' | 'absent' | 'elsewhere'>): Judged[] {
  const judged = (clip: string, found: readonly Found[], right: boolean) =>
    found.map(({ confidence, category }) => ({ clip, confidence, category, right }));
  return [
    ...asked.flatMap(({ clip, score }) => [...judged(clip, score.right, true), ...judged(clip, score.wrong, false)]),
    ...[...absent, ...elsewhere].flatMap(({ clip, found }) => judged(clip, found, false)),
  ];
}

function printCalibration(samples: readonly Judged[]): void {
  const row = (name: string, n: number, said: number, right: number) =>
    console.log(`${name.padEnd(20)}${String(n).padStart(10)}${shown(said)}${shown(right)}`);
  console.log(`\n${'confidence'.padEnd(20)}${['findings', 'says', 'right'].map((h) => h.padStart(10)).join('')}`);
  for (const { from, to, n, said, right } of reliability(samples)) row(`${from} to ${to}`, n, said, right);
  const byCategory = Map.groupBy(samples, ({ category }) => category);
  for (const [category, own] of [...byCategory].sort()) row(category, own.length, meanSaid(own), shareRight(own));
  console.log('');
}

function confidenceRows(samples: readonly Judged[]): Row[] {
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
    { name: 'confidence: slope of right against said', value: slope, unit: '', note: '1: nothing to correct' },
    { name: 'confidence: intercept', value: intercept, unit: '', note: '0: nothing to correct' },
  ];
}

export function printFailures({ asked, absent, elsewhere, outside, answered }: Results): void {
  const at = (t: number | null) => (t === null ? '?' : t.toFixed(2));
  const tell = (clip: string, prompt: string, what: string) => console.log(`${clip}  "${prompt}"  ${what}`);
  const told = ({ startS, endS, label, confidence }: Found) =>
    `${at(startS)} to ${at(endS)} (${label}, ${confidence.toFixed(2)})`;
  for (const { clip, prompt, score } of asked) {
    for (const span of score.missed) tell(clip, prompt, `MISSED ${at(span[0])} to ${at(span[1])}`);
    for (const finding of score.wrong) tell(clip, prompt, `FALSE ${told(finding)}`);
  }
  for (const { clip, prompt, found } of [...absent, ...elsewhere])
    for (const finding of found) tell(clip, prompt, `ABSENT ${told(finding)}`);
  for (const { clip, prompt, found, claimed } of outside) {
    for (const finding of found) tell(clip, prompt, `OUTSIDE ${told(finding)}`);
    if (claimed) tell(clip, prompt, 'CLAIMED to have been looked for');
  }
  for (const { clip, prompt, told, right } of answered) if (!right) tell(clip, prompt, `ANSWERED ${told}`);
  console.log('');
}
