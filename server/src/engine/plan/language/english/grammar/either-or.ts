import type { Entity, List, Query, Statement } from '../../../meaning/types.ts';
import type { AddRule } from '../../../parse/rules.ts';
import type { QuestionKind } from '../../../terms.ts';
import type { Categories } from '../categories.ts';
import { isBase, isObject, joined, leafOf } from './build.ts';
import { present, stated } from './clauses.ts';
import { isReferring, refer } from './discourse.ts';

/** Which of two: "is it a cat or a dog", "is the van parked or does it drive off". */
export function eitherOrRules(rule: AddRule<Categories>): void {
  for (const join of [['Or'], ['Comma', 'Or']] as const)
    rule(
      'Question',
      ['Question', ...join, 'Question'],
      join.length === 1
        ? ['is the van parked or does it drive off', 'did a car stop or did a person fall']
        : 'is the van parked, or does it drive off',
      (...parts) => eitherOf(parts[0] as Query, parts.at(-1) as Query),
      0.2,
    );
  rule(
    'Question',
    ['Question', 'Or', 'VerbPhrase'],
    'does the bus stop or leave',
    (made, _, { form, predicate: what }) => {
      const { statement } = made;
      if (!isPlainYesNo(made) || statement.kind !== 'event' || statement.subject?.kind !== 'entity' || !isBase(form))
        return null;
      const other = stated(statement.subject, what);
      return other && { ...made, statement: either(statement, other) };
    },
    0.4,
  );
  // "Which way does the car turn, left or right": the answer states one of them, or another one.
  for (const [one, kinds, example] of [
    ['Side', WAYS, 'which way does the car go, left or right'],
    ['Color', COLORS, 'what color is the car, red or blue'],
    ['Number', COUNTS, 'how many people are there, two or three'],
  ] as const)
    rule('Question', ['Question', 'Comma', one, 'Or', one], example, (made, _, a, _or, b) =>
      made.question && kinds.has(made.question.sense.question) && !made.calculation
        ? { ...made, repeats: [...made.repeats, joined(leafOf(a), [b])] }
        : null,
    );
  for (const mark of [[], ['Comma']] as const)
    rule(
      'Question',
      ['Question', 'IfSo', ...mark, 'Question'],
      mark.length > 0
        ? 'did anyone enter and if so, when did they leave'
        : 'did anyone enter and if so when did they leave',
      (...parts) => ifSo(parts[0] as Query, parts.at(-1) as Query),
      0.2,
    );
  for (const word of ['Expletive', 'This'] as const)
    rule(
      'Inverted',
      ['Be', word, 'NounPhrases'],
      word === 'This' ? 'is this a cat or a dog' : 'is it a cat or a dog',
      (_, _it, { conjunction, members }) => (conjunction === 'or' ? oneOf(members) : null),
    );
  rule('Inverted', ['Be', 'This', 'NounPhrase'], 'is that a dog', (_, _this, noun) => oneOf([noun]));
  rule(
    'Inverted',
    ['Be', 'There', 'NounPhrase', 'Complement', 'And', 'Complement'],
    'are there people on the left and on the right',
    (_, _there, noun, a, _and, b) => {
      if (!isObject(noun) || noun.modifiers.length > 0 || a.type !== 'side' || b.type !== 'side') return null;
      const at = (modifier: typeof a) => present({ ...noun, modifiers: [modifier] });
      const [first, second] = [at(a), at(b)];
      return first && second && { kind: 'list', conjunction: 'and', members: [first, second] };
    },
  );
}

const WAYS: ReadonlySet<QuestionKind> = new Set(['which_way', 'where']);
const COLORS: ReadonlySet<QuestionKind> = new Set(['which_color']);
const COUNTS: ReadonlySet<QuestionKind> = new Set(['count']);

const either = (a: Statement, b: Statement): List => ({
  kind: 'list',
  conjunction: 'or',
  members: a.kind === 'list' && a.conjunction === 'or' ? [...a.members, b] : [a, b],
});

const isPlainYesNo = ({ isYesNo, question, calculation, window, per, pick, repeats }: Query): boolean =>
  isYesNo && !question && !calculation && !window && !per && !pick && repeats.length === 0;

/** "Is the van parked or does it drive off": the pronoun stands for what the first question names. */
function eitherOf(a: Query, b: Query): Query | null {
  if (!isPlainYesNo(a) || !isPlainYesNo(b)) return null;
  if (!isReferring(b.statement)) return { ...a, statement: either(a.statement, b.statement) };
  const named = a.statement.kind === 'event' && a.statement.subject?.kind === 'entity' ? a.statement.subject : null;
  // Of both questions only the object is known, and not that the first one is answered with "yes".
  const other = named && refer(b.statement, { kind: 'event', subject: named, predicate: null, negation: null });
  return other && { ...a, statement: either(a.statement, other) };
}

/** "Did anyone enter, and if so when did they leave": the times of both. */
function ifSo(a: Query, b: Query): Query | null {
  const isAsking =
    b.question && TIMED.has(b.question.sense.question) && !b.calculation && !b.window && !b.per && !b.pick;
  const own = isAsking && isPlainYesNo(a) ? refer(b.statement, a.statement) : null;
  return own && { ...b, statement: { kind: 'list', conjunction: 'and', members: [a.statement, own] } };
}
/** Questions whose answer also says whether something happens. */
const TIMED: ReadonlySet<string> = new Set(['when', 'how_often', 'how_long', 'count', 'where']);

/** "Is it a cat or a dog": whether one of them is there. */
function oneOf(nouns: readonly Entity[]): Statement | null {
  const classes = nouns.map(({ head }) => (head.type === 'object' ? head.word.sense.classes.join() : ''));
  // "Is it a man or a woman": both are any person.
  if (new Set(classes).size < nouns.length) return null;
  const members = nouns.map(present);
  if (!members.every((member) => member !== null)) return null;
  return members.length === 1 ? members[0]! : { kind: 'list', conjunction: 'or', members };
}
