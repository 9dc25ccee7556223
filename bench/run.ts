/**
 * Runs one benchmark and prints its rows, each against its bar. `npm run bench -- NAME [ARGS]`; NAME is a file of this
 * folder (benchmarks of the engine) or of `service/` (benchmarks over HTTP). Figures are ratios against a limit or a
 * peer measured in the same run, because machines are noisy.
 */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

export type BenchmarkRow = {
  name: string;
  value: number;
  unit: string;
  /** The figure to reach, if there is one. */
  bar?: { max?: number; min?: number };
  note?: string;
};

/** Rows at the end, or each as soon as it is measured. */
type Benchmark = { run(args: string[]): Promise<BenchmarkRow[]> | AsyncIterable<BenchmarkRow> };

const verdict = ({ value, bar }: BenchmarkRow): string => {
  if (!bar) return '';
  const reached = value <= (bar.max ?? Number.POSITIVE_INFINITY) && value >= (bar.min ?? Number.NEGATIVE_INFINITY);
  return `${reached ? 'reached' : 'MISSED'} (bar: ${bar.max === undefined ? `at least ${bar.min}` : `at most ${bar.max}`})`;
};

const digits = (value: number) => (Math.abs(value) >= 100 ? value.toFixed(0) : value.toPrecision(3));

const [name, ...args] = process.argv.slice(2);
const paths = new Map<string, string>();
for (const folder of ['.', './service'])
  for (const file of await readdir(join(import.meta.dirname, folder)))
    if (file.endsWith('.ts') && file !== 'run.ts') paths.set(file.replace(/\.ts$/, ''), `${folder}/${file}`);

const path = paths.get(name ?? '');
if (path === undefined) {
  console.error(`Usage: npm run bench -- NAME; NAME is one of ${[...paths.keys()].join(', ')}.`);
  process.exit(2);
}

const benchmark = (await import(path)) as Benchmark;
const rows: BenchmarkRow[] = [];
for await (const row of await benchmark.run(args)) {
  rows.push(row);
  console.log(
    `${row.name.padEnd(64)} ${digits(row.value).padStart(9)} ${row.unit.padEnd(8)} ${verdict(row)}${row.note ? `  ${row.note}` : ''}`,
  );
}
process.exit(rows.some((row) => verdict(row).startsWith('MISSED')) ? 1 : 0);
