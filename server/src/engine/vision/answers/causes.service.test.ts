import { expect, it } from 'vitest';
import { ADVERSARIES, timeoutFor } from '#test/servers/vision-adversaries';
import type { Truth } from '#test/servers/vision-oracle';
import type { CallRequest } from '../index.ts';
import { type Eyes, framesOf } from '../oracle.fixture.ts';
import { clip, useEyes } from '../search.fixture.ts';

const TRUTH: Truth = {
  'a pedestrian steps onto the crossing': [[6, 12]],
  'component: pedestrian': [[6, 12]],
  'location: ahead': [[6, 12]],
};
const DECISIONS = [
  { timeS: 9, text: 'the vehicle brakes' },
  { timeS: 30, text: 'the vehicle turns left' },
];

let eyes: Eyes;
const openOn = useEyes();

async function open(...options: Parameters<typeof openOn>): Promise<CallRequest> {
  eyes = await openOn(...options);
  return { observations: clip(40), source: framesOf(eyes.oracle, TRUTH) };
}

it('names the visible reason of a decision with what matters most, and none where nothing is visible', async () => {
  const call = await open();
  const { causes, untrusted, usage } = await eyes.search.explainDecisions(DECISIONS, call);
  expect(untrusted).toBeNull();
  const component = { name: 'pedestrian', location: 'ahead' };
  expect(causes).toEqual([{ text: 'a pedestrian steps onto the crossing', component }, null]);
  expect(usage.shown).toEqual([
    [6, 10],
    [27, 31],
  ]);
  expect(JSON.stringify(eyes.model.requests)).toContain('In it, the vehicle brakes.');
});

it.each(Object.keys(ADVERSARIES))('takes no false reason from an adversary: %s', async (name) => {
  const call = await open(ADVERSARIES[name], { timeoutMs: timeoutFor(name) });
  const { causes } = await eyes.search.explainDecisions(DECISIONS, call);
  expect([null, 'a pedestrian steps onto the crossing']).toContain(causes[0]?.text ?? null);
  expect([undefined, null, 'pedestrian']).toContain(causes[0]?.component?.name);
  expect(causes[1]).toBeNull();
});
