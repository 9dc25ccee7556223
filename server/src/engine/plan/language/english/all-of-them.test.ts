import { describe, expect, it } from 'vitest';
import { summarizePlan } from '../../fixtures/plan-summary.fixture.ts';
import { createPlanner } from '../../index.ts';

const planner = createPlanner();
const plan = (prompt: string) => summarizePlan(planner.planQuery(prompt)).replaceAll(/ ~\S+/g, '');

const ALL = ['everyone', 'everybody', 'all people', 'all the people'];
const VERBS = [
  ['has left', 'leaves'],
  ['have left', 'leaves'],
  ['left', 'leaves'],
  ['fell', 'falls'],
] as const;

describe('what follows something that all of them do', () => {
  const cases = ALL.flatMap((all) =>
    VERBS.filter(([verb]) => all.startsWith('every') !== verb.startsWith('have')).map(
      ([verb, action]) => [`${all} ${verb}`, action] as const,
    ),
  );
  it.each(cases)('after %s: it follows the last one', (clause, action) => {
    expect(plan(`a dog appears after ${clause}`)).toBe(`last: person ${action} then dog appears`);
    expect(plan(`does it get dark after ${clause}`)).toBe(`yes_no? last: person ${action} then every gets_dark`);
  });

  it.each(['someone', 'a person', 'every person'])('after %s leaves: it may be any of them', (one) => {
    expect(plan(`a dog appears after ${one} leaves`)).toBe('person leaves then dog appears');
  });
});

describe('a question whether something stays', () => {
  it.each([
    ['does the car stay in view', 'yes_no? car present throughout'],
    ['does the dog remain on the left', 'yes_no? dog@left present throughout'],
    ['does a person stay for 10 seconds', 'yes_no? person present for 10.. s'],
    ['a person stays', 'person present'],
  ])('%s', (prompt, expected) => {
    expect(plan(prompt)).toBe(expected);
  });
});

describe('lamps of several colors', () => {
  it.each(['is the light red or green', 'is the traffic light red or green'])('%s', (prompt) => {
    expect(plan(prompt)).toBe('yes_no? light shows red | light shows green');
  });
});

describe('directions of several objects', () => {
  it.each(['both', 'opposite', 'different'])('in %s directions: what is not compared is stated', (which) => {
    const { searches } = planner.planQuery(`cars moving in ${which} directions`);
    expect(
      searches.flatMap(({ steps }) => steps.flatMap(({ unchecked }) => unchecked.map(({ text }) => text))),
    ).toEqual([`in ${which} directions`]);
  });
});

describe('a statement about all of them', () => {
  const unchecked = (prompt: string) =>
    planner
      .planQuery(prompt)
      .searches.flatMap(({ steps }) => steps.flatMap((step) => step.unchecked.map(({ text }) => text)));

  it.each([
    ['all cars are parked', 'all'],
    ['all cars are white', 'all'],
    ['all the people are in red', 'all the'],
    ['everyone leaves', 'everyone'],
    ['everybody is on the left', 'everybody'],
  ])('finds each, and states that "all" is not compared: %s', (prompt, all) => {
    expect(unchecked(prompt)).toEqual([all]);
    const question = prompt
      .replace(/^(all(?: the)? \w+|every\w+) (is|are) (.*)$/, '$2 $1 $3')
      .replace('everyone leaves', 'does everyone leave');
    expect(planner.planQuery(question).calculation).toMatchObject({ compare: 'all' });
  });

  it.each(['all parked cars', 'all people in red', 'find all cars that stop', 'every car stops', 'everyone'])(
    'adds no remark to: %s',
    (prompt) => {
      expect(unchecked(prompt)).toEqual([]);
    },
  );

  it.each(['cars are white', 'people walk to the left', 'cars stop'])('about most of them: %s', (rest) => {
    const [noun, verb] = [rest.split(' ')[0]!, rest.slice(rest.indexOf(' ') + 1)];
    const question = verb.startsWith('are ') ? `are most ${noun} ${verb.slice(4)}` : `do most ${noun} ${verb}`;
    expect(planner.planQuery(question).calculation).toMatchObject({ compare: 'mostly' });
    expect(plan(`most ${rest}`)).toContain('unknown');
  });
});
