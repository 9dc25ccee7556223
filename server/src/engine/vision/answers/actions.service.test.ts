import { expect, it } from 'vitest';
import { ADVERSARIES, timeoutFor } from '#test/servers/vision-adversaries';
import { kindOf } from '#test/servers/vision-oracle';
import type { CallRequest } from '../index.ts';
import { type Eyes, framesOf } from '../oracle.fixture.ts';
import { clip, useEyes } from '../search.fixture.ts';

/** Facts of the oracle are the names of its actions. */
const TRUTH = {
  'reach for the cube': [[0, 5.3]],
  'lift the cube': [[5.5, 11.2]],
  'place the cube': [[14.1, 17.6]],
} as const;

let eyes: Eyes;
const openOn = useEyes();

async function open(...options: Parameters<typeof openOn>): Promise<CallRequest> {
  eyes = await openOn(...options);
  return { observations: clip(20), source: framesOf(eyes.oracle, TRUTH) };
}

it('divides a video into the actions of an oracle, with their edges, and again without a call', async () => {
  const call = await open();
  const segment = () => eyes.search.segmentActions(call);
  const { events, untrusted, usage } = await segment();
  expect(untrusted).toBeNull();
  expect(events.map(({ label }) => label)).toEqual(Object.keys(TRUTH));
  for (const [i, [[from, to]]] of Object.values(TRUTH).entries()) {
    expect(Math.abs(events[i]!.startS - from)).toBeLessThan(0.2);
    expect(Math.abs(events[i]!.endS - to)).toBeLessThan(0.2);
    expect(events[i]).toMatchObject({ category: 'action', verification: { status: 'verified' } });
  }
  expect(usage.shown).toEqual([[0, 20]]);
  const before = eyes.model.requests.length;
  expect((await segment()).events).toEqual(events);
  expect(eyes.model.requests).toHaveLength(before);
});

it('joins neighbors that a model names in other case or with other articles', async () => {
  let n = 0;
  const call = await open((request, truth) => {
    const isNaming = /^Range 1: frames /m.test(request.texts.at(-1)!);
    return isNaming
      ? { ...truth, text: truth.text!.replaceAll('lift the cube', n++ % 2 ? 'Lift cube.' : 'lift the cube') }
      : truth;
  });
  const { events } = await eyes.search.segmentActions(call);
  expect(events.filter(({ label }) => /lift/i.test(label)).length).toBeLessThanOrEqual(1);
});

it('keeps the order of start and end where no edge can be narrowed', async () => {
  const call = await open((request, truth) => (kindOf(request) === 'edges' ? { status: 500 } : truth));
  const { events, limits } = await eyes.search.segmentActions(call);
  expect(events.map(({ label }) => label)).toEqual(Object.keys(TRUTH));
  for (const { startS, endS } of events) expect(endS).toBeGreaterThan(startS);
  expect(limits).toContain('the model failed at times: its endpoint answered with status 500');
});

it.each(Object.keys(ADVERSARIES))('takes no false action from an adversary: %s', async (name) => {
  const call = await open(ADVERSARIES[name], { timeoutMs: timeoutFor(name) });
  const { events } = await eyes.search.segmentActions(call);
  for (const { label, startS, endS } of events) {
    const [[from, to]] = TRUTH[label as keyof typeof TRUTH] ?? [[Number.NaN, Number.NaN]];
    expect(startS).toBeGreaterThan(from! - 2);
    expect(endS).toBeLessThan(to! + 2);
  }
});
