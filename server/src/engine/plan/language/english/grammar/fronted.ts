import type { Event, Modifier, Nominal, Statement } from '../../../meaning/types.ts';
import type { AddRule } from '../../../parse/rules.ts';
import type { Categories } from '../categories.ts';
import { event, modified, predicate, withModifier } from './build.ts';
import { isFrameOnly, meanwhile } from './sequences.ts';

/** Places and durations before the clause that they belong to, and what else is the case: "with the light green". */
export function frontedRules(rule: AddRule<Categories>): void {
  rule('Fronted', ['For', 'Measure'], 'for at least 5 s a car stands', (_, amount) =>
    amount.dimension === 'time' ? { type: 'lasting', amount } : null,
  );
  rule('Fronted', ['Complement'], 'on the left side, a person stands', (modifier) =>
    isSomewhere(modifier) ? modifier : null,
  );
  rule(
    'Clause',
    ['Fronted', 'Comma', 'Clause'],
    ['on the left, a person falls', 'for at least 5 s, a car stands', 'at the door, a person'],
    (modifier, _, statement) => at(statement, modifier),
    0.3,
  );
  rule(
    'Clause',
    ['Fronted', 'Clause'],
    ['on the left a person falls', 'for at least 5 s a car stands'],
    (modifier, statement) => at(statement, modifier),
    0.6,
  );

  rule(
    'Statement',
    ['With', 'Clause', 'Comma', 'Statement'],
    ['with the traffic light green, a car stops', 'with a person standing there, a car stops'],
    (_, a, _comma, b) => (isCircumstance(a) ? meanwhile(b, a) : null),
    0.4,
  );
  rule(
    'Statement',
    ['Statement', 'With', 'Clause'],
    'a person falls with nobody approaching',
    (a, _, b) => (isCircumstance(b) && !isFrameOnly(b) ? meanwhile(a, b) : null),
    0.8,
  );
}

/** Where something is, rather than what belongs to it. */
const isSomewhere = (modifier: Modifier): boolean =>
  (modifier.type === 'side' && modifier.role === 'at') ||
  (modifier.type === 'role' && modifier.role === 'at' && !modifier.negation && isApart(modifier.other)) ||
  (modifier.type === 'relation' &&
    modifier.word.sense.relation !== 'with' &&
    !modifier.negation &&
    isApart(modifier.other));

const isApart = (other: Nominal): boolean => other.kind === 'entity' && other.head.type !== 'camera';

function at(statement: Statement, modifier: Modifier): Event | null {
  if (statement.kind !== 'event') return null;
  const { subject } = statement;
  const isOfFrame = subject === null || (subject.kind === 'entity' && subject.head.type === 'camera');
  if (isOfFrame && modifier.type !== 'lasting' && modifier.type !== 'side') return null;
  if (statement.predicate?.modifiers.some(({ type }) => type === modifier.type)) return null;
  if (statement.predicate === null && modifier.type !== 'lasting' && subject?.kind === 'entity')
    return event(withModifier(subject, modifier), null, statement.negation);
  return { ...statement, predicate: modified(statement.predicate ?? predicate({ type: 'exists' }), modifier) };
}

/** Something that is or is done, and not only an object: "with nobody approaching". */
const isCircumstance = (statement: Statement): boolean =>
  isFrameOnly(statement) ||
  (statement.kind === 'event' &&
    statement.subject?.kind === 'entity' &&
    statement.subject.head.type !== 'unseen' &&
    (statement.predicate !== null || statement.subject.doing !== null || statement.subject.head.type === 'light'));
