import { describe, expect, it } from 'vitest';
import { CALCULATIONS } from './fixtures/calculations.fixture.ts';
import { COLLOQUIAL_PROMPTS } from './fixtures/colloquial.fixture.ts';
import { DISCOURSE } from './fixtures/discourse.fixture.ts';
import { OPERATORS } from './fixtures/operators.fixture.ts';
import { summarizePlan } from './fixtures/plan-summary.fixture.ts';
import { EVERYDAY_QUESTIONS } from './fixtures/questions.fixture.ts';
import { STRICT } from './fixtures/strict.fixture.ts';
import { TYPED } from './fixtures/typed.fixture.ts';
import { createPlanner, type Plan } from './index.ts';

const planner = createPlanner();

const isRefused = ({ searches }: Plan) =>
  searches.every(({ steps }) => steps.some(({ unchecked }) => unchecked.some(({ blocks }) => blocks)));

describe.each(
  [STRICT, EVERYDAY_QUESTIONS, TYPED, COLLOQUIAL_PROMPTS, CALCULATIONS, DISCOURSE, OPERATORS].flatMap((each) =>
    Object.entries(each),
  ),
)('prompts that are easy to misread: %s', (_cause, prompts) => {
  it.each(prompts)('%s: %s', (prompt, expected) => {
    const plan = planner.planQuery(prompt);
    if (expected === 'refused') expect(isRefused(plan), summarizePlan(plan)).toBe(true);
    else expect(summarizePlan(plan)).toBe(expected);
  });
});
