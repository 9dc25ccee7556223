import { type ForeignClause, readClause, type Unread } from './clause.ts';
import { createCursor, meaningOf, numberOf } from './cursor.ts';
import { type ForeignLexicon, isMark } from './lexicon.ts';
import { type LinkedClause, renderSentence } from './render.ts';
import { findCompound } from './segmenter.ts';
import type { ForeignItem, Translation } from './types.ts';

/** Longest prompt that is read, in sentences. */
const MAX_SENTENCES = 50;

/** Translates a prompt into controlled English, sentence by sentence. A sentence with an unknown word is not read. */
export function translatePrompt(prompt: string, lexicon: ForeignLexicon): Translation[] {
  const items = lexicon.read(lexicon.tokenize(prompt));
  return splitSentences(items)
    .slice(0, MAX_SENTENCES)
    .map(({ items: sentence, mark }) => {
      const from = prompt.slice(sentence[0]!.start, Math.max(...sentence.map(({ end }) => end)));
      const compound = lexicon.language.spaceless ? findCompound(from, sentence) : null;
      const read = compound ?? readSentence(countBeforeNoun(sentence), /^[?？]$/.test(mark));
      return typeof read === 'string' ? { from, to: read } : { from, ...read };
    });
}

/** "One enters-的 person" is "enters-的 one person": a count may stand before the clause that belongs to its noun. */
function countBeforeNoun(items: readonly ForeignItem[]): ForeignItem[] {
  const linker = items.findIndex((item) => meaningOf(item, 'linker'));
  const count = items.findIndex((item, at) => meaningOf(item, 'measure') && numberOf(items[at - 1]) !== null) - 1;
  const between = items.slice(count + 2, linker);
  const isClause =
    between.some((item) => meaningOf(item, 'action')) && !between.some((item) => meaningOf(item, 'noun'));
  if (linker < 0 || count < 0 || linker < count || !isClause) return [...items];
  return [...items.slice(0, count), ...between, ...items.slice(count, count + 2), ...items.slice(linker + 1)];
}

type Sentence = { items: ForeignItem[]; mark: string };

/** Full stops, commas and lines separate sentences, except commas before "then" and before relative clauses. */
function splitSentences(items: readonly ForeignItem[]): Sentence[] {
  const sentences: Sentence[] = [];
  let current: ForeignItem[] = [];
  const close = (mark: string) => {
    if (current.length > 0) sentences.push({ items: current, mark });
    current = [];
  };
  for (const [at, item] of items.entries()) {
    if (!isMark(item.text)) {
      current.push(item);
      continue;
    }
    if (/^[¿¡"'«»“”„:]$/u.test(item.text)) continue;
    const next = items[at + 1];
    const continues = meaningOf(next, 'join') !== null || isRelative(items, at);
    if (/^[,，、]$/.test(item.text) && current.length > 0 && continues) continue;
    close(item.text);
  }
  close('');
  return sentences;
}

/** ", der anhält": a relative pronoun with no noun behind it; at the other end of its clause the comma is no mark. */
function isRelative(items: readonly ForeignItem[], comma: number): boolean {
  const next = items[comma + 1];
  return meaningOf(next, 'relative') !== null && meaningOf(items[comma + 2], 'noun') === null;
}

function readSentence(items: readonly ForeignItem[], isQuestion: boolean): string | Unread {
  const clauses: LinkedClause[] = [];
  for (const { join, items: part } of splitClauses(items)) {
    if (part.length === 0) return { words: items.map(({ text }) => text).join(' '), reason: 'a clause is incomplete' };
    const clause = readClause(part);
    if ('reason' in clause) return clause;
    const problem = problemOf(clause, clauses);
    if (problem !== null) return { words: part.map(({ text }) => text).join(' '), reason: problem };
    clauses.push({ join, clause });
  }
  return renderSentence(clauses, isQuestion);
}

/** Actions that an English prompt may name without a subject. */
const ALONE = new Set(['turn', 'brake']);

function problemOf({ subject, action, ask, where }: ForeignClause, before: readonly LinkedClause[]): string | null {
  if (ask === 'how many' && (subject === null || subject.count !== null || subject.article !== null))
    return 'it is not clear what is counted';
  if (subject !== null) return null;
  if (ask === 'how long' && action === null) return 'it is not clear what lasts';
  if (before.length > 0 && action !== null) return null;
  if (action !== null && ALONE.has(action) && (action !== 'turn' || where !== null)) return null;
  return 'it has no subject that is known';
}

const startsWithVerb = (items: readonly ForeignItem[]) => items.length === 1 && meaningOf(items[0], 'action') !== null;

function splitClauses(items: readonly ForeignItem[]): { join: string | null; items: ForeignItem[] }[] {
  const clauses: { join: string | null; items: ForeignItem[] }[] = [{ join: null, items: [] }];
  const cursor = createCursor(items);
  while (cursor.next() !== undefined) {
    const item = cursor.next()!;
    const join = cursor.take('join');
    const current = clauses.at(-1)!;
    if (join === null) {
      current.items.push(item);
      cursor.at++;
    } else if (current.items.length === 0) {
      // "And then": the later word decides.
      if (current.join === 'and then' && join.english === 'and') continue;
      current.join = clauses.length === 1 ? null : join.english;
    } else if (join.english === 'and then' && current.join === 'and' && startsWithVerb(current.items)) {
      // "Und hält dann an": "then" stands behind the verb.
      current.join = join.english;
    } else clauses.push({ join: join.english, items: [] });
  }
  return clauses;
}
