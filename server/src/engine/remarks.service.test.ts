// Words of a prompt that observers only narrow or leave out, checked by a vision-language model on what they found.
import { afterEach, describe, expect, it } from 'vitest';
import { type Adversary, GUESSES, guessing } from '#test/servers/vision-adversaries';
import { kindOf, knownAt, optionsIn } from '#test/servers/vision-oracle';
import { answerScene } from './answer.ts';
import { createScene } from './find/index.ts';
import { objects, observations, signals, still, type TrackSpec } from './find/observations.fixture.ts';
import { createPlanner } from './plan/index.ts';
import type { VerifyMode } from './vision/index.ts';
import { type Eyes, openEyes } from './vision/oracle.fixture.ts';
import { createVisionAnswers } from './vision-answers.ts';

const planner = createPlanner();
const SECONDS = 60;
/** Two objects that the observers find for the prompt; the first is what it requests. */
const [RIGHT, WRONG] = [
  [5, 12],
  [30, 37],
] as const;

let eyes: Eyes | null = null;
afterEach(async () => {
  await eyes?.close();
  eyes = null;
});

type Options = { verify?: VerifyMode; adversary?: Adversary; spans?: readonly (readonly [number, number])[] };

/** Answers a prompt about tracks like this one, of which the model sees the words in the first span. */
async function ask(prompt: string, track: Omit<TrackSpec, 'from' | 'to' | 'at'>, options: Options = {}) {
  const { verify = 'auto', adversary, spans = [RIGHT, WRONG] } = options;
  const plan = planner.planQuery(prompt);
  const tracks = spans.map(([from, to], i) => ({ score: 0.8, ...track, from, to, at: still(0.2 + 0.05 * i, 0.5) }));
  const video = observations(SECONDS, { signals: signals(SECONDS), objects: objects(SECONDS, tracks) });
  const scene = createScene(video);
  eyes = await openEyes(adversary);
  const { oracle, search } = eyes;
  const truth = { [plan.searches[0]!.text]: [spans[0]!] };
  const draw = (timeS: number, what: string) => {
    const jpeg = Buffer.from(`${what} at ${timeS}`);
    oracle.learn(jpeg, [knownAt(truth, timeS)]);
    return jpeg;
  };
  const answers = createVisionAnswers({
    media: {
      frameImage: async (_path, { timeS, crop }) => draw(timeS, crop ? `part ${crop.x}` : 'frame'),
      contactSheet: async () => Buffer.from('sheet'),
      pictureClip: async () => Buffer.from('clip'),
    },
    looks: { get: () => ({ search, profile: {} as never }) },
    embedder: { text: async () => ({ unavailable: 'none' }), texts: async () => ({ unavailable: 'none' }) },
    planQuery: planner.planQuery,
    sceneOf: () => scene,
  });
  const before = answerScene(plan, scene);
  const request = { plan, artifacts: new Map(), path: async () => '', answer: before, verify };
  return { plan, before, after: await answers.queryVisionModel(request), requests: eyes.model.requests };
}

describe('words that observers do not check', () => {
  it.each([
    [
      'a man in a dark coat',
      { className: 'person', clothes: { upper: [['black', 0.9]], lower: [] } },
      ['man', 'dark', 'coat'],
    ],
    ['a small dog', { className: 'dog' }, ['small']],
    ['an SUV', { className: 'car' }, ['SUV']],
    ['a police car', { className: 'car' }, ['police car']],
    ['an old man', { className: 'person' }, ['old', 'man']],
    ['a dog near the gate', { className: 'dog' }, ['gate']],
    ['a dog in the grass', { className: 'dog' }, ['grass']],
  ] as [string, { className: string }, string[]][])(
    'are confirmed or denied where they found something: %s',
    async (prompt, track, words) => {
      const { before, after, plan } = await ask(prompt, track);
      const found = [...before.events, ...before.candidates];
      expect(found).toHaveLength(2);
      for (const word of words) expect(found[0]!.caveats.join()).toContain(`"${word}"`);
      const [event, ...others] = after.events;
      expect(others).toEqual([]);
      expect(event).toMatchObject({ startS: RIGHT[0], verification: { status: 'verified' }, caveats: [] });
      expect(event!.confidence).toBeGreaterThan(0.9);
      const [denied] = after.candidates;
      expect(denied).toMatchObject({ startS: WRONG[0], verification: { status: 'refuted' } });
      expect(denied!.confidence).toBeLessThan(0.3);
      expect(denied!.caveats).toEqual([`look (eyes) does not see "${plan.searches[0]!.text}" in these frames`]);
      const [row] = after.coverage;
      expect(row).toMatchObject({ status: 'partly', by: ['objects (test detector)', 'look (eyes)'] });
      expect(row!.reason).toContain('look (eyes) was shown 2 of 2 places with all words, confirmed 1 and denied 1');
      expect(after.coverage).toHaveLength(1);
      expect(after.interpretation).not.toContain('not checked');
    },
  );

  it('are shown with the object enlarged, and all words of the search', async () => {
    const { requests } = await ask('a man in a dark coat', {
      className: 'person',
      clothes: { upper: [['black', 0.9]], lower: [] },
    });
    const own = requests.filter(
      (request) => kindOf(request) === 'choice' && optionsIn(request).some(({ text }) => text === 'man in a dark coat'),
    );
    const enlarged = own.filter(({ texts }) =>
      texts.some((text) => /^Enlarged part of frame \d, a person:$/.test(text)),
    );
    // Three looks at each of two places, the reversed ones not among them.
    expect(enlarged.length).toBeGreaterThanOrEqual(6);
    for (const { texts } of enlarged) expect(texts.at(-1)).toContain('about the person in the enlarged parts');
    for (const request of own.filter((each) => !enlarged.includes(each)))
      expect(request.texts.at(-1)).not.toContain('enlarged parts');
  });

  it('make a question certain', async () => {
    const { before, after } = await ask('is there a small dog?', { className: 'dog' });
    expect(before.answer).toMatch(/^Not certain/);
    expect(after.answer).toMatch(/^Yes: /);
    expect(after.answer).not.toContain('cannot be used');
  });

  it('stay remarks of what the model was not shown', async () => {
    const spans = Array.from({ length: 12 }, (_, i) => [4 * i, 4 * i + 2] as const);
    const { after } = await ask('a small dog', { className: 'dog' }, { spans });
    const unshown = [...after.events, ...after.candidates].filter(({ verification }) => verification === undefined);
    expect(unshown).toHaveLength(4);
    for (const { caveats } of unshown) expect(caveats).toEqual([expect.stringContaining('"small"')]);
    expect(after.coverage[0]!.reason).toContain('was shown 8 of 12 places with all words, confirmed 1 and denied 7');
  });

  it.each([
    ['guesses', guessing(GUESSES['yes and no in turn']!(0), { knows: 'statements' })],
    ['fails', () => ({ status: 500 })],
  ] as [string, Adversary][])('stay remarks if the model %s', async (_what, adversary) => {
    const { before, after } = await ask('a small dog', { className: 'dog' }, { adversary });
    const plain = ({ startS, confidence, caveats }: (typeof before.events)[number]) => ({
      startS,
      confidence,
      caveats,
    });
    expect(after.events.map(plain)).toEqual(before.events.map(plain));
    expect(after.interpretation).toBe(before.interpretation);
  });

  it('are not shown if no verification is requested, or frames cannot show them', async () => {
    expect((await ask('a small dog', { className: 'dog' }, { verify: 'never' })).requests).toEqual([]);
    await eyes!.close();
    // The kitchen is taken as the place that a fixed camera shows.
    expect((await ask('a person in the kitchen', { className: 'person' })).requests).toEqual([]);
  });
});
