import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { isControl } from '#test/servers/vision-oracle';
import { createMemoryLedger } from './calls/index.ts';
import { randomNumbers } from './reliability/random.ts';
import { look, useEyes } from './search.fixture.ts';

const open = useEyes();
const truth = { pothole: [[3, 6]] } as const;

describe('a limit of tokens', () => {
  it.each([4000, 9000, 20_000, 60_000])(
    'of %d holds for an endpoint that counts other sizes of images, at any concurrency',
    async (limit) => {
      for (const [i, perImage] of [150, 448, 900, 2500].entries()) {
        const random = randomNumbers(`${limit} ${perImage}`);
        const on = await open(
          (request, reply) => {
            const text = Math.ceil(request.texts.join('').length / 4);
            return { ...reply, delayMs: 10 * random(), inputTokens: perImage * request.images.length + text };
          },
          { tokensPerQuestion: limit, profile: { concurrency: 2 ** i } },
        );
        // Nothing is known of the endpoint before its first call.
        await look('a cat jumps', 4, {}, await on);
        for (const seconds of [10, 60, 140]) {
          const { usage } = await look(`a pothole in ${seconds}`, seconds, truth, on);
          expect.soft(usage.inputTokens + usage.outputTokens, `${perImage} per image`).toBeLessThanOrEqual(limit);
        }
      }
    },
    120_000,
  );

  it('is exceeded by one call at most if nothing is known of the endpoint', async () => {
    const on = await open((request, reply) => ({ ...reply, inputTokens: 2000 * request.images.length }), {
      tokensPerQuestion: 9000,
    });
    const { usage, coverage } = await look('a pothole', 140, truth, on);
    const largest = 2000 * Math.max(...on.model.requests.map(({ images }) => images.length));
    expect(usage.inputTokens + usage.outputTokens).toBeLessThanOrEqual(9000 + largest);
    expect(coverage[0]!.reason).toContain('the limit of 9000 tokens per question is reached');
  });
});

describe('a late reply', () => {
  it('is canceled, charged, and reported in one sentence', async () => {
    const on = await open((request, reply) => (isControl(request) ? reply : { ...reply, delayMs: 60_000 }), {
      timeoutMs: 300,
    });
    const start = performance.now();
    const { coverage, usage } = await look('a pothole', 10, truth, on);
    expect(performance.now() - start).toBeLessThan(10_000);
    expect(coverage[0]).toMatchObject({ status: 'not_looked_for', by: [] });
    expect(coverage[0]!.reason).toContain('replies that took longer than 0.3 s were canceled');
    expect(coverage[0]!.reason!.match(/canceled/g)).toHaveLength(1);
    // Both windows.
    await expect.poll(on.model.canceled).toBe(2);
    expect(usage.calls).toBe(on.model.requests.length);
    expect(usage.inputTokens).toBeGreaterThan(6000);
  });

  it('is not waited for longer with retries', async () => {
    const on = await open(() => ({ status: 503, delayMs: 150 }), { timeoutMs: 400, retryMs: 100 });
    const start = performance.now();
    await look('a pothole', 4, truth, on);
    expect(performance.now() - start).toBeLessThan(5000);
    expect(on.model.requests.length).toBeLessThanOrEqual(2 * 3);
  });

  it('is canceled when the time for the analysis is over, and so are calls that wait', async () => {
    const on = await open((_request, reply) => ({ ...reply, delayMs: 60_000 }), {
      maxTotalMs: -9500,
      profile: { concurrency: 1 },
    });
    const ledger = createMemoryLedger();
    const start = performance.now();
    const { coverage, usage } = await look('a pothole', 10, truth, on, { ledger });
    expect(performance.now() - start).toBeLessThan(10_000);
    expect(coverage[0]!.reason).toContain('the time for this analysis is over');
    expect(usage.calls).toBe(1);
    await expect.poll(on.model.canceled).toBe(1);
  });

  it('does not reach the analysis after an abort, which closes its connection', async () => {
    const on = await open((_request, reply) => ({ ...reply, delayMs: 60_000 }));
    const controller = new AbortController();
    const looking = look('a pothole', 10, truth, on, { signal: controller.signal });
    await sleep(300);
    controller.abort(new Error('stopped'));
    await expect(looking).rejects.toThrow('stopped');
    await expect.poll(on.model.canceled).toBe(on.model.requests.length);
  });
});
