import type { Engine } from '#engine/index';

type Plan = ReturnType<Engine['plan']>;

/** A term of a search; each of its words matches it. */
export type Term = readonly string[];

/** Maximum number of words of a query. */
const MAX_WORDS = 50;

/** The words of a query, each a term of its own. */
export function toWords(query: string): Term[] {
  const words = query.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return [...new Set(words)].slice(0, MAX_WORDS).map((word) => [word]);
}

/** The engine's reading of a query, in the words of its labels: "automobile" is read as "car". */
export function toTerms(plan: Plan): Term[] {
  const terms = plan.searches.flatMap(({ steps }) =>
    steps.flatMap(({ what }): (readonly string[])[] => {
      if (what.kind === 'object') {
        const { subject, relation, action, direction, from, to } = what;
        const other = relation ? [relation.other.classes, relation.other.colors] : [];
        const actions = action === 'present' ? [] : [action];
        return [subject.classes, subject.colors, actions, ...other, sided(direction), sided(from), sided(to)];
      }
      if (what.kind === 'camera') return [['camera'], [what.move], sided(what.direction)];
      if (what.kind === 'signal') return [[what.signal]];
      if (what.kind === 'sound') return [[what.sound]];
      if (what.kind === 'speech') return (what.words ?? '').split(' ').flatMap((word) => (word === '' ? [] : [[word]]));
      return [];
    }),
  );
  return terms.filter((term) => term.length > 0);
}

const sided = (side: string | null) => (side === null ? [] : [side]);

/** Share of the terms with a match in `words`, 0 to 1; 0 without terms. */
export function matchedShare(terms: readonly Term[], words: ReadonlySet<string>): number {
  if (terms.length === 0) return 0;
  return terms.filter((term) => term.some((word) => words.has(word))).length / terms.length;
}
