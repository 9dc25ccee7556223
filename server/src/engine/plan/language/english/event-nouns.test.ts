import { describe, expect, it } from 'vitest';
import { summarizePlan } from '../../fixtures/plan-summary.fixture.ts';
import { createPlanner } from '../../index.ts';

const planner = createPlanner();
/** The plan of a prompt, without remarks. */
const plan = (prompt: string) => summarizePlan(planner.planQuery(prompt)).replaceAll(/ ~\S+/g, '');

const COLLIDES = 'car+truck+bus+motorcycle+bicycle collides';
/** Nouns for events, with their plurals and the searches that they stand for. */
const NOUNS = [
  ['stop', 'stops', ['any stops', 'camera stops']],
  ['fall', 'falls', ['person falls']],
  ['collision', 'collisions', [COLLIDES]],
  ['accident', 'accidents', [COLLIDES]],
  ['turn', 'turns', ['camera turns']],
  ['bang', 'bangs', ['sound bang']],
] as const;

/** Phrases with a noun for an event, and the plan for each search that it stands for. */
const PHRASES: readonly (readonly [(one: string, many: string) => string, (search: string) => string])[] = [
  [(one) => `every ${one}`, (search) => search],
  [(one) => `${one} events`, (search) => search],
  [(one) => `the second ${one}`, (search) => `second: ${search}`],
  [(one) => `third ${one}`, (search) => `third: ${search}`],
  [(one) => `the last ${one}`, (search) => `last: ${search}`],
  [(one) => `is there a ${one}`.replace(/\ba (?=a)/, 'an '), (search) => `yes_no? ${search}`],
  [(_, many) => `how many ${many} are there`, (search) => `count? ${search}`],
  [(one) => `when was the first ${one}`, (search) => `when? first: ${search}`],
  [(one) => `what happens after the ${one}`, (search) => `describe? ${search} then notable`],
  [(one) => `what happens after the first ${one}`, (search) => `describe? first: ${search} then notable`],
  [(one) => `people after the ${one}`, (search) => `${search} then person present`],
  [(one) => `people after the third ${one}`, (search) => `third: ${search} then person present`],
  [
    (one) => `does anyone leave after the second ${one}`,
    (search) => `yes_no? second: ${search} then every person leaves`,
  ],
];

/** Participles for events, which "events" makes a noun. */
const PARTICIPLES = [
  ['stopping', ['any stops', 'camera stops']],
  ['turning', ['camera turns']],
  ['braking', ['camera brakes']],
  ['running', ['person runs']],
  ['crossing', ['any crosses']],
] as const;

/** The searches of a plan are joined behind its question. */
function planOf(searches: readonly string[], planned: (search: string) => string): string {
  const [question, ...rest] = planned('SEARCH').split('? ');
  const search = rest.at(-1) ?? question!;
  const all = searches.map((each) => search.replace('SEARCH', each)).join(' | ');
  return rest.length > 0 ? `${question}? ${all}` : all;
}

describe('a noun for an event', () => {
  const cases = NOUNS.flatMap(([one, many, searches]) =>
    PHRASES.map(([phrase, planned]) => [phrase(one, many), planOf(searches, planned)] as const),
  );
  it.each(cases)('%s', (prompt, expected) => {
    expect(plan(prompt)).toBe(expected);
  });

  const participles = PARTICIPLES.flatMap(([word, searches]) =>
    ['events', 'incidents', 'moments'].map((suffix) => [`${word} ${suffix}`, searches.join(' | ')] as const),
  );
  it.each(participles)('%s', (prompt, expected) => {
    expect(plan(prompt)).toBe(expected);
  });

  it('is about none of the objects that are named beside it', () => {
    expect(plan('a dog after the fall')).toBe('person falls then dog present');
    expect(plan('cars before the bang')).toBe('car present then sound bang');
  });

  it('is no clause by itself behind another noun', () => {
    expect(plan('after a car stops')).toContain('unknown');
  });
});
