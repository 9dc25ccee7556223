import type { Query } from '../meaning/types.ts';
import type { Plan, PlannedSearch, QuestionKind, Step } from '../schema.ts';

/** Kinds of questions whose answer a version 1 plan states. */
const REQUESTED: ReadonlySet<QuestionKind> = new Set([
  'count',
  'how_often',
  'when',
  'where',
  'which_way',
  'which_color',
  'which_text',
  'how_long',
  'time_between',
]);

/** The question of a prompt; undefined for one that no plan asks. */
export function groundQuestion({ question, isYesNo, statement }: Query): Plan['question'] | undefined {
  if (question) return REQUESTED.has(question.sense.question) ? question.sense.question : undefined;
  return isYesNo && statement.kind !== 'anything' ? 'yes_no' : null;
}

/**
 * Changes the steps to those that the question needs: "how long is the car gone" is about the time after it left. Null
 * if they have no answer to the question.
 */
export function adaptSteps(question: Plan['question'], steps: readonly Step[]): Step[] | null {
  if (question !== 'how_long') return [...steps];
  if (steps.some(({ what }) => what.kind === 'signal' && CHANGES.has(what.signal))) return null;
  return steps.map((step, i) => {
    const { what, every } = step;
    const isReference = steps[i + 1]?.every === 'this' || every === 'before';
    if (isReference) return step;
    if (what.kind !== 'object' || (what.action !== 'appears' && what.action !== 'disappears')) return step;
    const negated = step.negated !== (what.action === 'disappears');
    return { ...step, negated, what: { ...what, action: 'present', idle: false, from: null, to: null } };
  });
}
/** Changes of the light, which have no length; the light itself has. */
const CHANGES: ReadonlySet<string> = new Set(['gets_dark', 'gets_bright']);

/** A count per period has no limits of its own: "more than 5 cars per minute". */
export const isCountable = (searches: readonly PlannedSearch[]): boolean =>
  searches.every(({ steps }) =>
    steps.every(
      ({ what }) => what.kind !== 'object' || (what.subject.count.min === 1 && what.subject.count.max === null),
    ),
  );
