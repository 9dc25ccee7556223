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
/** True if a call is about a scene that cannot be there, with frames of the stream. */
const isDecoy: (request: Parameters<Adversary>[0]) => boolean = (request) =>
  kindOf(request) === 'choice' && request.images.length > 1 && optionsIn(request).every(({ text }) => text !== 'fire');
const isKnown: typeof isDecoy = (request) => kindOf(request) === 'choice' && request.images.length === 1;

it('asks about a scene that cannot be there in every sixth quiet part, and where something is seen', async () => {
  const { verdicts, requests } = await follow(14);
  expect(verdicts.slice(0, -1)).toEqual(
    Array(13).fill({ states: [{ text: 'fire', state: 'unseen', confidence: 0 }], reason: null }),
  );
  expect(verdicts.at(-1)).toMatchObject({ states: [{ state: 'seen' }], reason: null });
  expect(requests.filter(isDecoy).map(({ images }) => images.length)).toEqual([4, 4, 5]);
});

it('tests the model once in a stream with statements whose truth is known', async () => {
  const { requests } = await follow(4);
  expect(requests.filter(isKnown)).toHaveLength(9);
  const guessing: Adversary = (request, truth, n) =>
    isKnown(request) ? { text: `{"choice": "${'ABCD'[n % 4]}"}` } : truth;
  const { verdicts } = await follow(3, guessing);
  expect(verdicts.map(({ states }) => states[0]!.state)).toEqual(Array(3).fill('unknown'));
  expect(verdicts.at(-1)!.reason).toContain('more than chance explains');
});

it('looks more often at what is seen until its looks are distinguished from chance', async () => {
  const ofFire = (requests: Awaited<ReturnType<typeof follow>>['requests']) =>
    requests.filter(
      (request) => kindOf(request) === 'choice' && optionsIn(request).some(({ text }) => text === 'fire'),
    );
  const [early, late] = [await follow(1), await follow(14)];
  // It says yes to each of the cheap questions, and then sees that it is not so.
  const erring = await follow(14, (request, truth) => {
    const isCheap = kindOf(request) === 'choice' && request.images.length === 4;
    const { letter } = optionsIn(request).find(({ option }) => option === 'requested') ?? {};
    return isCheap ? { text: `{"choice": "${letter}"}` } : truth;
  });
  for (const { verdicts } of [early, late, erring]) {
    expect(verdicts.at(-1)!.states).toMatchObject([{ state: 'seen' }]);
    expect(verdicts.at(-1)!.states[0]!.confidence).toBeGreaterThan(0.9);
  }
  // Equal looks have one reply.
  const counts = [early, late, erring].map(({ requests }) => ofFire(requests).length);
  expect(counts[0]).toBeGreaterThan(3);
  expect(counts[0]).toBeLessThanOrEqual(3 + 6);
  expect(counts[1]).toBe(13 + 3);
  expect(counts[2]).toBeGreaterThan(13 * 3 + 3);
});

it('reports nothing of a model that guesses about the question alone', async () => {
  let n = 0;
  const guessing: Adversary = (request, truth) => {
    const options = kindOf(request) === 'choice' ? optionsIn(request) : [];
    const wanted = n++ % 3 === 0 ? 'neither' : 'requested';
    const isAbout = options.some(({ text }) => text === 'fire');
    return isAbout ? { text: `{"choice": "${options.find(({ option }) => option === wanted)!.letter}"}` } : truth;
  };
  const { verdicts } = await follow(30, guessing);
  expect(verdicts.filter(({ states }) => states[0]!.state === 'seen')).toEqual([]);
});
