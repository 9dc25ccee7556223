import { expect, it } from 'vitest';
import type { Adversary } from '#test/servers/vision-adversaries';
import { kindOf, optionsIn } from '#test/servers/vision-oracle';
import { framesOf } from './oracle.fixture.ts';
import { createReliability } from './reliability/reliability.ts';
import { clip, useEyes } from './search.fixture.ts';

const open = useEyes();
const PART_S = 5;

/** Asks about parts of a stream, which show a fire in the last one only. Returns the verdicts. */
async function follow(parts: number, adversary?: Adversary) {
  const on = await open(adversary);
  const reliability = createReliability();
  const verdicts = [];
  for (let i = 0; i < parts; i++) {
    const truth = { [`part ${i}`]: [], fire: i === parts - 1 ? [[0, PART_S] as const] : [] };
    const frames = [0, 1, 2, 3, 4].map((timeS) => ({ timeS, pts: timeS * 90_000 }));
    const request = { observations: clip(PART_S), source: framesOf(on.oracle, truth), reliability };
    verdicts.push(await on.search.gate([{ text: 'fire', context: null, isOrdered: false }], frames, request));
  }
  return { verdicts, requests: on.model.requests };
}
/** True if a call is about a scene that cannot be there. */
const isDecoy: (request: Parameters<Adversary>[0]) => boolean = (request) =>
  kindOf(request) === 'choice' && optionsIn(request).every(({ text }) => text !== 'fire');

it('asks about a scene that cannot be there in every sixth quiet part, and where something is seen', async () => {
  const { verdicts, requests } = await follow(14);
  expect(verdicts.slice(0, -1)).toEqual(
    Array(13).fill({ states: [{ text: 'fire', state: 'unseen', confidence: 0 }], reason: null }),
  );
  expect(verdicts.at(-1)).toMatchObject({ states: [{ state: 'seen' }], reason: null });
  expect(requests.filter(isDecoy).map(({ images }) => images.length)).toEqual([4, 4, 5]);
});

it('is less sure of what is seen if the model contradicted itself before', async () => {
  const honest = await follow(14);
  // It says yes to each of the cheap questions, and then sees that it is not so.
  const erring = await follow(14, (request, truth) => {
    const isCheap = kindOf(request) === 'choice' && request.images.length === 4;
    const { letter } = optionsIn(request).find(({ option }) => option === 'requested') ?? {};
    return isCheap ? { text: `{"choice": "${letter}"}` } : truth;
  });
  const [sure, unsure] = [honest, erring].map(({ verdicts }) => verdicts.at(-1)!.states[0]!);
  expect([sure!.state, unsure!.state]).toEqual(['seen', 'seen']);
  expect(sure!.confidence).toBeGreaterThan(0.9);
  expect(unsure!.confidence).toBeLessThan(sure!.confidence - 0.05);
});
