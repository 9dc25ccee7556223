import type { Calculation, Entity, Leaf, Nominal, Query, Statement, Window } from '../../../meaning/types.ts';
import type { AddRule } from '../../../parse/rules.ts';
import type { Categories, Graded } from '../categories.ts';
import { calculated, event, frameEvent, isBase, isNone, isObject, joined, leafOf, lively, predicate } from './build.ts';
import { OF_ALL_TIME } from './circumstances.ts';
import { present, stated } from './clauses.ts';
import { isPaced } from './comparatives.ts';
import { edgeOf, inWindows, otherEnd, otherPart, partsOf, WHICH } from './comparisons.ts';
import { compareQuantity, compareSides, isOfSpeed, sidesOf } from './each-side.ts';
import { byMargin, isMuch } from './margins.ts';
import { isCarrier, isMotion, quantityWord, valueOfAll } from './values.ts';

/**
 * Rules for comparisons of different times: how loud, how fast, how high or how busy it is. `Graded` is the question
 * without the times, which the rules at the end add for all of them.
 */
export function degreeRules(rule: AddRule<Categories>): void {
  slightRules(rule);
  soundRules(rule);
  paceRules(rule);
  busyRules(rule);
  eitherWayRules(rule);
  timedMarginRules(rule);
  timeRules(rule);
}

/** "A bit louder": any difference is one. */
function slightRules(rule: AddRule<Categories>): void {
  const slightly = <Word extends Leaf>(slight: Leaf, word: Word): Word => ({ ...word, ...joined(slight, [word]) });
  rule('Louder', ['Slightly', 'Louder'], 'is it a bit louder at the end', slightly);
  rule('Busier', ['Slightly', 'Busier'], 'is the room slightly busier at the end', slightly);
  rule('Higher', ['Slightly', 'Higher'], 'are we slightly faster in the second half', slightly);
  rule('Comparative', ['Slightly', 'Comparative'], 'is the dog a little bigger than the cat', slightly);
  rule('More', ['Slightly', 'More'], 'are there slightly more cars than trucks', slightly);
}

function soundRules(rule: AddRule<Categories>): void {
  rule('Graded', ['Be', 'Expletive', 'Louder'], 'is it louder at the start or at the end', (_, _it, louder) =>
    loudness(louder),
  );
  rule('Graded', ['Be', 'AudioPhrase', 'Louder'], 'is the sound quieter at the end', (_, audio, louder) =>
    loudness(louder, ...audio),
  );
  rule('Growth', ['Do', 'Expletive', 'Grow', 'Louder'], 'does it get louder', (_, _it, verb, louder) =>
    isBase(verb.form) ? loudness(louder, leafOf(verb)) : null,
  );
  rule('Growth', ['Do', 'AudioPhrase', 'Grow', 'Louder'], 'does the sound get louder', (_, audio, verb, louder) =>
    isBase(verb.form) ? loudness(louder, ...audio, leafOf(verb)) : null,
  );
  rule('Growth', ['Be', 'Expletive', 'Grow', 'Louder'], 'is it getting louder', (_, _it, verb, louder) =>
    verb.form === 'ing' ? loudness(louder, leafOf(verb)) : null,
  );
  rule(
    'Question',
    ['Be', 'TimePart', 'Louder', 'Than', 'TimePart'],
    'is the end louder than the start',
    (_, a, louder, _than, b) => inParts(loudness(louder), a, b),
  );
  rule('Question', ['Which', 'Fraction', 'Be', 'Louder'], 'which half is louder', (_, part, _is, louder) => {
    const { of } = loudness(louder);
    return calculated({
      ...of,
      compare: WHICH[louder.compare],
      values: inWindows(of.values[0]!.statement, ...partsOf(part)),
    });
  });
  rule('Question', ['HowLoud', 'Be', 'Expletive'], 'how loud is it when the car stops', (word) =>
    valueOfAll(null, word),
  );
  rule('Question', ['HowLoud', 'Do', 'Expletive', 'Grow'], 'how loud does it get', (word, _, _it, verb) =>
    isBase(verb.form) ? loudestOf({ ...leafOf(word), statistic: 'highest' }, leafOf(verb)) : null,
  );
  rule('Question', ['HowLoud', 'Be', 'AudioPhrase'], 'how loud is the sound', (word, _, audio) =>
    valueOfAll(null, word, ...audio),
  );
  rule('Question', ['Questioned', 'Be', 'Expletive', 'Loudest'], 'when is it loudest', (question, _, _it, word) =>
    question.sense.question === 'when' ? loudestOf(word, question) : null,
  );
  rule('Loudest', ['Determiner', 'Loudest'], 'the loudest moment', ({ type }, word) =>
    type === 'definite' ? word : null,
  );
  rule('Question', ['What', 'Be', 'LoudestMoment'], 'what is the loudest moment', (_, _is, word) => loudestOf(word));
  rule('Question', ['LoudestMoment'], 'the loudest moment', (word) => loudestOf(word));
  rule('LoudestMoment', ['Loudest', 'Moment'], 'loudest moment', ({ statistic, ...word }, moment) => ({
    ...joined(word, [moment]),
    statistic,
  }));
}

function paceRules(rule: AddRule<Categories>): void {
  rule('Graded', ['Be', 'Measured', 'Higher'], 'is our speed higher at 0:10 than at 0:20', (_, measured, higher) =>
    degreeOf(higher, valueOfAll(measured.statistic, measured.quantity, leafOf(higher))),
  );
  rule('Graded', ['Be', 'Subject', 'Higher'], 'are we faster in the second half', (_, subject, higher) =>
    ofCarrier(subject, higher),
  );
  rule(
    'Graded',
    ['Be', 'Subject', 'VerbPhrase', 'Higher'],
    'are we driving faster after the light turns green',
    (_, subject, { form, predicate: { head } }, higher) =>
      form === 'ing' && isMotion(head) ? ofCarrier(subject, higher, head.word) : null,
  );
  rule(
    'Graded',
    ['Do', 'Subject', 'VerbPhrase', 'Higher'],
    'do we drive faster after the stop',
    (_, subject, { form, predicate: { head } }, higher) =>
      isBase(form) && isMotion(head) ? ofCarrier(subject, higher, head.word) : null,
  );
  rule('Graded', ['Be', 'Subject', 'Comparative'], 'is the dog bigger at the end', (_, subject, word) =>
    ofObjects(present(subject), subject, word),
  );
  rule(
    'Graded',
    ['Be', 'Subject', 'VerbPhrase', 'Comparative'],
    'are the people walking faster after the bang',
    (_, subject, { form, predicate: verb }, word) =>
      form === 'ing' && isPaced(verb, word) ? ofObjects(stated(subject, verb), subject, word) : null,
  );
  rule(
    'Graded',
    ['Do', 'Subject', 'VerbPhrase', 'Comparative'],
    'does the man walk faster at the end',
    (_, subject, { form, predicate: verb }, word) =>
      isBase(form) && isPaced(verb, word) ? ofObjects(stated(subject, verb), subject, word) : null,
  );
}

function busyRules(rule: AddRule<Categories>): void {
  rule('Graded', ['Be', 'Subject', 'Busier'], 'is the room busier in the second half', (_, subject, busier) =>
    busyOf(subject, busier),
  );
  rule('Graded', ['Be', 'Expletive', 'Busier'], 'is it busier in the second half', (_, _it, busier) =>
    OF_SOUND.test(busier.text) ? null : busy(busier, frameEvent(lively(busier))),
  );
  const grown = (verb: Categories['Grow'], busier: Categories['Busier']) =>
    isBase(verb.form) && !OF_SOUND.test(busier.text) ? { ...busier, ...joined(verb, [busier]) } : null;
  rule('Growth', ['Do', 'Expletive', 'Grow', 'Busier'], 'does it get busier', (_, _it, verb, word) => {
    const busier = grown(verb, word);
    return busier && busy(busier, frameEvent(lively(busier)));
  });
  rule(
    'Growth',
    ['Do', 'Subject', 'Grow', 'Busier'],
    'does traffic get heavier in the second half',
    (_, subject, verb, word) => {
      const busier = grown(verb, word);
      return busier && busyOf(subject, busier);
    },
  );
}

/** "Louder or quieter": which of them it is. */
function eitherWayRules(rule: AddRule<Categories>): void {
  const isLoudness = ({ quantity }: Calculation) => quantity?.sense.quantity === 'loudness';
  const isBusyness = ({ measure }: Calculation) => measure === 'mean_count';
  const isQuantity = (of: Calculation) => of.quantity !== undefined && !isLoudness(of);
  rule('Graded', ['Graded', 'Or', 'Louder'], 'is it louder or quieter at the end', (it, _, word) =>
    eitherWay(it, word, isLoudness),
  );
  rule('Growth', ['Growth', 'Or', 'Louder'], 'does it get louder or quieter', (it, _, word) =>
    eitherWay(it, word, isLoudness),
  );
  rule('Graded', ['Graded', 'Or', 'Busier'], 'is the room busier or emptier at the end', (it, _, word) =>
    eitherWay(it, word, isBusyness),
  );
  rule('Growth', ['Growth', 'Or', 'Busier'], 'does it get busier or emptier', (it, _, word) =>
    eitherWay(it, word, isBusyness),
  );
  rule('Graded', ['Graded', 'Or', 'Higher'], 'are we faster or slower after the stop', (it, _, word) =>
    eitherWay(it, word, isQuantity),
  );
  rule('Graded', ['Graded', 'Or', 'Comparative'], 'is the dog bigger or smaller at the end', (it, _, word) =>
    eitherWay(it, word, ({ measure }) => measure === word.measure),
  );
}

/** "How much louder", "twice as fast". */
function timedMarginRules(rule: AddRule<Categories>): void {
  const much = (how: Leaf, it: Graded | null): Graded | null =>
    it && isMuch(how)
      ? { compare: { compare: 'difference', range: null }, of: { ...it.of, words: [how, ...it.of.words] } }
      : null;
  rule('Graded', ['How', 'Louder', 'Be', 'Expletive'], 'how much louder is it at the end', (how, louder) =>
    much(how, loudness(louder)),
  );
  rule(
    'Graded',
    ['How', 'Busier', 'Be', 'Subject'],
    'how much busier is the room at the end',
    (how, word, _, subject) => much(how, busyOf(subject, word)),
  );
  rule('Graded', ['How', 'Higher', 'Be', 'Subject'], 'how much faster are we after the stop', (how, word, _, subject) =>
    much(how, ofCarrier(subject, word)),
  );
  rule(
    'Graded',
    ['How', 'Higher', 'Do', 'Subject', 'VerbPhrase'],
    'how much faster do we drive after the stop',
    (how, word, _, subject, { form, predicate: { head } }) =>
      isBase(form) && isMotion(head) ? much(how, ofCarrier(subject, word, head.word)) : null,
  );
  rule(
    'Graded',
    ['How', 'Higher', 'Be', 'Measured'],
    'how much higher is our speed after the stop',
    (how, higher, _, { statistic, quantity }) =>
      much(how, degreeOf(higher, valueOfAll(statistic, quantity, leafOf(higher)))),
  );
  rule(
    'Graded',
    ['How', 'Comparative', 'Be', 'Subject'],
    'how much bigger is the dog at the end',
    (how, word, _, subject) => much(how, ofObjects(present(subject), subject, word)),
  );
  const times = (
    statement: Statement | null,
    subject: Nominal,
    { margin, measure, ...word }: Categories['ComparativeBy'],
    ...words: readonly Leaf[]
  ): Graded | null => {
    const it =
      measure === 'pace' && isCarrier(subject)
        ? ofCarrier(subject, { ...word, compare: 'more' }, ...words)
        : ofObjects(statement, subject, { ...word, measure, compare: 'more' });
    return it && { ...it, compare: margin };
  };
  rule('Graded', ['Be', 'Subject', 'ComparativeBy'], 'are we twice as fast after the stop', (_, subject, by) =>
    times(present(subject), subject, by),
  );
  rule(
    'Graded',
    ['Do', 'Subject', 'VerbPhrase', 'ComparativeBy'],
    'do we drive twice as fast after the stop',
    (_, subject, { form, predicate: verb }, by) =>
      isBase(form) && isPaced(verb, by) && isMotion(verb.head)
        ? times(stated(subject, verb), subject, by, ...(isCarrier(subject) ? [verb.head.word] : []))
        : null,
  );
}

/** The times at which it is compared: two parts of the video, or before and after an event. */
function timeRules(rule: AddRule<Categories>): void {
  rule('Question', ['Growth'], 'does it get busier', (degree) => inParts(degree, ...HALVES));
  for (const degree of ['Graded', 'Growth'] as const) {
    const ask = degree === 'Graded' ? 'is it louder' : 'does it get louder';
    rule('Question', [degree, 'WindowPhrase'], `${ask} at the end`, (it, a) => inParts(it, a, otherPart(a)));
    for (const [order, example] of [
      ['After', 'after the car arrives'],
      ['Before', 'before the car arrives'],
    ] as const)
      rule('Question', [degree, order, 'EventPhrase'], `${ask} ${example}`, (it, word, reference) =>
        ORDERS[order].test(word.text) ? onSides(it, sidesOf(reference, KINDS[order], [word], 'than')) : null,
      );
  }
  // "Does it get louder" compares with the time before, so no second part is named.
  for (const [join, example] of [
    ['Than', 'than'],
    ['Or', 'or'],
  ] as const) {
    const compared = (it: Graded, a: Window, b: Window | null): Query | null =>
      inParts(it, a, b, join === 'Or' ? 'or' : 'than');
    rule(
      'Question',
      ['Graded', 'WindowPhrase', join, 'WindowPhrase'],
      `is it louder at the start ${example} at the end`,
      (it, a, _, b) => compared(it, a, b),
    );
    rule(
      'Question',
      ['Graded', 'WindowPhrase', join, 'Edge'],
      `is it louder at the start ${example} the end`,
      (it, a, _, b) => compared(it, a, edgeOf(b)),
    );
    rule(
      'Question',
      ['Graded', 'WindowPhrase', join, 'Window'],
      `is it busier in the second half ${example} in the first`,
      (it, a, _, b) => compared(it, a, otherEnd(a, b)),
    );
  }
  rule('Question', ['Graded', 'EachSide'], 'is it louder before the bang or after it', (it, sides) =>
    onSides(it, sides),
  );
}

/** "Is the street quieter" is about people, "is it quieter" and "does it get quieter" about the sound. */
const OF_SOUND = /\bquieter$/i;

/** A change is seen in the second half, compared with the first. */
const HALVES: readonly [Window, Window] = [
  { words: [], unit: 'share', from: 0.5, to: 1 },
  { words: [], unit: 'share', from: 0, to: 0.5 },
];

const KINDS = { After: ['after', 'before'], Before: ['before', 'after'] } as const;
/** "Right after" and "as soon as" name a moment beside the event, which is no side to compare. */
const ORDERS = { After: /^(?:after|once)$/i, Before: /^before$/i };

const degreeOf = ({ compare }: { compare: 'more' | 'less' }, { calculation }: Query): Graded => ({
  compare,
  of: calculation!,
});

/** The mean level of the sound. */
const loudness = (louder: Categories['Louder'], ...words: readonly Leaf[]): Graded =>
  degreeOf(louder, valueOfAll(null, quantityWord('loudness', louder), leafOf(louder), ...words));

const loudestOf = ({ statistic, ...word }: Categories['Loudest'], ...words: readonly Leaf[]): Query =>
  valueOfAll({ ...word, statistic }, quantityWord('loudness', word), ...words);

/** "Are we faster": by the speed. */
function ofCarrier(subject: Nominal, higher: Categories['Higher'], ...words: readonly Leaf[]): Graded | null {
  if (!isCarrier(subject) || !isOfSpeed(higher)) return null;
  const { word } = subject.head;
  return degreeOf(higher, valueOfAll(null, quantityWord('speed', word), leafOf(higher), ...words));
}

/** The same value in the other direction, too. */
function eitherWay(
  { compare, of }: Graded,
  word: Leaf & { readonly compare: 'more' | 'less' },
  isOf: (of: Calculation) => boolean,
): Graded | null {
  if (!isOneWay(compare) || word.compare === compare || !isOf(of)) return null;
  return { compare: WHICH[compare], of: { ...of, words: [...of.words, leafOf(word)] } };
}

const isOneWay = (compare: Graded['compare']): compare is 'more' | 'less' => compare === 'more' || compare === 'less';

/** The value of objects by an operator. */
function ofObjects(
  statement: Statement | null,
  subject: Nominal,
  { measure, compare, ...word }: Categories['Comparative'],
): Graded | null {
  if (!statement || subject.kind === 'group' || isCarrier(subject) || isNone(subject)) return null;
  return { compare, of: { words: [word], measure, compare: null, values: [{ statement, window: null }] } };
}

const busy = ({ compare, ...word }: Categories['Busier'], statement: Statement): Graded => ({
  compare,
  of: { words: [word], measure: 'mean_count', compare: null, values: [{ statement, window: null }] },
});

/** "Is the room busier": how many are there on average. */
function busyOf(subject: Nominal, busier: Categories['Busier']): Graded | null {
  if (subject.kind === 'group') return null;
  if (subject.head.type === 'place') return busy(busier, event(subject, predicate(lively(leafOf(busier)))));
  const isOfObjects = subject.plural && isObject(subject) && !isNone(subject) && !hasNumber(subject);
  const statement = isOfObjects ? present(subject) : null;
  return statement && busy(busier, statement);
}

/** "Two cars", "a crowd": of so many, there are not more. */
const hasNumber = ({ head, amount }: Entity) =>
  amount !== null || (head.type === 'object' && (head.word.sense.min ?? 1) > 1);

/** In two parts of the video: whether the first has more, which of them has, or how much. */
function inParts({ compare, of }: Graded, a: Window, b: Window | null, link: 'or' | 'than' = 'than'): Query | null {
  if (b === null) return null;
  const values = inWindows(of.values[0]!.statement, a, b);
  if (typeof compare === 'object') return byMargin({ ...of, values }, compare);
  if (!isOneWay(compare)) return calculated({ ...of, compare, values });
  return link === 'or'
    ? calculated({ ...of, compare: WHICH[compare], values })
    : calculated({ ...of, compare, values }, { isYesNo: true });
}

/** Before and after an event. */
function onSides({ compare, of }: Graded, sides: Categories['EachSide']): Query | null {
  if (OF_ALL_TIME.has(of.measure)) return null;
  return of.quantity?.sense.quantity === 'speed'
    ? compareQuantity(of, compare, sides)
    : compareSides(of, compare, sides);
}
