import { describe, expect, it } from 'vitest';
import { type Adversary, firstOption, GUESSES, guessing } from '#test/servers/vision-adversaries';
import { look, useEyes } from './search.fixture.ts';

const open = useEyes();

/** Questions about something that is not there, in clips of several lengths. */
const PROMPTS = ['a pothole', 'is there a unicorn?', 'a gate opens'] as const;
const LENGTHS_S = [10, 30, 60] as const;
const SEEDS = 4;
/** A guess depends on the number of the call, so calls in parallel would give different answers in each run. */
const IN_ORDER = { profile: { concurrency: 1 } } as const;

/** Asks models of several seeds. Returns how many questions they had to answer, and what was published of them. */
async function ask(create: (seed: number) => Adversary) {
  const published: string[] = [];
  let questions = 0;
  let calls = 0;
  for (let seed = 0; seed < SEEDS; seed++) {
    const on = await open(create(seed), IN_ORDER);
    for (const [i, prompt] of PROMPTS.entries()) {
      const truth = { [`clip ${seed}`]: [] };
      const { events, answer, usage } = await look(prompt, LENGTHS_S[i]! + seed, truth, on);
      questions++;
      calls = Math.max(calls, usage.calls);
      published.push(...events.map(({ label }) => label), ...(answer ? [answer.text] : []));
    }
  }
  return { questions, published, calls };
}

describe('a model that guesses', () => {
  it('has false events or sentences in 1 of 100 questions at most', async () => {
    const results = [];
    for (const [name, create] of Object.entries(GUESSES)) {
      for (const by of ['answer', 'call'] as const) {
        const result = await ask((seed) => guessing(create(seed), { knows: 'statements', by }));
        results.push({ name: `${name}, by ${by}`, ...result });
      }
      results.push({ name, ...(await ask((seed) => guessing(create(seed), { knows: 'plain images' }))) });
    }
    for (const letter of 'ABCD') results.push({ name: `always ${letter}`, ...(await ask(() => firstOption(letter))) });
    const questions = results.reduce((sum, result) => sum + result.questions, 0);
    const published = results.flatMap(({ name, published }) => published.map((text) => `${name}: ${text}`));
    expect(questions).toBeGreaterThanOrEqual(300);
    // Three standard deviations above that rate, since these models are a sample of the possible ones.
    const most = questions / 100 + 3 * Math.sqrt(questions / 100);
    expect(published.length, published.join('\n')).toBeLessThanOrEqual(most);
    expect(Math.max(...results.map(({ calls }) => calls))).toBeLessThan(120);
  }, 600_000);

  it('is reported in coverage', async () => {
    const on = await open(guessing(GUESSES['a coin that is mostly yes']!(1), { knows: 'statements' }));
    const { coverage } = await look('a pothole', 30, {}, on);
    expect(coverage).toMatchObject([
      { status: 'not_looked_for', by: [], reason: expect.stringContaining('chance explains its answers') },
    ]);
  });
});

describe('what observers found', () => {
  const frames = (timeS: number) =>
    [0, 0.4, 0.8].map((later) => ({ timeS: timeS + later, pts: 90_000 * (timeS + later) }));
  const review = [
    { key: 'one', text: 'a red car', isOrdered: false, confidence: 0.6, frames: frames(2) },
    { key: 'two', text: 'a red car', isOrdered: false, confidence: 0.4, frames: frames(6) },
  ];

  it.each(Object.keys(GUESSES).filter((name) => !name.includes('nearly always')))(
    'keeps its confidence if the model guesses: %s',
    async (name) => {
      let changed = 0;
      for (let seed = 0; seed < 3 * SEEDS; seed++) {
        const on = await open(guessing(GUESSES[name]!(seed), { knows: 'statements' }), IN_ORDER);
        const { verdicts } = await look('a red car', 12 + seed, { [`clip ${seed}`]: [] }, on, { review });
        const isSame = [...verdicts.values()].every(({ confidence }, i) => confidence === review[i]!.confidence);
        if (!isSame) changed++;
      }
      expect(changed).toBeLessThanOrEqual(1);
    },
    120_000,
  );
});
