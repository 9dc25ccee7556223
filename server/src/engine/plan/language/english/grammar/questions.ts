import type {
  Entity,
  Event,
  Leaf,
  Modifier,
  Nominal,
  Predicate,
  Query,
  Statement,
  Window,
  Word,
} from '../../../meaning/types.ts';
import type { AddRule } from '../../../parse/rules.ts';
import { REASONS } from '../../../reasons.ts';
import type { Categories, VerbPhrase } from '../categories.ts';
import { MODIFIER } from '../costs.ts';
import type { VerbForm } from '../morphology.ts';
import {
  describes,
  entity,
  event,
  frameEvent,
  isBase,
  isCounted,
  isFiniteForm,
  isNone,
  isObject,
  joined,
  LASTING,
  LONGEST,
  modified,
  predicate,
  query,
  sequence,
  withAttribute,
  withModifier,
} from './build.ts';
import { arrives, bothOfFrame, eachOf, freeOf, headOf, measured, present, stated, unmanned } from './clauses.ts';
import { referQuery } from './discourse.ts';
import { isStranding } from './event-nouns.ts';
import { foldPredicates } from './nominals.ts';
import { isOpen } from './open-questions.ts';
import { atPlace, isBarePlace } from './places.ts';
import { requested } from './requested.ts';
import { during, isSubjectless, limitLast, meanwhile, timed } from './sequences.ts';

/** Questions, parts of the video, and the words around a prompt. */
export function questionRules(rule: AddRule<Categories>): void {
  rule('Inverted', ['Be', 'There', 'Subject'], 'is there a car', (_, _there, subject) => present(subject));
  rule('There', ['Possessive'], 'is their a car', (word) => (/^their$/i.test(word.text) ? word : null), 1);
  rule(
    'Inverted',
    ['Be', 'There', 'Not', 'Subject'],
    'is there never more than one car',
    (_, _there, negation, subject) => {
      const statement = present(subject);
      return statement?.kind === 'event' && !isNone(subject) ? { ...statement, negation } : null;
    },
  );
  rule('Inverted', ['Be', 'There', 'Together'], 'is there both a cat and a dog', (_, _there, statement) => statement);
  rule('Inverted', ['Be', 'Together', 'Here'], 'are both a cat and a dog there', (_, statement) => statement);
  rule(
    'Inverted',
    ['Inverted', 'Within', 'Measure'],
    'does anybody enter and then leave within 10 seconds',
    (statement, _, amount) => limitLast(statement, { within: timed(amount) }),
    0.1,
  );
  rule(
    'Inverted',
    ['Be', 'There', 'Clause'],
    'is there any sound',
    (_, _there, statement) => (isFrame(statement) ? statement : null),
    MODIFIER,
  );
  for (const category of ['Sound', 'Signal', 'Motion'] as const) {
    const example = {
      Sound: ['is dog barking', 'is a dog barking', 'does dog bark', 'does a dog bark'],
      Signal: ['is light flickering', 'is the camera covered', 'do lights go off', 'does the light go off'],
      Motion: ['is motion', 'is the motion', 'does nothing happen', 'does the activity'],
    }[category];
    rule('Inverted', ['Be', category], example[0]!, (_, word) => frameEvent(headOf(word)), 0.1);
    rule(
      'Inverted',
      ['Be', 'Determiner', category],
      example[1]!,
      (_, { type }, word) => (type === 'each' ? null : frameEvent(headOf(word))),
      0.1,
    );
    rule('Inverted', ['Do', category], example[2]!, (_, word) => frameEvent(headOf(word)), 0.1);
    rule(
      'Inverted',
      ['Do', 'Determiner', category],
      example[3]!,
      (_, { type }, word) => (type === 'each' ? null : frameEvent(headOf(word))),
      0.1,
    );
  }
  rule(
    'Inverted',
    ['Do', 'Determiner', 'Picture', 'Have', 'Subject', 'InIt'],
    'does the video have a dog in it',
    (_, _the, _picture, _have, subject) => present(subject),
  );
  rule(
    'Inverted',
    ['Do', 'Determiner', 'Picture', 'Shows', 'Subject'],
    'does the video show a dog',
    (_, _the, _picture, _show, subject) => present(subject),
  );
  rule(
    'Clause',
    ['Determiner', 'Picture', 'Have', 'Subject', 'InIt'],
    'the video has a dog in it',
    (_, _picture, _has, subject) => present(subject),
  );
  rule('Inverted', ['Do', 'Subject', 'Come'], 'did anyone come', (_, subject, come) =>
    isBase(come.form) ? event(subject, arrives(come)) : null,
  );
  rule('Inverted', ['IsNot', 'There', 'Subject'], "isn't there a dog", (_, _there, subject) => present(subject));
  rule('Inverted', ['Be', 'Subject', 'Predication'], 'is the car red', (_, subject, verb) => statedOf(subject, verb));
  rule('Inverted', ['IsNot', 'Subject', 'Predication'], "isn't the car red", (_, subject, verb) =>
    statedOf(subject, verb),
  );
  rule(
    'Inverted',
    ['Be', 'Subject', 'Not', 'Predication'],
    'is the car not moving',
    (_, subject, negation, { form, predicate: what }) =>
      what.negation ? null : statedOf(subject, { form, predicate: { ...what, negation } }),
  );
  rule(
    'Inverted',
    ['Be', 'Subject', 'Predication', 'And', 'Predication'],
    'is the car red and moving',
    (_, subject, a, _and, b) => {
      if (subject.kind !== 'entity' || subject.doing) return null;
      const both = bothOfFrame(subject, [a.predicate, b.predicate]);
      if (both) return both;
      const folded = foldPredicates(subject, { form: 'present', join: 'and', predicates: [a.predicate, b.predicate] });
      return folded && (folded.main ? stated(folded.noun, folded.main) : present(folded.noun));
    },
    0.4,
  );
  rule('Inverted', ['Inverted', 'Or', 'SignalTime'], 'is it day or night', (first, _, word) =>
    first.kind === 'event' && first.subject === null && first.predicate?.head.type === 'signal'
      ? { kind: 'list', conjunction: 'or', members: [first, frameEvent({ type: 'signal', word })] }
      : null,
  );
  rule('Inverted', ['Be', 'RecordingOrIt', 'InColor'], 'is the video in color', (be, words, color) => {
    const word = { ...joined(words[0]!, [color]), sense: { type: 'signal', signal: 'monochrome' } as const };
    return frameEvent({ type: 'signal', word }, be);
  });
  rule('Inverted', ['Be', 'Expletive', 'NounPhrase'], 'is it a dog', (_, _it, noun) => present(noun));
  rule('Inverted', ['Be', 'There', 'Amount', 'OfThem'], 'are there two of them', (_, _there, amount, word) =>
    present(entity({ type: 'object', word, indefinite: false }, { amount, plural: true })),
  );
  rule(
    'Inverted',
    ['Inverted', 'Here'],
    'is there still a car there',
    (statement, _) => (isPresence(statement) ? statement : null),
    0.3,
  );
  rule('Inverted', ['Be', 'NounPhrase', 'Alone'], ['is the dog alone', 'is she alone'], (_, noun, word) => {
    const isPerson = noun.head.type === 'pronoun' && noun.head.person;
    if (!(isObject(noun) || isPerson) || noun.plural || noun.amount || noun.negation) return null;
    const own = { ...noun, amount: { words: [word], min: 1, max: 1, vague: false } };
    return isPerson ? event(own, predicate({ type: 'exists' })) : present(own);
  });
  for (const more of [[], ['Adverb']] as const)
    rule(
      'Inverted',
      ['Have', 'Subject', ...more, 'Be', 'Predication'],
      more.length > 0 ? 'has a dog ever been inside' : 'has a car been parked here',
      (...parts) => {
        const be = parts.at(-2) as Categories['Be'];
        return be.form === 'participle' ? statedOf(parts[1], parts.at(-1) as Categories['Predication']) : null;
      },
    );
  rule('Question', ['Questioned', 'Be', 'NounPhrase', 'Alone'], 'when is the dog alone', (question, _, noun, word) => {
    const isOne = isObject(noun) && !noun.plural && !noun.amount && !noun.negation;
    const own = isOne ? present({ ...noun, amount: { words: [word], min: 1, max: 1, vague: false } }) : null;
    return own && question.sense.question === 'when' ? query(own, { question }) : null;
  });
  rule('Inverted', ['Be', 'NounPhrase', 'Unmanned'], 'is the till unattended', (_, place, word) =>
    unmanned(place, word),
  );
  rule(
    'Inverted',
    ['Be', 'NounPhrase', 'FreeOf', 'Subject'],
    'is the road clear of vehicles',
    (_, place, word, subject) => freeOf(place, word, subject),
  );
  const existsThroughout = (subject: Nominal, word: Categories['Throughout']): Statement | null =>
    present(subject) && event(subject, modified(predicate({ type: 'exists' }), { type: 'throughout', word }));
  rule(
    'Inverted',
    ['Be', 'There', 'Subject', 'Throughout'],
    'is there a person throughout the video',
    (_, _there, subject, word) => existsThroughout(subject, word),
  );
  rule('Inverted', ['Be', 'There', 'Throughout', 'Subject'], 'is there always a person', (_, _there, word, subject) =>
    existsThroughout(subject, word),
  );
  rule('Inverted', ['Be', 'Picture', 'Predication'], 'is clip blurry', (_, _picture, { predicate: what }) =>
    ofFrame(what),
  );
  rule(
    'Inverted',
    ['Be', 'Determiner', 'Picture', 'Predication'],
    'is the clip blurry',
    (_, _the, _picture, { predicate: what }) => ofFrame(what),
  );
  rule(
    'Inverted',
    ['Do', 'Determiner', 'Picture', 'VerbPhrase'],
    'does the picture freeze',
    (_, _the, _picture, { form, predicate: what }) => (isBase(form) ? ofFrame(what) : null),
  );
  rule('Inverted', ['Do', 'Subject', 'VerbPhrase'], 'does a car stop', (_, subject, { form, predicate: what }) =>
    isBase(form) ? stated(subject, what) : null,
  );
  rule(
    'Inverted',
    ['DoesNot', 'Subject', 'VerbPhrase'],
    "doesn't a car stop",
    (_, subject, { form, predicate: what }) => (isBase(form) ? stated(subject, what) : null),
  );
  rule('Inverted', ['Do', 'Subject', 'VerbPhrases'], 'does a car stop and leave', (_, subject, verbs) =>
    isBase(verbs.form) ? eachOf(subject, verbs) : null,
  );
  rule('Inverted', ['Have', 'Subject', 'VerbPhrase'], 'has a car stopped', (_, subject, { form, predicate: what }) =>
    form === 'participle' || form === 'perfect' ? stated(subject, { ...what, passive: false }) : null,
  );
  rule(
    'Inverted',
    ['Inverted', 'Or', 'Predication'],
    'is the car moving or parked',
    (statement, _, verb) => {
      if (statement.kind !== 'event' || statement.subject === null) return null;
      const other = statedOf(statement.subject, likewiseColored(statement, verb));
      return other && { kind: 'list', conjunction: 'or', members: [statement, other] };
    },
    0.4,
  );

  rule(
    'Inverted',
    ['Be', 'Determiner', 'Quantity', 'Measure'],
    'was the speed above 50 km/h',
    (_, _the, word, amount) => measured(word, amount),
  );
  rule('Inverted', ['Inverted', 'AtOnce'], 'are there two cars at the same time', (statement) =>
    statement.kind === 'event' && statement.subject?.kind === 'entity' && statement.subject.plural ? statement : null,
  );

  rule('Question', ['Inverted'], 'is there a car', (statement) => query(statement, { isYesNo: true }));
  rule('Question', ['Questioned', 'Inverted'], 'when does a car stop', (question, statement) =>
    (question.sense.question === 'where' && isArrival(statement)) || isEndedBy(question, statement)
      ? null
      : requested(question, statement),
  );
  rule(
    'Question',
    ['Questioned', 'Subject'],
    ['how many cars', 'where dog'],
    (question, subject) => {
      const isPlaced = question.sense.question === 'where' && !isNone(subject);
      const isRequested = isPlaced || (question.sense.question === 'count' && !isCounted(subject));
      const statement = isRequested ? present(subject) : null;
      return statement && requested(question, statement);
    },
    MODIFIER,
  );
  rule(
    'Question',
    ['Questioned', 'Subject', 'Vague'],
    'how many people overnight',
    (question, subject, word) =>
      question.sense.question === 'count' && !isCounted(subject)
        ? requested(question, event(subject, modified(predicate({ type: 'exists' }), { type: 'vague', word })))
        : null,
    MODIFIER,
  );
  rule('Question', ['Questioned', 'Inverted', 'For'], 'how long does it rain for', (question, statement) =>
    question.sense.question === 'how_long' ? requested(question, statement) : null,
  );
  rule(
    'Question',
    ['Questioned', 'After', 'Clause', 'Inverted'],
    'how long after the bang does someone appear',
    (question, _, first, then) => timeBetween(question, first, then),
  );
  rule(
    'Question',
    ['Questioned', 'Before', 'Clause', 'Inverted'],
    'how many seconds before the bang did the car stop',
    (question, _, then, first) => timeBetween(question, first, then),
  );
  rule(
    'Question',
    ['Statement', 'Comma', 'Question'],
    ['a man comes in, when does he leave', 'there is a man - when does he leave'],
    (statement, _, made) => referQuery(made, statement),
    MODIFIER,
  );
  rule('Question', ['NounPhrase', 'Comma', 'Question'], 'the red car, when does it stop', (noun, _, made) =>
    made.calculation ? null : aboutTopic(noun, made),
  );
  rule(
    'Question',
    ['NounPhrase', 'Comma', 'Questioned', 'Be', 'Pronoun'],
    'the red car, where is it',
    (noun, _, question, _be, pronoun) => {
      const isOfOne = question.sense.question === 'where' || question.sense.question === 'which_color';
      return isOfOne ? requested(question, present(named(noun, pronoun))) : null;
    },
  );
  rule(
    'Question',
    ['Questioned', 'Be', 'Subject', 'Action'],
    'where is the suitcase left',
    (question, _, subject, word) =>
      question.sense.question === 'where' && word.form === 'perfect' && word.sense.action === 'leaves'
        ? requested(question, stated(subject, predicate({ type: 'action', word }, { passive: true })))
        : null,
  );
  rule(
    'Question',
    ['Questioned', 'Do', 'Subject', 'Pick', 'VerbPhrase'],
    'when does the car first move',
    (question, _, subject, pick, { form, predicate: what }) => {
      const statement = isMoment(pick) && isBase(form) && picksNothing(subject) ? stated(subject, what) : null;
      return statement && question.sense.question === 'when' ? query(statement, { question, pick }) : null;
    },
  );
  rule(
    'Utterance',
    ['Subject', 'Pick', 'VerbPhrase'],
    'the car first moves',
    (subject, pick, { form, predicate: what }) => {
      const statement = isMoment(pick) && isFiniteForm(form) && picksNothing(subject) ? stated(subject, what) : null;
      return statement && query(statement, { pick });
    },
  );
  const lasting = (question: Categories['Questioned'], statement: Statement | null, last: Leaf): Query | null => {
    const made =
      question.sense.question === 'how_long' && statement && /^last/i.test(last.text)
        ? requested(question, statement)
        : null;
    return made && { ...made, repeats: [...made.repeats, last] };
  };
  rule(
    'Question',
    ['Questioned', 'Do', 'Determiner', 'Statement', 'Last'],
    'how long does the silence last',
    (question, _, _the, statement, last) => lasting(question, statement, last),
  );
  rule('Question', ['Questioned', 'Do', 'Clause', 'Last'], 'how long does silence last', (question, _, it, last) =>
    lasting(question, it, last),
  );
  rule('Question', ['Questioned', 'Do', 'Subject', 'Have'], 'which colors do the cars have', (question, _, subject) =>
    question.sense.question === 'which_color' && !hasOwnColor(subject) ? requested(question, present(subject)) : null,
  );
  rule('Question', ['Questioned', 'Be', 'Subject'], 'where is the dog', (question, _, subject) => {
    const { question: kind } = question.sense;
    const isOfOne = kind === 'where' || (kind === 'which_color' && !hasOwnColor(subject));
    const statement = isOfOne ? present(subject) : null;
    return statement && requested(question, statement);
  });
  rule(
    'Question',
    ['Questioned', 'Subject', 'VerbPhrase'],
    'how many cars stop',
    (question, subject, { form, predicate: what }) =>
      question.sense.question === 'count' &&
      form !== 'ing' &&
      form !== 'participle' &&
      !isCounted(subject) &&
      !isRemaining(what)
        ? requested(question, stated(subject, what))
        : null,
  );
  rule(
    'Question',
    ['Questioned', 'Subject', 'VerbPhrases'],
    'how many cars stop and leave',
    (question, subject, verbs) =>
      question.sense.question === 'count' && !isCounted(subject) ? requested(question, eachOf(subject, verbs)) : null,
  );
  rule('Question', ['Questioned', 'Subject', 'There', 'Be'], 'I wonder how many cars there are', (question, subject) =>
    question.sense.question === 'count' && !isCounted(subject) ? requested(question, present(subject)) : null,
  );
  rule('Question', ['Questioned', 'Subject', 'Be', 'There'], 'how many cars are there', (question, subject) =>
    question.sense.question === 'count' && !isCounted(subject) ? requested(question, present(subject)) : null,
  );
  rule(
    'Question',
    ['Questioned', 'Subject', 'Be', 'There', 'Modifier'],
    'how many people are there in the room',
    (question, subject, _, _there, modifier) => {
      if (question.sense.question !== 'count' || isCounted(subject)) return null;
      return requested(question, event(subject, predicate({ type: 'exists' }, { modifiers: [modifier] })));
    },
  );
  rule('Question', ['Questioned', 'Subject', 'Be', 'InThere'], 'how many dogs are in it', (question, subject) => {
    const it = question.sense.question === 'count' && !isCounted(subject) ? present(subject) : null;
    return it && isInVideo(it) ? requested(question, it) : null;
  });
  rule('Question', ['Questioned', 'Clause'], 'how many cuts', (question, statement) =>
    question.sense.question === 'count' && isFrame(statement) ? requested(question, statement) : null,
  );
  rule('Question', ['Questioned', 'Clause', 'Be', 'There'], 'how many cuts are there', (question, statement) =>
    question.sense.question === 'count' && isFrame(statement) ? requested(question, statement) : null,
  );
  rule('Sought', ['ColorOf', 'Subject'], ['color of the bus', 'tell me the color of the bus'], (question, subject) => {
    const statement = present(subject);
    return statement && requested(question, statement);
  });
  rule('Question', ['Question', 'Per'], 'how many cars per minute', (made, word) =>
    made.question?.sense.question === 'count' && !made.per && word.sense.seconds
      ? { ...made, per: { words: [word], seconds: word.sense.seconds } }
      : null,
  );
  rule('Question', ['Question', 'Per', 'Measure'], 'how many cars per 10 seconds', (made, word, amount) =>
    made.question?.sense.question === 'count' &&
    !made.per &&
    !word.sense.seconds &&
    amount.bare &&
    amount.dimension === 'time'
      ? { ...made, per: { words: [word, ...amount.words], seconds: amount.min! } }
      : null,
  );
  rule(
    'Question',
    ['What', 'Be', 'NounPhrase', 'To', 'VerbPhrase'],
    'what is the last car to leave',
    (_, _be, noun, _to, { form, predicate: what }) =>
      asWhich(isBase(form) && noun.pick && isObject(noun) && noun.modifiers.length === 0 ? stated(noun, what) : null),
  );
  rule('Question', ['Which', 'Nominal', 'VerbPhrase'], 'which cars stop', (_, noun, { form, predicate: what }) =>
    isFiniteForm(form) || isBase(form) ? asWhich(isObject(noun) ? stated(noun, what) : null) : null,
  );
  rule('Question', ['Which', 'Nominal', 'Be', 'Vague'], 'which car is closest', (_, noun, _be, word) =>
    asWhich(isObject(noun) ? present(withAttribute(noun, { type: 'vague', word })) : null),
  );
  rule(
    'Question',
    ['Whoever', 'VerbPhrase'],
    ['who enters the room', 'whos at the gate'],
    (word, { form, predicate: what }) => (isFiniteForm(form) ? asWhich(stated(anyone(word), what)) : null),
  );
  rule('Question', ['Whoever', 'VerbPhrases'], 'who enters and leaves', (word, verbs) =>
    isFiniteForm(verbs.form) ? asWhich(eachOf(anyone(word), verbs)) : null,
  );
  rule('Question', ['What', 'VerbPhrase'], 'what moved', (word, { form, predicate: what }) =>
    isFiniteForm(form) && what.head.type === 'action' && what.object === null
      ? asWhich(stated(anything(word, REASONS.whichObject), what))
      : null,
  );
  rule('Question', ['What', 'Be', 'Complement'], ['what is on the table', 'whats on the table'], (word, _, modifier) =>
    isWhere(modifier) ? asWhich(present(withModifier(anything(word), modifier))) : null,
  );
  rule('Question', ['Turn', 'Clause'], 'time the person spends in the room', (word, statement) =>
    statement.kind === 'event' &&
    statement.predicate?.head.type === 'action' &&
    SPENT.test(statement.predicate.head.word.text)
      ? query(statement, { question: { ...word, sense: { type: 'question', question: 'how_long' } } })
      : null,
  );
  rule('Utterance', ['Statement'], 'a car stops', (statement) => query(statement, { isYesNo: asksForAny(statement) }));
  const dressed = (words: Categories['Colors'] | null, word: Categories['Garment']) => {
    if (words === null && !word.sense.colors) return null;
    const { span, text, id } = word;
    const noun = { span, text, id, sense: { type: 'noun', classes: ['person'] } as const };
    const garment = entity({ type: 'garment', word }, { attributes: words ? [{ type: 'color', words }] : [] });
    const worn = { type: 'worn', colors: [], garment, negation: null } as const;
    const statement = present(entity({ type: 'object', word: noun, indefinite: false }, { modifiers: [worn] }));
    return statement && query(statement);
  };
  rule('Utterance', ['Colors', 'Garment'], 'red jacket', dressed);
  rule('Utterance', ['Determiner', 'Colors', 'Garment'], 'a red jacket', (_, words, word) => dressed(words, word));
  rule(
    'Question',
    ['Questioned', 'Be', 'Determiner', 'Pick', 'Statement'],
    'when is the first time a car stops',
    (question, _, _the, pick, statement) => (picks(statement) ? query(statement, { question, pick }) : null),
  );
  rule(
    'Question',
    ['Questioned', 'Be', 'Determiner', 'Pick', 'If', 'Statement'],
    'when is the first time that a car stops',
    (question, _, _the, pick, _that, statement) => (picks(statement) ? query(statement, { question, pick }) : null),
  );
  rule('Utterance', ['Subject', 'Comma', 'Determiner'], 'dogs or cats, any', (subject, _, { type }) => {
    const statement = type === 'any' ? present(subject) : null;
    return statement && query(statement, { isYesNo: true });
  });
  rule('Utterance', ['Garment'], 'hi vis vest', (word) => dressed(null, word));
  rule('Utterance', ['Determiner', 'Garment'], 'a hi vis vest', (_, word) => dressed(null, word));
  rule('Utterance', ['Question'], 'does a car stop', (made) => made);
  rule(
    'Utterance',
    ['Pick', 'Statement'],
    'first time a car stops',
    (pick, statement) => (picks(statement) ? query(statement, { pick }) : null),
    0.4,
  );
  rule(
    'Utterance',
    ['Ordinal', 'Turn', 'Statement'],
    'the second time a car stops',
    (pick, _, statement) => (picks(statement) ? query(statement, { pick }) : null),
    0.4,
  );
  rule(
    'Utterance',
    ['Determiner', 'Utterance'],
    'the second time a car stops',
    (_, made) => (made.pick ? made : null),
    0.2,
  );
  rule('Utterance', ['Utterance', 'QuestionMark'], 'any cars?', (made) => ({
    ...made,
    isYesNo: made.isYesNo || (made.question === null && !isOpen(made.statement) && !made.isWhich),
  }));
  rule('Utterance', ['Utterance', 'Comma', 'Questioned'], 'a car stops, when', (made, _, word) => tagged(made, word));
  rule('Utterance', ['Utterance', 'Questioned'], 'is there a car? when', (made, word) => tagged(made, word), 0.3);
  rule('Utterance', ['Utterance', 'And', 'Questioned'], 'is there a car and when', (made, _, word) =>
    tagged(made, word),
  );
  rule('Utterance', ['Utterance', 'Comma', 'And', 'Questioned'], 'is there a car, and when', (made, _, _and, word) =>
    tagged(made, word),
  );
  rule('Utterance', ['Utterance', 'Comma', 'Confirm'], 'there is a car, right', (made, _, tag) =>
    made.question === null && made.calculation === null && made.statement.kind !== 'anything'
      ? { ...made, isYesNo: true, repeats: [...made.repeats, tag] }
      : null,
  );
  // "The car stops, doesn't it": the tag asks nothing else, whatever it denies.
  const tag = (verb: Leaf, word: Leaf): Leaf => joined(verb, [word]);
  for (const [verb, ofOthers, ofCamera] of [
    ['Be', 'nobody is there, are they', 'we are not turning, are we'],
    ['BeNot', "people are there, aren't they", "we are turning, aren't we"],
    ['Do', 'cars never stop, do they', 'we never stop, do we'],
    ['DoNot', "cars stop, don't they", "we stop, don't we"],
    ['Have', 'nobody has left, have they', 'we have not stopped, have we'],
    ['HaveNot', "people have left, haven't they", "we have stopped, haven't we"],
  ] as const) {
    rule('Confirm', [verb, 'Pronoun'], ofOthers, tag, MODIFIER);
    rule('Confirm', [verb, 'Camera'], ofCamera, tag);
  }
  rule('Confirm', ['Be', 'There'], 'there are no cars, are there', tag);
  rule('Confirm', ['BeNot', 'There'], "there are two cars, aren't there", tag);
  rule('Confirm', ['Or', 'Confirm'], "the camera doesn't move, or does it", tag);
  rule(
    'Utterance',
    ['Utterance', 'Confirm'],
    'theres a bird right',
    (made, { text }) =>
      /^right$/i.test(text) && made.question === null && made.calculation === null && isPresence(made.statement)
        ? { ...made, isYesNo: true }
        : null,
    0.3,
  );
  rule('Utterance', ['Utterance', 'OrNot'], 'did the cat come in or not', (made, _) =>
    made.calculation === null &&
    made.statement.kind !== 'anything' &&
    made.question === null &&
    !isSpoken(made.statement)
      ? { ...made, isYesNo: true }
      : null,
  );
  rule(
    'Utterance',
    ['Utterance', 'Only'],
    'detect cars only',
    (made, _) => (made.question === null ? made : null),
    MODIFIER,
  );
  rule(
    'Utterance',
    ['If', 'Statement'],
    ['where a car stops', 'whenever a truck arrives'],
    ({ text }, statement) => (OCCASION.test(text) ? query(statement) : null),
    0.8,
  );
  rule(
    'Utterance',
    ['Command', 'NounPhrase', 'For', 'NounPhrase'],
    'watch the door for people',
    (_, place, _for, noun) =>
      isBarePlace(place) && isObject(noun)
        ? query(event(withModifier(noun, atPlace(place, placeWordOf(place))), null))
        : null,
  );
  rule('Utterance', ['Utterance', 'Stop'], 'a car stops.', (made) => made);
  rule('Utterance', ['Utterance', 'Comma'], 'a car stops, please', (made) => made);
  rule('Utterance', ['And', 'Utterance'], 'and when does the car stop', (_, made) => made, MODIFIER);
  rule(
    'Utterance',
    ['Only', 'Utterance'],
    'only red cars',
    // "Only two people": no more than two.
    (_, made) => (made.question === null && !hasAmount(made.statement) ? made : null),
    MODIFIER,
  );
  rule(
    'Utterance',
    ['Utterance', 'InVideo'],
    'are there any people in the video',
    (made) => (isExit(made.statement) ? null : made),
    MODIFIER,
  );
  // Objects may be in something else.
  rule('Utterance', ['Utterance', 'InIt'], 'is there speech in it', (made) => (isHeard(made.statement) ? made : null));
  rule(
    'Utterance',
    ['InVideo', 'Utterance'],
    'at some point is there a dog',
    ({ text }, made) => (isExit(made.statement) || !AT_THE_START.test(text) ? null : made),
    0.3,
  );
  rule('Utterance', ['InVideo', 'Comma', 'Utterance'], 'in the video, is there a dog', ({ text }, _, made) =>
    isExit(made.statement) || !AT_THE_START.test(text) ? null : made,
  );
  rule(
    'Utterance',
    ['Utterance', 'InThere'],
    ['is there a dog in it', 'there are dogs in it'],
    (made) => (isInVideo(made.statement) ? made : null),
    MODIFIER,
  );
  rule(
    'There',
    ['There', 'InVideo'],
    'is there at any time nobody in the picture',
    (word, { text }) => (/^at /i.test(text) ? word : null),
    MODIFIER,
  );
  rule('InVideo', ['InVideo', 'InVideo'], 'at any point in the video, is there a dog', (word) => word, 0.1);
  rule('Subject', ['Subject', 'InVideo'], 'a person in the picture leaves', (subject) => subject, MODIFIER);

  rule(
    'Utterance',
    ['Utterance', 'WindowPhrase'],
    'person in the first 10 seconds',
    (made, window) => (made.window ? null : { ...made, window }),
    MODIFIER,
  );
  rule(
    'Utterance',
    ['Utterance', 'But', 'Clause'],
    'people in the last 2 minutes but no cars',
    (made, _, clause) => {
      const statement = made.window && made.question === null && !made.calculation && meanwhile(made.statement, clause);
      return statement ? { ...made, statement } : null;
    },
    0.3,
  );
  rule('Utterance', ['SignalTime', 'Utterance'], 'at night a car stops', (word, made) => duringAll(made, word), 0.5);
  rule(
    'Utterance',
    ['SignalTime', 'Comma', 'Utterance'],
    'at night, a car stops, then a person gets out',
    (word, _, made) => duringAll(made, word),
    0.3,
  );
  rule(
    'Utterance',
    ['Occasion', 'SignalTime', 'With', 'Statement'],
    'scenes at night with people',
    (_, word, _with, statement) => {
      const made = during(statement, word);
      return made && query(made);
    },
    MODIFIER,
  );
  rule(
    'Utterance',
    ['WindowPhrase', 'Utterance'],
    'in the first minute a car stops',
    (window, made) => (made.window ? null : { ...made, window }),
    0.3,
  );
  rule(
    'Utterance',
    ['WindowPhrase', 'Comma', 'Utterance'],
    'in the first minute, a car stops',
    (window, _, made) => (made.window ? null : { ...made, window }),
    0.3,
  );
  rule(
    'Utterance',
    ['WindowPhrase'],
    'the last 10 seconds',
    (window) => query({ kind: 'anything', words: [] }, { window }),
    2,
  );

  rule('WindowPhrase', ['Window', 'Measure'], 'person in the first 10 seconds', (word, amount) =>
    amount.bare && amount.dimension === 'time' && !word.sense.from ? edge(word, amount.min!, amount.words) : null,
  );
  rule(
    'WindowPhrase',
    ['In', 'Determiner', 'Ordinal', 'Unit'],
    'cars in the second minute',
    (_, _the, ordinal, { span, text, id, sense }) => {
      const at = PLACES.indexOf(ordinal.sense.pick);
      return sense.dimension === 'time' && !sense.counted && at >= 0
        ? { words: [ordinal, { span, text, id }], from: at * sense.factor, to: (at + 1) * sense.factor }
        : null;
    },
  );
  rule(
    'WindowPhrase',
    ['Between', 'Unit', 'Number', 'And', 'Number'],
    'cars between minute 2 and 3',
    (_, unit, from, _and, to) =>
      unit.sense.dimension === 'time' && !unit.sense.counted && from.sense.value < to.sense.value
        ? {
            words: [unit, from, to],
            from: from.sense.value * unit.sense.factor,
            to: to.sense.value * unit.sense.factor,
          }
        : null,
  );
  rule(
    'WindowPhrase',
    ['In', 'Determiner', 'Stretch', 'WindowPhrase'],
    'cars in the period between 0:10 and 0:20',
    (at, _, _period, window) => (at.surface === 'in' && window.to !== null && window.from > 0 ? window : null),
  );
  rule('WindowPhrase', ['During', 'WindowPhrase'], 'cars during 0:10 to 0:20', (_, window) =>
    window.to !== null && window.from > 0 ? window : null,
  );
  rule('WindowPhrase', ['For', 'WindowPhrase'], 'nobody for the last 30 seconds', (_, window) => window);
  rule(
    'WindowPhrase',
    ['After', 'WindowPhrase'],
    'people after the first minute',
    (after, { words, from, to, unit }) =>
      from === 0 && to !== null ? { words: [after, ...words], from: to, to: null, ...(unit ? { unit } : {}) } : null,
  );
  rule(
    'WindowPhrase',
    ['Before', 'WindowPhrase'],
    'people before the last minute',
    (before, { words, from, to, unit }) =>
      to === null && from < 0 ? { words: [before, ...words], from: 0, to: from, ...(unit ? { unit } : {}) } : null,
  );
  rule('WindowPhrase', ['WindowPhrase', 'And', 'WindowPhrase'], 'cars after 2:30 and before 3:00', (a, _, b) =>
    overlap(a, b),
  );
  rule('WindowPhrase', ['Compare', 'Clock'], 'cars up to 2:00', (compare, clock) =>
    compare.sense.compare === 'max' ? { words: [compare, clock], from: 0, to: clock.seconds } : null,
  );
  rule('WindowPhrase', ['TimeRange'], 'motion between 10 and 20 seconds', ({ words, min, max }) => ({
    words,
    from: min!,
    to: max,
  }));
  rule('WindowPhrase', ['From', 'Time', 'To', 'Edge'], 'cars from 0:10 to the end', (_, time, _to, edge) =>
    edge.window === 'last' ? { words: [...time.words, edge], from: time.seconds, to: null } : null,
  );
  rule('WindowPhrase', ['Window', 'Unit'], 'people in the last minute', (word, unit) =>
    unit.sense.dimension === 'time' && !unit.sense.counted && !word.sense.from
      ? edge(word, unit.sense.factor, [unit])
      : null,
  );
  rule('WindowPhrase', ['Window'], 'a car at the end', (word) =>
    word.sense.seconds ? { ...edge(word, word.sense.seconds, []), edge: true } : null,
  );
  rule('WindowPhrase', ['Window', 'Fraction'], 'people in the first half', (word, fraction) =>
    word.sense.from
      ? null
      : shareOf([word, fraction], word.sense.window === 'first' ? 0 : 1 - fraction.share, fraction),
  );
  rule(
    'WindowPhrase',
    ['In', 'Determiner', 'Ordinal', 'Fraction'],
    'people in the second half',
    (_, _the, ordinal, fraction) =>
      shareOf([ordinal, fraction], PLACES.indexOf(ordinal.sense.pick) * fraction.share, fraction),
  );
  rule(
    'WindowPhrase',
    ['WindowPhrase', 'Of', 'Determiner', 'Picture'],
    'people in the first half of the video',
    (window) => window,
  );
  rule(
    'WindowPhrase',
    ['Determiner', 'Ordinal', 'Fraction'],
    'are there more cars in the first half or the second half',
    (_, ordinal, fraction) =>
      shareOf([ordinal, fraction], PLACES.indexOf(ordinal.sense.pick) * fraction.share, fraction),
    MODIFIER,
  );
  rule('WindowPhrase', ['In', 'Unit', 'Number'], 'how many people are there at second 20', (_, unit, number) =>
    unit.sense.dimension === 'time' && !unit.sense.counted
      ? momentAt([unit, number], number.sense.value * unit.sense.factor)
      : null,
  );
  rule(
    'WindowPhrase',
    ['Measure', 'Window'],
    ['how many people are there 20 seconds into the video', 'cars 10 seconds before the end'],
    (amount, word) =>
      amount.bare && amount.dimension === 'time' && word.sense.from
        ? momentAt([...amount.words, word], word.sense.window === 'first' ? amount.min! : -amount.min!)
        : null,
  );
  rule('WindowPhrase', ['In', 'Around', 'Time'], 'cars at about 1:30', (at, word, { words, seconds }) =>
    at.surface === 'at' ? around([word, ...words], seconds) : null,
  );
  rule('WindowPhrase', ['Around', 'Clock'], 'cars around 1:30', (word, clock) => around([word, clock], clock.seconds));
  rule('WindowPhrase', ['Clock', 'Dash', 'Clock'], 'show me 1:10-1:20', (a, _, b) => range(timeOf(a), timeOf(b)));
  rule('WindowPhrase', ['Clock', 'To', 'Clock'], 'show me 1:10 to 1:20', (a, _, b) => range(timeOf(a), timeOf(b)));
  rule(
    'WindowPhrase',
    ['In', 'Middle', 'Of', 'Determiner', 'Picture'],
    'cars in the middle of the clip',
    (_, word, _of, _the, picture) =>
      LASTING.test(picture.text) ? { words: [word], unit: 'share', from: 1 / 3, to: 2 / 3 } : null,
  );
  rule('WindowPhrase', ['Halfway'], 'anyone halfway through', (word) => ({
    words: [word],
    unit: 'share',
    from: 0.45,
    to: 0.55,
  }));
  rule('WindowPhrase', ['Halfway', 'Determiner', 'Picture'], 'anyone halfway through the video', (word) => ({
    words: [word],
    unit: 'share',
    from: 0.45,
    to: 0.55,
  }));
  rule('WindowPhrase', ['Until', 'Time'], 'cars until 0:10', (word, { words, seconds }) => ({
    words: [word, ...words],
    from: 0,
    to: seconds,
  }));
  rule('WindowPhrase', ['From', 'Edge', 'Until', 'Time'], 'cars from the start until 0:10', (_, edge, _until, time) =>
    edge.window === 'first' ? { words: [edge, ...time.words], from: 0, to: time.seconds } : null,
  );
  rule('WindowPhrase', ['From', 'Time', 'Until', 'Time'], 'cars from 0:10 until 0:20', (_, a, _until, b) =>
    range(a, b),
  );
  rule('WindowPhrase', ['From', 'Time', 'Until', 'Edge'], 'cars from 0:10 until the end', (_, time, _until, edge) =>
    edge.window === 'last' ? { words: [...time.words, edge], from: time.seconds, to: null } : null,
  );
  rule(
    'Time',
    ['Determiner', 'Measure', 'Mark'],
    'cars after the 20 second mark',
    (_, { words, dimension, min, bare }) => (bare && dimension === 'time' ? { words, seconds: min! } : null),
  );
  rule('Time', ['Unit', 'Number'], 'cars from second 10 to second 30', (unit, number) =>
    unit.sense.dimension === 'time' && !unit.sense.counted
      ? { words: [unit, number], seconds: number.sense.value * unit.sense.factor }
      : null,
  );
  rule(
    'WindowPhrase',
    ['In', 'Time'],
    ['cars at the 20 second mark', 'cars at 0:42', 'cars at 20 seconds'],
    (at, { words, seconds }) => (at.surface === 'at' ? momentAt(words, seconds) : null),
  );
  rule('WindowPhrase', ['After', 'Time'], 'cars after 30 seconds', (word, { words, seconds }) => ({
    words: [word, ...words],
    from: seconds,
    to: null,
  }));
  rule('WindowPhrase', ['From', 'Time'], 'cars from 0:30', (word, { words, seconds }) => ({
    words: [word, ...words],
    from: seconds,
    to: null,
  }));
  rule('WindowPhrase', ['Before', 'Time'], 'cars before 0:30', (word, { words, seconds }) => ({
    words: [word, ...words],
    from: 0,
    to: seconds,
  }));
  rule('WindowPhrase', ['Between', 'Time', 'And', 'Time'], 'cars between 0:10 and 0:20', (_, a, _and, b) =>
    range(a, b),
  );
  rule('WindowPhrase', ['From', 'Time', 'To', 'Time'], 'cars from 0:10 to 0:20', (_, a, _to, b) => range(a, b));
}

export const isFrame = (statement: Statement): boolean =>
  statement.kind === 'event' &&
  statement.subject === null &&
  statement.predicate !== null &&
  FRAME.has(statement.predicate.head.type);
const FRAME: ReadonlySet<string> = new Set(['signal', 'sound', 'motion', 'quantity', 'camera_move']);

/** "Any dogs" asks whether there are some, with or without a question mark. */
function asksForAny(statement: Statement): boolean {
  const first = statement.kind === 'sequence' ? statement.steps[0]!.statement : statement;
  if (first.kind !== 'event' || first.subject?.kind !== 'entity') return false;
  if (first.predicate || first.negation) return false;
  const { determiner, head } = first.subject;
  return determiner?.type === 'any' || (head.type === 'object' && head.indefinite && /^any/i.test(head.word.text));
}

/** "How many bottles are left": still there. */
const isRemaining = ({ head, passive }: Predicate): boolean =>
  passive && head.type === 'action' && head.word.sense.action === 'leaves';

/** "What color is the traffic light": that of its lamp. */
const hasOwnColor = (subject: Nominal): boolean =>
  subject.kind === 'entity' && subject.head.type === 'object' && subject.head.word.sense.fixedColor !== undefined;

/** "They say yes or no": both may be spoken. */
const isSpoken = (statement: Statement): boolean =>
  statement.kind === 'event' && statement.predicate?.head.type === 'speech';

/** Of words for all of the video, those that a sentence may start with. */
const AT_THE_START = /^(?:in (?:the|this|here)|during|on (?:the|camera|video)|at (?:some|any|one)|over)\b/i;

/** "Left in the scene" is not "left the scene". */
const isExit = (statement: Statement | null): boolean =>
  statement?.kind === 'event' &&
  statement.predicate?.head.type === 'action' &&
  statement.predicate.head.word.sense.action === 'leaves';

/** "Which direction does it move in": the preposition is that of the question. */
const isEndedBy = (question: Word<'question'>, statement: Statement): boolean =>
  isStranding(question) &&
  statement.kind === 'event' &&
  statement.predicate?.head.type === 'action' &&
  / in$/i.test(statement.predicate.head.word.text);

/** "Where does the car come from": not where it first appears. */
const isArrival = (statement: Statement): boolean =>
  statement.kind === 'event' &&
  statement.predicate?.head.type === 'action' &&
  statement.predicate.head.word.sense.action === 'appears';

const ofFrame = (what: Categories['VerbPhrase']['predicate']): Event | null =>
  what.head.type === 'signal' || what.head.type === 'sound' ? event(null, what) : null;

function statedOf(
  subject: Nominal,
  { form, predicate: what }: { form: VerbForm; predicate: Categories['VerbPhrase']['predicate'] },
): Statement | null {
  return stated(subject, describes(form) ? { ...what, passive: form === 'participle' } : what);
}

/** "Top speed and when": such values are stated with their times. */
const isTimed = ({ calculation }: Query, { sense }: Word<'question'>): boolean =>
  sense.question === 'when' && calculation !== null && calculation.compare === null && TIMED.has(calculation.measure);
const TIMED: ReadonlySet<string> = new Set(['most', 'highest', 'lowest', 'at_start', 'start']);

/** "Is there a car, and when": the time answers both. */
const tagged = (made: Query, word: Word<'question'>): Query | null =>
  isTimed(made, word)
    ? { ...made, repeats: [...made.repeats, word] }
    : (word.sense.question === 'when' || word.sense.question === 'where') &&
        made.question === null &&
        made.calculation === null &&
        made.statement.kind !== 'anything'
      ? { ...made, question: word, isYesNo: false }
      : null;

const isMoment = ({ sense }: Categories['Pick']) => sense.pick === 'first' || sense.pick === 'last';
const picksNothing = (subject: Nominal) => subject.kind === 'entity' && subject.pick === null;

/** "The red car, when does it stop": the pronoun is what was named before. */
function aboutTopic(noun: Entity, made: Query): Query | null {
  const { statement } = made;
  if (statement.kind !== 'event' || statement.subject?.kind !== 'entity') return null;
  const { head } = statement.subject;
  return head.type === 'pronoun' ? { ...made, statement: { ...statement, subject: named(noun, head.word) } } : null;
}

/** The object that a pronoun stands for, which determines it. */
const named = (noun: Entity, { span, text, id }: Leaf): Entity => ({
  ...noun,
  determiner: { span, text, id, type: 'definite' },
});

const timeBetween = (question: Word<'question'>, first: Statement, then: Statement): Query | null =>
  question.sense.question === 'how_long' && !isSubjectless(first) && !isSubjectless(then)
    ? query(sequence(first, then, { within: LONGEST }), {
        question: { ...question, sense: { ...question.sense, question: 'time_between' } },
      })
    : null;

/** The objects that are found answer it, and no "yes": "which cars stop". */
const asWhich = (statement: Statement | null): Query | null => statement && query(statement, { isWhich: true });

const anyone = (word: Word<'noun'>): Entity => entity({ type: 'object', word, indefinite: true });

const anything = ({ span, text, id }: Leaf, caveat?: string): Entity =>
  entity({
    type: 'object',
    word: { span, text, id, sense: { type: 'noun', classes: [], ...(caveat ? { caveat } : {}) } },
    indefinite: true,
  });

const isOfCamera = (other: Nominal) => other.kind === 'entity' && other.head.type === 'camera';
/** Where in the frame, or in relation to an object. */
const isWhere = (modifier: Modifier): boolean =>
  (modifier.type === 'side' && modifier.role === 'at') ||
  (modifier.type === 'relation' && (!isOfCamera(modifier.other) || modifier.word.sense.relation === 'in_front_of')) ||
  (modifier.type === 'role' && modifier.role === 'at');

const isPresence = (statement: Statement): boolean =>
  statement.kind === 'event' &&
  statement.predicate === null &&
  statement.subject?.kind === 'entity' &&
  statement.subject.doing === null;
/** Objects that are there, without a place that "it" could be. */
const isInVideo = (statement: Statement): boolean =>
  statement.kind === 'event' &&
  statement.predicate === null &&
  statement.subject?.kind === 'entity' &&
  isObject(statement.subject) &&
  statement.subject.doing === null &&
  statement.subject.modifiers.length === 0;
const placeWordOf = ({ head }: Entity): Leaf => ('words' in head ? head.words[0]! : head.word);
const SPENT = /^spen[dt]/i;
const OCCASION = /^(?:where|when|whenever)$/i;

/** "The first 5 people" are not the first time that five are there. */
const picks = (statement: Statement): boolean =>
  statement.kind === 'event' &&
  (statement.subject === null || (statement.subject.kind === 'entity' && statement.subject.amount === null));

/** "Does the light turn red or green": it turns green, too. */
function likewiseColored({ predicate: first }: Event, verb: VerbPhrase): VerbPhrase {
  const { head } = verb.predicate;
  if (first?.head.type !== 'becomes' || head.type !== 'color') return verb;
  return { ...verb, predicate: { ...verb.predicate, head: { ...first.head, colors: head.words } } };
}

/** A second of the video. */
export const momentAt = (words: readonly Leaf[], from: number): Window => ({ words, from, to: from + 1 });

/** So many seconds before and behind a moment are about the same time. */
const ABOUT_S = 5;
export const around = (words: readonly Leaf[], seconds: number): Window => ({
  words,
  from: Math.max(0, seconds - ABOUT_S),
  to: seconds + ABOUT_S,
});
const timeOf = (clock: Categories['Clock']): Categories['Time'] => ({ words: [clock], seconds: clock.seconds });

/** The part of the video from a share of its length on; null if it ends behind it. */
export const shareOf = (words: readonly Leaf[], from: number, { share }: Categories['Fraction']): Window | null =>
  from < 0 || from + share > 1 + 1e-9 ? null : { words, unit: 'share', from, to: from + share };
export const PLACES: readonly string[] = ['first', 'second', 'third', 'fourth'];

export const edge = (word: Word<'window'>, seconds: number, words: readonly Window['words'][number][]): Window =>
  word.sense.window === 'first'
    ? { words: [word, ...words], from: 0, to: seconds }
    : { words: [word, ...words], from: -seconds, to: null };

/** "At night, how many cars stop": all that is requested. */
function duringAll(made: Query, word: Categories['SignalTime']): Query | null {
  const statement = made.calculation ? null : during(made.statement, word);
  return statement && { ...made, statement };
}

/** The common part of two open parts of the video. */
function overlap(a: Window, b: Window): Window | null {
  const [later, earlier] = a.to === null ? [a, b] : [b, a];
  if (later.unit || earlier.unit || later.to !== null || later.from <= 0) return null;
  return earlier.from === 0 && earlier.to !== null && later.from < earlier.to
    ? { words: [...a.words, ...b.words], from: later.from, to: earlier.to }
    : null;
}

export const range = (a: Categories['Time'], b: Categories['Time']): Window | null =>
  a.seconds < b.seconds ? { words: [...a.words, ...b.words], from: a.seconds, to: b.seconds } : null;

const hasAmount = (statement: Statement): boolean =>
  statement.kind === 'event' && statement.subject?.kind === 'entity' && statement.subject.amount !== null;

/** Speech and other sounds. */
const isHeard = (statement: Statement): boolean =>
  statement.kind === 'event' && statement.subject === null && statement.predicate?.head.type === 'sound';
