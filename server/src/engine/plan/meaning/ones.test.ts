import { describe, expect, it } from 'vitest';
import { createPlanner } from '../index.ts';

const planner = createPlanner();
/** "The blue one" has no article of its own. */
const UNNAMED = { text: null, definite: null };
const stepsOf = (prompt: string) =>
  planner.planQuery(prompt).searches.flatMap(({ steps }) =>
    steps.map(({ what, join }) => ({
      ...what,
      join,
      subject: 'subject' in what ? { ...what.subject, ...UNNAMED } : null,
      relation:
        'relation' in what && what.relation
          ? { ...what.relation, other: { ...what.relation.other, ...UNNAMED } }
          : null,
    })),
  );

/** Sentences with a noun again, which "one" can stand for. */
const SENTENCES: readonly ((noun: string, again: string) => string)[] = [
  (noun, again) => `does the red ${noun} arrive after the blue ${again}`,
  (noun, again) => `a red ${noun} stops and then a blue ${again} passes`,
  (noun, again) => `the white ${noun} enters, then the black ${again} leaves`,
  (noun, again) => `does the red ${noun} leave before the white ${again} arrives`,
  (noun, again) => `a red ${noun} next to a white ${again}`,
  (noun, again) => `is there a red ${noun} behind the blue ${again}`,
  (noun, again) => `someone enters after the red ${noun} and before the blue ${again}`,
];

describe.each(['car', 'truck', 'dog', 'bottle'])('"one" after "%s"', (noun) => {
  it.each(SENTENCES.map((sentence) => [sentence(noun, 'one'), sentence(noun, noun)]))('%s', (short, long) => {
    expect(stepsOf(short)).toEqual(stepsOf(long));
  });
});

describe('"one"', () => {
  const classesOf = (prompt: string) =>
    stepsOf(prompt).map(({ subject, relation }) => [subject?.classes, relation?.other.classes]);

  it('is the noun named last before it', () => {
    expect(classesOf('a bus stops, then a red car passes, then a blue one leaves')).toEqual([
      [['bus'], undefined],
      [['car'], undefined],
      [['car'], undefined],
    ]);
  });

  it('is no person that has a color, and nobody', () => {
    expect(classesOf('a person next to the red one')).toEqual([[['person'], []]]);
    expect(classesOf('someone stops and then one leaves').at(-1)).toEqual([[], undefined]);
  });

  it('is anything where nothing was named', () => {
    expect(classesOf('the red one stops')).toEqual([[[], undefined]]);
    expect(classesOf('the red one stops, then a car leaves')).toEqual([
      [[], undefined],
      [['car'], undefined],
    ]);
  });
});
