import { inflectEnglish } from '../english/inflect.ts';
import type { ForeignItem, ForeignLanguage, Meaning, WordRole } from './types.ts';

/** A token of a prompt: in lower case. */
export type ForeignToken = { text: string; start: number; end: number };

type Phrase = { words: readonly string[]; tail: string | null; meaning: Meaning };

/** The words of a language, ready to be matched against tokens. */
export type ForeignLexicon = {
  language: ForeignLanguage;
  tokenize(text: string): ForeignToken[];
  /** True if the word belongs to the language, in any phrase. */
  has(word: string): boolean;
  /** Replaces tokens by the longest phrases of the lexicon. */
  read(tokens: readonly ForeignToken[]): ForeignItem[];
};

/** Longest prompt that is read, in tokens. */
export const MAX_TOKENS = 600;
const ELLIPSIS = ' … ';

/** Builds the matcher of a language. */
export function buildForeignLexicon(language: ForeignLanguage): ForeignLexicon {
  const tokenize = (text: string) => tokenizeForeign(text, language.spaceless === true);
  const byFirstWord = new Map<string, Phrase[]>();
  const known = new Set<string>();
  const add = (form: string, meaning: Meaning) => {
    const [head = '', tail = null] = form.split(ELLIPSIS);
    const words = tokenize(head).map((token) => token.text);
    const phrases = byFirstWord.get(words[0]!) ?? [];
    const isNew = !phrases.some(
      (each) => each.tail === tail && each.words.join(' ') === words.join(' ') && isSame(each.meaning, meaning),
    );
    if (isNew) byFirstWord.set(words[0]!, [...phrases, { words, tail, meaning }]);
    for (const word of tail === null ? words : [...words, tail]) known.add(word);
  };
  const forms = [...formsOf(language)];
  for (const [form, meaning] of forms) add(form, meaning);
  const exact = new Set(forms.map(([form]) => form));
  // Forms without accents, as many people type them, unless they are words of their own.
  for (const [form, meaning] of forms) {
    for (const spelling of [...(language.spellings?.(form) ?? []), withoutAccents(form)])
      if (!exact.has(spelling)) add(spelling, meaning);
  }
  for (const word of tokenize(language.common)) known.add(word.text);
  const joins = new Set(Object.values(language.roles.join ?? {}).flatMap(toList));
  const thens = new Set(toList(language.roles.join?.['and then'] ?? ''));

  return {
    language,
    tokenize,
    has: (word) => known.has(word),
    read: (tokens) =>
      readPhrases(tokens, byFirstWord, {
        endsClause: (text) => joins.has(text) || isMark(text),
        isThen: (text) => thens.has(text),
        space: language.spaceless ? '' : ' ',
      }),
  };
}

export const isMark = (text: string) => /^[\p{P}\p{S}]$/u.test(text);

type Writing = {
  /** True if a token ends its clause. */
  endsClause: (text: string) => boolean;
  /** True for "then", which may stand behind the verb of its clause. */
  isThen: (text: string) => boolean;
  /** Separator of words. */
  space: string;
};

const isSame = (a: Meaning, b: Meaning) => a.role === b.role && a.english === b.english;
const withoutAccents = (form: string) => form.normalize('NFD').replace(/\p{M}/gu, '').normalize('NFC');

function* formsOf({ roles }: ForeignLanguage): Generator<[string, Meaning]> {
  for (const [role, words] of Object.entries(roles) as [WordRole, Record<string, string>][]) {
    for (const [english, forms] of Object.entries(words)) {
      const [single = '', many = ''] = forms.split('|').map(toList);
      const isNoun = role === 'noun' || role === 'garment';
      // A form in both lists serves for both numbers.
      const both = new Set(single).intersection(new Set(many));
      const meaning = (plural: boolean | null): Meaning => ({ role, english, plural: isNoun ? plural : null });
      for (const form of single) yield [form, meaning(both.has(form) ? null : isAlwaysPlural(english))];
      for (const form of many) if (!both.has(form)) yield [form, meaning(true)];
    }
  }
}

const toList = (forms: string) =>
  forms
    .split(',')
    .map((form) => form.trim())
    .filter((form) => form !== '');

/** "Scissors", "people": words whose only form is a plural. */
const isAlwaysPlural = (english: string) => inflectEnglish(english, 'noun')[1] === english && english.endsWith('s');

function readPhrases(
  tokens: readonly ForeignToken[],
  byFirstWord: ReadonlyMap<string, Phrase[]>,
  writing: Writing,
): ForeignItem[] {
  const items: ForeignItem[] = [];
  const used = new Set<number>();
  for (let at = 0; at < tokens.length; at++) {
    if (used.has(at)) continue;
    const { length, tailAt, meanings } = longest(tokens, at, byFirstWord, used, writing);
    if (tailAt !== null) used.add(tailAt);
    const { start } = tokens[at]!;
    const end = tokens[tailAt ?? at + length - 1]!.end;
    const text = tokens
      .slice(at, at + length)
      .map((token) => token.text)
      .join(writing.space);
    items.push({ text, start, end, meanings });
    at += length - 1;
  }
  return items;
}

function longest(
  tokens: readonly ForeignToken[],
  at: number,
  byFirstWord: ReadonlyMap<string, Phrase[]>,
  used: ReadonlySet<number>,
  writing: Writing,
): { length: number; tailAt: number | null; meanings: Meaning[] } {
  let best = { length: 0, tailAt: null as number | null, meanings: [] as Meaning[] };
  const sizeOf = (length: number, tailAt: number | null) => length + (tailAt === null ? 0 : 1);
  for (const { words, tail, meaning } of byFirstWord.get(tokens[at]!.text) ?? []) {
    if (!words.every((word, i) => tokens[at + i]?.text === word && !used.has(at + i))) continue;
    const tailAt = tail === null ? null : findTail(tokens, at + words.length, tail, writing);
    if (tail !== null && tailAt === null) continue;
    const size = sizeOf(words.length, tailAt);
    const bestSize = sizeOf(best.length, best.tailAt);
    if (size > bestSize) best = { length: words.length, tailAt, meanings: [meaning] };
    else if (size === bestSize) best.meanings.push(meaning);
  }
  return best.length === 0 ? { ...best, length: 1 } : best;
}

/**
 * The second part of a verb is the last word of its clause: "hält … an" is not in "hält an der Ampel". "Und hält dann
 * an" is one clause.
 */
function findTail(
  tokens: readonly ForeignToken[],
  from: number,
  tail: string,
  { endsClause, isThen }: Writing,
): number | null {
  const end = tokens.findIndex(({ text }, i) => i >= from && endsClause(text) && !(i === from && isThen(text)));
  const last = (end < 0 ? tokens.length : end) - 1;
  return last >= from && tokens[last]!.text === tail ? last : null;
}

/** Words, numbers and marks. Hyphens and apostrophes separate words: "l'homme", "skate-board". */
function tokenizeForeign(text: string, isSpaceless: boolean): ForeignToken[] {
  const pattern = isSpaceless
    ? /\p{Script=Han}|(?!\p{Script=Han})\p{L}+|\d+(?:\.\d+)?|[^\s\-'’]/gu
    : /[\p{L}\p{M}]+|\d+(?:[.,]\d+)?|[^\s\-'’]/gu;
  const tokens: ForeignToken[] = [];
  for (const match of text.toLowerCase().matchAll(pattern)) {
    if (tokens.length >= MAX_TOKENS) break;
    tokens.push({ text: match[0], start: match.index, end: match.index + match[0].length });
  }
  return tokens;
}
