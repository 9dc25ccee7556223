import type { Calculation, Event, MeasuredAmount, Nominal, Query, Statement } from '../../../meaning/types.ts';
import type { AddRule } from '../../../parse/rules.ts';
import type { Action } from '../../../terms.ts';
import type { Categories, Circumstance } from '../categories.ts';
import { MODIFIER } from '../costs.ts';
import { event, sequence } from './build.ts';
import { likewise, withVerbOf } from './ellipsis.ts';
import { isOpen } from './open-questions.ts';
import { follows, isFrameOnly, isSubjectless, isTurn, meanwhile, timed } from './sequences.ts';

/** When something is in question, before or after the question: "once the truck has left, who comes in". */
export function circumstanceRules(rule: AddRule<Categories>): void {
  rule('Circumstance', ['After', 'Clause'], 'how many people enter after the car leaves', (word, statement) => {
    if (/^after$/i.test(word.text)) return { order: 'after', statement, word };
    return /^once$/i.test(word.text) ? { order: 'after', statement, word } : { order: 'then', statement, word };
  });
  rule('Circumstance', ['Before', 'Clause'], 'who was there before the car stopped', (word, statement) => ({
    order: /^(?:before|prior to)$/i.test(word.text) ? 'before' : 'until',
    statement,
    word,
  }));
  rule('Circumstance', ['While', 'Clause'], 'when the car stops, does a person get out', (word, statement) => ({
    order: /^whenever|^when$/i.test(word.text) ? 'when' : 'while',
    statement,
    word,
  }));
  rule('Circumstance', ['If', 'Clause'], 'if a car stops, does a person get out', (word, statement) =>
    /^if$/i.test(word.text) ? { order: 'then', statement, word } : null,
  );
  rule('Circumstance', ['During', 'Clause'], 'during rain, who stops', (word, statement) =>
    isFrameOnly(statement) || isMove(statement) ? { order: 'while', statement, word } : null,
  );
  rule(
    'Circumstance',
    ['During', 'Determiner', 'EventNoun'],
    'who was there during the accident',
    (word, _, statement) => ({
      order: 'while',
      statement,
      word,
    }),
  );
  for (const category of ['Of', 'After'] as const)
    rule(
      'Circumstance',
      ['Within', 'Measure', category, 'Clause'],
      category === 'Of' ? 'within 5 s of a bang, who runs' : 'within 5 s after a bang, who runs',
      (word, amount, _, statement) => {
        const within = timed(amount);
        return within && { order: 'after', statement, within, word };
      },
    );
  rule(
    'Circumstance',
    ['After', 'VerbPhrase'],
    'does the car turn after stopping',
    (word, { form, predicate: what }) =>
      form === 'ing'
        ? { order: /^(?:after|once)$/i.test(word.text) ? 'after' : 'then', statement: event(null, what), word }
        : null,
  );
  rule(
    'Circumstance',
    ['Before', 'VerbPhrase'],
    'does he sit down before leaving',
    (word, { form, predicate: what }) =>
      form === 'ing'
        ? { order: /^(?:before|prior to)$/i.test(word.text) ? 'before' : 'until', statement: event(null, what), word }
        : null,
  );
  for (const [category, order] of [
    ['After', 'after'],
    ['Before', 'before'],
  ] as const)
    rule('Circumstance', [category, 'NounPhrase', 'Do'], `does the bus arrive ${order} the truck does`, (word, noun) =>
      word.text.toLowerCase() === order ? { order, statement: event(noun, null), isElliptic: true, word } : null,
    );
  rule('Circumstance', ['Until', 'Clause'], 'does he wait until the bus comes', (word, statement) => ({
    order: 'until',
    statement,
    word,
  }));
  rule(
    'Circumstance',
    ['Within', 'Measure', 'Of', 'VerbPhrase'],
    'does anybody come back within five minutes of leaving',
    (word, amount, _, { form, predicate: what }) => {
      const within = timed(amount);
      return within && form === 'ing' ? { order: 'after', statement: event(null, what), within, word } : null;
    },
  );

  rule(
    'Question',
    ['Circumstance', 'Comma', 'Question'],
    'after the truck leaves, does a person come in',
    (when, _, made) => during(made, when),
    MODIFIER,
  );
  rule(
    'Question',
    ['Circumstance', 'Question'],
    'after the truck leaves does a person come in',
    (when, made) => during(made, when),
    MODIFIER,
  );
  rule(
    'Question',
    ['Question', 'Circumstance'],
    ['how many people enter after the truck leaves', 'what is our top speed after we stop'],
    (made, when) => during(made, when),
    0.3,
  );
  rule(
    'Question',
    ['Question', 'Comma', 'Circumstance'],
    'who enters, after the truck leaves',
    (made, _, when) => during(made, when),
    0.3,
  );
  for (const [category, order] of [
    ['After', 'after'],
    ['Before', 'before'],
  ] as const)
    rule(
      'Question',
      ['Question', category, 'EventPhrase'],
      `how fast are we ${order} the harsh braking`,
      (made, word, { statement, pick }) =>
        made.calculation && !pick ? calculatedIn(made, made.calculation, { order, statement, word }) : null,
      0.4,
    );
}

/** The question about what happens in a circumstance. */
function during(made: Query, when: Circumstance): Query | null {
  if (made.repeats.length > 0 || isOpen(made.statement) || isOpen(when.statement)) return null;
  if (made.calculation) return when.isElliptic ? null : calculatedIn(made, made.calculation, when);
  if (made.question?.sense.question === 'time_between') return null;
  const statement = within(made.statement, when);
  return statement && { ...made, statement };
}

/** "The turn", of the camera or its vehicle. */
const isMove = (statement: Statement): boolean =>
  statement.kind === 'event' && statement.subject === null && statement.predicate?.head.type === 'camera_move';

/** "How fast are we after we turn": the values of all that is found then. */
function calculatedIn(
  made: Query,
  { measure, at, by, values }: Calculation,
  { order, statement, within: amount, word }: Circumstance,
): Query | null {
  const isLimited = made.during || made.moments || made.window || values.some(({ window }) => window !== null);
  if (isLimited || at || by || OF_ALL_TIME.has(measure) || statement.kind !== 'event') return null;
  const kind = order === 'after' || order === 'before' ? order : null;
  if (kind === null && order !== 'while') return null;
  const moments = kind && { kind, seconds: amount?.min ?? null, words: [word, ...(amount?.words ?? [])] };
  return { ...made, during: { statement, pick: null, moments } };
}

/** Measures in relation to all of the time that is searched. */
export const OF_ALL_TIME: ReadonlySet<Calculation['measure']> = new Set([
  'share',
  'mean_count',
  'start',
  'at_start',
  'lengths',
]);

function within(main: Statement, when: Circumstance): Statement | null {
  if (main.kind === 'list') {
    const members = main.members.map((member) => within(member, when));
    return members.every((member) => member !== null) ? { ...main, members } : null;
  }
  const named = ownOf(main, when);
  if (!named || isSubjectless(main)) return null;
  const { circumstance, same } = named;
  // "We turn right after the bus": to the right.
  if (/^right/i.test(when.word.text) && isTurn(main)) return null;
  switch (when.order) {
    case 'after':
      return ordered(likewise(main, circumstance), main, 'this', same, when.within);
    case 'before':
      return ordered(main, likewise(main, circumstance), 'before', same);
    case 'then':
      return follows(circumstance, main, same ? { same } : {});
    case 'until':
      return follows(main, circumstance, same ? { same } : {});
    case 'when':
      // "When the light turns green, does the car start": of two moments, the one follows the other.
      return isSudden(circumstance) && isSudden(main)
        ? follows(circumstance, main, same ? { same } : {})
        : meanwhile(main, circumstance);
    case 'while':
      return meanwhile(main, circumstance);
  }
}

/** Every occurrence of what is in question, however much later or earlier than the other. */
function ordered(
  first: Statement,
  then: Statement,
  every: 'this' | 'before',
  same: boolean,
  limit: MeasuredAmount | undefined = undefined,
): Statement | null {
  if (first.kind === 'list' || then.kind === 'list') return null;
  return sequence(first, then, { every, same, within: limit ?? null });
}

/** "After stopping, does it turn": the subject is that of the question, or the verb: "before the truck does". */
function ownOf(
  main: Statement,
  { statement, isElliptic }: Circumstance,
): { circumstance: Statement; same: boolean } | null {
  if (isElliptic) {
    const circumstance = statement.kind === 'event' ? withVerbOf(main, statement) : null;
    return circumstance && { circumstance, same: false };
  }
  const subject = subjectOf(main);
  if (!isSubjectless(statement) || statement.kind !== 'event') {
    const other = subjectOf(statement);
    const same =
      subject?.kind === 'entity' && subject.head.type === 'pronoun' && !subject.head.other && other?.kind === 'entity';
    return { circumstance: statement, same: same === true && other?.kind === 'entity' && other.head.type === 'object' };
  }
  if (subject?.kind !== 'entity') return null;
  const own: Event = { ...statement, subject };
  // The track of an object that comes back is another one.
  return { circumstance: own, same: subject.head.type !== 'camera' && !isReturn(main) };
}

const isReturn = (statement: Statement): boolean =>
  statement.kind === 'event' && statement.predicate?.head.type === 'returns';

const subjectOf = (statement: Statement): Nominal | null => (statement.kind === 'event' ? statement.subject : null);

/** Something that happens in a moment. */
const isSudden = (statement: Statement): boolean => {
  const head = statement.kind === 'event' ? statement.predicate?.head : null;
  if (!head) return false;
  if (head.type === 'becomes') return true;
  return head.type === 'action' && SUDDEN.has(head.word.sense.action);
};
const SUDDEN: ReadonlySet<Action> = new Set([
  'appears',
  'disappears',
  'enters',
  'leaves',
  'stops',
  'starts',
  'falls',
  'sits_down',
  'stands_up',
  'crouches',
  'collides',
  'left_behind',
  'taken_away',
]);
