import { describe, expect, it } from 'vitest';
import { isControl } from '#test/servers/vision-oracle';
import { createMemoryLedger } from './calls/index.ts';
import { framesOf, openEyes } from './oracle.fixture.ts';
import { clip, look, planner, useEyes } from './search.fixture.ts';

const open = useEyes();

describe('cost', () => {
  const truth = { pothole: [[3, 6]] } as const;
  it('asks an equal question only once', async () => {
    const ledger = createMemoryLedger();
    const on = await open();
    const first = await look('a pothole', 30, truth, on, { ledger });
    const calls = on.model.requests.length;
    expect(first.usage).toMatchObject({ calls, cachedCalls: 0 });
    const second = await look('a pothole', 30, truth, on, { ledger });
    expect(on.model.requests).toHaveLength(calls);
    expect(second.usage).toMatchObject({ calls: 0, cachedCalls: calls, inputTokens: 0, cost: 0 });
    expect(second.events).toEqual(first.events);
  });

  it('answers an equal question about a known video without drawing a frame', async () => {
    const on = await open();
    const ledger = { ...createMemoryLedger(), videoId: 'v-1' };
    const frames = [{ timeS: 4, pts: 360_000 }];
    const review = [{ key: 'one', text: 'a red car', isOrdered: false, confidence: 0.6, frames }];
    const ask = (more: object = {}) => look('what happens, a pothole', 30, truth, on, { ledger, review, ...more });
    const first = await ask();
    const source = { frame: () => Promise.reject(new Error('drawn')), sheet: () => Promise.reject(new Error('drawn')) };
    const second = await ask({ source });
    expect(second).toEqual({
      ...first,
      usage: { ...first.usage, calls: 0, cachedCalls: first.usage.calls, inputTokens: 0, outputTokens: 0, cost: 0 },
    });
    for (const other of [{ ledger: { ...ledger, videoId: 'v-2' } }, { review: [] }, { minConfidence: 0.9 }])
      expect((await ask({ source, ...other })).coverage[0]).toMatchObject({ status: 'not_looked_for' });
  });

  it('does not cache a result that a failure or a limit cut short', async () => {
    const ledger = { ...createMemoryLedger(), videoId: 'v-1' };
    let isBroken = true;
    const on = await open((request, reply) => (isBroken && !isControl(request) ? { status: 500 } : reply));
    expect((await look('a pothole', 30, truth, on, { ledger })).events).toEqual([]);
    isBroken = false;
    const fresh = await openEyes();
    const again = await look('a pothole', 30, truth, fresh, { ledger });
    await fresh.close();
    expect(again.events).toHaveLength(1);
  });

  it('does not answer about other pixels, another question or another model from the cache', async () => {
    const ledger = createMemoryLedger();
    const on = await open();
    await look('a pothole', 10, truth, on, { ledger });
    const other = await look('a pothole', 10, { pothole: [[1, 2]] }, on, { ledger });
    expect(other.events[0]!.endS).toBeCloseTo(2, 1);
    expect((await look('a unicorn', 10, truth, on, { ledger })).events).toEqual([]);
    const before = on.model.requests.length;
    const { createVisionSearch } = await import('./index.ts');
    const search = createVisionSearch({ ...on.profile, model: 'other eyes' });
    await search.search({
      plan: planner.planQuery('a pothole'),
      observations: clip(10),
      source: framesOf(on.oracle, truth),
      ledger,
    });
    expect(on.model.requests.length).toBeGreaterThan(before);
  });

  it('does not pay again for what was answered before a crash', async () => {
    const ledger = createMemoryLedger();
    const on = await open(undefined, { profile: { concurrency: 1 } });
    const controller = new AbortController();
    const recorded: unknown[] = [];
    const crashing = {
      ...ledger,
      record: async (...args: Parameters<typeof ledger.record>) => {
        await ledger.record(...args);
        if (recorded.push(args) === 3) controller.abort(new Error('the worker died'));
      },
    };
    const dying = look('a pothole', 30, truth, on, { ledger: crashing, signal: controller.signal });
    await expect(dying).rejects.toThrow('the worker died');
    const { usage, events } = await look('a pothole', 30, truth, on, { ledger });
    expect(events).toHaveLength(1);
    expect(usage.cachedCalls).toBe(3);
    expect(on.model.requests).toHaveLength(3 + usage.calls);
  });

  it('stops at the limit of tokens with a partial result', async () => {
    const on = await open(undefined, { tokensPerQuestion: 20_000 });
    const { usage, coverage } = await look('a pothole', 140, { pothole: [[100, 130]] }, on);
    expect(usage.inputTokens + usage.outputTokens).toBeLessThanOrEqual(20_000);
    expect(coverage[0]!.reason).toContain('the limit of 20000 tokens per question is reached');
  });

  it('stops at a limit of money per question with a partial result', async () => {
    // At 0.80 per million tokens, the higher one of the prices.
    const on = await open(undefined, { moneyPerQuestion: 0.016 });
    const { usage, coverage } = await look('a pothole', 140, { pothole: [[100, 130]] }, on);
    expect(usage.calls).toBeGreaterThan(0);
    expect(usage.cost).toBeLessThanOrEqual(0.016);
    expect(coverage[0]!.reason).toContain('the limit of 0.016 in money per question is reached');
  });

  it('stops at a limit that analyses share', async () => {
    const ledger = {
      ...createMemoryLedger(),
      allowance: async () => ({ tokens: 0, limit: 'the limit of 5 per month' }),
    };
    const on = await open();
    const { coverage } = await look('a pothole', 10, truth, on, { ledger });
    expect(on.model.requests).toEqual([]);
    expect(coverage).toMatchObject([
      { status: 'not_looked_for', reason: expect.stringContaining('the limit of 5 per month') },
    ]);
  });

  it('waits as long as the endpoint says, and sends fewer requests at a time after that', async () => {
    let active = 0;
    let refused = 0;
    const on = await open(
      (_request, reply) => {
        active++;
        setTimeout(() => active--, 20);
        if (active > 2) {
          refused++;
          return { status: 429, headers: { 'retry-after': '0.05' }, delayMs: 20 };
        }
        return { ...reply, delayMs: 20 };
      },
      { profile: { concurrency: 3 } },
    );
    const { events } = await look('a pothole', 60, { pothole: [[20, 40]] }, on);
    expect(events).toHaveLength(1);
    expect(refused).toBeGreaterThan(0);
  });

  it('repeats a call whose connection was closed', async () => {
    const on = await open((_request, reply, n) => (n % 3 === 1 ? { isDropped: true } : reply), {
      profile: { concurrency: 1 },
    });
    const { events, coverage } = await look('a pothole', 10, truth, on);
    expect(events).toHaveLength(1);
    expect(coverage[0]!.reason).not.toContain('failed');
  });

  it('does without a schema if the endpoint refuses it', async () => {
    const on = await open((request, reply) => (request.responseFormat ? { status: 400 } : reply));
    expect((await look('a pothole', 10, truth, on)).events).toHaveLength(1);
    expect(on.search.health()).toMatchObject({ state: 'ok', reason: null });
  });
});
