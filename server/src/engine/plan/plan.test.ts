import { describe, expect, it } from 'vitest';
import { Problem } from '#platform/problem';
import { CALENDAR } from './fixtures/calendar.fixture.ts';
import { CHANNELS } from './fixtures/channels.fixture.ts';
import { EVERYDAY } from './fixtures/everyday.fixture.ts';
import { read } from './fixtures/grammar.fixture.ts';
import { LOGS } from './fixtures/logs.fixture.ts';
import { PHRASING } from './fixtures/phrasing.fixture.ts';
import { summarizePlan } from './fixtures/plan-summary.fixture.ts';
import { HOSTILE, PROMPTS } from './fixtures/prompts.fixture.ts';
import { TEAMS } from './fixtures/teams.fixture.ts';
import { USER_GROUPS } from './fixtures/user-groups.fixture.ts';
import { createPlanner, type PlannedCalculation } from './index.ts';
import { BUDGET } from './parse/fragments.ts';

const planner = createPlanner();
const plan = (query: string) => planner.planQuery(query);

describe('prompts', () => {
  it.each(PROMPTS)('%s', (prompt, expected) => {
    expect(summarizePlan(plan(prompt))).toBe(expected);
  });

  describe.each(
    Object.entries({ ...USER_GROUPS, ...TEAMS, ...EVERYDAY, ...LOGS, ...CHANNELS, ...PHRASING, ...CALENDAR }),
  )('of %s', (_who, prompts) => {
    it.each(prompts)('%s', (prompt, expected) => {
      expect(summarizePlan(plan(prompt))).toBe(expected);
    });
  });

  it('makes plans that pass validation', () => {
    for (const [prompt] of PROMPTS)
      expect(planner.checkPlan(JSON.parse(JSON.stringify(plan(prompt))))).toEqual(plan(prompt));
  });

  it('contains the words of the prompt', () => {
    const { searches } = plan('Find a red car, then a person who loiters for over 5 s');
    expect(searches[0]!.steps.map((step) => step.text)).toEqual(['red car', 'person who loiters for over 5 s']);
  });

  it('names each of two combined searches by its own words', () => {
    expect(plan('cars come and go').searches.map(({ text }) => text)).toEqual(['cars come', 'cars go']);
    expect(plan('people go in and out').searches.map(({ text }) => text)).toEqual(['people go in', 'people out']);
  });

  it('turns units into SI', () => {
    const { what } = plan('driving faster than 90 km/h').searches[0]!.steps[0]!;
    expect(what).toEqual({ kind: 'quantity', quantity: 'speed', range: { min: 25, max: null } });
    expect(plan('a person stands still for 1.5 minutes').searches[0]!.steps[0]!.duration).toEqual({
      min: 90,
      max: null,
    });
  });
});

describe('a part that is not understood', () => {
  it('is reported with a reason and blocks the search', () => {
    const [step] = plan('a pothole').searches[0]!.steps;
    expect(step).toMatchObject({ what: { kind: 'unknown' }, unchecked: [{ text: 'pothole', blocks: true }] });
  });

  it('does not prevent the search for the rest of the prompt', () => {
    const { searches } = plan('potholes, red cars');
    expect(searches.map((s) => s.steps[0]!.what.kind)).toEqual(['unknown', 'object']);
  });

  it('names each of its words', () => {
    const remarks = plan('warped quantum foam').searches[0]!.steps[0]!.unchecked;
    expect(remarks.map(({ text }) => text).join(' ')).toBe('warped quantum foam');
  });

  it('suggests an alternative prompt', () => {
    const [step] = plan('a police officer').searches[0]!.steps;
    expect(step!.unchecked[0]!.reason).toContain('ask "person"');
  });

  it('reads a bounded number of words and reports the limit', () => {
    const query = `person ${'and a car '.repeat(2000)}`;
    const last = plan(query).searches.at(-1)!.steps[0]!;
    expect(last.unchecked[0]!.reason).toContain('too long');
  });
});

describe('spelling', () => {
  it.each([
    ['pesron', 'person'],
    ['vehcile', 'vehicle'],
    ['bicylce', 'bicycle'],
    ['pedestrain', 'pedestrian'],
    ['motocycle', 'motorcycle'],
    ['silense', 'silence'],
  ])('reads %s as %s and reports it', (from, to) => {
    expect(plan(`a ${from}`).corrected).toEqual([{ from, to }]);
  });

  it.each(['rain', 'trunk', 'lamp', 'band', 'beard', 'crate', 'snail', 'pothole', 'horn', 'bowling'])(
    'leaves %s, which is a word, alone',
    (word) => {
      expect(plan(`a ${word}`).corrected).toEqual([]);
    },
  );
});

describe('hostile input', () => {
  it.each(HOSTILE)('of %s is read up to a bounded number of words, into a valid plan', (_name, query) => {
    for (const times of [1, 10]) {
      const made = plan(query.repeat(times));
      expect(planner.checkPlan(made)).toBe(made);
    }
  });

  it.each(HOSTILE)('of %s takes no more steps than its budget, however long it is', (_name, query) => {
    const stepsOf = (text: string) => {
      const budget = { left: BUDGET };
      const { unread, questionsIn } = read(text, budget);
      for (const span of unread) questionsIn(span);
      return BUDGET - budget.left;
    };
    for (const times of [1, 10]) expect(stepsOf(query.repeat(times))).toBeLessThanOrEqual(BUDGET);
  });

  it('never throws and always makes a valid plan, whatever the words', () => {
    const pieces = [
      ...PROMPTS.flatMap(([prompt]) => prompt.split(' ')),
      '?',
      ',',
      '.',
      '3',
      '1:30',
      '-',
      'ß',
      '東京',
      '💥',
      "'",
      '/',
      '%',
      '"',
    ];
    let seed = 7;
    const random = (n: number) => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
      return seed % n;
    };
    for (let i = 0; i < 500; i++) {
      const query = Array.from({ length: 1 + random(14) }, () => pieces[random(pieces.length)]).join(
        random(9) === 0 ? '' : ' ',
      );
      const made = plan(query);
      expect(() => planner.checkPlan(made), query).not.toThrow();
      // The same words have the same plan; some of them show it.
      if (i % 10 === 0) expect(plan(query)).toEqual(made);
    }
  });
});

describe('plans that clients send', () => {
  const problemOf = (value: unknown): Problem => {
    try {
      planner.checkPlan(value);
    } catch (error) {
      if (error instanceof Problem) return error;
      throw error;
    }
    throw new Error('the plan was accepted');
  };
  const changed = (change: (made: ReturnType<typeof plan>) => void) => {
    const made = structuredClone(plan('a red car enters'));
    change(made);
    return made;
  };

  const compared = (change: (calculation: PlannedCalculation) => void) => {
    const made = structuredClone(plan('are there more cars than trucks'));
    change(made.calculation!);
    return made;
  };

  it.each([
    ['not an object', 'cars', '`plan` must be of type object'],
    ['null', null, '`plan` must be of type object'],
    ['an empty object', {}, '`plan.version` is required'],
    ['an unknown version', changed((p) => Object.assign(p, { version: 2 })), '`plan.version` must be 1'],
    [
      'a calculation of a search that is not there',
      compared((c) => c.values[1]!.searches.push(7)),
      '`plan.calculation.values[1].searches` must be places of searches',
    ],
    [
      'a comparison of one value',
      compared((c) => c.values.splice(1)),
      '`plan.calculation.values` must be two to be compared',
    ],
    [
      'a statistic without a quantity',
      compared((c) => c.values.splice(0, 2, ...c.values.map((value) => ({ ...value, measure: 'mean' as const })))),
      '`plan.calculation.values[0].quantity` is required for `mean`',
    ],
    [
      'values of two measures',
      compared((c) => Object.assign(c.values[1]!, { measure: 'length' })),
      '`plan.calculation.values[1].measure` must be that of the other values',
    ],
    [
      'a question for a calculation without one',
      changed((p) => Object.assign(p, { question: 'calculation' })),
      '`plan.calculation` is required',
    ],
    [
      'places of all events',
      changed((p) => Object.assign(p.searches[0]!, { places: { from: 1, to: 3 } })),
      '`plan.searches[0].places` is only for picks that order events',
    ],
    [
      'places in the wrong order',
      changed((p) => Object.assign(p.searches[0]!, { pick: 'longest', places: { from: 3, to: 1 } })),
      '`plan.searches[0].places.to` must be at least `from`',
    ],
    [
      'groups of two values',
      compared((c) => Object.assign(c, { by: 'kind', compare: null })),
      '`plan.calculation.values` must be one to be grouped',
    ],
    [
      'a ranking without groups',
      compared((c) => Object.assign(c, { rank: { order: 'most', from: 1, to: 1 } })),
      '`plan.calculation.rank` is only for groups',
    ],
    [
      'events of a search that is not there',
      changed((p) => Object.assign(p.searches[0]!, { during: 3 })),
      '`plan.searches[0].during` must be the place of another search',
    ],
    ['no searches', changed((p) => p.searches.splice(0)), '`plan.searches` must not have fewer than 1 items'],
    [
      'an unknown action',
      changed((p) => Object.assign(p.searches[0]!.steps[0]!.what, { action: 'flies' })),
      '`plan.searches[0].steps[0].what.action` must be one of present, appears',
    ],
    [
      'a wrong type deep inside',
      changed((p) => Object.assign(p.searches[0]!.steps[0]!.what, { subject: 3 })),
      '`plan.searches[0].steps[0].what.subject` must be of type object',
    ],
    [
      'a join before the first step',
      changed((p) => Object.assign(p.searches[0]!.steps[0]!, { join: 'then' })),
      '`plan.searches[0].steps[0].join` must be null',
    ],
    [
      'an unknown kind',
      changed((p) => Object.assign(p.searches[0]!.steps[0]!, { what: { kind: 'smell' } })),
      '`plan.searches[0].steps[0].what.kind` must be one of object, signal',
    ],
    [
      'a missing field',
      changed((p) => Reflect.deleteProperty(p.searches[0]!, 'pick')),
      '`plan.searches[0].pick` is required',
    ],
    ['a field too many', changed((p) => Object.assign(p, { limit: 3 })), '`plan.limit` is not part of a plan'],
    [
      'another word for a join',
      changed((p) => Object.assign(p.searches[0]!.steps[0]!, { join: 'when' })),
      '`plan.searches[0].steps[0].join` must be one of then, while, or null',
    ],
    [
      'too many searches',
      changed((p) => p.searches.push(...Array.from({ length: 300 }, () => p.searches[0]!))),
      '`plan.searches` must not have more than 200 items',
    ],
  ])('rejects %s and names the field', (_name, value, field) => {
    const problem = problemOf(value);
    expect(problem).toMatchObject({ status: 400, code: 'plan_invalid' });
    expect(problem.message).toContain(field);
  });

  it('accepts a place of any name and size', () => {
    const made = changed((p) => {
      const { what } = p.searches[0]!.steps[0]!;
      if (what.kind === 'object') what.subject.place = { name: 'gate', x: 0.1, y: 0.2, width: 0.3, height: 0.4 };
    });
    expect(planner.checkPlan(made)).toBe(made);
  });
});
