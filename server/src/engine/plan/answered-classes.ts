import { isBlocked } from './blocked-search.ts';
import type { MeaningClass } from './meaning/classes.ts';
import type { GrammarPlan } from './read-grammar.ts';
import type { Plan, PlannedSearch } from './schema.ts';

/**
 * The classes of meaning that the grammar answers. Prompts of other classes, and those that it does not derive as a
 * whole, are read by the rules in `sentence/`, `clause/` and `build/`.
 */
const ANSWERED: ReadonlySet<MeaningClass> = new Set([
  'frame',
  'camera',
  'object',
  'action',
  'relation',
  'place',
  'question',
  'list',
  'sequence',
  'empty',
  'pronoun',
  'returns',
  'open',
  'fact',
  'text',
  'speech',
  'light',
  'calculation',
  'excluded',
]);

/** Classes that no plan of this version states, and that the rules read as something else: the grammar refuses them. */
const REFUSED: readonly MeaningClass[] = ['returns', 'excluded'];

/** True if the grammar answers a prompt: it names nothing that blocks it, and all of its classes are switched on. */
export const isAnswered = ({ plan, classes }: GrammarPlan): boolean =>
  !plan.searches.some(isBlocked) && [...classes].every((each) => ANSWERED.has(each));

/**
 * True if the plan of the rules drops a word that blocks the plan of the grammar: "a cat gets a shot" is not about
 * every cat, and "a man and a woman ride in a cart" not about every man. The grammar then refuses the prompt.
 */
export function dropsWords({ plan, classes }: GrammarPlan, ruled: Plan): boolean {
  const open = ruled.searches.filter((search) => !isBlocked(search));
  if (open.length === 0 || !plan.searches.every(isBlocked)) return false;
  if (REFUSED.some((each) => classes.has(each))) return true;
  // A word that observers know may have been read as what it usually means, unless the rules block it elsewhere.
  if (classes.has('misfit') && open.length === ruled.searches.length) return false;
  const accounted = open.flatMap(wordsOf).join(' ').toLowerCase();
  return plan.searches
    .flatMap(({ steps }) => steps.flatMap(({ unchecked }) => unchecked))
    .some(
      ({ text, blocks }) =>
        blocks &&
        text
          .toLowerCase()
          .split(' ')
          .every((word) => !accounted.includes(word)),
    );
}

/** Words that a plan accounts for: those of its objects, and its remarks. */
const wordsOf = ({ steps }: PlannedSearch): string[] =>
  steps.flatMap(({ what, unchecked }) => [
    ...unchecked.map(({ text }) => text),
    ...(what.kind === 'object' ? [what.subject.text, what.relation?.other.text ?? ''] : []),
  ]);
