import { isMark, sense } from '../../tokens/lexer.ts';
import type { Sense } from '../../tokens/senses.ts';
import { isFiniteVerb, isOnly, type MisplacedRule } from './words.ts';

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
];
