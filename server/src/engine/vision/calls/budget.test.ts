import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { randomNumbers } from '../reliability/random.ts';
import { type CallTokens, createTokenBudget } from './budget.ts';

const NO_ABORT = new AbortController().signal;
const unlimited = { allowance: async () => null };

type Call = CallTokens & { actual: number; turns: number };

/** Sends calls, so many at a time. Returns how many were sent, what they took, and the most on their way. */
async function send(calls: readonly Call[], limit: number, concurrency: number) {
  const budget = createTokenBudget({ tokens: limit, limit: 'the limit' }, unlimited, 0);
  const open = [...calls];
  let [spent, excess, sent, active, mostActive] = [0, 0, 0, 0, 0];
  const refused: number[] = [];
  const worker = async () => {
    for (let call = open.shift(); call; call = open.shift()) {
      const forbidden = await budget.reserve(call, NO_ABORT);
      if (forbidden !== null) {
        // The tokens spent leave no room for it.
        expect(spent + call.expected).toBeGreaterThan(limit);
        refused.push(call.expected);
        continue;
      }
      mostActive = Math.max(mostActive, ++active);
      for (let i = 0; i < call.turns; i++) await turn();
      active--;
      sent++;
      spent += call.actual;
      excess += Math.max(0, call.actual - call.possible);
      budget.settle(call, call.actual);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  return { spent, excess, sent, refused, mostActive };
}

const generate = (random: () => number, isCounted: boolean): Call => {
  const expected = 50 + Math.floor(5000 * random() ** 2);
  const possible = isCounted ? expected : Math.ceil(expected * 2);
  const actual = Math.floor(expected * (isCounted ? random() * 1.2 : 2.5 * random()));
  return { expected, possible, actual, turns: Math.floor(8 * random()) };
};

describe('a limit of tokens', () => {
  it('is exceeded at most by what calls take beyond what was reserved, at any size and concurrency', async () => {
    for (let seed = 0; seed < 300; seed++) {
      const random = randomNumbers(`calls ${seed}`);
      const calls = Array.from({ length: 5 + Math.floor(60 * random()) }, () => generate(random, true));
      const [limit, concurrency] = [Math.floor(60_000 * random()), 1 + Math.floor(16 * random())];
      const { spent, excess, sent, refused } = await send(calls, limit, concurrency);
      expect.soft(spent, `seed ${seed}`).toBeLessThanOrEqual(limit + excess);
      expect(sent + refused.length).toBe(calls.length);
    }
  });

  it('is exceeded by one call at most before the endpoint has counted any', async () => {
    for (let seed = 0; seed < 200; seed++) {
      const random = randomNumbers(`uncounted ${seed}`);
      const calls = Array.from({ length: 40 }, () => generate(random, false));
      const { spent, excess } = await send(calls, 20_000, 8);
      const largest = Math.max(...calls.map(({ possible, expected }) => possible - expected));
      expect.soft(spent, `seed ${seed}`).toBeLessThanOrEqual(20_000 + excess + largest);
    }
  });

  it('does not keep calls from being sent at the same time that fit', async () => {
    const calls = Array.from({ length: 20 }, () => ({ expected: 100, possible: 100, actual: 100, turns: 3 }));
    const { mostActive, sent } = await send(calls, 2000, 8);
    expect([mostActive, sent]).toEqual([8, 20]);
  });

  it('lets a call wait for what others give back, and stops waiting when aborted', async () => {
    const budget = createTokenBudget({ tokens: 1000, limit: 'the limit' }, unlimited, 0);
    const call = { expected: 600, possible: 600 };
    expect(await budget.reserve(call, NO_ABORT)).toBeNull();
    const controller = new AbortController();
    const aborted = budget.reserve(call, controller.signal);
    const waiting = budget.reserve(call, NO_ABORT);
    controller.abort(new Error('stopped'));
    await expect(aborted).rejects.toThrow('stopped');
    budget.settle(call, 200);
    expect(await waiting).toBeNull();
    expect(await budget.reserve({ expected: 900, possible: 900 }, NO_ABORT)).toBe('the limit');
  });
});

describe('a limit that analyses share', () => {
  it('counts what other analyses have reserved, and waits for it', async () => {
    let [held, used] = [0, 0];
    const ledger = {
      allowance: async () => ({ tokens: 1000 - used, limit: 'the limit of the month', held }),
      hold(tokens: number) {
        held += tokens;
      },
    };
    const [one, two] = [1, 2].map(() => createTokenBudget({ tokens: 1e6, limit: 'own' }, ledger, 0));
    const call = { expected: 700, possible: 700 };
    expect(await one!.reserve(call, NO_ABORT)).toBeNull();
    const second = two!.reserve(call, NO_ABORT);
    used = 500;
    one!.settle(call, 500);
    expect(await second).toBe('the limit of the month');
    expect(held).toBe(0);
  });
});
