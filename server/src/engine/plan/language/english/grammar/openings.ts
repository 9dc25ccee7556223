import type { Query, Statement } from '../../../meaning/types.ts';
import { type AddRule, Unlikely } from '../../../parse/rules.ts';
import type { Categories } from '../categories.ts';
import { MODIFIER } from '../costs.ts';
import { audible, modified, predicate, query } from './build.ts';
import { present } from './clauses.ts';
import { isOpen, isRecording } from './open-questions.ts';
import { isFrame } from './questions.ts';
import { requested } from './requested.ts';

/** Words around a request: politeness, wishes and commands, and the occasions that are requested. */
export function openingRules(rule: AddRule<Categories>): void {
  rule('Utterance', ['Utterance', 'Polite'], 'cars please', (made) => made);
  rule('Utterance', ['Polite', 'Utterance'], 'please find a car', (_, made) => made);
  rule('Utterance', ['Polite', 'Comma', 'Utterance'], 'hey, is there a car', (_, _comma, made) => made);

  rule('Polite', ['Polite', 'Softener'], 'could you maybe find a car', (word) => word);
  rule('Utterance', ['Opener', 'Utterance'], 'so is there a car', (_, made) => made, MODIFIER);
  rule('Utterance', ['Opener', 'Comma', 'Utterance'], 'ok, is there a car', (_, _comma, made) => made);
  for (const mark of [[], ['Comma']] as const)
    rule(
      'Utterance',
      ['Opener', ...mark, 'But', 'Utterance'],
      `sorry to bother you${mark.length > 0 ? ',' : ''} but is there a car`,
      (...parts) => parts.at(-1) as Query,
    );
  rule('Utterance', ['Utterance', 'Aside'], 'cars if any', (made) => made, MODIFIER);
  rule('Utterance', ['Utterance', 'Comma', 'Aside'], 'cars, if any', (made) => made);
  rule('Utterance', ['Utterance', 'Reply'], 'cars with timestamps', (made) => made, MODIFIER);
  rule('Utterance', ['Utterance', 'Comma', 'Reply'], 'is there a car, give me the times', (made) => made);
  rule('Utterance', ['Utterance', 'YesOrNo'], 'a car stops, yes or no', (made) => forYesOrNo(made), MODIFIER);
  rule('Utterance', ['YesOrNo', 'Utterance'], 'yes or no is there a car', (_, made) => forYesOrNo(made), MODIFIER);
  rule('Utterance', ['YesOrNo', 'Comma', 'Utterance'], 'yes or no, is there a car', (_, _comma, made) =>
    forYesOrNo(made),
  );

  rule('Opening', ['Softener', 'Opening'], 'just show me cars', (_, made) => made);
  rule('Opening', ['Retrieve'], 'flag any car', () => ({ opening: 'search' }));
  rule('Opening', ['Retrieve', 'Recipient'], 'get us cars', () => ({ opening: 'search' }));
  rule('Opening', ['Command'], 'find a car', ({ opening }) => ({ opening }));
  rule('Opening', ['Command', 'Recipient'], 'show me a car', ({ opening }) => ({ opening }));
  rule('Opening', ['Command', 'Determiner', 'Picture', 'For'], 'search the video for a car', ({ opening, text }) =>
    opening === 'search' || /^check$/i.test(text) ? { opening } : null,
  );
  rule('Opening', ['Wish', 'Opening'], "i'd like to see a car", (_, made) => made);
  rule(
    'Utterance',
    ['Opening', 'Utterance'],
    ['can you find a car?', 'tell me how many cars pass'],
    ({ opening }, made) => {
      if (isRecording(made.statement)) return null;
      return opening === 'search' ? searched(made) : answered(made);
    },
  );
  rule(
    'Utterance',
    ['Opening', 'If', 'Utterance'],
    ['tell me if a car stops', 'show me when a car stops', 'tell me if there are more cars than trucks'],
    ({ opening }, { text }, made) => {
      if (made.question !== null) return null;
      if (made.calculation)
        return opening === 'ask' && made.isYesNo && /^(?:if|whether|that)$/i.test(text) ? made : null;
      if (opening === 'search' || /^whenever$/i.test(text)) return searched(made);
      return /^(?:if|whether|that)$/i.test(text) ? answered(made) : null;
    },
    MODIFIER,
  );
  rule(
    'Question',
    ['Opening', 'Questioned', 'Clause'],
    'tell me when a car stops',
    ({ opening }, question, statement) => {
      const isCount = question.sense.question === 'count' && !isFrame(statement);
      const made = opening === 'ask' && !isCount ? requested(question, statement) : null;
      return made && !isStated(statement) ? new Unlikely(made, MODIFIER) : made;
    },
  );
  rule('Question', ['Opening', 'Questioned', 'Subject', 'Be'], 'show me where the dog is', (_, question, subject) =>
    question.sense.question === 'where' || question.sense.question === 'which_color'
      ? requested(question, present(subject))
      : null,
  );

  rule('Occasions', ['Occasion'], 'moments when a car stops', ({ text }) => ({
    bare: !/^(?:every|each|any) ?/i.test(text),
    many: /s$/i.test(text),
  }));
  rule('Occasions', ['Determiner', 'Occasion'], 'the moments when a car stops', () => ({
    bare: false,
    many: false,
  }));
  rule('Occasions', ['Occasions', 'Measure'], 'periods longer than ten minutes with nobody', (times, amount) =>
    amount.dimension === 'time' && !amount.bare && !times.lasting ? { ...times, lasting: amount } : null,
  );
  rule('Occasions', ['Occasions', 'Of', 'Measure'], 'periods of at least 10 s without motion', (times, _, amount) =>
    amount.dimension === 'time' && !times.lasting ? { ...times, lasting: amount } : null,
  );
  rule(
    'Utterance',
    ['Occasions', 'Statement'],
    'periods without people',
    (times, what) =>
      times.bare && times.many && what.kind === 'event' && what.negation !== null ? searchedFor(times, what) : null,
    0.3,
  );
  rule(
    'Inverted',
    ['Be', 'There', 'Occasions', 'Statement'],
    "was there any time the dog wasn't visible for an hour",
    (_, _there, times, what) => (isStated(what) ? heldFor(times, what) : null),
    0.3,
  );
  rule('Occasions', ['Occasions', 'InVideo'], 'times in the video when a car stops', (made) => made, MODIFIER);
  rule(
    'Occasions',
    ['Occasions', 'Of', 'Determiner', 'Picture'],
    'parts of the video where a car stops',
    (made) => made,
  );
  rule(
    'Utterance',
    ['Occasions', 'If', 'Statement'],
    'times when a car stops',
    (times, _when, what) => searchedFor(times, what),
    MODIFIER,
  );
  rule(
    'Utterance',
    ['Occasions', 'Of', 'Statement'],
    'clips of cars',
    (times, _of, what) => searchedFor(times, what),
    MODIFIER,
  );
  rule(
    'Utterance',
    ['Occasions', 'With', 'Statement'],
    'clips with heavy traffic',
    (times, _with, what) => (isEventOfSubject(what) ? null : searchedFor(times, what)),
    MODIFIER,
  );
  rule(
    'Utterance',
    ['Occasions', 'With', 'Statement', 'OnIt'],
    'clips with a dog in them',
    (times, _with, what, _in) => (isEventOfSubject(what) ? null : searchedFor(times, what)),
  );
  rule(
    'Utterance',
    ['Occasions', 'Showing', 'Statement'],
    'clips showing a car',
    (times, _show, what) => searchedFor(times, what),
    MODIFIER,
  );
  rule(
    'Utterance',
    ['Occasions', 'Statement'],
    ['the moment the lights go out', 'every time someone walks past', 'times we stopped'],
    (times, what) =>
      (times.bare ? times.many && isEventOfSubject(what) : isStated(what)) ? searchedFor(times, what) : null,
    0.3,
  );
  rule(
    'Utterance',
    ['Occasions', 'There', 'Be', 'Subject'],
    'every time there is a person near a car',
    (times, _there, _is, subject) => {
      const what = times.bare ? null : present(subject);
      return what && searchedFor(times, what);
    },
  );
  rule(
    'Inverted',
    ['Be', 'There', 'Occasions', 'If', 'Statement'],
    'is there any moment when a car stops',
    (_, _there, times, _when, what) => heldFor(times, what),
    MODIFIER,
  );

  rule(
    'Inverted',
    ['Be', 'There', 'Occasions', 'With', 'Statement'],
    'are there any clips with a dog',
    (_, _there, times, _with, what) => heldFor(times, what),
    MODIFIER,
  );
  rule(
    'Inverted',
    ['Be', 'There', 'Occasions', 'Of', 'Statement'],
    'are there any clips of a dog',
    (_, _there, times, _of, what) => heldFor(times, what),
    MODIFIER,
  );

  rule('Inverted', ['Heard', 'Clause'], 'do you hear a siren', (_, statement) =>
    isSound(statement) ? audible(statement) : null,
  );
  rule('Inverted', ['Seen', 'Clause'], 'do you see any cuts', (_, what) => (isFrame(what) ? what : null));
  rule('Inverted', ['Seen', 'Subject'], 'did you see a dog', (_, subject) => present(subject));
  rule('Inverted', ['Can', 'Subject', 'BeSeen'], 'can a car be seen', (_, subject) => present(subject));
  rule('Inverted', ['Can', 'Clause', 'BeHeard'], 'can a siren be heard', (_, what) =>
    isSound(what) ? audible(what) : null,
  );
  rule('Clause', ['Hears', 'Clause'], 'you can hear a siren', (_, statement) =>
    isSound(statement) ? audible(statement) : null,
  );
  rule('Clause', ['Sees', 'Clause'], 'you can see a car', (_, statement) => statement, MODIFIER);
}

const searchedFor = (times: Categories['Occasions'], what: Statement): Query | null => {
  const statement = heldFor(times, what);
  return statement && query(statement);
};

/** "Periods longer than a minute": what happens then lasts so long. */
function heldFor({ lasting }: Categories['Occasions'], what: Statement): Statement | null {
  if (!lasting) return what;
  if (what.kind !== 'event') return null;
  const own = what.predicate ?? predicate({ type: 'exists' });
  const isTimed = own.modifiers.some(({ type }) => type === 'lasting');
  return isTimed ? null : { ...what, predicate: modified(own, { type: 'lasting', amount: lasting }) };
}

/** Somebody does something. */
const isEventOfSubject = (statement: Statement): boolean =>
  statement.kind === 'event' &&
  statement.subject !== null &&
  statement.predicate !== null &&
  statement.predicate.head.type !== 'exists';

/** Something that happens, and not only an object that is there. */
const isStated = (statement: Statement): boolean => statement.kind !== 'event' || statement.predicate !== null;

const isSound = (statement: Statement): boolean =>
  statement.kind === 'event' && statement.predicate?.head.type === 'sound';

/** "Yes or no" behind what is stated. */
const forYesOrNo = (made: Query): Query | null =>
  made.question === null && made.calculation === null && made.statement.kind !== 'anything' && !isOpen(made.statement)
    ? { ...made, isYesNo: true, isWhich: false }
    : null;

const searched = (made: Query): Query => ({ ...made, isYesNo: false, isWhich: true });

/** "Confirm that a car stops": a question for yes or no, unless it is another one. */
function answered(made: Query): Query | Unlikely<Query> {
  const isQuestion =
    made.isYesNo || made.isWhich || isOpen(made.statement) || made.question !== null || made.calculation !== null;
  if (isQuestion) return made;
  return new Unlikely({ ...made, isYesNo: true }, MODIFIER);
}
