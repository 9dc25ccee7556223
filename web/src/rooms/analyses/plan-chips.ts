import type { Plan } from '@sightline/sdk';

type Step = Plan['searches'][number]['steps'][number];
type Subject = {
  text: string;
  colors: readonly string[];
  count: { min: number; max: number | null };
  ridden?: boolean;
};

const words = (name: string): string => name.replaceAll('_', ' ');

function subjectChips({ colors, count }: Subject): string[] {
  const { min, max } = count;
  const amount = max === null ? (min > 1 ? `≥ ${min}` : null) : min === max ? `${min}` : `${min}–${max}`;
  return [...(amount ? [amount] : []), ...colors];
}

function whatChips(what: Step['what']): string[] {
  switch (what.kind) {
    case 'object': {
      const { subject, action, direction, from, to, relation } = what;
      return [
        ...subjectChips(subject),
        ...(subject.state ? [subject.state] : []),
        ...(action === 'present' ? [] : [words(action)]),
        ...(direction ? [direction] : []),
        ...(from ? [`from ${from}`] : []),
        ...(to ? [`to ${to}`] : []),
        ...(subject.place ? [subject.place.name] : []),
        ...(relation ? [`${relation.negated ? 'not ' : ''}${words(relation.kind)} ${relation.other.text}`] : []),
      ];
    }
    case 'signal':
      return [words(what.signal)];
    case 'camera':
      return [
        `camera ${words(what.move)}`,
        ...(what.direction ? [what.direction] : []),
        ...(what.hard ? ['hard'] : []),
      ];
    case 'sound':
      return [what.sound];
    case 'quantity':
      return [words(what.quantity)];
    case 'fact':
      return [words(what.fact)];
    case 'motion':
      return ['motion', ...(what.place ? [what.place.name] : [])];
    default:
      return [];
  }
}

/**
 * The conditions of a part of the prompt, in the words of the plan. Parts and steps belong together by their text;
 * empty for a part that is not in the plan.
 */
export function planChips(plan: Plan, text: string): string[] {
  const step = plan.searches.flatMap(({ steps }) => steps).find((each) => each.text === text);
  if (!step) return [];
  const { duration } = step;
  return [
    ...(step.negated ? ['not'] : []),
    ...whatChips(step.what),
    ...(duration?.min != null ? [`≥ ${duration.min} s`] : []),
    ...(duration?.max != null ? [`≤ ${duration.max} s`] : []),
  ];
}
