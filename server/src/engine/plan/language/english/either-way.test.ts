import { describe, expect, it } from 'vitest';
import { summarizePlan } from '../../fixtures/plan-summary.fixture.ts';
import { createPlanner } from '../../index.ts';

const planner = createPlanner();
const plan = (prompt: string) => summarizePlan(planner.planQuery(prompt));

/** Questions with a comparative, and its opposite. */
const QUESTIONS: readonly [ask: (word: string) => string, more: string, less: string][] = [
  [(word) => `is it ${word} at the end`, 'louder', 'quieter'],
  [(word) => `is it ${word} after the bang`, 'louder', 'quieter'],
  [(word) => `does it get ${word}`, 'louder', 'quieter'],
  [(word) => `does traffic get ${word}`, 'heavier', 'lighter'],
  [(word) => `is the room ${word} at the end`, 'busier', 'emptier'],
  [(word) => `are we ${word} in the second half`, 'faster', 'slower'],
  [(word) => `do we drive ${word} after the stop`, 'faster', 'slower'],
  [(word) => `is our speed ${word} after the stop`, 'higher', 'lower'],
  [(word) => `is the dog ${word} at the end`, 'bigger', 'smaller'],
  [(word) => `are people walking ${word} after the bang`, 'faster', 'slower'],
];

describe('either of two opposites asks which of them', () => {
  it.each(QUESTIONS.map(([ask, more, less]) => [ask(`${more} or ${less}`), ask, more, less] as const))(
    '%s',
    (_, ask, more, less) => {
      const requested = (word: string, compare: string) => {
        const plain = plan(ask(word));
        expect(plain).toContain(compare);
        return plain.replace(compare, `which_${compare === 'more' ? 'most' : 'least'}`);
      };
      expect(plan(ask(`${more} or ${less}`))).toBe(requested(more, 'more'));
      expect(plan(ask(`${less} or ${more}`))).toBe(requested(less, 'less'));
      expect(plan(ask(`${more} or ${more}`))).toContain('unknown');
    },
  );

  it.each(['is it louder or busier at the end', 'is the dog bigger or slower at the end'])(
    'are of the same value: %s',
    (prompt) => {
      expect(plan(prompt)).toContain('unknown');
    },
  );
});

describe('possible answers behind a question', () => {
  it.each([
    ['which way does the car go', 'left or right'],
    ['which way do we turn', 'left or right'],
    ['where is the dog', 'left or right'],
    ['what color is the car', 'red or blue'],
    ['how many people are there', 'two or three'],
  ])('leave it what it is: %s, %s', (question, answers) => {
    const { steps } = planner.planQuery(`${question}, ${answers}`).searches[0]!;
    expect(plan(question)).not.toContain('unknown');
    expect(plan(`${question}, ${answers}`)).toBe(plan(question));
    expect(steps.flatMap(({ unchecked }) => unchecked.filter(({ blocks }) => blocks))).toEqual([]);
  });

  it.each([
    ['how many people are there', 'left or right'],
    ['which way does the car go', 'red or blue'],
  ])('answer what it asks: %s, %s', (question, answers) => {
    expect(plan(`${question}, ${answers}`)).not.toBe(plan(question));
  });
});
