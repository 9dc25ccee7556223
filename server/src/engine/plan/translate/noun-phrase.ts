import { inflectEnglish } from '../english/inflect.ts';
import { type Cursor, meaningOf, numberOf } from './cursor.ts';
import type { Meaning } from './types.ts';

/** "At least two red cars". */
export type NounPhrase = {
  noun: string;
  isGarment: boolean;
  plural: boolean;
  article: 'the' | 'a' | 'no' | 'all' | null;
  /** "Second". */
  ordinal: string | null;
  /** "2", "at least 2", "several". */
  count: string | null;
  attributes: string[];
};

/** Words that stand for a noun with its article. */
const WHOLE = new Set(['someone', 'nobody', 'something', 'nothing', 'the camera']);

/**
 * Reads a noun phrase at the cursor: articles, a count and attributes in any order, the noun, and the attributes behind
 * it. Null, with the cursor unmoved, if there is none.
 */
export function readNounPhrase(cursor: Cursor): NounPhrase | null {
  const start = cursor.at;
  const attributes: string[] = [];
  let article: NounPhrase['article'] = null;
  let ordinal: string | null = null;
  let count: string | null = null;
  let number: number | null = null;
  const giveUp = () => {
    cursor.at = start;
    return null;
  };
  for (;;) {
    // "Ein orange Auto": a color before a noun, though "eine Orange" is a fruit.
    const isColor = meaningOf(cursor.next(), 'color') !== null && meaningOf(cursor.next(1), 'noun') !== null;
    const noun = isColor ? null : (cursor.take('noun') ?? cursor.take('garment'));
    if (noun !== null) {
      attributes.push(...readAttributesBehind(cursor));
      const isPlural = noun.plural ?? (number === null ? count !== null : number !== 1);
      const isGarment = noun.role === 'garment';
      return {
        noun: noun.english,
        isGarment,
        plural: isPlural,
        article,
        ordinal,
        count: number === 1 ? null : count,
        attributes,
      };
    }
    const attribute = cursor.take('color') ?? cursor.take('state');
    if (attribute !== null) {
      attributes.push(attribute.english);
      continue;
    }
    const found = article === null ? cursor.take('article') : null;
    if (found !== null) {
      article = found.english as NounPhrase['article'];
      continue;
    }
    if (count === null && article !== 'no') {
      const next: Meaning | null = ordinal === null ? cursor.take('ordinal') : null;
      if (next !== null) {
        ordinal = next.english;
        continue;
      }
      const compare = cursor.take('compare');
      // "Mehr als ein Auto": behind a comparison, the article is a number.
      const isOne = compare !== null && meaningOf(cursor.next(), 'article')?.english === 'a';
      const value = isOne ? 1 : numberOf(cursor.next());
      if (value !== null) {
        cursor.at++;
        number = compare === null ? value : null;
        count = compare === null ? String(value) : `${compare.english} ${value}`;
        cursor.take('measure');
        continue;
      }
      if (compare !== null) return giveUp();
      const amount = cursor.take('amount');
      if (amount !== null) {
        count = amount.english;
        cursor.take('measure');
        continue;
      }
    }
    // "Red 的 car"; the count of "which car" is its measure word alone.
    if (attributes.length > 0 && cursor.take('linker') !== null) continue;
    if (article !== null && cursor.take('measure') !== null) continue;
    return giveUp();
  }
}

/** "Coche rojo", "das Auto ist rot". */
function readAttributesBehind(cursor: Cursor): string[] {
  const attributes: string[] = [];
  for (;;) {
    const start = cursor.at;
    if (meaningOf(cursor.next(), 'relative')) cursor.at++;
    while (meaningOf(cursor.next(), 'filler')) cursor.at++;
    const attribute = cursor.take('color') ?? cursor.take('state');
    // A linker behind an attribute leads to another noun.
    if (attribute === null || meaningOf(cursor.next(), 'noun') || meaningOf(cursor.next(), 'linker')) {
      cursor.at = start;
      return attributes;
    }
    attributes.push(attribute.english);
  }
}

export function renderNounPhrase({ noun, plural, article, ordinal, count, attributes }: NounPhrase): string {
  if (WHOLE.has(noun)) return noun;
  const words = [...attributes, plural ? pluralOf(noun) : noun].join(' ');
  if (ordinal !== null)
    return [article === 'a' ? 'a' : 'the', ordinal, count, words].filter((part) => part !== null).join(' ');
  if (count !== null) return `${count} ${words}`;
  if (article === 'no' || article === 'the' || (article === 'all' && plural)) return `${article} ${words}`;
  if (plural) return words;
  return `${/^[aeiou]/.test(words) ? 'an' : 'a'} ${words}`;
}

export function pluralOf(noun: string): string {
  const words = noun.split(' ');
  return [...words.slice(0, -1), inflectEnglish(words.at(-1)!, 'noun')[1]!].join(' ');
}
