import type { Event, MeasuredAmount, Statement } from '../../../meaning/types.ts';
import type { AddRule } from '../../../parse/rules.ts';
import type { Categories } from '../categories.ts';
import { joined } from './build.ts';
import { follows, isMissing, meanwhile, timed, withDeadline } from './sequences.ts';

/** Clauses within a time after another one, in any order: "a bang, and in the next 5 seconds a person leaves". */
export function deadlineRules(rule: AddRule<Categories>): void {
  rule('Deadline', ['Within', 'Measure'], 'a car stops and within 5 s a person appears', (_, amount) => timed(amount));
  rule(
    'Deadline',
    ['Deadline', 'AfterThat'],
    'a car stops and within 5 s of that a person appears',
    (amount) => amount,
  );
  rule(
    'Deadline',
    ['Within', 'Determiner', 'Measure', 'AfterThat'],
    'a car stops and a person appears within the 5 seconds after it',
    (_, determiner, amount) => (determiner.type === 'definite' ? timed(amount) : null),
  );

  rule('Onward', ['Then'], 'a car stops then within 5 s a person appears', (word) => word);
  rule('Onward', ['And'], 'a car stops and within 5 s a person appears', (word) => word);
  rule('Onward', ['Comma'], 'a car stops, within 5 s a person appears', (word) => word);
  rule('Onward', ['Comma', 'And'], 'a car stops, and within 5 s a person appears', (a, b) => joined(a, [b]));
  rule('Onward', ['Comma', 'Then'], 'a car stops, then within 5 s a person appears', (a, b) => joined(a, [b]));
  rule('Onward', ['Onward', 'Comma'], 'a car stops and then, within 5 s, a person appears', (a, b) => joined(a, [b]));

  rule(
    'Statement',
    ['Statement', 'Onward', 'Deadline', 'Clause'],
    ['a car stops and within 5 s a person appears', 'a person falls, and within 20 s nobody approaches'],
    (a, _, within, b) => inTime(a, b, within),
    0.2,
  );
  rule(
    'Statement',
    ['Statement', 'Onward', 'Deadline', 'Comma', 'Clause'],
    'a car stops and then, in the next 5 s, a person appears',
    (a, _, within, _comma, b) => inTime(a, b, within),
    0.2,
  );
  rule(
    'Statement',
    ['Statement', 'Onward', 'Clause', 'Deadline'],
    ['a car stops and a person appears within 5 s', 'a person falls, no one approaches within 20 s'],
    (a, _, b, within) => inTime(a, b, within),
    0.2,
  );
  rule(
    'Statement',
    ['Statement', 'Onward', 'Clause', 'Comma', 'Deadline'],
    'a car stops and a person appears, within 5 s',
    (a, _, b, _comma, within) => inTime(a, b, within),
    0.2,
  );
  rule(
    'Statement',
    ['Statement', 'With', 'Clause', 'Deadline'],
    'a person falls with nobody approaching within 20 s',
    (a, _, b, within) => (isNothing(b) ? inTime(a, b, within) : null),
    0.2,
  );
  rule(
    'Statement',
    ['Statement', 'Onward', 'Clause', 'For', 'Measure', 'AfterThat'],
    'a person falls and nobody approaches for 20 s after that',
    (a, _, b, _for, amount) => (isNothing(b) ? inTime(a, b, timed(amount)) : null),
    0.2,
  );
  rule(
    'Statement',
    ['Statement', 'FollowedIn', 'Deadline', 'By', 'Clause'],
    'a bang followed within 5 s by a person leaving',
    (a, _, within, _by, b) => inTime(a, b, within),
    0.2,
  );
  rule(
    'Statement',
    ['Within', 'Measure', 'Of', 'Clause', 'Comma', 'Statement'],
    'within 5 s of a bang, a person leaves',
    (_, within, _of, a, _comma, b) => inTime(a, b, timed(within)),
    0.2,
  );
  rule(
    'Statement',
    ['Within', 'Measure', 'After', 'Clause', 'Comma', 'Statement'],
    'within 5 s after a car stops, a person appears',
    (_, within, _after, a, _comma, b) => inTime(a, b, timed(within)),
    0.2,
  );
  rule(
    'Statement',
    ['After', 'Clause', 'Comma', 'Clause', 'Deadline'],
    'after a car stops, a person appears within 5 s',
    (_, a, _comma, b, within) => inTime(a, b, within),
    0.2,
  );
  rule(
    'Statement',
    ['After', 'Clause', 'Clause', 'Deadline'],
    'once a car stops a person appears within 5 s',
    (_, a, b, within) => inTime(a, b, within),
    0.5,
  );
}

const isNothing = (statement: Statement): statement is Event => statement.kind === 'event' && isMissing(statement);

/** Something follows in time, or nothing of it is there. */
function inTime(a: Statement, b: Statement, within: MeasuredAmount | null): Statement | null {
  if (within === null) return null;
  if (isNothing(b)) return meanwhile(a, withDeadline(b, within));
  return follows(a, b, { within });
}
