import type { TokenSpan } from './rules.ts';

/** A word with its position. `id` distinguishes its meanings. */
type Identified = { readonly span: TokenSpan; readonly id: number };

const isWord = (value: object): value is Identified => 'id' in value && 'span' in value;

/**
 * Returns a function that gives equal meanings equal keys. Meanings share their parts, so the key of each part is
 * computed once.
 */
export function createKeys(): (meaning: unknown) => string {
  const known = new WeakMap<object, string>();
  return keyOf;

  function keyOf(value: unknown): string {
    if (typeof value !== 'object' || value === null) return String(value);
    let key = known.get(value);
    if (key === undefined) {
      key = isWord(value)
        ? `${value.span.from}.${value.span.to}.${value.id}`
        : `(${Object.values(value).map(keyOf).join()})`;
      known.set(value, key);
    }
    return key;
  }
}
