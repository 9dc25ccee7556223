import { expect, it } from 'vitest';
import { ADVERSARIES, timeoutFor } from '#test/servers/vision-adversaries';
import type { CallRequest } from '../index.ts';
import { type Eyes, framesOf } from '../oracle.fixture.ts';
import { clip, useEyes } from '../search.fixture.ts';

const TRUTH = { 'a tram passes': [[0, 10]], 'a man reads': [[20, 40]] } as const;
const RANGES = [
  { from: 0, to: 10 },
  { from: 10, to: 20 },
  { from: 20, to: 30 },
  { from: 30, to: 40 },
];

let eyes: Eyes;
const openOn = useEyes();

async function open(...options: Parameters<typeof openOn>): Promise<CallRequest> {
  eyes = await openOn(...options);
  return { observations: clip(40), source: framesOf(eyes.oracle, TRUTH) };
}

it('describes ranges in the words of an oracle, and again without a call', async () => {
  const call = await open();
  const caption = () => eyes.search.caption({ ...call, mode: 'driving', ranges: RANGES });
  const { texts, limits, usage } = await caption();
  expect(texts).toEqual(['a tram passes', null, 'a man reads', 'a man reads']);
  expect(limits).toEqual([expect.stringContaining('wrote 3 of 4 captions')]);
  expect(usage.shown).toEqual([[0, 40]]);
  const before = eyes.model.requests.length;
  expect((await caption()).texts).toEqual(texts);
  expect(eyes.model.requests).toHaveLength(before);
});

it('describes the longest of many ranges', async () => {
  const call = await open();
  const many = Array.from({ length: 60 }, (_, i) => ({ from: i * 0.5, to: i * 0.5 + (i === 50 ? 5 : 0.5) }));
  const { texts } = await eyes.search.caption({ ...call, mode: 'robotics', ranges: many });
  expect(texts[50]).toBe('a man reads');
  expect(texts.filter((text) => text !== null).length).toBeLessThanOrEqual(40);
  expect(JSON.stringify(eyes.model.requests)).toContain('a robot at work');
});

it.each(Object.keys(ADVERSARIES))('takes no false sentence from an adversary: %s', async (name) => {
  const call = await open(ADVERSARIES[name], { timeoutMs: timeoutFor(name) });
  const { texts, limits } = await eyes.search.caption({ ...call, mode: 'driving', ranges: RANGES });
  const truth = ['a tram passes', null, 'a man reads', 'a man reads'];
  for (const [i, text] of texts.entries()) expect([null, truth[i]]).toContain(text);
  expect(limits.length).toBeGreaterThan(0);
});
