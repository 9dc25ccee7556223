import type {
  Entity,
  Event,
  Leaf,
  Modifier,
  Nominal,
  NominalGroup,
  Predicate,
  Query,
  Statement,
  Valued,
  Window,
} from '../../../meaning/types.ts';
import type { AddRule } from '../../../parse/rules.ts';
import { SOUND_LEVELS, type SoundName } from '../../../terms.ts';
import type { Alternative, Categories, OtherOne, Ranked } from '../categories.ts';
import { MODIFIER } from '../costs.ts';
import {
  calculated,
  describes,
  frameEvent,
  isBase,
  isFiniteForm,
  isObject,
  isPlural,
  joined,
  lively,
  withAttribute,
} from './build.ts';
import { present, stated } from './clauses.ts';

/** Questions that compare what is found for two statements: which is more, longer or earlier. */
export function comparisonRules(rule: AddRule<Categories>): void {
  rule('OnePhrase', ['Attribute', 'One'], 'more red cars than white ones', (attribute, one) => ({ attribute, one }));
  rule('OnePhrase', ['Determiner', 'OnePhrase'], 'which car came first, the red one or the white one', (_, one) => one);

  rule('OtherOne', ['OnePhrase'], 'is the red car bigger than the white one', (one) => one);
  for (const [place, which] of [
    ['Pick', 'last'],
    ['Ordinal', 'second'],
  ] as const) {
    rule('OtherOne', ['Determiner', place], `is the first car bigger than the ${which}`, ({ type }, pick) =>
      type === 'definite' ? { pick } : null,
    );
    rule(
      'OtherOne',
      ['Determiner', place, 'One'],
      `is the first car bigger than the ${which} one`,
      (the, pick, one) => (the.type === 'definite' ? { pick: { ...pick, ...joined(pick, [one]) } } : null),
      OF_SAME,
    );
  }

  rule('Alternatives', ['Clause', 'Or', 'Clause'], 'which came first, a car or a bang', (a, _, b) => [a, b]);
  rule('Alternatives', ['Clause', 'Or', 'OnePhrase'], 'are there more red cars or white ones', (a, _, b) => [a, b]);
  rule(
    'Alternatives',
    ['OnePhrase', 'Or', 'OnePhrase'],
    'which car came first, the red one or the white one',
    (a, _, b) => [a, b],
  );

  rule('WhichOf', ['Which', 'One'], 'which one stops first, a car or a truck', (word) => ({ word, noun: null }));
  rule('WhichOf', ['What'], 'what came first, a car or a dog', (word) => ({ word, noun: null }));
  rule('WhichOf', ['Who'], ['who came first, a man or a dog', 'which came first, a car or a dog'], (word) => ({
    word,
    noun: null,
  }));
  rule(
    'WhichOf',
    ['Which', 'Nominal'],
    'which car came first, the red one or the white one',
    (word, noun) => (isObject(noun) ? { word, noun } : null),
    MODIFIER,
  );

  rule('Ranked', ['Come', 'Pick'], 'which came first, a car or a dog', (come, pick) => inOrder(pick, null, come));
  rule('Ranked', ['Be', 'Pick'], 'which is first, a car or a dog', (_, pick) => inOrder(pick, null));
  rule('Ranked', ['VerbPhrase', 'Pick'], 'which stops first, a car or a truck', ({ predicate: verb }, pick) =>
    inOrder(pick, verb),
  );
  rule('Ranked', ['Be', 'More'], 'which is more, cars or trucks', (_, more) => byCount(more));
  rule('Ranked', ['Be', 'There', 'More', 'Of'], 'which are there more of, cars or trucks', (_, _there, more) =>
    byCount(more),
  );
  rule(
    'Ranked',
    ['VerbPhrase', 'Longer'],
    'which stands longer, the car or the truck',
    ({ predicate: verb }, longer) => ({
      measure: 'length',
      compare: WHICH[longer.compare],
      verb,
      words: [longer],
    }),
  );

  rule('Question', ['WhichOf', 'Ranked', 'Alternatives'], 'which came first a car or a dog', (which, how, members) =>
    whichOf(members, how, which.noun),
  );
  rule(
    'Question',
    ['WhichOf', 'Ranked', 'Comma', 'Alternatives'],
    'which came first, a car or a dog',
    (which, how, _, members) => whichOf(members, how, which.noun),
  );
  rule(
    'Question',
    ['Alternatives', 'Comma', 'WhichOf', 'Ranked'],
    'a car or a dog, which came first',
    (members, _, which, how) => whichOf(members, how, which.noun),
  );
  rule(
    'Question',
    ['Questioned', 'Alternatives', 'Comma', 'WhichOf', 'Ranked'],
    'how many cars vs trucks, which is more',
    (question, members, _, _which, how) =>
      question.sense.question === 'count' && how.measure === 'count'
        ? whichOf(members, { ...how, words: [question, ...how.words] }, null)
        : null,
  );
  rule(
    'Question',
    ['Alternatives', 'Pick'],
    'the dog or the bang first',
    (members, pick) => whichOf(members, inOrder(pick, null), null),
    MODIFIER,
  );
  rule(
    'Question',
    ['Be', 'There', 'More', 'Alternatives'],
    'are there more cars or trucks',
    (_, _there, more, members) => whichOf(members, byCount(more), null),
  );
  rule('Question', ['More', 'Alternatives'], 'more cars or trucks', (more, members) =>
    whichOf(members, byCount(more), null),
  );

  // A frequent slip.
  rule('Than', ['Then'], 'are there more cars then trucks', (word) => (/^then$/i.test(word.text) ? word : null), 1);
  rule('Pair', ['Clause', 'Than', 'Clause'], 'are there more cars than trucks', (a, _, b) => valuesOf(a, b));
  rule('Pair', ['NounPhrase', 'Than', 'OnePhrase'], 'are there more red cars than white ones', (noun, _, one) =>
    valuesOf(present(noun), presentInstead(noun, one)),
  );
  rule(
    'Pair',
    ['NounPhrase', 'Complement', 'Than', 'Complement'],
    'are more people on the right than on the left',
    (noun, a, _, b) => {
      const withModifier = (modifier: typeof a) => present({ ...noun, modifiers: [...noun.modifiers, modifier] });
      return isObject(noun) && !noun.doing ? valuesOf(withModifier(a), withModifier(b)) : null;
    },
  );
  rule('Pair', ['Subject', 'VerbPhrase', 'Than', 'VerbPhrase'], 'do more people enter than leave', (subject, a, _, b) =>
    valuesOf(stated(subject, a.predicate), stated(subject, b.predicate)),
  );
  // "At the end" is when both are there.
  rule(
    'Pair',
    ['Clause', 'WindowPhrase', 'Than', 'Clause'],
    'are there more cars at the end than people',
    (a, window, _, b) => valuesOf(a, b)?.map((value) => ({ ...value, window })) ?? null,
  );
  rule(
    'Pair',
    ['Clause', 'WindowPhrase', 'Than', 'WindowPhrase'],
    'are there more cars in the first half than in the second half',
    (statement, a, _, b) => inWindows(statement, a, b),
  );
  rule(
    'Pair',
    ['Clause', 'WindowPhrase'],
    'are there more cars in the second half',
    (statement, window) => {
      const rest = restOf(window);
      return rest && inWindows(statement, window, rest);
    },
    MODIFIER,
  );
  rule(
    'Pair',
    ['Subject', 'VerbPhrase', 'Than', 'Modifier'],
    'are there more cars going left than right',
    (subject, { form, predicate: verb }, _, modifier) => {
      if (verb.modifiers.length === 0 || (!isFiniteForm(form) && !describes(form) && !isBase(form))) return null;
      const turned = { ...verb, modifiers: [...verb.modifiers.slice(0, -1), modifier] };
      return valuesOf(stated(subject, verb), stated(subject, turned));
    },
  );
  rule(
    'Pair',
    ['Clause', 'WindowPhrase', 'Than', 'Window'],
    'is there more traffic in the second half than in the first',
    (statement, a, _, word) => {
      const rest = otherEnd(a, word);
      return rest && inWindows(statement, a, rest);
    },
  );
  rule(
    'Question',
    ['Do', 'More', 'Subject', 'VerbPhrase', 'Or', 'VerbPhrase'],
    'do more people enter or leave',
    (_, more, subject, a, _or, b) => {
      const values =
        isBase(a.form) && isBase(b.form) ? valuesOf(stated(subject, a.predicate), stated(subject, b.predicate)) : null;
      return values && mostOf(more, values);
    },
  );
  rule(
    'Question',
    ['Be', 'NounPhrase', 'More', 'Usual', 'Than', 'NounPhrase'],
    'are cars more common than trucks',
    (_, a, more, usual, _than, b) => {
      const values = a.plural && b.plural ? valuesOf(present(a), present(b)) : null;
      return values && compared({ ...more, ...joined(more, [usual]) }, values);
    },
  );
  rule('Question', ['Do', 'NounPhrase', 'Outnumber', 'NounPhrase'], 'do cars outnumber trucks', (_, a, word, b) => {
    const values = a.plural && b.plural ? valuesOf(present(a), present(b)) : null;
    return values && compared({ ...word, compare: 'more' }, values);
  });
  rule(
    'Question',
    ['Inverted', 'More', 'Than', 'Clause'],
    'did a car stop more than a bus stopped',
    (first, more, _, second) => {
      const values = first.kind === 'event' && first.predicate ? valuesOf(first, ofSame(first, second)) : null;
      return values && compared(more, values);
    },
  );
  rule(
    'Question',
    ['Inverted', 'More', 'Usual', 'Than', 'Clause'],
    ['did a car stop more often than a bus stopped', 'does a car stop more often than a bus'],
    (first, more, usual, _, second) => {
      const values = first.kind === 'event' && first.predicate ? valuesOf(first, ofSame(first, second)) : null;
      return values && compared({ ...more, ...joined(more, [usual]) }, values);
    },
  );
  rule(
    'Question',
    ['Clause', 'WindowPhrase', 'Or', 'WindowPhrase'],
    'cars at the start versus at the end',
    (statement, a, { text }, b) =>
      isPlural(statement) && VERSUS.test(text)
        ? calculated({ words: [], measure: 'count', compare: null, values: inWindows(statement, a, b) })
        : null,
  );
  const compared = ({ compare, ...more }: Categories['More'], values: readonly Valued[]) =>
    calculated({ words: [more], measure: amountOf(values), compare, values }, { isYesNo: true });
  rule('Question', ['Be', 'There', 'More', 'Pair'], 'are there more cars than trucks', (_, _there, more, pair) =>
    compared(more, pair),
  );
  rule('Question', ['Be', 'More', 'Pair'], 'are more cars on the left than on the right', (_, more, pair) =>
    compared(more, pair),
  );
  rule('Question', ['Do', 'More', 'Pair'], 'do more people enter than leave', (_, more, pair) => compared(more, pair));
  rule('Question', ['Questioned', 'More', 'Pair'], 'how many more cars than trucks', (question, more, values) =>
    differenceOf(question, more, values),
  );
  rule(
    'Question',
    ['Be', 'There', 'Same', 'Clause', 'As', 'Clause'],
    'are there as many cars as trucks',
    (_, _there, same, a, _as, b) => sameCount(same, valuesOf(a, b)),
  );
  rule('Question', ['Same', 'Clause', 'As', 'Clause'], 'as many cars as trucks', (same, a, _as, b) =>
    sameCount(same, valuesOf(a, b)),
  );
  rule(
    'Question',
    ['Be', 'There', 'Same', 'NounPhrases'],
    'are there the same number of cars and trucks',
    (_, _there, same, nouns) => sameCount(same, membersOf(nouns)),
  );
  for (const [join, first] of [
    ['As', 'as many people enter as leave'],
    ['And', 'the same number of people enter and leave'],
  ] as const) {
    const equal = (
      same: Categories['Same'],
      subject: Categories['Subject'],
      a: Categories['VerbPhrase'],
      b: Categories['VerbPhrase'],
    ) =>
      a.form === b.form && (join === 'As') === /^as /i.test(same.text)
        ? sameCount(same, valuesOf(stated(subject, a.predicate), stated(subject, b.predicate)))
        : null;
    rule(
      'Question',
      ['Do', 'Same', 'Subject', 'VerbPhrase', join, 'VerbPhrase'],
      `do ${first}`,
      (_, same, subject, a, _as, b) => (isBase(a.form) ? equal(same, subject, a, b) : null),
    );
    rule(
      'Question',
      ['Be', 'Same', 'Subject', 'VerbPhrase', join, 'VerbPhrase'],
      `are ${first.replace('enter', 'entering').replace('leave', 'leaving')}`,
      (_, same, subject, a, _as, b) => (a.form === 'ing' ? equal(same, subject, a, b) : null),
    );
  }
  rule('Question', ['Same', 'NounPhrases'], 'same number of cars and trucks', (same, nouns) =>
    sameCount(same, membersOf(nouns)),
  );
  rule(
    'Question',
    ['Do', 'More', 'Subject', 'VerbPhrase', 'Or', 'Modifier'],
    'do more cars move left or right',
    (_, more, subject, { form, predicate: verb }, _or, modifier) => {
      const turned = { ...verb, modifiers: [...verb.modifiers.slice(0, -1), modifier] };
      const values = verb.modifiers.length > 0 ? valuesOf(stated(subject, verb), stated(subject, turned)) : null;
      return isBase(form) && values
        ? calculated({ words: [more], measure: 'count', compare: WHICH[more.compare], values })
        : null;
    },
  );
  rule(
    'Question',
    ['Do', 'NounPhrases', 'VerbPhrase', 'Pick'],
    'does the bus or the truck stop first',
    (_, nouns, { form, predicate: verb }, pick) => {
      const how = nouns.conjunction === 'or' && isBase(form) ? inOrder(pick, verb) : null;
      const values = valuesOf(...nouns.members.map((noun) => stated(noun, verb)));
      return how && values && calculated({ words: how.words, measure: how.measure, compare: how.compare, values });
    },
  );
  rule(
    'Question',
    ['Be', 'There', 'More', 'Clause', 'WindowPhrase', 'Or', 'WindowPhrase'],
    'are there more cars in the first half or in the second half',
    (_, _there, more, statement, a, _or, b) => mostOf(more, inWindows(statement, a, b)),
  );
  rule(
    'Question',
    ['More', 'Clause', 'WindowPhrase', 'Or', 'WindowPhrase'],
    'more people in the first half or the second half',
    (more, statement, a, _or, b) => mostOf(more, inWindows(statement, a, b)),
  );
  rule('Question', ['Questioned', 'Have', 'More', 'Subject'], 'which side has more cars', (side, _, more, subject) =>
    onSides(side, more, subject),
  );
  rule(
    'Question',
    ['Questioned', 'Be', 'There', 'More', 'Subject'],
    'on which side are there more cars',
    (side, _, _there, more, subject) => onSides(side, more, subject),
  );
  rule(
    'Question',
    ['Which', 'Fraction', 'Have', 'More', 'Clause'],
    'which half has more cars',
    (_, part, _has, more, statement) => mostOf(more, inWindows(statement, ...partsOf(part)), part),
  );
  rule(
    'Question',
    ['In', 'Which', 'Fraction', 'Be', 'There', 'More', 'Clause'],
    'in which half are there more cars',
    (_, _which, part, _are, _there, more, statement) => mostOf(more, inWindows(statement, ...partsOf(part)), part),
  );
  rule(
    'Question',
    ['In', 'Which', 'Fraction', 'Do', 'More', 'Subject', 'VerbPhrase'],
    'in which half do more cars stop',
    (_, _which, part, _do, more, subject, { form, predicate: verb }) => {
      const statement = isBase(form) ? stated(subject, verb) : null;
      return statement && mostOf(more, inWindows(statement, ...partsOf(part)), part);
    },
  );
  rule('Question', ['Which', 'Fraction', 'Be', 'Busier'], 'which half is busier', (_, part, _is, busier) =>
    busiestOf(part, busier),
  );
  rule(
    'Question',
    ['Which', 'Be', 'Determiner', 'Busier', 'Fraction'],
    'which is the busier half',
    (_, _is, _the, busier, part) => busiestOf(part, busier),
  );
  rule('Question', ['More', 'Pair'], 'more cars than trucks', (more, pair) => compared(more, pair));
  rule('Question', ['There', 'Be', 'More', 'Pair'], 'there are more cars than trucks', (_, _be, more, pair) =>
    compared(more, pair),
  );

  rule(
    'Question',
    ['Inverted', 'Longer', 'Than', 'NounPhrase'],
    'does the car stand longer than the truck',
    (statement, longer, _, noun) => longerThan(statement, longer, () => noun),
  );
  rule(
    'Question',
    ['Inverted', 'Longer', 'Than', 'OtherOne'],
    'does the red car stand longer than the white one',
    (statement, longer, _, one) => longerThan(statement, longer, (noun) => replaced(noun, one)),
  );
  for (const [other, second] of [
    ['OtherOne', 'the first'],
    ['EventNoun', 'the first stop'],
  ] as const)
    rule(
      'Question',
      ['Be', 'EventNoun', 'Longer', 'Than', other],
      `was the second stop longer than ${second}`,
      (_, event, { compare, ...word }, _than, it) => {
        const values = event.pick ? valuesOf(event, otherEvent(event, it)) : null;
        return values && calculated({ words: [word], measure: 'length', compare, values }, { isYesNo: true });
      },
    );
  rule(
    'Question',
    ['Questioned', 'Subject', 'WindowPhrase', 'Or', 'WindowPhrase'],
    'how many people at the start vs at the end',
    (question, subject, a, _, b) => countsIn(question, subject, a, b),
  );
  rule(
    'Question',
    ['Questioned', 'Subject', 'WindowPhrase', 'Or', 'Edge'],
    'how many people at the start vs the end',
    (question, subject, a, _, edge) => countsIn(question, subject, a, edgeOf(edge)),
  );
}

/** "The last one": of what the first one is, rather than of anything. */
const OF_SAME = -0.5;

/** "More motion": longer. Everything that has a number is counted. */
export const amountOf = (values: readonly Valued[]): 'count' | 'length' =>
  values.every(({ statement }) => statement.kind === 'event' && isUncounted(statement.predicate)) ? 'length' : 'count';
const isUncounted = (what: Predicate | null): boolean =>
  what?.head.type === 'motion' || (what?.head.type === 'sound' && LASTING_SOUNDS.has(what.head.word.sense.sound));
const LASTING_SOUNDS: ReadonlySet<SoundName> = new Set([
  'silence',
  'sound',
  'loud',
  'speech',
  'music',
  'rain',
  'engine',
]);

const mostOf = (
  { compare, ...more }: Categories['More'],
  values: readonly Valued[],
  ...words: readonly Leaf[]
): Query => calculated({ words: [...words, more], measure: amountOf(values), compare: WHICH[compare], values });

/** "Which side has more cars": left or right. */
function onSides(question: Categories['Questioned'], more: Categories['More'], subject: Nominal): Query | null {
  const isSide = question.sense.question === 'where' && /side/i.test(question.text);
  if (!isSide || subject.kind === 'group' || !isObject(subject) || subject.negation) return null;
  const { span, text, id } = question;
  const sides = (['left', 'right'] as const).map((side): Modifier => {
    const word = { span, text, id, sense: { type: 'side', side } as const };
    return { type: 'side', role: 'at', place: { sides: [word], parts: [] } };
  });
  const values = valuesOf(...sides.map((side) => present({ ...subject, modifiers: [...subject.modifiers, side] })));
  return values && mostOf(more, values);
}

/** All parts of the video of this length. */
export const partsOf = ({ share, ...word }: Categories['Fraction']): Window[] =>
  Array.from({ length: Math.round(1 / share) }, (_, i) => ({
    words: [word],
    unit: 'share',
    from: i * share,
    to: (i + 1) * share,
  }));

const busiestOf = (part: Categories['Fraction'], { compare, ...busier }: Categories['Busier']): Query =>
  calculated({
    words: [busier],
    measure: 'mean_count',
    compare: WHICH[compare],
    values: inWindows(frameEvent(lively(busier)), ...partsOf(part)),
  });

const differenceOf = (
  question: Categories['Questioned'],
  { compare, ...more }: Categories['More'],
  values: readonly Valued[],
): Query | null =>
  question.sense.question === 'count' && compare === 'more'
    ? calculated({ words: [question, more], measure: 'count', compare: 'difference', values })
    : null;

const sameCount = (same: Leaf, values: readonly Valued[] | null): Query | null =>
  values && calculated({ words: [same], measure: 'count', compare: 'same', values }, { isYesNo: true });

const membersOf = ({ conjunction, members }: NominalGroup): readonly Valued[] | null =>
  conjunction === 'and' && members.length === 2 ? valuesOf(...members.map(present)) : null;

export const WHICH = { more: 'which_most', less: 'which_least' } as const;

const byCount = (more: Categories['More']): Ranked => ({
  measure: 'count',
  compare: WHICH[more.compare],
  verb: null,
  words: [more],
});

/** "First" and "last", by when it starts; null for "longest" and others. */
function inOrder(pick: Categories['Pick'], verb: Predicate | null, ...words: readonly Leaf[]): Ranked | null {
  const compare = pick.sense.pick === 'first' ? 'which_least' : pick.sense.pick === 'last' ? 'which_most' : null;
  return compare && { measure: 'start', compare, verb, words: [...words, pick] };
}

function whichOf(members: readonly Alternative[], how: Ranked | null, which: Entity | null): Query | null {
  if (how === null) return null;
  const noun = which ?? members.map(entityOf).find((entity) => entity !== null) ?? null;
  const values = valuesOf(...asHeard(members.map((member) => statementOf(member, how.verb, noun))));
  return values && calculated({ words: how.words, measure: how.measure, compare: how.compare, values });
}

/** Sounds by their level, whose cause may be seen. */
const LEVELS: ReadonlySet<SoundName> = new Set(SOUND_LEVELS);
/** Sounds of animals. */
const VOICES: Readonly<Record<string, SoundName>> = { dog: 'dog_bark', cat: 'cat_meow', bird: 'birds' };

/** "The dog or the rain": beside a sound, an animal is seen or heard. */
function asHeard(statements: readonly (Statement | null)[]): readonly (Statement | null)[] {
  const isSound = (each: Statement | null) =>
    each?.kind === 'event' &&
    each.predicate?.head.type === 'sound' &&
    !LEVELS.has(each.predicate.head.word.sense.sound);
  if (!statements.some(isSound)) return statements;
  return statements.map((statement) => {
    if (statement?.kind !== 'event' || statement.predicate || statement.subject?.kind !== 'entity') return statement;
    const { head, amount, attributes, modifiers } = statement.subject;
    const [only, ...others] = head.type === 'object' ? head.word.sense.classes : [];
    const sound = only !== undefined && others.length === 0 ? VOICES[only] : undefined;
    if (head.type !== 'object' || !sound || amount || attributes.length + modifiers.length > 0) return statement;
    const { span, text, id } = head.word;
    const heard = frameEvent({ type: 'sound', word: { span, text, id, sense: { type: 'sound', sound } } });
    return { kind: 'list', conjunction: 'or', members: [statement, heard] };
  });
}

/** The only object that a statement names. */
const entityOf = (member: Alternative): Entity | null =>
  'kind' in member && member.kind === 'event' && member.subject?.kind === 'entity' ? member.subject : null;

/** "The red one stops": the statement about one of the alternatives. */
function statementOf(member: Alternative, verb: Predicate | null, noun: Entity | null): Statement | null {
  if ('kind' in member) {
    const entity = entityOf(member);
    if (verb === null) return member;
    return entity && member.kind === 'event' && member.predicate === null ? stated(entity, verb) : null;
  }
  const entity = noun && replaced(noun, member);
  return entity && (verb ? stated(entity, verb) : present(entity));
}

/** "Red cars than white ones": the same noun, with another attribute or place instead of those that it has. */
export function replaced(noun: Entity, other: OtherOne): Entity | null {
  if ('attribute' in other) return withAttribute({ ...noun, attributes: [], determiner: null }, other.attribute);
  return noun.pick ? { ...noun, pick: other.pick } : null;
}

export function presentInstead(noun: Entity, other: OtherOne): Statement | null {
  const entity = replaced(noun, other);
  return entity && present(entity);
}

/** "The first": of the same kind of event. */
const otherEvent = (named: Event, other: OtherOne | Event): Statement | null => {
  if ('kind' in other) return other.pick ? other : null;
  return 'pick' in other ? { ...named, pick: other.pick } : null;
};

export const valuesOf = (...statements: readonly (Statement | null)[]): readonly Valued[] | null =>
  statements.every((statement): statement is Statement => statement !== null)
    ? statements.map((statement) => ({ statement, window: null }))
    : null;

export const inWindows = (statement: Statement, ...windows: readonly Window[]): readonly Valued[] =>
  windows.map((window) => ({ statement, window }));

/** The rest of the video: its other half, or all until a time that begins the part. */
export function restOf({ unit, from, to, words }: Window): Window | null {
  if (unit === undefined && from !== 0 && to === null) return { from: 0, to: from, words };
  if (unit === undefined && from === 0 && to !== null) return { from: to, to: null, words };
  if (unit !== 'share') return null;
  if (from === 0 && to !== null) return { unit, from: to, to: null, words };
  return to === null || to === 1 ? { unit, from: 0, to: from, words } : null;
}

/** Finds the part to compare with: the rest of the video, or its other end. */
export function otherPart(window: Window): Window | null {
  const { edge, from, words } = window;
  if (!edge) return restOf(window);
  return from < 0 ? { words, from: 0, to: EDGE_S, edge } : { words, from: -EDGE_S, to: null, edge };
}

const EDGE_S = 10;
export const edgeOf = ({ window, ...word }: Categories['Edge']): Window =>
  window === 'first'
    ? { words: [word], from: 0, to: EDGE_S, edge: true }
    : { words: [word], from: -EDGE_S, to: null, edge: true };

function longerThan(
  statement: Statement,
  { compare, ...word }: Categories['Longer'],
  otherOf: (noun: Entity) => Entity | null,
): Query | null {
  const values = withOther(statement, otherOf);
  return values && calculated({ words: [word], measure: 'length', compare, values }, { isYesNo: true });
}

/** The same of another object: "does the car stand longer than the truck". */
export function withOther(statement: Statement, otherOf: (noun: Entity) => Entity | null): readonly Valued[] | null {
  if (statement.kind !== 'event' || statement.subject?.kind !== 'entity') return null;
  const subject = otherOf(statement.subject);
  return subject && valuesOf(statement, { ...statement, subject });
}

function countsIn(question: Categories['Questioned'], subject: Nominal, ...windows: readonly Window[]): Query | null {
  const statement = present(subject);
  if (question.sense.question !== 'count' || !statement) return null;
  return calculated({
    words: [question as Leaf],
    measure: 'count',
    compare: null,
    values: inWindows(statement, ...windows),
  });
}

/** "In the second half than in the first": the part that is left; null for another one. */
export function otherEnd(window: Window, { sense, span, text, id }: Categories['Window']): Window | null {
  const { unit, from, to } = window;
  const isOther =
    unit === 'share' &&
    !sense.from &&
    !sense.seconds &&
    (sense.window === 'first' ? from > 0 && (to === null || to === 1) : from === 0 && to !== null);
  const rest = isOther ? restOf(window) : null;
  return rest && { ...rest, words: [...rest.words, { span, text, id }] };
}

/** "Did the truck turn left more than it turned right": the same subject. */
function ofSame(first: Statement, second: Statement): Statement {
  // "More often than the bus": it does the same.
  if (second.kind === 'event' && second.predicate === null && first.kind === 'event')
    return { ...first, subject: second.subject };
  if (second.kind !== 'event' || second.subject?.kind !== 'entity' || second.subject.head.type !== 'pronoun')
    return second;
  if (first.kind !== 'event' || first.subject?.kind !== 'entity') return second;
  const { span, text, id } = second.subject.head.word;
  return { ...second, subject: { ...first.subject, determiner: { span, text, id, type: 'definite' } } };
}

const VERSUS = /^(?:vs|versus)$/i;
