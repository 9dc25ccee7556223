import type { Event, Leaf, Nominal, Query, Statement, Word } from '../../../meaning/types.ts';
import type { AddRule } from '../../../parse/rules.ts';
import type { Categories } from '../categories.ts';
import { MODIFIER } from '../costs.ts';
import { isNounToo } from '../morphology.ts';
import { event, isBase, isFiniteForm, joined, namedEvent, predicate, query, questionOf } from './build.ts';
import { lasting, stated } from './clauses.ts';
import { requested } from './requested.ts';

/** Nouns for what happens ("arrival of a truck"), for its time, and for its direction. */
export function eventNounRules(rule: AddRule<Categories>): void {
  actionNounRules(rule);
  occurrenceRules(rule);
  timeRules(rule);
  directionRules(rule);
}

/** Events that a noun names, whose subject is another noun. */
function actionNounRules(rule: AddRule<Categories>): void {
  const does = (subject: Nominal, word: Categories['Deed']) =>
    stated(subject, predicate({ type: 'action', word: { ...word, sense: word.sense } }));
  const picked = (subject: Nominal, pick: Categories['Pick'], word: Categories['Deed']) =>
    subject.kind === 'entity' && subject.pick === null && isEnd(pick) ? does({ ...subject, pick }, word) : null;
  rule('DeedOf', ['Deed', 'Of', 'Subject'], 'arrival of a truck', (word, _, subject) => does(subject, word));
  rule('DeedOf', ['Subject', 'Genitive', 'Deed'], "the truck's arrival", (subject, _, word) => does(subject, word));
  rule('DeedOf', ['Pick', 'Deed', 'Of', 'Subject'], 'first arrival of a truck', (pick, word, _, subject) =>
    picked(subject, pick, word),
  );
  rule('DeedOf', ['Subject', 'Genitive', 'Pick', 'Deed'], "a truck's first arrival", (subject, _, pick, word) =>
    picked(subject, pick, word),
  );
  rule('DeedOf', ['NounPhrase', 'Deed'], 'truck arrivals', (noun, word) => does(noun, word), MODIFIER);
  rule('DeedOf', ['Determiner', 'DeedOf'], 'the arrival of a truck', ({ type }, made) =>
    type === 'each' ? null : made,
  );
  // "Turn events": the last word adds nothing.
  const asEvent = <Named extends Leaf>(word: Named, suffix: Leaf): Named => ({
    ...word,
    ...joined(word, [suffix]),
  });
  rule('Quantity', ['Quantity', 'EventWord'], 'hard acceleration events', asEvent);
  rule('MoveNoun', ['MoveNoun', 'EventWord'], 'turn events', asEvent);
  rule('ActionNoun', ['ActionNoun', 'EventWord'], 'collision events', asEvent);
  rule('ActionNoun', ['Deed', 'EventWord'], 'entry events', asEvent);
  rule('ActionNoun', ['Action', 'EventWord'], 'stopping events', (word, suffix) =>
    word.form === 'ing' || word.form === 'base' ? asEvent(word, suffix) : null,
  );
  rule('MoveNoun', ['Move', 'EventWord'], 'braking incidents', (word, suffix) =>
    word.form === 'ing' || word.form === 'base' ? asEvent(word, suffix) : null,
  );
  rule('Sound', ['Sound', 'EventWord'], 'gunshot events', asEvent);
  rule('Clause', ['DeedOf'], 'the arrival of a truck', (made) => made, MODIFIER);
}

/** "An accident", "a bang": nouns for what happens, in questions as if they were objects. */
function occurrenceRules(rule: AddRule<Categories>): void {
  rule('EventNoun', ['ActionNoun'], 'is there an accident', namedEvent);
  const stopFor = (word: Categories['Action'], amount: Categories['Measure']) =>
    word.sense.action === 'stops' && word.form === 'base' && amount.dimension === 'time' && !amount.bare
      ? lasting(namedEvent(word), amount)
      : null;
  for (const [of, example] of [
    [[], 'any stop longer than 30 seconds'],
    [['Of'], 'a stop of more than 30 seconds'],
  ] as const)
    rule('LongStop', ['Determiner', 'Action', ...of, 'Measure'], example, (...parts) =>
      stopFor(parts[1], parts.at(-1) as Categories['Measure']),
    );
  rule('Clause', ['LongStop'], 'any stop longer than 30 seconds', (made) => made);
  rule('Inverted', ['Be', 'There', 'LongStop'], 'is there a stop longer than 30 seconds', (_, _there, made) => made);
  rule('EventNoun', ['MoveNoun'], 'when was the hard brake', (word) =>
    event(null, predicate({ type: 'camera_move', word })),
  );
  rule('EventNoun', ['Signal'], 'when was the cut', (word) => event(null, predicate({ type: 'signal', word })), 0.1);
  rule('EventNoun', ['Sound'], 'when was the bang', (word) => event(null, predicate({ type: 'sound', word })), 0.1);
  rule(
    'EventNoun',
    ['Action'],
    'was there any loitering',
    (word) => (word.form === 'ing' || isNounToo(word.text) ? namedEvent(word) : null),
    0.3,
  );
  rule(
    'Clause',
    ['Determiner', 'Action'],
    'every stop',
    (_, word) => (isNounToo(word.text) ? namedEvent(word) : null),
    0.3,
  );
  const which = (pick: Categories['Pick' | 'Ordinal'], made: Event) => (made.pick ? null : { ...made, pick });
  rule('PickedEvent', ['Pick', 'EventNoun'], 'when is the last bang', which);
  rule('PickedEvent', ['Ordinal', 'EventNoun'], 'when is the second bang', which);
  // "How long is the longest stop" asks for a value.
  rule('EventNoun', ['PickedEvent'], 'when is the second stop', (made) => (isByLength(made) ? null : made));
  rule('Clause', ['PickedEvent'], 'second stop', (made) => made, 0.5);
  rule('Clause', ['Determiner', 'PickedEvent'], 'does anyone leave after the second bang', (_, made) => made, 0.3);
  rule('EventNoun', ['Determiner', 'EventNoun'], 'is there an accident', ({ type }, made) =>
    type === 'each' ? null : made,
  );
  rule('Inverted', ['Be', 'There', 'EventNoun'], 'is there an accident', (_, _there, made) => made, 0.4);
  rule('Inverted', ['Do', 'EventNoun', 'Occur'], 'did an accident happen', (_, made, { form }) =>
    isBase(form) ? made : null,
  );
  rule('Clause', ['EventNoun', 'Occur'], 'an accident happens', (made, { form }) => (isFiniteForm(form) ? made : null));
  rule('Question', ['Questioned', 'Be', 'EventNoun'], 'when was the accident', (question, _, made) =>
    isOfTime(question) ? requested(question, made) : null,
  );
  rule('Question', ['Questioned', 'EventNoun'], 'how many accidents', (question, made) =>
    isCount(question) ? requested(question, made) : null,
  );
  rule('Question', ['Questioned', 'EventNoun', 'Occur'], 'how many accidents happened', (question, made, { form }) =>
    isCount(question) && form !== 'ing' ? requested(question, made) : null,
  );
  rule('Question', ['Questioned', 'EventNoun', 'Be', 'There'], 'how many accidents are there', (question, made) =>
    isCount(question) ? requested(question, made) : null,
  );
  rule('Sought', ['Moment', 'Of', 'EventNoun'], 'time of the accident', (word, _, made) =>
    query(made, { question: questionOf('when', word) }),
  );
}

/** "The time of the arrival", "the time when a truck arrives": a question for the time. */
function timeRules(rule: AddRule<Categories>): void {
  const whenOf = (word: Leaf, statement: Statement) => query(statement, { question: questionOf('when', word) });
  rule('Sought', ['Moment', 'Of', 'DeedOf'], 'time of the arrival of a truck', (word, _, statement) =>
    whenOf(word, statement),
  );
  rule('Sought', ['Moment', 'If', 'Clause'], 'time when a truck arrives', (word, { text }, statement) =>
    AT_WHICH.test(text) && isDone(statement) ? whenOf(word, statement) : null,
  );
  rule('Sought', ['Moment', 'Of', 'Clause'], 'timestamp of a truck arriving', (word, _, statement) =>
    /^time ?(?:stamp|code)$/i.test(word.text) ? whenOf(word, statement) : null,
  );
  rule('Sought', ['Moment', 'Clause'], 'tell me the time the first truck arrives', (word, statement) =>
    isSudden(statement) ? whenOf(word, statement) : null,
  );
  rule(
    'Sought',
    ['Moment', 'If', 'Subject', 'Pick', 'VerbPhrase'],
    'time at which a truck first arrives',
    (word, { text }, subject, pick, { form, predicate: what }) => {
      const isOne = subject.kind === 'entity' && subject.pick === null && isEnd(pick) && isFiniteForm(form);
      const statement = isOne && AT_WHICH.test(text) ? stated(subject, what) : null;
      return statement && { ...whenOf(word, statement), pick };
    },
  );
  rule('Question', ['Questioned', 'Inverted', 'In'], 'what time does the truck arrive at', (question, what, at) =>
    at.surface === 'at' && /^what time$/i.test(question.text) && isDone(what) ? query(what, { question }) : null,
  );
  rule('Question', ['Questioned', 'Be', 'DeedOf'], 'when is the arrival of the truck', (question, _, statement) =>
    question.sense.question === 'when' ? query(statement, { question }) : null,
  );
}

/** "The direction of the bicycle", "the direction that the bicycle moves in". */
function directionRules(rule: AddRule<Categories>): void {
  const wayOf = (word: Leaf, statement: Statement | null): Query | null =>
    statement && isDone(statement) ? query(statement, { question: questionOf('which_way', word) }) : null;
  const moving = ({ span, text, id }: Leaf, subject: Nominal) =>
    event(subject, predicate({ type: 'action', word: { span, text, id, sense: MOVES } }));
  rule('Sought', ['Way', 'Of', 'DeedOf'], "direction of the bicycle's movement", (word, _, statement) =>
    wayOf(word, statement),
  );
  rule('Sought', ['Way', 'Of', 'Subject'], 'direction of the bicycle', (word, _, subject) =>
    wayOf(word, moving(word, subject)),
  );
  rule('Sought', ['Subject', 'Genitive', 'Way'], "the bicycle's direction", (subject, _, word) =>
    wayOf(word, moving(word, subject)),
  );
  rule('Sought', ['Way', 'Clause'], 'the direction a bicycle moves', (word, statement) => wayOf(word, statement));
  rule('Sought', ['Way', 'If', 'Clause'], 'the direction in which a bicycle moves', (word, _, statement) =>
    wayOf(word, statement),
  );
  rule('Sought', ['Way', 'Clause', 'In'], 'the direction a bicycle moves in', (word, statement, { surface }) =>
    surface === 'in' ? wayOf(word, statement) : null,
  );
  rule('Sought', ['Way', 'If', 'Clause', 'In'], 'the direction that a bicycle moves in', (word, { text }, what, at) =>
    /^that$/i.test(text) && at.surface === 'in' ? wayOf(word, what) : null,
  );
  rule('Question', ['Clause', 'Questioned'], 'the bicycle moves in which direction', (statement, question) =>
    question.sense.question === 'which_way' && /^in /i.test(question.text) && isDone(statement)
      ? query(statement, { question })
      : null,
  );
  rule(
    'Question',
    ['Questioned', 'Inverted', 'In'],
    'which direction does the bicycle move in',
    (question, statement, { surface }) =>
      surface === 'in' && isStranding(question) && isDone(statement) ? query(statement, { question }) : null,
  );
}

const MOVES = { type: 'action', action: 'moves' } as const;
const AT_WHICH = /^(?:when|at which|where|that)$/i;

const isByLength = ({ pick }: Event) => pick?.sense.pick === 'longest' || pick?.sense.pick === 'shortest';
const isEnd = ({ sense }: Categories['Pick']) => sense.pick === 'first' || sense.pick === 'last';

/** Somebody does something, and is not only there. */
const isDone = (statement: Statement): boolean =>
  statement.kind === 'event' &&
  statement.subject !== null &&
  statement.predicate?.head.type === 'action' &&
  statement.predicate.head.word.sense.action !== 'present';

/** "The time a car is parked" is no moment. */
const isSudden = (statement: Statement): boolean =>
  statement.kind === 'event' &&
  statement.subject !== null &&
  statement.predicate?.head.type === 'action' &&
  SUDDEN.has(statement.predicate.head.word.sense.action);
const SUDDEN: ReadonlySet<string> = new Set(['appears', 'disappears', 'enters', 'leaves', 'falls']);

/** "Which direction … in": the preposition of the question may stand at the end. */
export const isStranding = ({ sense, text }: Word<'question'>): boolean =>
  sense.question === 'which_way' && /^(?:which|what) direction$/i.test(text);

const isCount = ({ sense }: Word<'question'>) => sense.question === 'count' || sense.question === 'how_often';
const isOfTime = ({ sense }: Word<'question'>) => sense.question === 'when' || sense.question === 'how_long';
