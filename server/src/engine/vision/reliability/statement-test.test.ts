import { describe, expect, it } from 'vitest';
import { GUESSES } from '#test/servers/vision-adversaries';
import type { Vote } from './confidence.ts';
import { weighEvidence } from './evidence.ts';
import { scheduleLooks } from './looks.ts';
import { randomNumbers } from './random.ts';
import { createStatementTest, statusOf, type TestDesign } from './statement-test.ts';

/** The schedules of all runs; models that are tested with one seed see the same ones. */
const schedules = new Map<string, ReturnType<typeof scheduleLooks>>();
function scheduleOnce(count: number, seed: string) {
  const key = `${count} ${seed}`;
  const schedule = schedules.get(key) ?? scheduleLooks(count, seed);
  schedules.set(key, schedule);
  return schedule;
}

/** Answers the look in this place of the order, at which the requested statement has this letter. */
type Model = (look: { n: number; place: number; letter: string }) => Vote;

/** Runs a test against a model. `start`: number of answers that it has given before. */
function run(model: Model, design: TestDesign, seed: string, start = 0) {
  const test = createStatementTest(design);
  let n = start;
  let looks = 0;
  for (let next = test.next(), round = 0; next.length > 0; next = test.next(), round++) {
    const votes = Array<Vote>(next.length).fill(null);
    for (const { look, options } of scheduleOnce(next.length, `${seed} ${round}`)) {
      const letter = 'ABCD'[options.indexOf('requested')]!;
      votes[look] = model({ n: n++, place: next[look]!, letter });
    }
    test.add(votes.map((vote, i) => ({ place: next[i]!, vote })));
    looks += next.length;
  }
  const places = Array.from({ length: design.expected }, (_, place) => statusOf(test.votesOf(place)));
  return { looks, result: test.result(), isReported: test.result() === 'proven' && places.includes('verified') };
}

const DESIGNS: Record<string, TestDesign> = {
  'one place beside others': { expected: 1, contrasts: 4 },
  'three places beside others': { expected: 3, contrasts: 4 },
  'eight places beside two others': { expected: 8, contrasts: 2 },
};
const WITHOUT_OTHERS: Record<string, TestDesign> = {
  'one place': { expected: 1, contrasts: 0 },
  'three places': { expected: 3, contrasts: 0 },
};
const SEEDS = 1000;
const share = (model: (seed: number) => Model, design: TestDesign) => {
  const runs = Array.from({ length: SEEDS }, (_, seed) => run(model(seed), design, `seed ${seed}`, seed % 17));
  return {
    reported: runs.filter(({ isReported }) => isReported).length / SEEDS,
    looks: runs.reduce((sum, { looks }) => sum + looks, 0) / SEEDS,
  };
};
/** 1 in 100, and what chance adds to it in this many tests. */
const BOUND = 0.01 + 2 * Math.sqrt(0.01 / SEEDS);

describe('a model that does not look at the frames', () => {
  const models: Record<string, (seed: number) => Model> = {
    ...Object.fromEntries(
      Object.entries(GUESSES).map(([name, create]) => [
        name,
        (seed: number): Model => {
          const guess = create(seed);
          return ({ n }) => guess(n);
        },
      ]),
    ),
    ...Object.fromEntries(
      [...'ABCD'].map(
        (own) =>
          [
            `always ${own}`,
            (): Model =>
              ({ letter }) =>
                letter === own,
          ] as const,
      ),
    ),
    'yes to everything': () => () => true,
  };

  it.each(Object.keys(models))('is believed in 1 of 100 tests at most: %s', (name) => {
    for (const [where, design] of Object.entries(DESIGNS)) {
      const { reported, looks } = share(models[name]!, design);
      expect.soft(reported, where).toBeLessThanOrEqual(BOUND);
      expect.soft(looks, where).toBeLessThan(60);
    }
  });

  it.each(['yes and no in turn', 'a fair coin', 'a coin that is mostly no', 'always A'])(
    'is believed in 1 of 100 tests at most where no other places are left: %s',
    (name) => {
      for (const [where, design] of Object.entries(WITHOUT_OTHERS))
        expect.soft(share(models[name]!, design).reported, where).toBeLessThanOrEqual(BOUND);
    },
  );
});

describe('a model that sees', () => {
  const noisy =
    (rate: number, expected: number) =>
    (seed: number): Model => {
      const random = randomNumbers(`noise ${seed}`);
      const errors: boolean[] = [];
      const isErring = (n: number) => {
        while (errors.length <= n) errors.push(random() < rate);
        return errors[n]!;
      };
      return ({ n, place }) => place < expected !== isErring(n);
    };

  it.each([...Object.entries(DESIGNS), ...Object.entries(WITHOUT_OTHERS)])(
    'is believed after one round: %s',
    (_where, design) => {
      const { reported, looks } = share(noisy(0, design.expected), design);
      expect(reported).toBe(1);
      expect(looks).toBe(createStatementTest(design).next().length);
    },
  );

  it.each(Object.entries(DESIGNS))('is believed with one wrong answer in ten: %s', (_where, design) => {
    const { reported, looks } = share(noisy(0.1, design.expected), design);
    expect(reported).toBeGreaterThan(0.93);
    expect(looks).toBeLessThan(2.2 * createStatementTest(design).next().length);
  });

  it('denies with the same certainty what observers found', () => {
    const denied = run(({ place }) => place > 9, { expected: 1, contrasts: 4, canDeny: true }, 'denied');
    expect(denied).toEqual({ looks: 9, result: 'proven', isReported: false });
  });
});

describe('evidence', () => {
  const places = [{ isExpected: true }, { isExpected: false }];
  const votes = (place: number, ...all: Vote[]) => all.map((vote) => ({ place, vote }));

  it('does not depend on votes that say nothing', () => {
    const round = [...votes(0, true, true), ...votes(1, false)];
    const evidence = weighEvidence(places, [round]);
    expect(weighEvidence(places, [[...round, ...votes(0, null), ...votes(1, null)]])).toEqual(evidence);
    expect(weighEvidence(places, [])).toEqual({ contrast: 1, consistency: 1 });
  });

  it('is 1 on average over all arrangements of the same answers, whatever was answered before', () => {
    const before = [...votes(0, true, false, true), ...votes(1, false, true)];
    for (const yes of [1, 2, 4]) {
      const arrangements = Array.from({ length: 2 ** 6 }, (_, bits) =>
        [...Array(6).keys()].map((i) => (bits >> i) & 1),
      );
      const own = arrangements.filter((bits) => bits.reduce((sum, bit) => sum + bit, 0) === yes);
      const values = own.map((bits) => {
        const round = bits.map((bit, i) => ({ place: i < 3 ? 0 : 1, vote: bit === 1 }));
        return weighEvidence(places, [before, round]).contrast / weighEvidence(places, [before]).contrast;
      });
      expect(values.reduce((sum, value) => sum + value, 0) / values.length).toBeCloseTo(1, 10);
    }
  });
});
