import type { Entity, Event, Leaf, Query, Statement } from '../../../meaning/types.ts';
import type { AddRule } from '../../../parse/rules.ts';
import { REASONS } from '../../../reasons.ts';
import type { QuestionKind, StatisticKind } from '../../../terms.ts';
import type { Categories, VerbPhrase } from '../categories.ts';
import { MODIFIER } from '../costs.ts';
import {
  entity,
  event,
  frameEvent,
  isCounted,
  isFiniteForm,
  isObject,
  isPlural,
  joined,
  lively,
  modified,
  predicate,
  query,
  questionOf,
} from './build.ts';
import { present, stated } from './clauses.ts';
import { isFrame } from './questions.ts';
import { requested } from './requested.ts';
import { recalculated, valueFor, withWords } from './values.ts';

/** Questions that are noun phrases: "average number of cars", "time without people", "longest gap between two cars". */
export function nounQuestionRules(rule: AddRule<Categories>): void {
  rule('Question', ['Sought'], 'average number of people', (made) => made);
  rule('Question', ['Determiner', 'Sought'], 'the average number of people', (_, made) => made);
  rule(
    'Question',
    ['What', 'Be', 'Determiner', 'Sought'],
    ['what is the average number of people', "what's the average number of people"],
    (_, _be, _the, made) => (made.question || made.calculation ? made : { ...made, isWhich: true }),
  );

  rule('Sought', ['Statistic', 'Question'], ['average number of people', 'maximum number of cars'], (word, made) =>
    byStatistic(made, word),
  );
  rule(
    'Sought',
    ['Statistic', 'Clause'],
    'max people',
    (word, statement) =>
      /^(?:max|peak)/i.test(word.text) && isPlural(statement) ? valueFor('most', statement, [word]) : null,
    MODIFIER,
  );

  rule('Sought', ['Duration', 'With', 'Clause'], 'time with a dog', (word, _, statement) =>
    query(statement, { question: word }),
  );
  rule('Sought', ['Duration', 'Clause'], ['time without people', 'total time a car is parked'], (word, statement) => {
    const isTimed = statement.kind === 'event' && (statement.negation !== null || /total|spent/i.test(word.text));
    return isTimed && (statement.negation || statement.predicate) ? query(statement, { question: word }) : null;
  });
  rule(
    'Sought',
    ['Questioned', 'Clause'],
    ['dwell time of customers', 'duration of silence', 'the number of bangs'],
    (question, statement) => {
      if (question.sense.question === 'count')
        return /number of$/i.test(question.text) && isFrame(statement) ? requested(question, statement) : null;
      if (question.sense.question !== 'how_long' || !/ of$/i.test(question.text)) return null;
      if (/^dwell/i.test(question.text)) return valueFor('item_length', statement, [question]);
      // "The length of a car" is no time.
      return statement.kind === 'event' && statement.predicate ? requested(question, statement) : null;
    },
  );
  rule('Sought', ['Questioned', 'Subject'], 'what is the total number of cars', (question, subject) => {
    const isOf = question.sense.question === 'count' && /number of$/i.test(question.text);
    return isOf && !isCounted(subject) ? requested(question, present(subject)) : null;
  });
  rule(
    'Question',
    ['Questioned', 'Be', 'Determiner', 'Statistic', 'Clause'],
    'how long is the average stop',
    (question, _, _the, word, statement) =>
      question.sense.question === 'how_long' ? byStatistic(query(statement, { question }), word, true) : null,
  );
  rule(
    'Question',
    ['What', 'Be', 'Determiner', 'Pick', 'Clause'],
    ['what is the longest someone waits', "what's the shortest a car stands"],
    (_, _be, _the, pick, statement) => {
      const { pick: choice } = pick.sense;
      const isDone = statement.kind === 'event' && statement.subject !== null && statement.predicate !== null;
      return isDone && (choice === 'longest' || choice === 'shortest') ? valueFor(choice, statement, [pick]) : null;
    },
  );
  rule(
    'NounPhrase',
    ['NounPhrase', 'Encountered'],
    'total people encountered',
    (noun) => (isObject(noun) && !noun.doing ? noun : null),
    MODIFIER,
  );
  const peopleOf = ({ span, text, id }: Leaf) =>
    present(
      entity(
        { type: 'object', word: { span, text, id, sense: { type: 'noun', classes: ['person'] } }, indefinite: false },
        { plural: true },
      ),
    );
  rule('Sought', ['Statistic', 'Occupancy'], 'peak occupancy', (statistic, word) => {
    const measure = OF_COUNTS[statistic.statistic];
    const people = peopleOf(word);
    return measure && people ? valueFor(measure, people, [statistic]) : null;
  });
  rule('Question', ['Pick', 'Clause', 'AtOnce'], 'most people visible at once', (pick, statement) =>
    /^(?:the )?most$/i.test(pick.text) && isCrowd(statement) ? valueFor('most', statement, [pick]) : null,
  );
  rule('Question', ['What', 'Be', 'Pick', 'Clause'], 'what is the most people', (_, _be, pick, statement) =>
    pick.sense.pick === 'most' && isCrowd(statement) ? valueFor('most', statement, [pick]) : null,
  );
  rule('Question', ['Question', 'Per', 'Picture'], 'how many people per frame', (made, word, picture) =>
    made.question?.sense.question === 'count' && !word.sense.seconds && /^(?:frame|picture|image)$/i.test(picture.text)
      ? recalculated(made, 'mean_count', word)
      : null,
  );

  rule('Sought', ['Pick', 'Stretch', 'Statement'], 'longest time without people', (pick, _, statement) =>
    isExtreme(pick) ? query(statement, { pick }) : null,
  );
  rule(
    'Sought',
    ['Pick', 'Stretch', 'If', 'Statement'],
    'longest time when nobody is there',
    (pick, _, _if, statement) => (isExtreme(pick) ? query(statement, { pick }) : null),
  );
  for (const [join, word] of [
    ['With', 'with'],
    ['Of', 'of'],
  ] as const)
    rule(
      'Sought',
      ['Pick', 'Stretch', join, 'Statement'],
      `longest period ${word} silence`,
      (pick, _, _with, statement) => (isExtreme(pick) ? query(statement, { pick }) : null),
    );
  rule(
    'Question',
    ['Questioned', 'Be', 'Determiner', 'Pick', 'Clause'],
    'when is the longest silence',
    (question, _, _the, pick, statement) =>
      question.sense.question === 'when' && isExtreme(pick) ? query(statement, { question, pick }) : null,
  );
  rule('Sought', ['Pick', 'Questioned', 'Subject'], 'longest gap between two cars', (pick, between, subject) => {
    const isGap = between.sense.question === 'time_between' && /\bgap\b/i.test(between.text);
    if (!isGap || !isExtreme(pick) || subject.kind === 'group' || !subject.plural || subject.negation) return null;
    const [noun, words] = withoutPair(subject);
    const statement = noun && present(noun);
    if (statement?.kind !== 'event') return null;
    return query({ ...statement, negation: joined(between, words) }, { question: questionOf('how_long', pick), pick });
  });

  rule('Question', ['Who', 'Be', 'Pick', 'To', 'VerbPhrase'], 'who was last to leave', (who, _, pick, _to, verb) =>
    verb.form === 'base' ? whoIs(anybody(who), { ...verb, form: 'present' }, pick) : null,
  );
  rule(
    'Question',
    ['NounPhrase', 'Who', 'VerbPhrase', 'Determiner', 'Pick'],
    'the person who stays the longest',
    (noun, _, verb, _the, pick) =>
      isCertain(noun) && isExtreme(pick) ? whoIs({ ...noun, determiner: null }, verb, pick) : null,
  );
  rule(
    'Question',
    ['NounPhrase', 'Who', 'VerbPhrase', 'Pick'],
    'the person who stays longest',
    (noun, _, verb, pick) =>
      isCertain(noun) && isExtreme(pick) ? whoIs({ ...noun, determiner: null }, verb, pick) : null,
  );
  for (const [determiners, the] of [
    [[], ''],
    [['Determiner'], 'the '],
  ] as const) {
    rule('Question', ['Who', 'VerbPhrase', ...determiners, 'Pick'], `who stays ${the}longest`, (...parts) =>
      whoIs(anybody(parts[0] as Leaf), parts[1] as VerbPhrase, parts.at(-1) as Categories['Pick']),
    );
    rule(
      'Question',
      ['Which', 'Nominal', 'VerbPhrase', ...determiners, 'Pick'],
      `which car stands ${the}longest`,
      (...parts) => whoIs(parts[1] as Entity, parts[2] as VerbPhrase, parts.at(-1) as Categories['Pick']),
    );
  }

  rule(
    'Question',
    ['Questioned', 'Clause'],
    ['number of times a car stops', 'at what time a car stops'],
    (question, statement) =>
      question.sense.question === 'how_often' || (question.sense.question === 'when' && / time$/i.test(question.text))
        ? requested(question, statement)
        : null,
  );
  rule('Question', ['Questioned', 'Clause'], 'time between cars', (question, statement) => {
    const isBetween = question.sense.question === 'time_between';
    if (!isBetween || statement.kind !== 'event' || statement.subject?.kind !== 'entity') return null;
    if (!statement.subject.plural || statement.negation) return null;
    const [subject, words] = withoutPair(statement.subject);
    return (
      subject && query({ ...statement, subject }, { question: { ...joined(question, words), sense: question.sense } })
    );
  });

  rule('Question', ['NounPhrase', 'Tally'], 'people count', (noun, word) =>
    isObject(noun) && !noun.amount && !noun.determiner
      ? query(event(noun, null), { question: questionOf('count', word) })
      : null,
  );
  rule('Question', ['InAll', 'Question'], 'total people count', (_, made) => (isSum(made) ? made : null), MODIFIER);
  rule('Question', ['InAll', 'Comma', 'Question'], 'in total, how many people enter', (_, _comma, made) =>
    isSum(made) ? made : null,
  );
  rule('Question', ['Question', 'InAll'], 'how many people total', (made) => (isSum(made) ? made : null), MODIFIER);

  rule('Question', ['Clause', 'Per'], 'cars per minute', (statement, word) =>
    word.sense.seconds ? rateOf(statement, word, word.sense.seconds, [word]) : null,
  );
  rule(
    'Question',
    ['Clause', 'Per', 'Measure'],
    'cars per 10 seconds',
    (statement, word, { words, bare, dimension, min }) =>
      !word.sense.seconds && bare && dimension === 'time' ? rateOf(statement, word, min!, [word, ...words]) : null,
  );
  rule(
    'Question',
    ['Question', 'Vague'],
    'cars per minute in each direction',
    (made, word) => {
      const { statement } = made;
      return made.per && statement.kind === 'event' ? { ...made, statement: remarked(statement, word) } : null;
    },
    MODIFIER,
  );

  rule('Utterance', ['Pick', 'Occasion'], 'busiest moment', (pick) => busiest(pick));
  rule('Utterance', ['Pick', 'Turn'], 'busiest time', (pick) => busiest(pick));
  rule('Question', ['Questioned', 'Be', 'Expletive', 'Pick'], 'when is it busiest', (question, _, _it, pick) => {
    const made = question.sense.question === 'when' ? busiest(pick) : null;
    return made && { ...made, question };
  });
  rule(
    'Question',
    ['Questioned', 'Be', 'Subject', 'Pick'],
    'when is the room busiest',
    (question, _, subject, pick) => {
      const isPlace = subject.kind === 'entity' && subject.head.type === 'place';
      return question.sense.question === 'when' && isPlace && isBusiest(pick)
        ? query(event(subject, predicate(lively(pick))), { question, pick })
        : null;
    },
  );

  for (const moment of ['Picture', 'Occasion'] as const) {
    const name = moment === 'Picture' ? 'frame' : 'moment';
    rule('Utterance', ['Pick', moment, 'With', 'Statement'], `first ${name} with a cup`, (pick, _, _with, statement) =>
      query(statement, { pick }),
    );
    rule(
      'Utterance',
      ['Pick', moment, 'If', 'Statement'],
      `last ${name} where a car stops`,
      (pick, _, _if, statement) => query(statement, { pick }),
    );
  }
}

/** "Average", "maximum" and others of a number or a time. */
function byStatistic(made: Query, word: Categories['Statistic'], isInside = false): Query | null {
  // "Mean how many people" is no phrase.
  if (!isInside && /^how/i.test(made.question?.text ?? '')) return null;
  // A number per minute is a mean.
  if (made.per) return word.statistic === 'mean' ? { ...made, repeats: [...made.repeats, word] } : null;
  const kind = made.question?.sense.question;
  if (kind === 'time_between' && word.statistic === 'mean' && made.question)
    return { ...made, question: { ...joined(word, [made.question]), sense: made.question.sense } };
  const measure =
    kind === 'count' ? OF_COUNTS[word.statistic] : kind === 'how_long' ? OF_TIMES[word.statistic] : undefined;
  if (measure) return recalculated(made, measure, word);
  return word.statistic === 'mean' && made.calculation?.measure === 'item_length'
    ? withWords(made, made.calculation, word)
    : null;
}

const OF_COUNTS = { mean: 'mean_count', highest: 'most' } as Partial<Record<StatisticKind, 'mean_count' | 'most'>>;
const OF_TIMES = { mean: 'item_length', highest: 'longest', lowest: 'shortest' } as Partial<
  Record<StatisticKind, 'item_length' | 'longest' | 'shortest'>
>;

/** Objects in the plural that are only there: "people", "people in view". */
const isCrowd = (statement: Statement): boolean =>
  isPlural(statement) ||
  (statement.kind === 'event' &&
    statement.predicate?.head.type === 'action' &&
    statement.predicate.head.word.sense.action === 'present' &&
    isPlural({ ...statement, predicate: null }));

const isExtreme = ({ sense }: Categories['Pick']) => sense.pick === 'longest' || sense.pick === 'shortest';
const isBusiest = ({ sense, text }: Categories['Pick']) =>
  sense.pick === 'most' && /^(?:the )?(?:busiest|most c)/i.test(text);

const busiest = (pick: Categories['Pick']): Query | null =>
  isBusiest(pick) ? query(frameEvent(lively(pick)), { pick }) : null;

/** "Between two cars": one and then the next. Null for another number. */
function withoutPair(noun: Entity): [Entity | null, readonly Leaf[]] {
  const { amount } = noun;
  if (amount === null) return [noun, []];
  const isPair = amount.min === 2 && amount.max === null && !amount.vague && amount.words.length === 1;
  return isPair ? [{ ...noun, amount: null }, amount.words] : [null, []];
}

/** Questions whose answer is that of the whole time anyway. */
const isSum = ({ question, calculation }: Query) =>
  calculation === null && question !== null && SUMS.has(question.sense.question);
const SUMS: ReadonlySet<QuestionKind> = new Set(['count', 'how_often', 'how_long']);

/** "More than 5 cars per minute": the rate is reported, and no limit. */
function rateOf(statement: Statement, word: Leaf, seconds: number, words: readonly Leaf[]): Query | null {
  if (statement.kind !== 'event' || statement.negation) return null;
  const { subject } = statement;
  const more = { question: questionOf('count', word), per: { words, seconds } };
  if (subject?.kind === 'group') return null;
  if (!subject?.amount) return subject && !subject.plural ? null : query(statement, more);
  const [first, ...others] = subject.amount.words;
  const limit = { ...joined(first!, others), sense: { type: 'vague', reason: REASONS.rate } as const };
  const noun = {
    ...subject,
    amount: null,
    attributes: [{ type: 'vague', word: limit } as const, ...subject.attributes],
  };
  return query({ ...statement, subject: noun }, more);
}

const remarked = (statement: Event, word: Categories['Vague']): Event => ({
  ...statement,
  predicate: modified(statement.predicate ?? predicate({ type: 'exists' }), { type: 'vague', word }),
});

/** "Who stayed longest": how long that was. "Who enters first": the first time. */
function whoIs(subject: Entity, { form, predicate: what }: VerbPhrase, pick: Categories['Pick']): Query | null {
  const agrees = isFiniteForm(form) || (form === 'base' && subject.plural);
  const statement = isObject(subject) && agrees ? stated(subject, what) : null;
  if (!statement) return null;
  const choice = pick.sense.pick;
  if (choice === 'longest' || choice === 'shortest') return valueFor(choice, statement, [pick]);
  return choice === 'first' || choice === 'last' ? query(statement, { pick, isWhich: true }) : null;
}

/** The entity that "who" asks for. */
const anybody = ({ span, text, id }: Leaf): Entity =>
  entity({
    type: 'object',
    word: { span, text, id, sense: { type: 'noun', classes: ['person'] } },
    indefinite: true,
  });

/** "The person who …": one that the rest chooses. */
const isCertain = ({ determiner, pick, amount, negation }: Entity): boolean =>
  determiner?.type === 'definite' && !pick && !amount && !negation;
