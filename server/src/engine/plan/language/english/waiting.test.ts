import { describe, expect, it } from 'vitest';
import { summarizePlan } from '../../fixtures/plan-summary.fixture.ts';
import { createPlanner } from '../../index.ts';

const planner = createPlanner();
const planOf = (prompt: string) => summarizePlan(planner.planQuery(prompt));

/** Events in the forms that questions need: "a car stops", "a car stop". */
const EVENTS = [
  ['a car', 'stops', 'stop', 'car stops'],
  ['the truck', 'leaves', 'leave', 'truck leaves'],
  ['someone', 'appears', 'appear', 'person appears'],
  ['the light', 'turns green', 'turn green', 'light turns green'],
  ['a dog', 'barks', 'bark', 'sound dog_bark'],
  ['the music', 'starts', 'start', 'sound music'],
  ['the siren', 'begins', 'begin', 'sound siren'],
] as const;

describe('a waiting time', () => {
  it.each(EVENTS)('until an event is its start: %s %s', (subject, finite, base, target) => {
    for (const prompt of [
      `how long until ${subject} ${finite}`,
      `how long before ${subject} ${finite}`,
      `how much time passes until ${subject} ${finite}`,
      `how soon does ${subject} ${base}`,
      `after how many seconds does ${subject} ${base}`,
      `after how long does ${subject} ${base}?`,
    ])
      expect(planOf(prompt), prompt).toBe(`<start>? ${target}`);
  });

  it.each(EVENTS)('since another event is the time between both: %s %s', (subject, finite, base, target) => {
    const between = `time_between? sound bang then within 86400 ${target}`;
    for (const prompt of [
      `how long after the bang does ${subject} ${base}`,
      `how soon after the bang does ${subject} ${base}`,
      `after the bang, how long until ${subject} ${finite}`,
      `after a bang, how soon does ${subject} ${base}`,
      `how many seconds pass between the bang and when ${subject} ${finite}`.replace(' when', ''),
    ])
      expect(planOf(prompt), prompt).toBe(between);
  });

  it('since its own event is that of one object', () => {
    for (const prompt of [
      'how long after stopping does the car leave',
      'how quickly does the car leave after stopping',
    ])
      expect(planOf(prompt)).toBe('time_between? car stops then same within 86400 car leaves');
  });

  it('asks for no pace', () => {
    expect(planner.planQuery('how quickly does a car appear').searches[0]!.steps[0]!.unchecked[0]!.blocks).toBe(true);
  });
});

describe('the end of what lasts', () => {
  const COURSES = [
    ['the music', 'sound music'],
    ['music', 'sound music'],
    ['the rain', 'sound rain'],
    ['the siren', 'sound siren'],
    ['the silence', 'sound silence'],
    ['the barking', 'sound dog_bark'],
    ['the vibration', 'shaking'],
    ['the black screen', 'black'],
    ['the movement', 'motion'],
  ] as const;
  it.each(COURSES)('is the time behind it: %s', (course, target) => {
    expect(planOf(`when does ${course} stop`)).toBe(`when? ${target} [after 1]`);
    expect(planOf(`does ${course} ever end`)).toBe(`yes_no? ${target} [after 1]`);
    expect(planOf(`${course} stops`)).toBe(`${target} [after 1]`);
  });

  it.each(COURSES)('is not its start: %s', (course, target) => {
    expect(planOf(`when does ${course} begin`)).toBe(`when? ${target}`);
    expect(planOf(`${course} starts`)).toBe(target);
  });

  it.each([
    ['the dog stop barking', 'sound dog_bark'],
    ['it stop raining', 'sound rain'],
    ['they stop talking', 'sound speech'],
  ])('is prompt with a verb: %s', (prompt, target) =>
    expect(planOf(`when does ${prompt}`.replace('does they', 'do they'))).toBe(`when? ${target} [after 1]`),
  );

  it.each(['the car', 'the person', 'he'])('is not that of a way: %s', (subject) =>
    expect(planOf(`when does ${subject} stop`)).toMatch(/^when\? \S+ stops$/),
  );
});

describe('nobody', () => {
  const VERBS = [
    ['speaks', 'speaking', 'speech'],
    ['laughs', 'laughing', 'laughter'],
    ['coughs', 'coughing', 'cough'],
    ['screams', 'screaming', 'scream'],
    ['claps', 'clapping', 'applause'],
  ] as const;
  it.each(VERBS)('makes no sound: %s', (finite, ing, sound) => {
    for (const nobody of ['nobody', 'no one', 'no person'])
      expect(planOf(`${nobody} ${finite}`)).toBe(`not sound ${sound}`);
    expect(planOf(`is nobody ${ing}`)).toBe(`yes_no? not sound ${sound}`);
    expect(planOf(`when is no one ${ing}`)).toBe(`when? not sound ${sound}`);
  });
});

describe('two states of the frame', () => {
  it.each([
    ['when is it dark and quiet', 'when? dark while sound silence'],
    ['is it blurry and dark', 'yes_no? blurred while dark'],
    ['when is it quiet and dark', 'when? sound silence while dark'],
  ])('are both requested: %s', (prompt, plan) => expect(planOf(prompt)).toBe(plan));

  it('are never one of them alone', () => {
    for (const prompt of ['when is it dark and windy', 'is it black and sunny'])
      expect(
        planner.planQuery(prompt).searches.some(({ steps }) => steps.some(({ unchecked }) => unchecked.length > 0)),
      ).toBe(true);
  });

  it('of what was named belong to it', () =>
    expect(planOf('there is a car. is it red and moving')).toBe('yes_no? red car moves'));
});
