import { calendarText } from '../calendar/index.ts';
import { placesText } from '../find/index.ts';
import { type ObjectMeasure, objectOperator } from '../operators/index.ts';
import {
  type ComparisonKind,
  isBlocked,
  type ObjectQuery,
  type ObjectTarget,
  type Plan,
  type PlanClock,
  type PlannedCalculation,
  type PlannedSearch,
  type Range,
  type Step,
  signalOf,
  type Target,
} from '../plan/index.ts';
import { FACT_NAMES } from './facts.ts';
import { directionOf, noneOf, prepositionOf, verbsOf } from './label.ts';
import { quantityText, timeTextOf } from './quantity-text.ts';
import {
  CAMERA,
  cameraText,
  clock,
  HARD,
  isPlural,
  kindOf,
  lightText,
  listed,
  momentsText,
  placeText,
  pluralOf,
  SOUNDS,
  speechText,
  textText,
  withArticle,
} from './words.ts';

/** Phrase for what a question asks besides the events. */
const QUESTIONS: Record<NonNullable<Plan['question']>, string> = {
  describe: 'a description in words',
  count: 'how many in total',
  how_often: 'how often',
  yes_no: 'whether it happens',
  when: 'when',
  where: 'where in the picture',
  which_way: 'which way',
  which_color: 'which color',
  which_text: 'what it says',
  how_long: 'how long in total',
  time_between: 'the time between them',
  calculation: '',
};

const PICKS: Record<NonNullable<PlannedSearch['pick']>, string> = {
  first: 'only the first',
  second: 'only the second',
  third: 'only the third',
  fourth: 'only the fourth',
  fifth: 'only the fifth',
  last: 'only the last',
  longest: 'only the longest',
  shortest: 'only the shortest',
  most: 'only the moment with the most',
  largest: 'only the largest in the picture',
  smallest: 'only the smallest in the picture',
  fastest: 'only the fastest',
  slowest: 'only the slowest',
  leftmost: 'only the first from the left',
  rightmost: 'only the first from the right',
};

/** Up to this many classes are listed by name; for more, the word of the prompt is used. */
const MAX_LISTED = 4;

/**
 * One sentence that restates a plan: what is understood, in which part of the video, and what is not. Made
 * from the plan alone, so that a reader can check how the prompt was read.
 */
export function interpretPlan(plan: Plan): string {
  const understood = plan.searches.filter((search) => !isBlocked(search));
  const notUnderstood = [...new Set(plan.searches.flatMap(blockingTexts))];
  // A part that a model read as a whole is named with its reading.
  const asWhole = new Set(plan.reader === 'model' ? plan.rewritten?.map(({ from }) => from) : []);
  const ignored = [...new Set(understood.flatMap(ignoredTexts))].filter((text) => !asWhole.has(text));
  const time = timeTextOf(plan.query);
  const parts = [
    ...understoodText(plan, understood, time),
    understood.length > 0 && plan.window ? windowText(plan.window, time, plan.clock) : '',
    notUnderstood.length > 0 ? `not understood: ${quoted(notUnderstood)}` : '',
    ignored.length > 0 ? `not checked: ${quoted(ignored)}` : '',
    rewrittenText(plan),
    alternativeText(plan),
    plan.corrected.length > 0
      ? plan.corrected
          .slice(0, 5)
          .map(({ from, to }) => `"${from}" read as "${to}"`)
          .join(', ')
      : '',
  ].filter((part) => part !== '');
  const sentence = parts.join('; ');
  return `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}.`;
}

/** The searches, and the question about them. A value of all the time needs no search to be named. */
function understoodText(plan: Plan, searches: readonly PlannedSearch[], time: TimeText): string[] {
  if (searches.length === 0) return [];
  const question = plan.question ? [questionText(plan, time)] : [];
  const references = new Set(plan.searches.flatMap(({ during }) => during ?? []).map((at) => plan.searches[at]));
  const named = searches
    .filter(
      (search) =>
        !references.has(search) && (!isMeasuredAlways(search) || search.window || search.during !== undefined),
    )
    .map((search) => limitedText(search, plan, time, plan.clock));
  const [first, ...others] = [...(named.length > 0 ? [named.join('; ')] : []), ...question];
  return [`Understood as: ${first}`, ...others];
}

/** A search, and what limits it to a part of the time. */
export function limitedText(search: PlannedSearch, { searches }: Plan, time: TimeText, clock?: PlanClock): string {
  const reference = search.during === undefined ? undefined : searches[search.during];
  const text = searchText(search, time, clock);
  return reference ? `${text}, during: ${searchText(reference, time, clock)}` : text;
}

/** True for a quantity without limits, which is measured all the time: that is no event. */
export const isMeasuredAlways = ({ steps: [step] }: PlannedSearch) =>
  step!.what.kind === 'quantity' && !step!.what.trend && step!.what.range.min === null && step!.what.range.max === null;

/** "Read from German as "a red car"", in the order of the prompt. */
function rewrittenText({ language = 'English', reader, rewritten = [] }: Plan): string {
  if (rewritten.length === 0) return '';
  const texts = rewritten.slice(0, MAX_LISTED).map(({ to }) => `"${to}"`);
  const by = reader === 'model' ? ' by a language model' : '';
  return `read from ${language}${by} as ${listed(texts)}`;
}

/** Another reading that was not searched because it contradicts the rules. */
function alternativeText({ alternative = [] }: Plan): string {
  if (alternative.length === 0) return '';
  const texts = alternative.slice(0, MAX_LISTED).map(({ to }) => `"${to}"`);
  return `a language model read it as ${listed(texts)}, which was not searched`;
}

/** "A, b or c". */
const either = (items: readonly string[]) =>
  items.length < 2 ? (items[0] ?? '') : `${items.slice(0, -1).join(', ')} or ${items.at(-1)}`;

const quoted = (texts: readonly string[]) => listed(texts.map((text) => `"${text}"`));

const blocks = ({ unchecked, what }: Step) => what.kind === 'unknown' || unchecked.some((each) => each.blocks);

function blockingTexts({ steps }: PlannedSearch): string[] {
  return steps.filter(blocks).flatMap(({ text, unchecked }) => {
    const texts = unchecked.filter((each) => each.blocks).map((each) => each.text);
    return texts.length > 0 ? texts : [text];
  });
}

const ignoredTexts = ({ steps }: PlannedSearch) => steps.flatMap(({ unchecked }) => unchecked.map(({ text }) => text));

/** Writes a time in seconds. */
type TimeText = (value: number) => string;

/** "A red car that enters (only the first)": what is searched, in words of the engine. */
export function searchText(
  { steps, pick, leading = steps.length, places, moments, window }: PlannedSearch,
  time: TimeText,
  clock?: PlanClock,
): string {
  const picked = pickText(pick, places);
  const text = steps.reduce((before, step, i) => {
    const joined = joinedText(before, step, i === 0, time);
    return i === leading - 1 && leading < steps.length ? `${joined} (${picked.join('')})` : joined;
  }, '');
  const limits = [
    ...(leading < steps.length ? [] : picked),
    ...(moments ? [momentsText(moments, time)] : []),
    ...(window ? [windowText(window, time, clock)] : []),
  ];
  return limits.length === 0 ? text : `${text} (${limits.join(', ')})`;
}

/** "Only the first", "only the 3 longest". */
function pickText(pick: PlannedSearch['pick'], places: PlannedSearch['places']): string[] {
  if (pick === null) return [];
  return [places ? `only ${placesText(pick, places)}` : PICKS[pick]];
}

const percent = (share: number) => `${Math.round(share * 100)} %`;

/** A limit that no video reaches, as between two events of which only the time between them matters. */
const ANY_TIME_S = 86_400;

/** "A person that enters, at any time after a car that leaves": the step that counts is named first. */
function joinedText(before: string, step: Step, isFirst: boolean, time: TimeText): string {
  const text = stepText(step, time);
  if (isFirst) return text;
  if (!step.every) return `${before}${joinText(step, time)}${text}`;
  const [own, other] = step.every === 'this' ? [text, before] : [before, text];
  const limits = [
    step.within === null ? '' : `within ${time(step.within)}`,
    step.apart ? `at least ${time(step.apart)}` : '',
  ].filter((limit) => limit !== '');
  const same = step.same ? ' by the same one' : '';
  return `${own}, ${limits.length > 0 ? limits.join(' and ') : 'at any time'} ${step.every === 'this' ? 'after' : 'before'} ${other}${same}`;
}

function joinText({ join, same, within, apart }: Step, time: TimeText): string {
  const limits = [
    within === null || within >= ANY_TIME_S ? '' : ` within ${time(within)}`,
    apart === undefined ? '' : apart === 0 ? ' at any later time' : ` at least ${time(apart)} later`,
  ].join(' and'.repeat(Number(within !== null && apart !== undefined)));
  return `${join === 'while' ? ' while' : ', then'}${limits}${same ? ' the same one: ' : ' '}`;
}

function stepText({ text, what, negated, duration, throughout, join }: Step, time: TimeText): string {
  // "A car while no truck is in view"
  if (join === 'while' && negated && what.kind === 'object') return noneOf(what);
  const lasting = `${duration ? ` for ${rangeText(duration, time)}` : ''}${throughout ? ' the whole time' : ''}`;
  return `${whatText(what, negated, text)}${lasting}`;
}

function whatText(what: Target, negated: boolean, prompt: string): string {
  const which = negated ? 1 : 0;
  switch (what.kind) {
    case 'object':
      if (!negated) return objectText(what, prompt);
      return `times ${what.action === 'present' && !what.subject.place ? 'with' : 'when'} ${noneOf(what)}`;
    case 'signal':
      return signalOf(what.signal).said[which];
    case 'camera': {
      const hard = what.hard && !negated ? HARD[what.move] : undefined;
      return `${cameraText(what, hard ?? CAMERA[what.move][which])}${what.direction === null ? '' : ` ${what.direction}`}`;
    }
    case 'sound':
      return `${SOUNDS[what.sound][which]}${what.maker ? ' (by anybody)' : ''}`;
    case 'speech':
      return speechText(what, negated);
    case 'text':
      return textText(what, negated);
    case 'traffic_light':
      return lightText(what, negated);
    case 'motion':
      return `${negated ? stillText(prompt) : 'something moves'}${placeText(what.place)}`;
    case 'quantity':
      return `${what.channel ? RECORDED : ''}${quantityText(what, negated, prompt)}`;
    case 'fact':
      return FACT_NAMES[what.fact];
    case 'notable':
      return 'everything notable';
    case 'unknown':
      return 'nothing';
  }
}

/** "The arm stops" is a state; "nothing moves" an absence. */
const stillText = (prompt: string) =>
  /\b(?:no|not|nothing|never|without|none)\b|n't/i.test(prompt) ? 'nothing moves' : 'the motion stops';

/** "A red truck that stands still", "2 or more people that enter from the left". */
function objectText(what: ObjectTarget, prompt: string): string {
  const { subject, idle, relation } = what;
  const isSeveral = subject.count.min > 1;
  // "Passes" without an object is searched as moving.
  const isPassing = what.action === 'moves' && /\bpass(es|ing)?\b/i.test(prompt);
  const [one, many] = isPassing ? (['passes', 'pass'] as const) : verbsOf(what);
  const verb = idle ? `${isSeveral ? 'do' : 'does'} not ${many}` : isSeveral ? many : one;
  const way = directionOf(what);
  const isPresent = what.action === 'present' && !idle;
  const view = subject.place ? '' : ` ${verb}`;
  const does = isPresent ? view : ` that ${verb}${way === '' ? '' : ` ${way}`}`;
  return `${nounText(subject)}${placeText(subject.place)}${does}${relation ? relationText(what.action, relation) : ''}`;
}

function relationText(action: ObjectTarget['action'], { kind, other, negated }: NonNullable<ObjectTarget['relation']>) {
  return `${negated ? ' not' : ''} ${prepositionOf(action, kind)}${nounText(other)}${placeText(other.place)}`;
}

/** "2 or more red trucks", "a person", "an object of any kind". */
function nounText(query: ObjectQuery): string {
  return `${describedNoun(query)}${query.except ? exceptText(query.except, query.classes) : ''}`;
}

/** " except red ones", " except trucks" */
function exceptText({ classes, colors }: NonNullable<ObjectQuery['except']>, of: readonly string[]): string {
  if (classes.length === 0 && of.join() === 'person') return ` except those in ${either(colors)}`;
  const nouns = classes.length > MAX_LISTED || classes.length === 0 ? 'ones' : either(classes.map(pluralOf));
  return ` except ${[either(colors), nouns].filter((word) => word !== '').join(' ')}`;
}

function describedNoun({
  text,
  classes,
  colors,
  worn,
  count: { min, max },
  state,
  ridden,
  afoot,
}: ObjectQuery): string {
  const names = classes.map((className) => kindOf({ className }, { ridden }));
  const onFoot = (noun: string) => (afoot ? noun.replace(/\b(?:person|people)\b/, '$& on foot') : noun);
  // A group such as "vehicle" is called by the word of the prompt.
  const [single, several] =
    names.length === 0
      ? ['object of any kind', 'objects of any kind']
      : names.length > MAX_LISTED
        ? [text.toLowerCase(), text.toLowerCase()]
        : [onFoot(either(names)), onFoot(either(names.map(pluralOf)))];
  // "A red person" is one in red, on the part of the body that a garment names.
  const isDressed = colors.length > 0 && classes.join() === 'person';
  const dressed = isDressed ? `in ${either(colors)}${worn ? ` on the ${BODY_PARTS[worn]}` : ''}` : '';
  const described = (noun: string) =>
    [state, isDressed ? '' : either(colors), noun, dressed].filter((word) => word).join(' ');
  if (min === 1 && max === null) return isPlural(single) ? described(single) : withArticle(described(single));
  if (max === null) return `${min} or more ${described(several)}`;
  return min === max
    ? `exactly ${min} ${described(min > 1 ? several : single)}`
    : `${min} to ${max} ${described(several)}`;
}

const BODY_PARTS = { upper: 'upper body', lower: 'legs' } as const;

function rangeText({ min, max }: Range, format: (value: number) => string): string {
  if (min !== null && max !== null) return min === max ? format(min) : `${format(min)} to ${format(max)}`;
  return min !== null ? `at least ${format(min)}` : `at most ${format(max ?? 0)}`;
}

function questionText({ question, per, calculation }: Plan, time: TimeText): string {
  if (calculation) return calculationText(calculation, time);
  return `${QUESTIONS[question!]}${per === undefined ? '' : ` in every ${PERIODS[per] ?? time(per)}`}`;
}
const PERIODS: Partial<Record<number, string>> = { 1: 'second', 60: 'minute', 3600: 'hour' };

type Measure = PlannedCalculation['values'][number]['measure'];

const measureText = (measure: Measure): string =>
  objectOperator(measure)?.restated ?? MEASURES[measure as Exclude<Measure, ObjectMeasure>];

const MEASURES: Record<Exclude<Measure, ObjectMeasure>, string> = {
  count: 'how many in total',
  count_at: 'how many are there when that starts',
  most: 'how many at the same time at most',
  mean_count: 'how many at the same time on average',
  length: 'how long in total',
  item_length: 'how long each of them on average',
  lengths: 'how long each of them',
  longest: 'how long the longest of them',
  shortest: 'how long the shortest of them',
  share: 'share of the time',
  start: 'when it first happens',
  mean: 'mean',
  highest: 'highest',
  lowest: 'lowest',
  at_start: '',
  change: 'change from the start to the end of',
  distance: 'distance by',
};

/** A channel is looked up in each recording by its name. */
const RECORDED = 'recorded channel ';

/** "How many in total: which is more", "mean speed meanwhile". */
function calculationText(calculation: PlannedCalculation, time: TimeText): string {
  const { values, compare, range } = calculation;
  const { measure, quantity, channel, offset } = values[0]!;
  const shift = offset ? `${time(Math.abs(offset))} ${offset < 0 ? 'before' : 'after'} that` : 'when that starts';
  const name = channel ? `${RECORDED}${channel.name}` : quantity?.replaceAll('_', ' ');
  const value =
    measure === 'at_start' ? `${name} ${shift}` : name ? `${measureText(measure)} ${name}` : measureText(measure);
  if (calculation.by) return `${value} ${groupingText(calculation, time)}`;
  if (compare === 'within') return `${value}: whether ${limitsText(range ?? { min: null, max: null }, measure, time)}`;
  if (range && compare === 'ratio')
    return `${value}: whether the first is ${rangeText(range, String)} times the second`;
  if (range && compare === 'difference')
    return `${value}: whether the first has ${limitsText(range, measure, time)} more than the second`;
  return compare === null ? value : `${value}: ${comparedText(measure, compare)}`;
}

/** "By kind, only the 3 greatest", "in each shot: whether it is so in all of them". */
function groupingText({ by, period, rank, compare }: PlannedCalculation, time: TimeText): string {
  const groups = {
    kind: 'by kind',
    color: 'by color',
    period: `in every ${periodText(period, time)}`,
    shot: 'in each shot',
  };
  const order = rank?.order === 'least' ? 'smallest' : 'greatest';
  const places = rank ? `, only ${rank.to === 1 ? `the ${order}` : placesText(order, rank)}` : '';
  if (compare === 'difference') return `${groups[by!]}: what the first has more and fewer of than the second`;
  const compared = compare === 'every' ? ': whether in all of them' : compare === 'occurs' ? ': in which of them' : '';
  return `${groups[by!]}${places}${compared}`;
}

const periodText = (period: number | undefined, time: TimeText) =>
  period === undefined ? 'minute' : (PERIODS[period] ?? time(period));

function limitsText(range: Range, measure: PlannedCalculation['values'][number]['measure'], time: TimeText): string {
  if (measure === 'share') return rangeText(range, percent);
  return rangeText(range, measure === 'count' || measure === 'most' ? String : time);
}

function comparedText(measure: PlannedCalculation['values'][number]['measure'], compare: ComparisonKind): string {
  if (compare === 'same') return 'whether they are the same';
  if (compare === 'difference') return 'by how much the first has more';
  if (compare === 'ratio') return 'how many times the second the first is';
  if (compare === 'changed') return 'whether the first differs from the second';
  if (compare === 'all') return 'whether the first are all of the second';
  if (compare === 'mostly') return 'whether the first are more than half of the second';
  if (compare === 'part') return 'which share of the second the first are';
  if (compare === 'order') return 'whether the first comes before the second';
  const isMost = compare === 'which_most' || compare === 'more';
  if (measure === 'start') return isMost ? 'which is last' : 'which is first';
  return compare.startsWith('which')
    ? `which has ${isMost ? 'most' : 'least'}`
    : `whether the first has ${isMost ? 'more' : 'less'}`;
}

/** "Only from 0:10.0 to 0:20.0", "only in the last 10 s". */
function windowText(
  { from, to, unit, edge, calendar }: NonNullable<Plan['window']>,
  time: TimeText,
  recordingClock?: PlanClock,
): string {
  if (calendar) return `only ${calendarText(calendar, recordingClock)}`;
  if (unit === 'share') return `only from ${percent(from)} to ${percent(to ?? 1)} of the video`;
  if (edge)
    return `only at the ${from < 0 ? 'end' : 'start'}, at most ${time(Math.abs(to ?? from))} and a quarter of the video`;
  if (from < 0 && to === null) return `only in the last ${time(-from)}`;
  const place = (timeS: number) => (timeS < 0 ? `${time(-timeS)} before the end` : clock(timeS));
  return `only from ${place(from)} to ${to === null ? 'the end' : place(to)}`;
}
