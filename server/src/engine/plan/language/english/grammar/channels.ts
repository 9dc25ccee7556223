import type { Leaf, MeasuredAmount, Query, Statement, Word } from '../../../meaning/types.ts';
import type { AddRule } from '../../../parse/rules.ts';
import type { Trend } from '../../../terms.ts';
import type { Categories, ChannelPart } from '../categories.ts';
import { event, isBase, isFiniteForm, joined, leafOf, modified, predicate } from './build.ts';
import { valueOfAll } from './values.ts';

/** Longest name of a channel, in words: each word of a prompt may be part of one. */
const LONGEST_NAME = 5;

/** Rather a quantity of the vehicle, where the words name one. */
const BESIDE = 0.3;

/**
 * Numbers that a recording has under a name: "battery below 20 %", "highest motor temperature", "joint 3 moves". Any
 * noun may be a name where it is compared with a number; where it is not, it has to be a noun for what is measured.
 */
export function channelRules(rule: AddRule<Categories>): void {
  nameRules(rule);
  limitRules(rule);
  statementRules(rule);
  trendRules(rule);
  questionRules(rule);
}

function nameRules(rule: AddRule<Categories>): void {
  rule('ChannelName', ['ChannelWord'], 'battery below 20 %', (word) => ({ ...word, name: word.text }));
  rule('ChannelName', ['ChannelName', 'ChannelWord'], 'motor temperature above 60 degrees', (name, word) =>
    named(name, word, `${name.name} ${word.text}`, word),
  );
  rule('ChannelName', ['ChannelName', 'Number'], 'joint 3 above 1.5 rad', (name, number) =>
    /^\d+$/.test(number.text) && name.name === name.text
      ? named(name, number, `${name.name} ${number.text}`, {
          ...name,
          isMeasure: true,
          isHead: !name.isObject,
          isQuantity: false,
        })
      : null,
  );
  rule('ChannelName', ['ChannelName', 'Of', 'ChannelName'], 'temperature of motor 1 above 60 degrees', (name, _, of) =>
    named(name, of, `${of.name} ${name.name}`, name),
  );
  rule(
    'ChannelName',
    ['ChannelName', 'Of', 'Determiner', 'ChannelName'],
    'temperature of the motor above 60 degrees',
    (name, _, { type }, of) => (type === 'definite' ? named(name, of, `${of.name} ${name.name}`, name) : null),
  );
  rule('Channel', ['ChannelName'], 'battery below 20 %', (name) => channelOf(name), BESIDE);
  rule(
    'Channel',
    ['Determiner', 'ChannelName'],
    'the battery is below 20 %',
    ({ type }, name) => (type === 'definite' ? channelOf(name) : null),
    BESIDE,
  );
  rule('Channel', ['Possessive', 'ChannelName'], 'our battery is below 20 %', (_, name) => channelOf(name), BESIDE);
}

function limitRules(rule: AddRule<Categories>): void {
  rule('ChannelLimit', ['Measure'], 'battery below 20 %', (amount) => (amount.bare ? null : amount));
  rule('ChannelLimit', ['Compare', 'Number'], 'engine rpm above 4000', ({ sense, ...compare }, number) =>
    limited([compare, number], sense.compare, number.sense.value),
  );
  rule(
    'ChannelLimit',
    ['Between', 'Number', 'And', 'Number'],
    'engine rpm between 2000 and 4000',
    (_, from, _and, to) => between([from, to], from.sense.value, to.sense.value),
  );
  rule(
    'ChannelLimit',
    ['Between', 'Number', 'And', 'Number', 'Unit'],
    'battery between 20 and 40 %',
    (_, from, _and, to, unit) => between([from, to, unit], from.sense.value, to.sense.value),
  );
  rule('ChannelLimit', ['Adverb', 'ChannelLimit'], 'is the battery ever below 20 %', (_, limit) => limit);
  rule('ChannelBare', ['Measure'], 'motor temperature exceeds 60 degrees', (amount) => (amount.bare ? amount : null));
  rule('ChannelBare', ['Number'], 'engine rpm exceeds 4000', (number) => ({
    words: [number],
    dimension: 'beyond',
    min: number.sense.value,
    max: null,
    bare: true,
  }));
}

function statementRules(rule: AddRule<Categories>): void {
  const exceeding = (channel: Categories['Channel'], amount: MeasuredAmount) =>
    compared(channel, { ...amount, bare: false });
  rule('Clause', ['Channel', 'ChannelLimit'], 'battery below 20 %', (channel, limit) => compared(channel, limit));
  for (const verb of ['Be', 'Stay', 'ChannelGo'] as const) {
    const text = { Be: 'is', Stay: 'stays', ChannelGo: 'climbs' }[verb];
    rule(
      'Clause',
      ['Channel', verb, 'ChannelLimit'],
      `the battery ${text} above 20 %`,
      (channel, { form, ...word }, limit) => (isFiniteForm(form) ? compared(channel, limit, word) : null),
    );
  }
  for (const verb of ['Stay', 'ChannelGo'] as const) {
    const text = { Stay: 'stay', ChannelGo: 'climb' }[verb];
    rule(
      'Inverted',
      ['Do', 'Channel', verb, 'ChannelLimit'],
      `does the battery ${text} above 20 %`,
      (_, channel, { form, ...word }, limit) => (isBase(form) ? compared(channel, limit, word) : null),
    );
  }
  // "Drops below" is a comparison by itself.
  rule('Inverted', ['Do', 'Channel', 'ChannelLimit'], 'does the battery drop below 20 %', (_, channel, limit) =>
    /^(?:go|drop|fall|dip|rise|get|come|climb|stay|exceed)\b/i.test(limit.words[0]?.text ?? '')
      ? compared(channel, limit)
      : null,
  );
  rule('Inverted', ['Be', 'Channel', 'ChannelLimit'], 'is the battery below 20 %', (_, channel, limit) =>
    compared(channel, limit),
  );
  rule(
    'Inverted',
    ['Have', 'Channel', 'ChannelGo', 'ChannelLimit'],
    'has the battery climbed above 20 %',
    (_, channel, { form, ...verb }, limit) => (isBase(form) || form === 'ing' ? null : compared(channel, limit, verb)),
  );
  rule('Clause', ['Channel', 'Exceed', 'ChannelBare'], 'motor temperature exceeds 60 degrees', (channel, _, amount) =>
    exceeding(channel, amount),
  );
  rule(
    'Inverted',
    ['Do', 'Channel', 'Exceed', 'ChannelBare'],
    'does the motor temperature exceed 60 degrees',
    (_, channel, verb, amount) => (isBase(verb.form) ? exceeding(channel, amount) : null),
  );
}

function trendRules(rule: AddRule<Categories>): void {
  rule('Clause', ['Channel', 'Vary'], 'motor temperature rises', (channel, verb) =>
    isFiniteForm(verb.form) ? changing(channel, TRENDS[verb.compare], verb) : null,
  );
  rule('Clause', ['Channel', 'Be', 'Vary'], 'motor temperature is rising', (channel, _, verb) =>
    verb.form === 'ing' ? changing(channel, TRENDS[verb.compare], verb) : null,
  );
  rule('Inverted', ['Do', 'Channel', 'Vary'], 'does the motor temperature rise', (_, channel, verb) =>
    isBase(verb.form) ? changing(channel, TRENDS[verb.compare], verb) : null,
  );
  rule('Inverted', ['Be', 'Channel', 'Vary'], 'is the motor temperature rising', (_, channel, verb) =>
    verb.form === 'ing' ? changing(channel, TRENDS[verb.compare], verb) : null,
  );
  rule('Inverted', ['Have', 'Channel', 'Vary'], 'has the motor temperature increased', (_, channel, verb) =>
    isBase(verb.form) ? null : changing(channel, TRENDS[verb.compare], verb),
  );
  rule('Clause', ['Channel', 'Be', 'Constant'], 'motor temperature is constant', (channel, _, word) =>
    changing(channel, 'constant', word),
  );
  rule('Inverted', ['Be', 'Channel', 'Constant'], 'is the motor temperature constant', (_, channel, word) =>
    changing(channel, 'constant', word),
  );
  rule('Clause', ['Channel', 'Remain', 'Constant'], 'motor temperature stays constant', (channel, { form }, word) =>
    isFiniteForm(form) ? changing(channel, 'constant', word) : null,
  );
  rule(
    'Inverted',
    ['Do', 'Channel', 'Remain', 'Constant'],
    'does the motor temperature stay constant',
    (_, channel, { form }, word) => (isBase(form) ? changing(channel, 'constant', word) : null),
  );
  const moving = (channel: Categories['Channel'], verb: Categories['Action']) =>
    channel.isPart && verb.sense.action === 'moves' && !verb.sense.direction
      ? changing(channel, 'changes', verb)
      : null;
  rule('Clause', ['Channel', 'Action'], 'joint 3 moves', (channel, verb) =>
    isFiniteForm(verb.form) ? moving(channel, verb) : null,
  );
  rule('Inverted', ['Do', 'Channel', 'Action'], 'does joint 3 move', (_, channel, verb) =>
    isBase(verb.form) ? moving(channel, verb) : null,
  );
  rule('Inverted', ['Be', 'Channel', 'Action'], 'is joint 3 moving', (_, channel, verb) =>
    verb.form === 'ing' ? moving(channel, verb) : null,
  );
}

function questionRules(rule: AddRule<Categories>): void {
  rule('Measured', ['Channel'], 'battery level at 0:10', (channel) =>
    channel.isMeasure ? { statistic: null, quantity: wordOf(channel) } : null,
  );
  rule('Measured', ['Statistic', 'Channel'], 'highest altitude', (statistic, channel) =>
    channel.isMeasure ? { statistic, quantity: wordOf(channel) } : null,
  );
  const extreme = (
    question: Categories['Questioned'],
    channel: Categories['Channel'],
    statistic: Categories['Statistic'],
  ): Query | null =>
    question.sense.question === 'when' && channel.isMeasure && statistic.statistic !== 'mean'
      ? valueOfAll(statistic, wordOf(channel), question)
      : null;
  rule(
    'Question',
    ['Questioned', 'Be', 'Channel', 'Statistic'],
    'when is the altitude highest',
    (question, _, channel, statistic) => extreme(question, channel, statistic),
  );
  rule(
    'Question',
    ['Questioned', 'Be', 'Channel', 'Determiner', 'Statistic'],
    'when is the altitude the highest',
    (question, _, channel, _the, statistic) => extreme(question, channel, statistic),
  );
  rule('Question', ['How', 'Do', 'Channel', 'Vary'], 'how much did the battery level drop', (how, _, channel, verb) =>
    channel.isMeasure && isBase(verb.form)
      ? valueOfAll({ ...leafOf(how), statistic: 'change' }, wordOf(channel), leafOf(verb))
      : null,
  );
}

const TRENDS: Record<Categories['Vary']['compare'], Trend> = { more: 'rises', less: 'falls', changed: 'changes' };

/** A name of several words, of which `head` says what it is. */
function named(
  first: Categories['ChannelName'],
  last: Leaf & Partial<ChannelPart>,
  name: string,
  head: ChannelPart,
): Categories['ChannelName'] | null {
  if (name.split(' ').length > LONGEST_NAME) return null;
  const isOf = (feature: 'isMeasure' | 'isObject' | 'isMotion') => first[feature] || last[feature] === true;
  return {
    ...joined(first, [last]),
    name,
    isHead: head.isHead,
    isMeasure: isOf('isMeasure') || head.isMeasure,
    isPart: head.isPart,
    isObject: isOf('isObject'),
    isMotion: isOf('isMotion'),
    isQuantity: false,
  };
}

/** "Car battery", but not "car speed": how an object in the frame moves is not recorded under its name. */
const channelOf = (name: Categories['ChannelName']): Categories['Channel'] | null => {
  const isSeen = name.isObject && (name.isMotion || !name.isMeasure);
  if (!name.isHead || name.isQuantity || isSeen) return null;
  const { isMeasure, isPart } = name;
  return { ...leafOf(name), sense: { type: 'quantity', quantity: 'channel', channel: name.name }, isMeasure, isPart };
};

const wordOf = ({ sense, ...word }: Categories['Channel']): Word<'quantity'> => ({ ...leafOf(word), sense });

/** A noun that is no measure needs a unit: "the crane is above 20" is about a place. */
function compared(channel: Categories['Channel'], amount: MeasuredAmount, verb?: Leaf): Statement | null {
  const isMeasured = amount.words.some((word) => 'sense' in word && isUnit(word)) && amount.dimension !== 'time';
  if ((!channel.isMeasure && !isMeasured) || amount.words.some(({ text }) => OF_MOTION.test(text))) return null;
  const word = { ...wordOf(channel), ...(verb && joined(leafOf(channel), [verb])) };
  return event(null, modified(predicate({ type: 'quantity', word }), { type: 'measure', amount }));
}

const isUnit = (word: { readonly sense?: unknown }) => (word.sense as { type?: unknown }).type === 'unit';
/** Comparisons of how something moves or lasts. */
const OF_MOTION = /fast|slow|long|short|hard|far|late|earl|soon|near|clos/i;

/** "The battery drops": the verb is part of what is measured. */
function changing({ sense, isMeasure, ...channel }: Categories['Channel'], trend: Trend, verb: Leaf): Statement | null {
  if (!isMeasure) return null;
  const word = { ...joined(leafOf(channel), [verb]), sense: { ...sense, trend } };
  return event(null, predicate({ type: 'quantity', word }));
}

function limited(words: readonly Leaf[], compare: Categories['Compare']['sense']['compare'], value: number) {
  const isUpper = compare === 'below' || compare === 'max';
  const isExact = compare === 'exact';
  const limits = { min: isUpper ? null : value, max: isUpper || isExact ? value : null };
  return { words, dimension: 'beyond' as const, bare: false, ...limits };
}

const between = (words: readonly Leaf[], min: number, max: number): MeasuredAmount | null =>
  min < max ? { words, dimension: 'beyond', bare: false, min, max } : null;
