import { isMark, sense } from '../../tokens/lexer.ts';
import type { Sense } from '../../tokens/senses.ts';
import { headAfter, isFiniteVerb, isOnly, type MisplacedRule } from './words.ts';

/** Particles that belong to no word beside them. */

/** "Hard brake then up stop", "more than down minute": the direction of no verb. */
const strayDirection: MisplacedRule = (items, i) => {
  const [before, item, next] = [items[i - 1], items[i]!, items[i + 1]];
  if (!/^(?:up|down|in|out|away|off)$/i.test(item.text)) return false;
  if ((sense(before, 'compare') || / than$/i.test(before?.text ?? '')) && sense(next, 'unit')) return true;
  return sense(before, 'join') !== null && (sense(next, 'camera_move') ?? sense(next, 'action')) !== null;
};

/** "Is the car red of moving": no part of a color. */
const ofColor: MisplacedRule = (items, i) =>
  /^of$/i.test(items[i]!.text) && isOnly(items[i - 1], COLORS) && isOnly(items[i + 1], STATES);

const COLORS: ReadonlySet<Sense['type']> = new Set(['color']);
const STATES: ReadonlySet<Sense['type']> = new Set(['action', 'state', 'camera_move']);

/** "A pedestrian off view": not in view. */
const offView: MisplacedRule = (items, i) =>
  /^off$/i.test(items[i]!.text) &&
  /^(?:the )?(?:view|sight|frame|picture|screen|camera)\b/i.test(items[i + 1]?.text ?? '');

/** "Is the car red stands moving": one predicate has one verb. */
const secondVerb: MisplacedRule = (items, i) =>
  isOnly(items[i - 1], COLORS) &&
  sense(items[i], 'action') !== null &&
  isFiniteVerb(items[i]!) &&
  sense(items[i + 1], 'state') !== null;

/** "Red every blue cars": a determiner stands before the colors. */
const lateDeterminer: MisplacedRule = (items, i) =>
  /^(?:every|each|any|another)$/i.test(items[i]!.text) &&
  isOnly(items[i - 1], COLORS) &&
  (sense(items[i + 1], 'color') ?? sense(items[i + 1], 'noun')) !== null;

/** "Within him minute" */
const pronounBeforeUnit: MisplacedRule = (items, i) =>
  isOnly(items[i], PRONOUNS) && sense(items[i - 1], 'preposition') !== null && sense(items[i + 1], 'unit') !== null;

const PRONOUNS: ReadonlySet<Sense['type']> = new Set(['pronoun']);

/** "From top to right": a path across the frame ends at the side opposite to its start. */
const diagonal: MisplacedRule = (items, i) => {
  const [from, to] = [sense(items[i], 'side'), sense(items[i + 2], 'side')];
  if (!from || !to || !/^from$/i.test(items[i - 1]?.text ?? '') || !/^to$/i.test(items[i + 1]?.text ?? ''))
    return false;
  return VERTICAL.has(from.side) !== VERTICAL.has(to.side) && from.side !== 'middle' && to.side !== 'middle';
};

const VERTICAL: ReadonlySet<string> = new Set(['top', 'bottom']);

/** "Times then went over 65 mph": nothing precedes that something follows. */
const thenFirst: MisplacedRule = (items, i) =>
  i > 0 &&
  sense(items[i], 'join')?.join === 'then' &&
  !isMark(items[i]!) &&
  items.slice(0, i).every((each) => sense(each, 'filler') !== null && !isMark(each));

/** "Any longer vehicles": before a noun, it compares lengths, which nothing measures. */
const longerNoun: MisplacedRule = (items, i) =>
  /^any longer$/i.test(items[i]!.text) && (sense(items[i + 1], 'noun') ?? sense(items[i + 1], 'color')) !== null;

/** "Every point red lorry", "any place people": no word says that the objects are there. */
const placeBeforeNoun: MisplacedRule = (items, i) =>
  /^(?:every|each|any|all) (?:point|place)s?$/i.test(items[i]!.text) &&
  headAfter(items, i)?.senses.some(({ type }) => NAMED.has(type)) === true;

const NAMED: ReadonlySet<Sense['type']> = new Set(['noun', 'motion', 'signal', 'sound']);

/** "People will entering": an infinitive follows. */
const modalBeforeParticiple: MisplacedRule = (items, i) =>
  /^(?:will|can)$/i.test(items[i]!.text) && i > 0 && /^\w{2,}ing\b/i.test(items[i + 1]?.text ?? '');

/** "When was lasting the first person seen": an amount follows. */
const lastingNothing: MisplacedRule = (items, i) =>
  /^(?:lasting|lasts)$/i.test(items[i]!.text) &&
  ['number', 'compare', 'unit', 'vague', 'count'].every((type) => !sense(items[i + 1], type as Sense['type']));

/** "Speed of exceeds 120 km/h", "the moments when of are at least two": no noun follows. */
const ofVerb: MisplacedRule = (items, i) => {
  const next = items[i + 1];
  if (!/^of$/i.test(items[i]!.text) || !next) return false;
  if (/^(?:is|are|was|were)$/i.test(next.text)) return true;
  return (isOnly(next, STATES) || isOnly(next, COMPARISONS)) && isFiniteVerb(next);
};

const COMPARISONS: ReadonlySet<Sense['type']> = new Set(['compare']);

/** "A pedestrian of view": neither in view nor out of it. */
const ofView: MisplacedRule = (items, i) =>
  /^of$/i.test(items[i]!.text) && sense(items[i - 1], 'noun') !== null && /^view$/i.test(items[i + 1]?.text ?? '');

/** "2 for no more than 4 people", "2 of no more than 4": a limit does not belong to another one. */
const forLimit: MisplacedRule = (items, i) =>
  /^(?:for|of)$/i.test(items[i]!.text) &&
  sense(items[i - 1], 'number') !== null &&
  sense(items[i + 1], 'compare') !== null;

/** "Then or above 40 km/h" */
const joinedTwice: MisplacedRule = (items, i) =>
  /^(?:or|but)\b/i.test(items[i]!.text) && /^then$/i.test(items[i - 1]?.text ?? '');

/** "The times with which the light changes" */
const withWhich: MisplacedRule = (items, i) =>
  /^(?:\w+ )?with$/i.test(items[i]!.text) && /^which$/i.test(items[i + 1]?.text ?? '') && !sense(items[i - 1], 'noun');

/** "At night staying people": the one that stays is named before. */
const stayingNoun: MisplacedRule = (items, i) =>
  /^(?:staying|remaining)$/i.test(items[i]!.text) &&
  sense(items[i + 1], 'noun') !== null &&
  sense(items[i - 1], 'noun') === null;

/** "A bag forgets on a bench": somebody forgets it. */
const forgetfulObject: MisplacedRule = (items, i) =>
  sense(items[i], 'action')?.action === 'left_behind' &&
  isFiniteVerb(items[i]!) &&
  (sense(items[i + 1], 'preposition') !== null || items[i + 1] === undefined);

/** "The camera has to moved": an infinitive follows. */
const dutyBeforeParticiple: MisplacedRule = (items, i) =>
  /^(?:has|have|had|needs?|wants?) to$/i.test(items[i]!.text) && /^\w{2,}(?:ed|ing)\b/i.test(items[i + 1]?.text ?? '');

/** "Emerging for more than 10 seconds": it is over at once. */
const emergingFor: MisplacedRule = (items, i) =>
  /^emerg\w+$/i.test(items[i]!.text) &&
  /^(?:for|lasting)\b/i.test(items[i + 1]?.text ?? '') &&
  (sense(items[i + 2], 'compare') ?? sense(items[i + 2], 'number')) !== null;

/** "Overtaken for two motorbikes": they are the ones that overtake. */
const passiveFor: MisplacedRule = (items, i) =>
  /^for$/i.test(items[i]!.text) &&
  / ?(?:overtaken|passed|followed)$/i.test(items[i - 1]?.text ?? '') &&
  sense(headAfter(items, i), 'noun') !== null;

export const STRAY: readonly MisplacedRule[] = [
  strayDirection,
  ofColor,
  offView,
  secondVerb,
  lateDeterminer,
  pronounBeforeUnit,
  diagonal,
  thenFirst,
  longerNoun,
  placeBeforeNoun,
  modalBeforeParticiple,
  lastingNothing,
  ofVerb,
  ofView,
  forLimit,
  joinedTwice,
  withWhich,
  stayingNoun,
  forgetfulObject,
  dutyBeforeParticiple,
  emergingFor,
  passiveFor,
];
