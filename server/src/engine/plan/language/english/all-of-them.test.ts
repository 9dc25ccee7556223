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
