/**
 * Cost of reading a prompt by CPU time: hostile prompts of 10,000 characters, and a hundred times the text against
 * once. `plan.test.ts` tests that the work is bounded; this benchmark measures its time.
 *
 * `npm run bench -- plan`
 */

import { HOSTILE } from '../server/src/engine/plan/fixtures/prompts.fixture.ts';
import { createPlanner } from '../server/src/engine/plan/index.ts';
import type { BenchmarkRow } from './run.ts';

const ROUNDS = 5;
/** Pieces from which texts of 1,000 and of 100,000 characters are built. */
const PIECES = ['a person near a car, ', ' ', '\n', '🚗', '1:', 'a/', 'the ', 'شخص '];
/** Lower limit in ms, so that the ratio does not divide by nearly zero. */
const LEAST_MS = 0.5;

export async function run(): Promise<BenchmarkRow[]> {
  const planner = createPlanner();
  const cost = (query: string) => {
    planner.planQuery(query);
    const times = Array.from({ length: ROUNDS }, () => {
      const before = process.cpuUsage();
      planner.checkPlan(planner.planQuery(query));
      const { user, system } = process.cpuUsage(before);
      return (user + system) / 1000;
    });
    return Math.min(...times);
  };
  const longest = (costs: readonly (readonly [name: string, value: number])[]) =>
    costs.reduce((a, b) => (b[1] > a[1] ? b : a));
  const [name, ms] = longest(HOSTILE.map(([what, query]) => [what, cost(query)]));
  const [piece, growth] = longest(
    PIECES.map((part) => {
      const of = (characters: number) => cost(part.repeat(characters / part.length));
      return [JSON.stringify(part), of(100_000) / Math.max(LEAST_MS, of(1000))];
    }),
  );
  return [
    {
      name: 'planning 10,000 hostile characters, the slowest, CPU',
      value: ms,
      unit: 'ms',
      bar: { max: 50 },
      note: name,
    },
    {
      name: '100,000 characters against 1,000, the worst, CPU',
      value: growth,
      unit: '×',
      bar: { max: 100 },
      note: piece,
    },
  ];
}
