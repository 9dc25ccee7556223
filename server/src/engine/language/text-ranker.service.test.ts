import { afterEach, expect, it } from 'vitest';
import { startVisionModel, type VisionModel, type VisionModelReply } from '#test/servers/vision-model';
import { createTextRanker } from './text-ranker.ts';

let model: VisionModel | null = null;
afterEach(async () => {
  await model?.close();
  model = null;
});

const TEXTS = ['a car brakes', 'a person waves', 'a lorry stops'];
const fits = (...list: unknown[]) => JSON.stringify({ fits: list });

async function rank(
  script: (n: number) => VisionModelReply,
  texts: readonly string[] = TEXTS,
  signal = new AbortController().signal,
) {
  model = await startVisionModel((_, n) => script(n));
  const ranker = createTextRanker({ url: model.url, model: 'reader', apiKey: null }, { timeoutMs: 2_000 });
  return ranker.rank('vehicles that slow down', texts, signal);
}

it('scores each text, sent as data with its number', async () => {
  const text = fits({ text: 3, percent: 80 }, { text: 1, percent: 250 }, { text: 9, percent: 5 }, 'x', { text: 2 });
  expect(await rank(() => ({ text }))).toEqual({ scores: [1, 0, 0.8] });
  expect(JSON.parse(model!.requests[0]!.texts.at(-1)!)).toEqual({
    request: 'vehicles that slow down',
    descriptions: TEXTS.map((description, i) => ({ text: i + 1, description })),
  });
});

it('sends many texts in parts, whose scores keep their order', async () => {
  const texts = Array.from({ length: 120 }, (_, i) => `event ${i}`);
  const ranked = await rank(() => ({ text: fits({ text: 20, percent: 50 }) }), texts);
  expect(model!.requests).toHaveLength(3);
  const scores = 'scores' in ranked ? ranked.scores : [];
  expect(scores).toHaveLength(120);
  expect(scores.flatMap((score, i) => (score > 0 ? [i] : []))).toEqual([19, 69, 119]);
});

it('tries other formats where the endpoint refuses one', async () => {
  const refuseFirst = (n: number) => (n === 1 ? { status: 400 } : { text: fits({ text: 2, percent: 60 }) });
  expect(await rank(refuseFirst)).toEqual({ scores: [0, 0.6, 0] });
});

it.each<[string, VisionModelReply, readonly string[], string]>([
  ['an answer without a list', { text: 'the first one' }, TEXTS, 'its answer has no list of matches'],
  ['a failing endpoint', { status: 500 }, TEXTS, 'its endpoint answered with status 500'],
  ['too many texts', { text: fits() }, Array.from({ length: 501 }, String), 'there are more than 500 different'],
])('gives a reason for %s', async (_name, reply, texts, reason) => {
  expect(await rank(() => reply, texts)).toEqual({ failure: expect.stringContaining(reason) });
});

it('rejects when it is aborted', async () => {
  await expect(rank(() => ({ text: fits() }), TEXTS, AbortSignal.abort())).rejects.toThrow();
});

it('gives up on all parts when one fails', async () => {
  const texts = Array.from({ length: 300 }, (_, i) => `event ${i}`);
  const ranked = await rank((n) => (n === 1 ? { status: 500 } : { text: fits(), delayMs: 1_000 }), texts);
  expect(ranked).toEqual({ failure: expect.stringContaining('status 500') });
  expect(model!.requests.length).toBeLessThanOrEqual(2);
});
