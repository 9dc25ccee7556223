import type { Engine } from '#engine/index';

type Plan = ReturnType<Engine['plan']>;

/** Something that is looked for: any of these words stands for it. */
export type Term = readonly string[];

/** At most so many words of a query are looked for. */
const MOST_WORDS = 50;

/** The words of a query, each a term of its own. */
export function wordsOf(query: string): Term[] {
  const words = query.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return [...new Set(words)].slice(0, MOST_WORDS).map((word) => [word]);
}

/** What the engine understands of a query, in the words that its labels are written in: an automobile is a car there. */
export function termsOf(plan: Plan): Term[] {
  const terms = plan.searches.flatMap(({ steps }) =>
    steps.flatMap(({ what }): (readonly string[])[] => {
      if (what.kind === 'object') {
        const { subject, relation, action, direction, from, to } = what;
        const other = relation ? [relation.other.classes, relation.other.colors] : [];
        const deed = action === 'present' ? [] : [action];
        return [subject.classes, subject.colors, deed, ...other, sided(direction), sided(from), sided(to)];
      }
      if (what.kind === 'camera') return [['camera'], [what.move], sided(what.direction)];
      if (what.kind === 'signal') return [[what.signal]];
      if (what.kind === 'sound') return [[what.sound]];
      return [];
    }),
  );
  return terms.filter((term) => term.length > 0);
}

const sided = (side: string | null) => (side === null ? [] : [side]);

/** Share of the terms that have a word among these, 0 to 1; 0 when nothing is looked for. */
export function shareOf(terms: readonly Term[], words: ReadonlySet<string>): number {
  if (terms.length === 0) return 0;
  return terms.filter((term) => term.some((word) => words.has(word))).length / terms.length;
}
