import { describe, expect, it } from 'vitest';
import { summarizePlan } from '../fixtures/plan-summary.fixture.ts';
import { createPlanner } from '../index.ts';

const planner = createPlanner();
const planOf = (prompt: string) => summarizePlan(planner.planQuery(prompt));

type Noun = { en: string; ens: string; de: string; the: string; des: string };
const NOUNS: readonly Noun[] = [
  { en: 'car', ens: 'cars', de: 'Auto', the: 'das', des: 'Autos' },
  { en: 'dog', ens: 'dogs', de: 'Hund', the: 'der', des: 'Hunde' },
  { en: 'person', ens: 'people', de: 'Person', the: 'die', des: 'Personen' },
  { en: 'truck', ens: 'trucks', de: 'Lastwagen', the: 'der', des: 'Lastwagen' },
];
const PAIRS = NOUNS.flatMap((a) => NOUNS.filter((b) => a !== b).map((b) => [a, b] as const));

describe('German comparisons mean what the English ones do', () => {
  it.each(PAIRS)('of $0.en and $1.en', (a, b) => {
    for (const [german, english] of [
      [`ist ${a.the} ${a.de} größer als ${b.the} ${b.de}?`, `is the ${a.en} bigger than the ${b.en}?`],
      [`sind mehr ${a.des} als ${b.des} zu sehen`, `are there more ${a.ens} than ${b.ens}`],
      [`gab es weniger ${a.des} als ${b.des}?`, `are there fewer ${a.ens} than ${b.ens}?`],
      [`war ${a.the} ${a.de} länger im Bild als ${b.the} ${b.de}`, `was the ${a.en} in view longer than the ${b.en}`],
    ] as const)
      expect(planOf(german), german).toBe(planOf(english));
  });

  it.each(NOUNS)('of $en alone', ({ en, ens, de, the, des }) => {
    for (const [german, english] of [
      [`${the} größte ${de}`, `the largest ${en}`],
      [`welche ${de} bleibt am längsten`, `which ${en} stays longest`],
      [`drei ${des} gleichzeitig`, `three ${ens} at the same time`],
      [`wie viele ${des} sind höchstens gleichzeitig da`, `how many ${ens} are there at most`],
      [
        `gibt es mehr ${des} in der zweiten Hälfte als in der ersten`,
        `are there more ${ens} in the second half than in the first half`,
      ],
    ] as const)
      expect(planOf(german), german).toBe(planOf(english));
  });

  it.each(NOUNS)('of colors of $en', ({ en, ens, de, the, des }) => {
    for (const [german, english] of [
      [`ist ${the} ${de} rot?`, `is the ${en} red?`],
      [`welche Farbe hat ${the} ${de}`, `what color is the ${en}`],
      [`sind alle ${des} weiß`, `are all ${ens} white`],
      [`alle ${des} sind weiß`, `all ${ens} are white`],
      [`sind die meisten ${des} schwarz?`, `are most ${ens} black?`],
    ] as const)
      expect(planOf(german), german).toBe(planOf(english));
  });

  it('of nouns that nobody knows are refused', () => {
    for (const { the, de, des } of NOUNS)
      for (const prompt of [`ist ${the} ${de} größer als der Gabelstapler`, `mehr Gabelstapler als ${des}`])
        expect(planOf(prompt), prompt).toMatch(/^unknown !/);
  });
});
