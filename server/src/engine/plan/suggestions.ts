import { isBlocked } from './blocked-search.ts';
import { findRelatedWords, MOST_RELATED_WORDS } from './english/related-words.ts';
import { isMisread } from './reasons.ts';
import type { Plan, PlannedSearch, Unchecked } from './schema.ts';

/** Suggestions of a prompt at most. */
const MOST_SUGGESTIONS = 3;
/** Prompts that are tried for them at most: each takes about a millisecond. */
const MOST_TRIED = 48;
/** Longest prompt that suggestions are made for, in characters: each is planned again with other words. */
const LONGEST_PROMPT = 400;
/** Longest sentence of which words are left out, in words, and how many of them. */
const LONGEST_SENTENCE = 20;
const MOST_LEFT_OUT = 3;

type SuggestionTools = {
  planEnglish(query: string): Plan;
  /** Known words that an unknown one may be a misspelling of. */
  nearestWords(word: string): readonly string[];
  /** True for words that change what a sentence says when they are left out: "not". */
  isEssential(word: string): boolean;
};

/**
 * Prompts like one that is refused for its wording, all of whose parts can be searched: with a known word in place of
 * one that is not known, or without the words that prevent a sentence from being understood.
 */
export function suggestPrompts({ query, searches }: Plan, tools: SuggestionTools): string[] {
  if (query.length > LONGEST_PROMPT) return [];
  const found = new Map<string, string>();
  let tried = 0;
  for (const candidate of candidatesOf(query, searches.filter(isBlocked), tools)) {
    if (++tried > MOST_TRIED || found.size === MOST_SUGGESTIONS) break;
    const plan = tools.planEnglish(candidate);
    const isOpen = plan.searches.some(({ steps }) => steps.some(({ what }) => what.kind === 'notable'));
    if (isOpen || plan.corrected.length > 0 || plan.searches.some(isBlocked)) continue;
    const meaning = JSON.stringify([plan.question, plan.window, plan.searches.map(meaningOf)]);
    if (!found.has(meaning)) found.set(meaning, candidate);
  }
  return [...found.values()];
}

const meaningOf = ({ steps, pick }: PlannedSearch) => [
  pick,
  steps.map(({ what, negated, duration }) => [what, negated, duration]),
];

function* candidatesOf(query: string, refused: readonly PlannedSearch[], tools: SuggestionTools): Generator<string> {
  const remarks = refused.flatMap(({ steps }) =>
    steps.flatMap(({ unchecked }) => unchecked.filter(({ blocks }) => blocks)),
  );
  if (remarks.every(({ reason }) => isMisread(reason)))
    yield* withKnownWords(
      query,
      remarks.map(({ text }) => text),
      tools,
    );
  for (const search of refused) if (isWordingOnly(search)) yield* withoutWords(query, search.text, tools);
}

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

/** The prompt without some words of a sentence, the fewest first. */
function* withoutWords(query: string, sentence: string, { isEssential }: SuggestionTools): Generator<string> {
  const start = query.indexOf(sentence);
  const words = wordsOf(sentence);
  if (start < 0 || words.length > LONGEST_SENTENCE) return;
  for (let length = 1; length <= Math.min(MOST_LEFT_OUT, Math.floor(words.length / 2)); length++)
    for (let at = words.length - length; at >= 0; at--) {
      const left = words.slice(at, at + length);
      if (left.some(({ text }) => isEssential(text.toLowerCase()))) continue;
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
