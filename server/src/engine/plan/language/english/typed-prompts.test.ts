import { describe, expect, it } from 'vitest';
import { summarizePlan } from '../../fixtures/plan-summary.fixture.ts';
import { createPlanner } from '../../index.ts';

const planner = createPlanner();
const planOf = (prompt: string) => summarizePlan(planner.planQuery(prompt));

describe('speeds of the recording vehicle', () => {
  it.each([30, 90, 105])('need no unit: %i', (speed) => {
    for (const prompt of [
      (limit: string) => `were we ever ${limit}`,
      (limit: string) => `longest stretch ${limit}`,
      (limit: string) => `how long were we ${limit}`,
      (limit: string) => `time ${limit}`,
      (limit: string) => `were we ${limit} the whole time`,
    ])
      for (const compare of ['above', 'below', 'over', 'under', 'faster than', 'slower than']) {
        const plan = planOf(prompt(`${compare} ${speed}`));
        expect(plan).toContain('speed');
        expect(plan.replace(` ~${speed}`, '')).toBe(planOf(prompt(`${compare} ${speed} km/h`)));
      }
  });

  it.each(['people', 'cars', 'dogs'])('are not read of %s', (noun) => {
    for (const compare of ['over', 'under', 'above', 'below'])
      expect(planOf(`${noun} ${compare} 5`)).not.toMatch(/speed/);
    expect(planOf(`over 5 ${noun}`)).not.toMatch(/speed/);
  });

  it.each(['exceed', 'surpass'])('are exceeded: %s', (verb) => {
    expect(planOf(`when did we ${verb} 100 km/h`)).toBe(planOf('when were we above 100 km/h'));
    expect(planOf(`did we ${verb} 100 km/h`)).toBe(planOf('were we above 100 km/h'));
  });

  it('change from the start to the end', () => {
    for (const verb of ['increase', 'go up', 'drop', 'change', 'fall'])
      for (const how of ['how much did', 'by how much did'])
        expect(planOf(`${how} our speed ${verb}`)).toBe(planOf('how much did our speed change'));
  });

  it('are so the whole time only where that is asked', () => {
    expect(planOf('were we above 50 km/h the whole time')).toContain('throughout');
    expect(planOf('speed above 50 km/h the whole time')).not.toContain('throughout');
  });
});

describe('what is added behind a prompt', () => {
  it.each(['is there a truck', 'does a person enter', 'is it dark'])('says nothing more: %s', (prompt) => {
    for (const tail of [' maybe', ' perhaps', ', perhaps?', ' y/n', ', yes/no?'])
      expect(planOf(`${prompt}${tail}`)).toBe(planOf(prompt));
  });

  it.each([
    ['silence', 'how long is the silence'],
    ['a person in view', 'how long is a person in view'],
  ])('asks for a length: %s', (statement, whole) => {
    for (const tail of ['how long', 'for how long', 'how many seconds'])
      expect(planOf(`${statement}, ${tail}`)).toBe(planOf(whole));
  });

  it('asks for a number', () => {
    for (const tail of ['how many', 'how many in total', 'how many of them'])
      expect(planOf(`dogs, ${tail}`)).toBe(planOf('how many dogs are there'));
  });

  it('is the video, of sounds', () => {
    for (const sound of ['speech', 'music', 'applause']) {
      expect(planOf(`is there ${sound} in it`)).toBe(planOf(`is there ${sound} in the video`));
      expect(planOf(`is there ${sound} going on`)).toBe(planOf(`is there ${sound}`));
    }
  });
});

describe('"only" before a number', () => {
  it.each(['people', 'cars', 'dogs'])('is no more than it: %s', (noun) => {
    for (const prompt of [`only two ${noun} in view`, `only two ${noun}`, `there are only two ${noun}`])
      expect(planOf(prompt), prompt).toBe(planOf(`exactly two ${noun}`));
    expect(planOf(`only ${noun}`)).toBe(planOf(noun));
  });
});

describe('"before or after"', () => {
  it.each([
    ['the gray car appears', 'the bang'],
    ['the dog leaves', 'the cat enters'],
  ])('asks for the order as a statement, too: %s', (first, second) => {
    const [, the, noun, verb] = /^(the) (\w+(?: \w+)?) (\w+)s$/.exec(first)!;
    expect(planOf(`${first} before or after ${second}`)).toBe(
      planOf(`does ${the} ${noun} ${verb} before or after ${second}`),
    );
  });
});

describe('"still there"', () => {
  it.each(['person', 'car', 'dog'])('is in view, rather than without motion: %s', (noun) => {
    expect(planOf(`${noun} still there`)).toBe(planOf(`a ${noun} in view`));
    expect(planOf(`is the ${noun} still there`)).toBe(planOf(`is the ${noun} there`));
  });
});
