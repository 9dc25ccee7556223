/** Selects objects of a bucket. Patterns match the whole key. */
export type ObjectSelection = { prefix: string; include: readonly string[]; exclude: readonly string[] };

export function matchesSelection({ prefix, include, exclude }: ObjectSelection, key: string): boolean {
  if (!key.startsWith(prefix)) return false;
  if (include.length > 0 && !include.some((pattern) => matchesPattern(pattern, key))) return false;
  return !exclude.some((pattern) => matchesPattern(pattern, key));
}

const ANY_IN_FOLDER = -1;
const ANY = -2;
const ONE = -3;

/**
 * True if a key matches a pattern: `*` matches any characters within a folder, `**` any characters, `?` one character.
 * Runs as an NFA: patterns come from users, and the time is bounded by pattern length times key length.
 */
export function matchesPattern(pattern: string, key: string): boolean {
  const tokens = tokenize(pattern);
  let states = withEmptyMatches(new Set([0]), tokens);
  for (const character of key) {
    const code = character.codePointAt(0)!;
    const next = new Set<number>();
    for (const i of states) {
      const token = tokens[i];
      if (token === ANY || (token === ANY_IN_FOLDER && character !== '/')) next.add(i);
      else if (token === code || (token === ONE && character !== '/')) next.add(i + 1);
    }
    if (next.size === 0) return false;
    states = withEmptyMatches(next, tokens);
  }
  return states.has(tokens.length);
}

/** Adds the states after stars, which also match the empty string. */
function withEmptyMatches(states: Set<number>, tokens: readonly number[]): Set<number> {
  // Iterating a Set visits elements that are added meanwhile.
  for (const i of states) if (tokens[i] === ANY_IN_FOLDER || tokens[i] === ANY) states.add(i + 1);
  return states;
}

function tokenize(pattern: string): number[] {
  return [...pattern.matchAll(/\*\*\/?|\*|\?|./gsu)].flatMap(([text]) => {
    if (text === '**/' || text === '**') return [ANY];
    if (text === '*') return [ANY_IN_FOLDER];
    return [text === '?' ? ONE : text.codePointAt(0)!];
  });
}
