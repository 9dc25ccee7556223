import type { TokenSpan } from './rules.ts';

/** A word with its position. `id` distinguishes its meanings. */
type Identified = { readonly span: TokenSpan; readonly id: number };

const isWord = (value: object): value is Identified => 'id' in value && 'span' in value;

/**
 * True for equal meanings. Meanings share their parts, which are the same objects, and others differ in their first
 * words: so few of their parts are compared.
 */
export function isSameMeaning(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (isWord(a) || isWord(b))
    return isWord(a) && isWord(b) && a.id === b.id && a.span.from === b.span.from && a.span.to === b.span.to;
  const [own, others] = [Object.values(a), Object.values(b)];
  return own.length === others.length && own.every((part, at) => isSameMeaning(part, others[at]));
}
