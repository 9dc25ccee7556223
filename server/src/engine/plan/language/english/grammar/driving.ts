import type { ActionSense } from '../../../meaning/senses.ts';
import type {
  Entity,
  Leaf,
  MeasuredAmount,
  Modifier,
  Nominal,
  Predicate,
  Query,
  Statement,
} from '../../../meaning/types.ts';
import type { AddRule } from '../../../parse/rules.ts';
import { REASONS } from '../../../reasons.ts';
import type { Categories } from '../categories.ts';
import { MODIFIER } from '../costs.ts';
import { event, isBase, leafOf, modified, predicate, query, questionOf, sequence } from './build.ts';
import { present } from './clauses.ts';
import { quantityWord, valueOfAll } from './values.ts';

/** Measures, causes of stops, and maneuvers of the vehicle that carries the camera. */
/** "Do we have to stop": a car that "has to stop" may drive on. */
const isForcedStop = (have: Categories['Have'], { head }: Predicate): boolean =>
  have.form === 'base' &&
  head.type === 'action' &&
  (head.word.sense.action === 'stops' || head.word.sense.action === 'stands');

export function drivingRules(rule: AddRule<Categories>): void {
  rule(
    'Measure',
    ['Between', 'Number', 'And', 'Number', 'Unit'],
    'speed between 30 and 50 km/h',
    (_, from, _and, to, unit) => {
      const { dimension, factor } = unit.sense;
      if (!isMeasured(dimension) || from.sense.value >= to.sense.value) return null;
      const limit = (value: number) => Math.round(value * factor * 1e6) / 1e6;
      const words = [from, to, unit];
      return { words, dimension, min: limit(from.sense.value), max: limit(to.sense.value), bare: false };
    },
  );
  const measure = (amount: MeasuredAmount): Modifier | null =>
    isMeasured(amount.dimension) ? { type: 'measure', amount } : null;
  rule(
    'Modifier',
    ['Measure'],
    'driving faster than 130 km/h',
    (amount) => (amount.bare ? null : measure(amount)),
    MODIFIER,
  );
  rule('Modifier', ['In', 'Measure'], 'driving at more than 130 km/h', (at, amount) =>
    at.surface === 'at' ? measure(amount) : null,
  );
  rule('Modifier', ['By', 'Measure'], 'decelerates by more than 4 m/s2', (_, amount) => measure(amount));
  rule('Clause', ['Subject', 'Measure'], 'vehicle faster than 50 mph', (subject, amount) => {
    const modifier = amount.bare ? null : measure(amount);
    return modifier && event(subject, modified(predicate({ type: 'exists' }), modifier));
  });
  rule('Clause', ['Measure', 'Move'], '0.3 g braking', (amount, word) => {
    const modifier = word.form === 'ing' ? measure(amount) : null;
    return modifier && event(null, modified(predicate({ type: 'camera_move', word }), modifier));
  });
  rule('Clause', ['Measure'], '0 km/h', (amount) =>
    amount.dimension === 'speed' && amount.bare ? event(null, measuredAs(null, amount)) : null,
  );
  rule('Clause', ['NounPhrase', 'Quantity', 'Measure'], 'car speed above 50 km/h', (noun, word, amount) =>
    measuredOf(noun, word, amount),
  );
  rule('Clause', ['NounPhrase', 'Quantity', 'Be', 'Measure'], 'car speed is above 50 km/h', (noun, word, _, amount) =>
    measuredOf(noun, word, amount),
  );
  rule(
    'Clause',
    ['NounPhrase', 'Genitive', 'Quantity', 'Measure'],
    "the car's speed above 50 km/h",
    (noun, _, word, amount) => measuredOf(noun, word, amount),
  );
  rule(
    'Clause',
    ['NounPhrase', 'Genitive', 'Quantity', 'Be', 'Measure'],
    "the car's speed is above 50 km/h",
    (noun, _, word, _is, amount) => measuredOf(noun, word, amount),
  );
  rule('VerbPhrase', ['Exceed', 'Measure'], 'we exceeded 50 mph', (word, amount) =>
    isMeasured(amount.dimension) && amount.bare
      ? { form: word.form, predicate: measuredAs(null, { ...amount, bare: false }) }
      : null,
  );
  rule('Clause', ['QuantityPhrase', 'Exceed', 'Measure'], 'speed exceeds 50 mph', (word, _, amount) =>
    isMeasured(amount.dimension) && amount.bare ? event(null, measuredAs(word, { ...amount, bare: false })) : null,
  );
  rule(
    'Inverted',
    ['Do', 'QuantityPhrase', 'Exceed', 'Measure'],
    'did the speed exceed 50 mph',
    (_, word, verb, amount) =>
      isMeasured(amount.dimension) && amount.bare && isBase(verb.form)
        ? event(null, measuredAs(word, { ...amount, bare: false }))
        : null,
  );
  rule('Question', ['How', 'Do', 'QuantityPhrase', 'Vary'], 'how much did our speed drop', (how, _, word, verb) =>
    isBase(verb.form) ? valueOfAll({ ...leafOf(how), statistic: 'change' }, word, leafOf(verb)) : null,
  );
  rule(
    'Sought',
    ['Stretch', 'Measure'],
    'time above 50 km/h',
    (time, amount) =>
      amount.dimension === 'speed' && !amount.bare && /^time$/i.test(time.text)
        ? query(event(null, measuredAs(null, amount)), { question: questionOf('how_long', time) })
        : null,
    0.3,
  );
  rule(
    'Sought',
    ['Pick', 'Stretch', 'Measure'],
    'longest stretch above 105',
    (pick, _, amount) => (amount.unitless ? query(event(null, measuredAs(null, amount)), { pick }) : null),
    0.3,
  );
  rule('VerbHead', ['QuantityVerb'], 'the car accelerates', (word) => ({
    form: word.form,
    predicate: predicate({ type: 'quantity', word }),
  }));

  rule(
    'VerbPhrase',
    ['VerbHead', 'For', 'Subject'],
    'we brake for a pedestrian',
    ({ form, predicate: what }, word, other) => {
      const caused = causedBy(what, word, other);
      return caused && { form, predicate: caused };
    },
    MODIFIER,
  );
  // Only what is in view at that time can be the cause; whether it is cannot be seen.
  const because = (statement: Statement, word: Leaf, cause: Nominal): Statement | null => {
    if (statement.kind !== 'event' || present(cause) === null) return null;
    const { span, text, id } = word;
    const vague = { span, text, id, sense: { type: 'vague', reason: REASONS.cause, decides: true } } as const;
    return sequence(statement, event(cause, modified(predicate({ type: 'exists' }), { type: 'vague', word: vague })), {
      join: 'while',
    });
  };
  rule(
    'Inverted',
    ['Inverted', 'Because', 'Subject'],
    'did we stop because of a pedestrian',
    (statement, word, cause) => because(statement, word, cause),
  );
  rule('Clause', ['Clause', 'Because', 'Subject'], 'we stop because of a pedestrian', (statement, word, cause) =>
    because(statement, word, cause),
  );
  rule('VerbPhrase', ['OverNumber', 'Number'], 'did we ever go over 50', ({ form, ...over }, number) => {
    const { value } = number.sense;
    const amount = { words: [over, number], dimension: 'speed', min: value / 3.6, max: null, bare: false } as const;
    const note = {
      span: number.span,
      text: number.text,
      id: number.id,
      sense: { type: 'vague', reason: REASONS.perHour },
    } as const;
    return { form, predicate: modified(measuredAs(null, amount), { type: 'vague', word: note }) };
  });
  rule('Clause', ['MoveNoun', 'For', 'Subject'], 'sudden stop for a pedestrian', (move, word, other) => {
    const caused = causedBy(predicate({ type: 'camera_move', word: move }), word, other);
    return caused && event(null, caused);
  });
  rule(
    'VerbPhrase',
    ['Have', 'To', 'VerbPhrase'],
    ['we have to brake', 'how often do we have to stop'],
    (have, _, { form, predicate: what }) =>
      isBase(form) && (what.head.type === 'camera_move' || isForcedStop(have, what)) && !what.negation
        ? { form: have.form, predicate: what }
        : null,
  );

  rule(
    'Utterance',
    ['Utterance', 'Pick'],
    'when does the ego vehicle stop for the first time',
    (made, pick) => (/ time$/i.test(pick.text) && !made.pick && !made.calculation ? { ...made, pick } : null),
    MODIFIER,
  );
  rule('Sought', ['Duration', 'VerbPhrase'], 'total time stopped', (question, { predicate: what }) =>
    isAtRest(what) ? query(event(null, what), { question }) : null,
  );
  for (const category of ['Seen', 'SeenByUs'] as const)
    rule(
      'Question',
      ['Questioned', 'Subject', category],
      `how many trucks ${category === 'Seen' ? 'do we see' : 'did we meet'}`,
      (question, subject) => counted(question, subject, null),
    );
  rule('Inverted', ['SeenByUs', 'Subject'], 'did we meet any trucks', (_, subject) => present(subject));
  rule(
    'Question',
    ['Questioned', 'Subject', 'Do', 'Subject', 'VerbPhrase'],
    'how many trucks did we pass',
    (question, object, _, carrier, { form, predicate: what }) =>
      isCarrier(carrier) && isBase(form) && what.object === null && !what.negation
        ? counted(question, object, event(carrier, { ...what, object }))
        : null,
  );
  const driven = (word: Leaf, ...words: readonly Leaf[]): Query =>
    valueOfAll({ ...leafOf(word), statistic: 'distance' }, quantityWord('speed', word), ...words.map(leafOf));
  rule(
    'Question',
    ['HowFar', 'Do', 'Subject', 'Travel'],
    ['how far did we drive', 'what distance did we cover'],
    (word, _, subject, verb) =>
      isTraveler(subject) && isBase(verb.form) ? driven(word, ...leavesOfTraveler(subject), verb) : null,
  );
  rule('Question', ['HowFar', 'Have', 'Subject', 'Travel'], 'how far have we driven', (word, _, subject, verb) =>
    isTraveler(subject) ? driven(word, ...leavesOfTraveler(subject), verb) : null,
  );
  rule('Question', ['Distance'], 'total distance', (word) => driven(word));
  rule('Question', ['Distance', 'Travel'], 'distance driven', (word, verb) =>
    verb.form === 'base' ? null : driven(word, verb),
  );
  rule('Question', ['What', 'Be', 'Determiner', 'Distance'], 'what is the total distance', (_, _is, _the, word) =>
    driven(word),
  );
  rule(
    'Question',
    ['What', 'Be', 'Determiner', 'Distance', 'Travel'],
    'what was the distance driven',
    (_, _is, _the, word, verb) => driven(word, verb),
  );
  for (const [category, maneuver] of [
    ['MoveNoun', 'left turns'],
    ['Move', 'turns'],
    ['Action', 'stops'],
  ] as const)
    rule(
      'Question',
      ['Questioned', category, 'Do', 'Subject', 'Make'],
      `how many ${maneuver} did we make`,
      (question, word, _, carrier) => {
        const isNoun = !('form' in word) || word.form === 'present' || category === 'MoveNoun';
        if (!isCarrier(carrier) || question.sense.question !== 'count' || !isNoun) return null;
        const what = headOf(word);
        return what && query(event(carrier, what), { question });
      },
    );
}

const isMeasured = (dimension: MeasuredAmount['dimension']) =>
  dimension === 'speed' || dimension === 'acceleration' || dimension === 'angular_rate';

const measuredAs = (word: Categories['Quantity'] | null, amount: MeasuredAmount): Predicate =>
  modified(predicate({ type: 'quantity', word }), { type: 'measure', amount });

/** "Car speed": that of the recording vehicle, if the noun means it. */
const measuredOf = (noun: Entity, word: Categories['Quantity'], amount: MeasuredAmount) =>
  event(noun, measuredAs(word, amount));

/** The cause of braking or stopping. */
function causedBy(what: Predicate, word: Leaf, other: Nominal): Predicate | null {
  const { head } = what;
  const isStop =
    (head.type === 'camera_move' && head.word.sense.move === 'brakes') ||
    (head.type === 'action' && head.word.sense.action === 'stops');
  if (!isStop || what.object) return null;
  return modified(what, { type: 'role', role: 'for', surface: null, word, negation: null, other });
}

const isAtRest = ({ head }: Predicate): boolean =>
  head.type === 'state' ? head.word.sense.state === 'stationary' : head.type === 'action' && isRest(head.word.sense);
const isRest = ({ action }: ActionSense) => action === 'stops' || action === 'stands';

const isCarrier = (subject: Nominal): boolean => subject.kind === 'entity' && subject.head.type === 'camera';

/** "How many trucks did we pass": those that we pass. */
function counted(
  question: Categories['Questioned'],
  noun: Nominal,
  statement: ReturnType<typeof present>,
): Query | null {
  const members: readonly Entity[] = noun.kind === 'group' ? noun.members : [noun];
  const isPlain = members.every(({ amount, determiner, negation, head }) => {
    const isObject = head.type === 'object' || head.type === 'unseen';
    return isObject && !amount && !determiner && !negation;
  });
  if (question.sense.question !== 'count' || !isPlain) return null;
  const counted = statement ?? present(noun);
  return counted && query(counted, { question });
}

/** The verb of a maneuver that is named by a noun. */
function headOf(word: Categories['MoveNoun' | 'Move' | 'Action']): Predicate | null {
  if (word.sense.type === 'camera_move')
    return predicate({ type: 'camera_move', word: { ...word, sense: word.sense } });
  const { action } = word.sense;
  return action === 'stops' || action === 'starts'
    ? predicate({ type: 'action', word: { ...word, sense: word.sense } })
    : null;
}

/** The recording vehicle: "we", "the car". */
const isTraveler = (subject: Nominal): subject is Entity =>
  isCarrier(subject) ||
  (subject.kind === 'entity' &&
    subject.head.type === 'object' &&
    subject.head.word.sense.classes.includes('car') &&
    subject.determiner?.type === 'definite' &&
    !subject.plural &&
    subject.attributes.length + subject.modifiers.length === 0);
const leavesOfTraveler = ({ head }: Entity): readonly Leaf[] => ('word' in head && head.word ? [head.word] : []);
