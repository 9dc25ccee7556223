import { blockedSearch } from './blocked-search.ts';
import type { ReadLanguage } from './language/english/index.ts';
import type { TokenSpan } from './parse/rules.ts';
import { UNKNOWN_WORD, WORDING } from './reasons.ts';
import type { PlannedSearch, Unchecked } from './schema.ts';
import { singleSearch } from './single-search.ts';
import type { Words } from './words/read-words.ts';

/** Longest excerpts of a prompt in a search and in a remark. */
const MAX_TEXT = 2000;
export const EXCERPT = 200;

/** A search for a sentence that no rules derive: it names the words that nobody can look for, or else all of it. */
export function refuseSentence(words: Words, span: TokenSpan, language: ReadLanguage): PlannedSearch {
  const text = textOf(words, span);
  const remarks = findUnknownWords(words, span, language);
  if (remarks.length === 0) return blockedSearch(text.slice(0, MAX_TEXT), text.slice(0, EXCERPT), WORDING);
  return singleSearch(text.slice(0, MAX_TEXT), { kind: 'unknown' }, remarks);
}

/** A search for the end of a prompt, which is not read. */
export function refuseRest(rest: string): PlannedSearch {
  const text = rest.trim().slice(0, 100);
  return blockedSearch(
    text,
    text,
    `the prompt is too long: it was read up to here, ${rest.trim().length} characters were not`,
  );
}

export const textOf = ({ tokens, query }: Words, { from, to }: TokenSpan): string =>
  query.slice(tokens[from]!.start, tokens[to - 1]!.end);

/** Phrases for what nobody can look for, with their reasons, and words of no dictionary. */
function findUnknownWords(
  { tokens, words, query, list }: Words,
  { from, to }: TokenSpan,
  language: ReadLanguage,
): Unchecked[] {
  const found: Unchecked[] = [];
  const own = words.slice(from, to);
  for (let at = 0; at < own.length; ) {
    let longest = 0;
    let reason: string | null = null;
    language.vocabulary.matchAll(own, at, (length, { features }) => {
      if (length < longest) return;
      // A word that also has a known meaning is not refused as unknown.
      reason = 'reason' in features && (length > longest || reason !== null) ? String(features.reason) : null;
      longest = length;
    });
    const token = tokens[from + at]!;
    if (longest === 0 && token.kind === 'word' && !list.isWord(own[at]!)) reason = UNKNOWN_WORD;
    const end = tokens[from + at + Math.max(1, longest) - 1]!.end;
    if (reason !== null) found.push({ text: query.slice(token.start, end).slice(0, EXCERPT), reason, blocks: true });
    at += Math.max(1, longest);
  }
  return found.slice(0, 200);
}
