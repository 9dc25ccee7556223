import { describe, expect, it } from 'vitest';
import { isBlocked } from './blocked-search.ts';
import { COLLOQUIAL_PROMPTS } from './fixtures/colloquial.fixture.ts';
import { summarizePlan } from './fixtures/plan-summary.fixture.ts';
import { STRICT } from './fixtures/strict.fixture.ts';
import { TYPED } from './fixtures/typed.fixture.ts';
import { createPlanner } from './index.ts';

const planner = createPlanner();
const suggestionsOf = (prompt: string) => planner.planQuery(prompt).suggestions ?? [];

describe('suggestions', () => {
  const tables = [STRICT, TYPED, COLLOQUIAL_PROMPTS].flatMap((table) => Object.values(table).flat());
  const prompts = [...new Set(tables.map(([prompt]) => prompt))];

  it('can be searched, each with another meaning', () => {
    let suggested = 0;
    for (const prompt of prompts) {
      const plans = suggestionsOf(prompt).map((each) => planner.planQuery(each));
      if (plans.length > 0) suggested++;
      expect(plans.length).toBeLessThanOrEqual(3);
      expect(plans.flatMap(({ searches }) => searches).filter(isBlocked), prompt).toEqual([]);
      expect(new Set(plans.map(summarizePlan)).size, prompt).toBe(plans.length);
    }
    expect(suggested).toBeGreaterThan(50);
  });

  it('are made only where something is refused', () => {
    for (const prompt of prompts)
      if (!planner.planQuery(prompt).searches.some(isBlocked)) expect(suggestionsOf(prompt), prompt).toEqual([]);
  });

  it.each([
    ['a jalopy near a codger', 'a car near a person'],
    ['a person clomps past the lorry', 'a person walks past the lorry'],
    ['a red car frobnicates', 'a red car'],
    ['every time an alarm goes off, scribble that down', 'every time an alarm goes off'],
    ['how many hard brakes did this vexed fellow have', 'how many hard brakes'],
  ])('of "%s": "%s"', (prompt, expected) => expect(suggestionsOf(prompt)).toContain(expected));

  it.each(['not', 'never'])('keep a word that changes the answer: %s', (word) => {
    const prompt = `a car does ${word} frobnicate near a dog`;
    for (const suggestion of suggestionsOf(prompt)) expect(suggestion.split(' ')).toContain(word);
  });

  it.each([
    ['people except those that frobnicate', 'people'],
    ['how many gizmos and cars stand here', 'cars stand here'],
    ['a zonk stops and frobs, and then a car leaves', 'and then a car leaves'],
  ])('of "%s" do not say "%s", which asks something else', (prompt, part) =>
    expect(suggestionsOf(prompt)).not.toContain(part),
  );

  it('keep the sentences that are understood', () => {
    expect(suggestionsOf('Is there a dog? A red car frobnicates.')).toContain('Is there a dog? A red car.');
  });

  it('are not made for what nobody can see: other words would not help', () => {
    expect(suggestionsOf('what is the weather like')).toEqual([]);
  });

  it('are not made for long prompts, which would be planned many times', () => {
    const sentence = 'a red car frobnicates. ';
    expect(suggestionsOf(sentence)).not.toEqual([]);
    expect(suggestionsOf(sentence.repeat(100))).toEqual([]);
  });
});
