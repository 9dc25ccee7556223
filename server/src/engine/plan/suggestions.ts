import { isBlocked } from './blocked-search.ts';
import { findRelatedWords, MOST_RELATED_WORDS } from './english/related-words.ts';
import type { SentencePart } from './read-grammar.ts';
import { isMisread } from './reasons.ts';
import type { Plan, PlannedSearch, Unchecked } from './schema.ts';

/** Suggestions of a prompt at most. */
const MOST_SUGGESTIONS = 3;
/** Prompts with other words, and parts of prompts, that are tried for them at most: each takes about a millisecond. */
const MOST_REWORDED = 48;
const MOST_PARTS = 16;
/** Longest prompt that suggestions are made for, in characters: each is planned again with other words. */
const LONGEST_PROMPT = 400;
/** Longest sentence of which words are left out, in words, and how many of them. */
const LONGEST_SENTENCE = 20;
const MOST_LEFT_OUT = 2;

type SuggestionTools = {
  planEnglish(query: string): Plan;
  /** Known words that an unknown one may be a misspelling of. */
  nearestWords(word: string): readonly string[];
  /** True if a sentence says something else without these words: "not". */
  negates(words: readonly string[]): boolean;
  /** True if a sentence asks something else without these words: "how many". */
  asks(words: readonly string[]): boolean;
  /** True for a word that joins two parts of a sentence: "and". */
  joins(word: string): boolean;
  /** True for a word that says something by itself, unlike "the" and "does". */
  isContent(word: string): boolean;
  /** Parts of a sentence that are whole prompts by themselves, the longest first. */
  partsOf(sentence: string): readonly SentencePart[];
};

/**
 * Up to three prompts that resemble one that is refused for its wording, and that can be searched as a whole. Each
 * replaces an unknown word by a known one, leaves out words that prevent a reading, or is a part of a sentence.
 */
export function suggestPrompts({ query, searches }: Plan, tools: SuggestionTools): string[] {
  if (query.length > LONGEST_PROMPT) return [];
  const found = new Map<string, string>();
  /** Adds a candidate, unless it cannot be searched. */
  const take = (candidate: string): boolean => {
    const plan = tools.planEnglish(candidate);
    const isOpen = plan.searches.some(({ steps }) => steps.some(({ what }) => what.kind === 'notable'));
    if (isOpen || plan.corrected.length > 0 || plan.searches.some(isBlocked)) return false;
    const meaning = JSON.stringify([plan.question, plan.window, plan.searches.map(meaningOf)], toMeaning);
    if (!found.has(meaning)) found.set(meaning, candidate);
    return true;
  };
  const isFull = () => found.size === MOST_SUGGESTIONS;
  const refused = searches.filter(isBlocked);
  let reworded = 0;
  for (const candidate of rewordings(query, refused, tools)) {
    if (isFull() || ++reworded > MOST_REWORDED) break;
    take(candidate);
  }
  for (const sentence of wordingsOf(refused)) {
    const taken: SentencePart[] = [];
    for (const part of partsOf(sentence, tools).slice(0, MOST_PARTS)) {
      if (isFull()) break;
      if (taken.some(({ start, end }) => start <= part.start && part.end <= end)) continue;
      if (take(withPart(query, sentence, part, refused.length === 1))) taken.push(part);
    }
  }
  return [...found.values()];
}

/** Leaves out words, and what a reader does not see in a prompt, as whether a car may be the one that records. */
const toMeaning = (key: string, value: unknown) => (UNSEEN_FIELDS.has(key) ? undefined : value);
const UNSEEN_FIELDS: ReadonlySet<string> = new Set(['text', 'vehicle', 'definite', 'maker']);

const meaningOf = ({ steps, pick }: PlannedSearch) => [
  pick,
  steps.map(({ what, negated, duration }) => [what, negated, duration]),
];

function* rewordings(query: string, refused: readonly PlannedSearch[], tools: SuggestionTools): Generator<string> {
  const remarks = refused.flatMap(({ steps }) =>
    steps.flatMap(({ unchecked }) => unchecked.filter(({ blocks }) => blocks)),
  );
  if (remarks.every(({ reason }) => isMisread(reason)))
    yield* withKnownWords(
      query,
      remarks.map(({ text }) => text),
      tools,
    );
  for (const sentence of wordingsOf(refused)) yield* withoutWord(query, sentence, tools);
}

/** Sentences that are refused for their wording alone. */
const wordingsOf = (refused: readonly PlannedSearch[]) => refused.filter(isWordingOnly).map(({ text }) => text);

const isWordingOnly = ({ steps }: PlannedSearch) =>
  steps.every(({ unchecked }) => unchecked.every(({ reason, blocks }: Unchecked) => !blocks || isMisread(reason)));

/** The prompt with known words in place of those of each phrase. */
function* withKnownWords(query: string, phrases: readonly string[], tools: SuggestionTools): Generator<string> {
  const [phrase, ...others] = phrases;
  const start = phrase === undefined ? -1 : query.indexOf(phrase);
  if (start < 0) return;
  const words = wordsOf(phrase!);
  for (let length = Math.min(MOST_RELATED_WORDS, words.length); length > 0; length--)
    for (let at = 0; at + length <= words.length; at++) {
      const from = start + words[at]!.start;
      const to = start + words[at + length - 1]!.end;
      const own = query.slice(from, to).toLowerCase();
      const known = [
        ...(length === 1 ? tools.nearestWords(own) : []),
        ...findRelatedWords(own).map(({ word }) => word),
      ];
      for (const word of known) {
        const replaced = query.slice(0, from) + word + query.slice(to);
        if (others.length === 0) yield replaced;
        else yield* withKnownWords(replaced, others, tools);
      }
    }
}

/** Parts of a sentence that say and ask what the sentence does, as far as they go; the longest first. */
function partsOf(sentence: string, { partsOf, negates, asks, joins }: SuggestionTools): SentencePart[] {
  return partsOf(sentence).filter(({ start, end }) => {
    const [before, part, after] = [sentence.slice(0, start), sentence.slice(start, end), sentence.slice(end)];
    if (negates(spellingsOf(before)) || negates(spellingsOf(after))) return false;
    // "And how many of them" refers to what stands before.
    if (spellingsOf(before).length > 0 && joins(spellingsOf(part)[0] ?? '')) return false;
    // "Which frames" after a comma asks by itself; "how many" before a noun and "when" before a clause belong to it.
    const isOpenAfter = /^\s*[\p{L}\p{N}]/u.test(after) && asks(spellingsOf(part).slice(-1));
    return !isOpenAfter && (/[,:;–-]\s*$/u.test(before) || !asks(spellingsOf(before)));
  });
}

/** The prompt with a part in place of its sentence, or the part alone where other sentences are not understood. */
function withPart(query: string, sentence: string, { start, end }: SentencePart, isOnly: boolean): string {
  const part = sentence.slice(start, end).replace(/^[\s,:;–-]+|[\s,:;–-]+$/gu, '');
  const at = query.indexOf(sentence);
  return isOnly && at >= 0 ? query.slice(0, at) + part + query.slice(at + sentence.length) : part;
}

/** The prompt without a content word of a sentence, or a few beside each other; the fewest first. */
function* withoutWord(
  query: string,
  sentence: string,
  { negates, asks, isContent }: SuggestionTools,
): Generator<string> {
  const start = query.indexOf(sentence);
  const words = wordsOf(sentence);
  if (start < 0 || words.length > LONGEST_SENTENCE) return;
  for (let length = 1; length <= Math.min(MOST_LEFT_OUT, Math.floor(words.length / 2)); length++)
    for (let at = words.length - length; at >= 0; at--) {
      const left = words.slice(at, at + length);
      const spellings = left.map(({ text }) => text.toLowerCase());
      if (!spellings.every(isContent) || negates(spellings) || asks(spellings)) continue;
      const before = query.slice(0, start + left[0]!.start);
      const after = query.slice(start + left.at(-1)!.end);
      yield `${before.trimEnd()} ${after.trimStart()}`.trim().replace(/ (?=[,.;?!])/g, '');
    }
}

const wordsOf = (text: string) =>
  [...text.matchAll(/[\p{L}\p{M}\p{N}'’/:.-]*[\p{L}\p{M}\p{N}]/gu)].map(({ 0: word, index }) => ({
    text: word,
    start: index,
    end: index + word.length,
  }));

const spellingsOf = (text: string) => wordsOf(text).map(({ text: word }) => word.toLowerCase());
