import type { RelationPart } from '../clause/index.ts';
import { REASONS } from '../reasons.ts';
import type { Step, Target } from '../schema.ts';

/** A step on its way into a plan, with further relations and a condition of the same object. */
export type StepDraft = { step: Step; more: readonly RelationPart[]; condition: Target | null };

/**
 * "A person near a car without a dog": one step for each relation, with the same person at the same time; "at night"
 * is another step.
 */
export function expandStep({ step, more, condition }: StepDraft): Step[] {
  const { what } = step;
  const { apart: _apart, ...plain } = step;
  const meanwhile = { negated: false, duration: null, join: 'while', within: null } as const;
  const conditions: Step[] = condition ? [{ ...plain, ...meanwhile, unchecked: [], what: condition, same: false }] : [];
  if (what.kind !== 'object') return [step, ...conditions];
  const there = { ...what, action: 'present', idle: false, direction: null, from: null, to: null } as const;
  // People are considered by the action itself; another object beside it is a condition of its own.
  const isMoved = what.action === 'left_behind' || what.action === 'taken_away';
  const first: Step = isMoved ? { ...step, what: { ...what, relation: null } } : step;
  const relations = [
    ...(isMoved && what.relation ? [what.relation] : []),
    ...more.map(({ relation: kind, other, negated }) => ({ kind, other, negated })),
  ];
  const others = relations.map(
    (relation): Step => ({ ...plain, ...meanwhile, unchecked: [], what: { ...there, relation }, same: true }),
  );
  return [first, ...others, ...conditions];
}

/** "A, then B within 5 s": time limits belong to the step that follows, wherever they are written. */
export function carryWithin(steps: readonly Step[]): Step[] {
  return steps.map((step, i) => {
    const { apart: own, ...rest } = step;
    if (step.join === 'then') {
      const apart = own ?? steps[i - 1]?.apart;
      const within = step.within ?? steps[i - 1]?.within ?? null;
      return { ...rest, within, ...(apart === undefined ? {} : { apart }) };
    }
    if ((step.within === null && own === undefined) || steps[i + 1]?.join === 'then') return { ...rest, within: null };
    const reason = REASONS.oneEvent;
    const text = `${step.within ?? own} s`;
    return { ...rest, within: null, unchecked: [...step.unchecked, { text, reason, blocks: false }] };
  });
}
