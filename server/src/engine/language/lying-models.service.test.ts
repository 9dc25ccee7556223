// Language models that lie: what they say is not searched, or with a caveat where no dictionary can tell.
import { afterEach, describe, expect, it } from 'vitest';
import { pick, seeded } from '#test/random';
import { LIARS, type Liar } from '#test/servers/language-liars';
import { isControlPrompt, promptOf, type Reading, readTruly } from '#test/servers/language-oracle';
import { startVisionModel, type VisionModel } from '#test/servers/vision-model';
import { createPlanner, isBlocked, type Plan, type PlannedSearch } from '../plan/index.ts';
import { createLanguageReader } from './index.ts';
import { meaningOfPlan, meaningOfSearch } from './meaning.ts';
import { MEANINGS, READER_PROMPTS } from './reader-prompts.fixture.ts';

const planner = createPlanner();
let model: VisionModel | null = null;
afterEach(async () => {
  await model?.close();
  model = null;
});

type Known = ReadonlyMap<string, { prompt: string; to: string | null }>;

/** A reader of a model that lies about prompts; with `isSly` it answers control prompts truly. */
async function readerOf(liar: Liar, known: Known, { isSly, seed }: { isSly: boolean; seed: string }) {
  const random = seeded(seed.length + 7);
  model = await startVisionModel((request, n) => {
    const prompt = promptOf(request);
    const truth = readTruly(prompt, known);
    const isTruth = isSly && isControlPrompt(prompt);
    return { text: JSON.stringify(isTruth ? truth : liar(truth, random, n)) };
  });
  return createLanguageReader({ url: model.url, model: 'reader', apiKey: null }, planner, { seed });
}

/** Words outside of the vocabulary, each with its meaning in it; null for those without one. */
const NOUNS = [
  ['whippet', 'dog'],
  ['roadster', 'car'],
  ['plumber', 'person'],
  ['kingfisher', 'bird'],
  ['tabby', 'cat'],
  ['zeppelin', null],
  ['gizmo', null],
  ['excavator', null],
] as const;
const VERBS = [
  ['trudges', 'walks'],
  ['bolts', 'moves'],
  ['stalls', 'stops'],
  ['conks out', 'stops'],
  ['yodels', null],
  ['glows', null],
] as const;
const COLORS = ['red', 'blue', 'green', 'white'];

/** English prompts that the rules do not read, with what they mean. */
function englishPrompts(count: number, random: () => number): { prompt: string; to: string | null }[] {
  return Array.from({ length: count }, () => {
    const [noun, noun2] = [pick(random, NOUNS), pick(random, NOUNS)];
    const verb = pick(random, VERBS);
    const color = pick(random, COLORS);
    const [prompt, to] = pick(random, [
      [`a ${color} ${noun[0]} ${verb[0]}`, `a ${color} ${noun[1]} ${verb[1]}`],
      [`three ${noun[0]}s`, `three ${noun[1]}s`],
      [`no ${noun[0]}s`, `no ${noun[1]}s`],
      [`a ${noun[0]} without a ${noun2[0]}`, `a ${noun[1]} without a ${noun2[1]}`],
      [`a ${noun[0]} ${verb[0]}, then a ${noun2[0]} appears`, `a ${noun[1]} ${verb[1]}, then a ${noun2[1]} appears`],
      [`a ${noun[0]} stands for more than 10 seconds`, `a ${noun[1]} stands for more than 10 seconds`],
      [`a ${noun[0]} comes in from the left`, `a ${noun[1]} enters from the left`],
    ] as const);
    return { prompt, to: to.includes('null') ? null : to };
  });
}

const unblocked = ({ searches }: Plan) => searches.filter((search) => !isBlocked(search));
const hasRemark = ({ steps }: PlannedSearch) =>
  steps.some(({ unchecked }) => unchecked.some(({ reason }) => reason.includes('a language model')));

describe.each(Object.entries(LIARS))('a model that says %s', (name, liar) => {
  it('and passes control prompts finds nothing in English that the words do not say', async () => {
    const prompts = englishPrompts(60, seeded(name.length));
    const known = new Map(prompts.map((each) => [each.prompt, each]));
    const reader = await readerOf(liar, known, { isSly: true, seed: name });
    let lies = 0;
    for (const { prompt, to } of prompts) {
      const plan = await reader.read(prompt);
      const found = unblocked(plan);
      const truth = to === null ? null : meaningOfPlan(planner.planEnglish(to));
      const isTrue = plan.reader === 'model' && meaningOfPlan(plan) === truth;
      if (!isTrue) lies++;
      const understood = unblocked(planner.planQuery(prompt)).map(meaningOfSearch);
      for (const search of found) {
        expect([prompt, isTrue || understood.includes(meaningOfSearch(search))]).toEqual([prompt, true]);
        if (isTrue) expect(hasRemark(search)).toBe(true);
      }
    }
    expect(reader.health().state).toBe('ok');
    expect(lies).toBeGreaterThan(10);
  });

  it('and passes control prompts finds nothing in other languages without a caveat', () => expectCaveats(liar, name));
});

it('an honest model finds nothing in other languages without a caveat', () =>
  expectCaveats((truth) => truth, 'honest'));

/** Reads prompts in other languages by a model that passes control prompts, and expects a remark on each search. */
async function expectCaveats(liar: Liar, seed: string): Promise<void> {
  const all = Object.entries(READER_PROMPTS).flatMap(([language, prompts]) =>
    Object.entries(prompts).map(([meaning, prompt]) => ({
      prompt,
      language,
      to: MEANINGS[meaning as keyof typeof MEANINGS][0],
    })),
  );
  const known = new Map(all.map((one) => [one.prompt, one]));
  const spoken: Liar = (truth, random, n) => {
    const from = [...truth.sentences.map((sentence) => sentence.from), ...truth.left][0]!;
    return liar({ ...truth, language: known.get(from)?.language ?? truth.language }, random, n);
  };
  const reader = await readerOf(spoken, known, { isSly: true, seed });
  for (const { prompt } of all)
    for (const search of unblocked(await reader.read(prompt))) expect(hasRemark(search)).toBe(true);
}

describe.each(Object.entries(LIARS).filter(([name]) => name !== 'no negation'))(
  'a model that says %s, also to control prompts',
  (name, liar) => {
    it('is not believed: the rules read, and their reasons say why', async () => {
      const reader = await readerOf(liar, new Map(), { isSly: false, seed: name });
      const plan = await reader.read('a zeppelin');
      const [first] = planner.planQuery('a zeppelin').searches[0]!.steps[0]!.unchecked;
      const reason = `${first!.reason}; the language model (reader) is not believed: ${reader.health().reason}`;
      expect(plan.searches).toMatchObject([{ steps: [{ unchecked: [{ reason, blocks: true }] }] }]);
      expect(reader.health()).toEqual({
        state: 'doubted',
        reason: expect.stringMatching(/^it (?:read|could not read) \d+ of 12 control prompts/),
      });
      await reader.read('a gizmo');
      expect(model!.requests.map(promptOf).filter((prompt) => !isControlPrompt(prompt))).toEqual([]);
    });
  },
);

it('an honest model is believed', async () => {
  for (const seed of ['a', 'b', 'c', 'd', 'e', 'f']) {
    const reader = await readerOf((truth: Reading) => truth, new Map(), { isSly: false, seed });
    await reader.probe();
    expect(reader.health()).toEqual({ state: 'ok', reason: null });
    await model!.close();
  }
});
