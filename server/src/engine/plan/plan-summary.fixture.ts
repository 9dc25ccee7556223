import type { ObjectQuery, Plan, Range, Step } from './schema.ts';

/** A plan in one line, for tables of expectations, without the words of the prompt. */
export function summarizePlan(plan: Plan): string {
  const searches = plan.searches.map(
    (search) => (search.pick ? `${search.pick}: ` : '') + search.steps.map(stepText).join(''),
  );
  const parts = [
    ...(plan.question ? [`${plan.question}${plan.per ? ` per ${plan.per}` : ''}?`] : []),
    searches.join(' | '),
    ...(plan.window ? [`in ${plan.window.from}..${plan.window.to ?? ''}`] : []),
    ...plan.corrected.map((c) => `(${c.from}=${c.to})`),
  ];
  return parts.join(' ');
}

function stepText(step: Step): string {
  const join =
    step.join === null
      ? ''
      : ` ${step.join}${step.same ? ' same' : ''}${step.within === null ? '' : ` within ${step.within}`}${step.apart === undefined ? '' : ` apart ${step.apart}`} `;
  const duration = step.duration ? ` for ${rangeText(step.duration)} s` : '';
  const unchecked = step.unchecked
    .map((u) => ` ${u.blocks ? '!' : '~'}${u.text.toLowerCase().replaceAll(' ', '_')}`)
    .join('');
  return `${join}${step.negated ? 'not ' : ''}${whatText(step)}${duration}${unchecked}`;
}

function whatText({ what }: Step): string {
  switch (what.kind) {
    case 'object': {
      const path = [
        what.direction && `dir=${what.direction}`,
        what.from && `from=${what.from}`,
        what.to && `to=${what.to}`,
        what.line && `over=${what.line.name}`,
        what.region && `region=${what.region.name}`,
      ];
      const relation = what.relation
        ? [`${what.relation.negated ? 'not ' : ''}${what.relation.kind} ${queryText(what.relation.other)}`]
        : [];
      return [
        queryText(what.subject),
        what.idle ? `idle ${what.action}` : what.action,
        ...path.filter(Boolean),
        ...relation,
      ].join(' ');
    }
    case 'signal':
      return what.signal;
    case 'camera':
      return `camera ${what.hard ? 'hard ' : ''}${what.move}${what.direction ? ` ${what.direction}` : ''}`;
    case 'sound':
      return `sound ${what.sound}`;
    case 'motion':
      return `motion${what.place ? `@${what.place.name}` : ''}`;
    case 'quantity':
      return `${what.quantity} ${rangeText(what.range)}`;
    default:
      return what.kind;
  }
}

function queryText(query: ObjectQuery): string {
  const { min, max } = query.count;
  const count =
    min === 1 && max === null ? '' : `${max === null ? `${min}+` : min === max ? `${min}` : `${min}-${max}`} `;
  const state = query.state ? `${query.state} ` : '';
  const colors = query.colors.length > 0 ? `${query.colors.join('/')} ` : '';
  const ridden = query.ridden ? 'ridden ' : '';
  return `${count}${state}${colors}${ridden}${query.classes.join('+') || 'any'}${query.place ? `@${query.place.name}` : ''}`;
}

const rangeText = ({ min, max }: Range) =>
  `${min === null ? '' : Math.round(min * 100) / 100}..${max === null ? '' : Math.round(max * 100) / 100}`;
