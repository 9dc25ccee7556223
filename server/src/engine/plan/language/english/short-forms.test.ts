import { describe, expect, it } from 'vitest';
import { summarizePlan } from '../../fixtures/plan-summary.fixture.ts';
import { createPlanner } from '../../index.ts';

const planner = createPlanner();
const planOf = (prompt: string) => summarizePlan(planner.planQuery(prompt));

const STATEMENTS = [
  'a car stops',
  'there are two dogs',
  'nobody enters',
  'the light turns green',
  'we turn left',
  'a dog barks',
  'it never gets dark',
  'there is no truck in the picture',
];
const TAGS = [
  'right',
  'correct',
  'no',
  'am i right',
  "isn't it",
  "aren't there",
  "doesn't it",
  'does it',
  "don't we",
  'have they',
  'or does it',
];

describe('a statement with a tag', () => {
  it.each(STATEMENTS)('is a question for yes or no, whatever the tag: %s', (statement) => {
    const plain = planOf(statement);
    for (const tag of TAGS)
      for (const mark of ['', '?'])
        expect(planOf(`${statement}, ${tag}${mark}`), tag).toBe(
          plain.startsWith('yes_no?') ? plain : `yes_no? ${plain}`,
        );
  });
});

describe('"one"', () => {
  const NOUNS = { car: 'cars', truck: 'trucks', dog: 'dogs', person: 'people' };
  it.each(Object.entries(NOUNS))('stands for what was named before: %s', (noun, plural) => {
    for (const [own, other] of [
      ['does the red one leave', `does the red ${noun} leave`],
      ['is the one on the left moving', `is the ${noun} on the left moving`],
      ['which one leaves first', `which ${noun} leaves first`],
      ['how long is the white one in view', `how long is the white ${noun} in view`],
    ])
      expect(planOf(`there are two ${plural}. ${own}`), own).toBe(planOf(other!));
  });
});

describe('"again"', () => {
  it.each([
    ['does the dog bark', 'sound dog_bark'],
    ['when do we stop', 'camera stops'],
    ['does the camera shake', 'shaking'],
    ['when does the light turn red', 'light turns red'],
  ])('is every time but the first: %s', (prompt, target) => {
    expect(planOf(`${prompt} again`)).toMatch(new RegExp(`first 2-100: ${target}$`));
  });

  it.each(['the car', 'the bus', 'a man'])('says nothing more of what starts to move: %s', (subject) => {
    expect(planOf(`${subject} starts moving again`)).toBe(planOf(`${subject} starts moving`));
  });

  it('is named where it is not known whether it is the same object', () => {
    expect(planOf('a car stops again')).toBe('car stops ~again');
  });
});
