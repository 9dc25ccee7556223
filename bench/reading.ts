/**
 * Reading of English prompts by the grammar, on the prompts of the plan's fixtures: the share that it derives as a
 * whole, the share that it answers, and its time against that of the rules in the same run. Differences between the
 * plans of the two are printed with `-- reading differences`.
 *
 * `npm run bench -- reading`
 */
import { dropsWords, isAnswered } from '../server/src/engine/plan/answered-classes.ts';
import { createEnglish } from '../server/src/engine/plan/english/index.ts';
import { COLLOQUIAL_PROMPTS } from '../server/src/engine/plan/fixtures/colloquial.fixture.ts';
import { EVERYDAY } from '../server/src/engine/plan/fixtures/everyday.fixture.ts';
import { LOGS } from '../server/src/engine/plan/fixtures/logs.fixture.ts';
import { summarizePlan } from '../server/src/engine/plan/fixtures/plan-summary.fixture.ts';
import { PROMPTS } from '../server/src/engine/plan/fixtures/prompts.fixture.ts';
import { EVERYDAY_QUESTIONS } from '../server/src/engine/plan/fixtures/questions.fixture.ts';
import { STRICT } from '../server/src/engine/plan/fixtures/strict.fixture.ts';
import { TEAMS } from '../server/src/engine/plan/fixtures/teams.fixture.ts';
import { TYPED } from '../server/src/engine/plan/fixtures/typed.fixture.ts';
import { USER_GROUPS } from '../server/src/engine/plan/fixtures/user-groups.fixture.ts';
import { createPlanner, isBlocked } from '../server/src/engine/plan/index.ts';
import { createEnglishGrammar } from '../server/src/engine/plan/language/english/index.ts';
import { describeMeaning } from '../server/src/engine/plan/meaning/describe.ts';
import type { Query } from '../server/src/engine/plan/meaning/types.ts';
import { rulesOf } from '../server/src/engine/plan/parse/forest.ts';
import type { GrammarRule } from '../server/src/engine/plan/parse/rules.ts';
import { planQuery } from '../server/src/engine/plan/parse-prompt.ts';
import { planWithGrammar, readWithGrammar } from '../server/src/engine/plan/read-grammar.ts';
import { readWords } from '../server/src/engine/plan/tokens/lexer.ts';
import { buildLexicon } from '../server/src/engine/plan/tokens/lexicon.ts';
import type { BenchmarkRow } from './run.ts';

const ROUNDS = 3;
const TABLES = { USER_GROUPS, STRICT, EVERYDAY, EVERYDAY_QUESTIONS, TEAMS, LOGS, TYPED, COLLOQUIAL_PROMPTS };
const PROMPTS_OF_FIXTURES = [
  ...new Set([...PROMPTS, ...Object.values(TABLES).flatMap((table) => Object.values(table).flat())].map(([p]) => p)),
];

const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;

export async function run(args: readonly string[]): Promise<BenchmarkRow[]> {
  const english = createEnglish();
  const lexicon = buildLexicon(english);
  const grammar = createEnglishGrammar(english.entries);
  const planner = createPlanner();
  const prompts = PROMPTS_OF_FIXTURES.filter((prompt) => planner.planEnglish(prompt).language === undefined);
  const used = new Set<GrammarRule>();
  let whole = 0;
  let open = 0;
  let answered = 0;
  let refused = 0;
  const differences: string[] = [];
  for (const prompt of prompts) {
    const { read, unread } = readWithGrammar(readWords(prompt, lexicon), grammar);
    if (unread.length === 0 && read.length > 0) whole++;
    for (const { readings } of read) for (const rule of rulesOf(readings[0]!)) used.add(rule);
    if (!planner.planEnglish(prompt).searches.some(isBlocked)) open++;
    const planned = planWithGrammar(prompt, lexicon, grammar);
    if (!planned) continue;
    const ruled = planQuery(prompt, lexicon);
    const isUsed = isAnswered(planned);
    if (isUsed) answered++;
    else if (dropsWords(planned, ruled)) refused++;
    else continue;
    const [before, after] = [summarizePlan(ruled), summarizePlan(planned.plan)];
    if (before === after) continue;
    const meaning = read.map(({ readings: [best] }) => describeMeaning(best!.meaning as Query)).join('. ');
    differences.push(`${prompt}\n    meaning  ${meaning}\n    rules    ${before}\n    grammar  ${after}`);
  }
  if (args.includes('differences')) console.log(differences.join('\n'));
  const timeOf = (plan: (prompt: string) => unknown) =>
    median(
      prompts.map((prompt) => {
        const times = Array.from({ length: ROUNDS }, () => {
          const before = process.hrtime.bigint();
          plan(prompt);
          return Number(process.hrtime.bigint() - before) / 1e6;
        });
        return Math.min(...times);
      }),
    );
  const byRules = timeOf((prompt) => planQuery(prompt, lexicon));
  const byGrammar = timeOf((prompt) => planWithGrammar(prompt, lexicon, grammar));
  const byBoth = timeOf((prompt) => planner.planEnglish(prompt));
  const share = (count: number) => (100 * count) / prompts.length;
  return [
    { name: 'prompts of the fixtures', value: prompts.length, unit: '' },
    { name: 'derived as a whole', value: share(whole), unit: '%', bar: { min: 70 } },
    { name: 'answered by the grammar', value: share(answered), unit: '%' },
    {
      name: 'answered by the grammar, of those that are not refused',
      value: (100 * answered) / open,
      unit: '%',
      bar: { min: 60 },
    },
    { name: 'refused by the grammar, answered by the rules', value: share(refused), unit: '%' },
    { name: 'plans of the grammar that differ from those of the rules', value: differences.length, unit: '' },
    { name: 'rules of the grammar', value: grammar.rules.length, unit: '' },
    { name: 'rules that these prompts use', value: used.size, unit: '' },
    { name: 'the grammar against the rules, median time', value: byGrammar / byRules, unit: '×', bar: { max: 0.5 } },
    { name: 'a plan against the rules alone, median time', value: byBoth / byRules, unit: '×' },
    { name: 'a plan by the grammar, median time', value: byGrammar, unit: 'ms' },
  ];
}
