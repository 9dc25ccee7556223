/** What of a bucket is meant. Patterns are held against the whole key. */
export type Selection = { prefix: string; include: readonly string[]; exclude: readonly string[] };

export function selects({ prefix, include, exclude }: Selection, key: string): boolean {
  if (!key.startsWith(prefix)) return false;
  if (include.length > 0 && !include.some((pattern) => fits(pattern, key))) return false;
  return !exclude.some((pattern) => fits(pattern, key));
}

const ANY = -1;
const DEEP = -2;
const ONE = -3;

/**
 * Whether a key fits a pattern: `*` stands for any characters within a folder, `**` for any at all, `?` for one. All ways to read the pattern are
 * followed at once, so that no pattern takes longer than its length times that of the key: patterns come from users.
 */
export function fits(pattern: string, key: string): boolean {
  const tokens = tokensOf(pattern);
  let at = skipped(new Set([0]), tokens);
  for (const character of key) {
    const code = character.codePointAt(0)!;
    const next = new Set<number>();
    for (const i of at) {
      const token = tokens[i];
      if (token === DEEP || (token === ANY && character !== '/')) next.add(i);
      else if (token === code || (token === ONE && character !== '/')) next.add(i + 1);
    }
    if (next.size === 0) return false;
    at = skipped(next, tokens);
  }
  return at.has(tokens.length);
}

/** A star may also stand for nothing. */
function skipped(at: Set<number>, tokens: readonly number[]): Set<number> {
  // A set gives what is added to it while it is gone through.
  for (const i of at) if (tokens[i] === ANY || tokens[i] === DEEP) at.add(i + 1);
  return at;
}

function tokensOf(pattern: string): number[] {
  return [...pattern.matchAll(/\*\*\/?|\*|\?|./gsu)].flatMap(([text]) => {
    if (text === '**/' || text === '**') return [DEEP];
    if (text === '*') return [ANY];
    return [text === '?' ? ONE : text.codePointAt(0)!];
  });
}
