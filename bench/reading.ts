/**
 * Reading of prompts: the share of the prompts of the plan's fixtures that the grammar derives as a whole, the time of
 * a plan, and the share of paraphrases that are read as the plainest wording is. `plan` measures hostile prompts.
 * Paraphrases that are not are printed with `-- reading paraphrases`.
 *
 * `npm run bench -- reading`
 */
import { COLLOQUIAL_PROMPTS } from '../server/src/engine/plan/fixtures/colloquial.fixture.ts';
import { EVERYDAY } from '../server/src/engine/plan/fixtures/everyday.fixture.ts';
import { grammar, read } from '../server/src/engine/plan/fixtures/grammar.fixture.ts';
import { LOGS } from '../server/src/engine/plan/fixtures/logs.fixture.ts';
import { PARAPHRASES } from '../server/src/engine/plan/fixtures/paraphrases.fixture.ts';
import { summarizePlan } from '../server/src/engine/plan/fixtures/plan-summary.fixture.ts';
import { PROMPTS } from '../server/src/engine/plan/fixtures/prompts.fixture.ts';
import { EVERYDAY_QUESTIONS } from '../server/src/engine/plan/fixtures/questions.fixture.ts';
import { STRICT } from '../server/src/engine/plan/fixtures/strict.fixture.ts';
import { TEAMS } from '../server/src/engine/plan/fixtures/teams.fixture.ts';
import { TYPED } from '../server/src/engine/plan/fixtures/typed.fixture.ts';
import { USER_GROUPS } from '../server/src/engine/plan/fixtures/user-groups.fixture.ts';
import { createPlanner, isBlocked } from '../server/src/engine/plan/index.ts';
import { rulesOf } from '../server/src/engine/plan/parse/forest.ts';
import type { GrammarRule } from '../server/src/engine/plan/parse/rules.ts';
import type { BenchmarkRow } from './run.ts';

const ROUNDS = 3;
const TABLES = { USER_GROUPS, STRICT, EVERYDAY, EVERYDAY_QUESTIONS, TEAMS, LOGS, TYPED, COLLOQUIAL_PROMPTS };
const PROMPTS_OF_FIXTURES = [
  ...new Set([...PROMPTS, ...Object.values(TABLES).flatMap((table) => Object.values(table).flat())].map(([p]) => p)),
];

const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;

export async function run(args: readonly string[]): Promise<BenchmarkRow[]> {
  const planner = createPlanner();
  const prompts = PROMPTS_OF_FIXTURES.filter((prompt) => planner.planQuery(prompt).language === undefined);
  const used = new Set<GrammarRule>();
  let whole = 0;
  let answered = 0;
  for (const prompt of prompts) {
    const { read: sentences, unread } = read(prompt);
    if (unread.length === 0 && sentences.length > 0) whole++;
    for (const { readings } of sentences) for (const rule of rulesOf(readings[0]!)) used.add(rule);
    if (!planner.planEnglish(prompt).searches.some(isBlocked)) answered++;
  }
  const timeOf = (prompt: string) =>
    Math.min(
      ...Array.from({ length: ROUNDS }, () => {
        const before = process.hrtime.bigint();
        planner.planQuery(prompt);
        return Number(process.hrtime.bigint() - before) / 1e6;
      }),
    );
  const paraphrases = readParaphrases(args.includes('paraphrases'));
  const share = (count: number) => (100 * count) / prompts.length;
  return [
    { name: 'prompts of the fixtures', value: prompts.length, unit: '' },
    { name: 'derived as a whole', value: share(whole), unit: '%' },
    { name: 'answered', value: share(answered), unit: '%' },
    { name: 'rules of the grammar', value: grammar.rules.length, unit: '' },
    { name: 'rules that these prompts use', value: used.size, unit: '' },
    { name: 'a plan, median time', value: median(prompts.map(timeOf)), unit: 'ms' },
    { name: 'paraphrases read as the plainest wording is', value: 100 * paraphrases, unit: '%', bar: { min: 85 } },
  ];

  function readParaphrases(isPrinted: boolean): number {
    let same = 0;
    const all = PARAPHRASES.flatMap(({ intent, wordings }) => {
      const plans = wordings.map((wording) => planner.planQuery(wording));
      const meaning = meaningOf(plans[0]!);
      return wordings.map((wording, i) => {
        const isSame = meaningOf(plans[i]!) === meaning && !plans[i]!.searches.some(isBlocked);
        if (isSame) same++;
        else if (isPrinted) console.log(`${intent}: ${wording}\n    ${summarizePlan(plans[i]!)}`);
        return isSame;
      });
    });
    return same / all.length;
  }
}

/** A plan without remarks and corrections: only the searches and the question. */
const meaningOf = (plan: Parameters<typeof summarizePlan>[0]) =>
  summarizePlan(plan)
    .replaceAll(/ ~\S+/g, '')
    .replace(/ \([^()]*\)$/, '');
