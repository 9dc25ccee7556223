import { UNKNOWN_WORD } from '../reasons.ts';
import { type Item, isUnknown, sense } from '../tokens/lexer.ts';
import { finishClause } from './finish-clause.ts';
import { takeColor, takeGarment, takeNoun, takeReciprocal } from './nouns.ts';
import { takeNumber } from './numbers.ts';
import { isCompound, isLeftBehind, isLeftVerb, takeLine, takeSetting, takeSide } from './places.ts';
import {
  actionNameOf,
  block,
  caveat,
  createReader,
  excerpt,
  NO_PENDING,
  nextContent,
  put,
  putDefault,
  type Reader,
  takeNegation,
} from './reader.ts';
import { type Clause, hasPart, partOf, pathOf, subjectOf, withPath } from './syntax.ts';
import { blockUnused } from './unused-words.ts';
import { takeAction, takeCamera, takeCameraMove, takeSignal, takeState } from './verbs.ts';
import { takeDrawnLine, takeZone } from './zones.ts';

export { isImmobile, PORTABLE, ROAD_VEHICLES } from './classes.ts';
export { ANYTHING } from './finish-clause.ts';
export { NONE } from './numbers.ts';
export { sideDirection } from './places.ts';
export { textOf } from './reader.ts';
export * from './syntax.ts';

/** Parses the items of one clause, left to right, in one pass: senses and the tree so far decide what each item is. */
export function parseClause(items: readonly Item[], query: string): Clause {
  return blockUnused(readClause(items, query), items, (others) => readClause(others, query));
}

function readClause(items: readonly Item[], query: string): Clause {
  const reader = createReader(items, query);
  for (let i = 0; i < items.length; i++) {
    const item = items[i]!;
    if (isUnknown(item)) takeUnknown(reader, item);
    else i += take(reader, item, i);
  }
  return finishClause(reader);
}

/** Reads one item; returns how many following items were read with it. */
function take(r: Reader, item: Item, i: number): number {
  const next = nextContent(r, i + 1);
  if (item.senses.length === 0) return 0;
  if (sense(item, 'number')) return takeNumber(r, i);
  const count = sense(item, 'count');
  const dimension = sense(next, 'unit')?.dimension;
  if (count && (dimension === 'time' || dimension === 'times')) return takeNumber(r, i);
  if (takeCompare(r, item, next)) return 0;
  const color = sense(item, 'color');
  if (color && takeColor(r, color, item, next)) return 0;
  const nounSense = sense(item, 'noun');
  if (nounSense && !(count && r.items.slice(i + 1).some((later) => sense(later, 'noun')))) {
    takeNoun(r, nounSense, item);
    // "Left luggage"
    const participle = sense(item, 'action');
    if (participle) takeAction(r, participle, item);
    return 0;
  }
  if (count) {
    r.pending = { ...r.pending, count: { min: count.min, max: count.max }, first: r.pending.first ?? item };
    return 0;
  }
  const setting = sense(item, 'setting');
  const line = sense(item, 'line')?.line;
  const garment = sense(item, 'garment');
  if (setting?.zone) takeZone(r, setting.zone, item, i);
  else if (setting && (r.preposition !== null || isCompound(r, i))) takeSetting(r, item, i);
  else if (line && typeof line === 'object') takeDrawnLine(r, line, item);
  else if (line !== undefined) takeLine(r, { line }, item);
  else if (garment && r.pending.colors.length > 0) takeGarment(r, garment, item);
  else return takePredicate(r, item, i, next);
  return 0;
}

/** "More than", "only". Returns whether the item is one and takes no other sense. */
function takeCompare(r: Reader, item: Item, next: Item | undefined): boolean {
  const compare = sense(item, 'compare')?.compare;
  const hasNumber = Boolean(sense(next, 'number') || (sense(next, 'unit') && !sense(next, 'filler')));
  if (!compare || !(hasNumber || item.senses.length === 1)) return false;
  if (hasNumber) r.compare = compare;
  // "Only", "just", "how many at most": nothing is compared.
  else if (sense(next, 'quantity')) block(r, item.text, 'maxima and minima of measurements are not reported');
  else if (next && (compare === 'above' || compare === 'below') && !sense(next, 'vague'))
    block(r, item.text, 'values are compared with numbers, not with each other');
  else if (next && compare !== 'exact') caveat(r, item, 'a limit needs a number behind it');
  return true;
}

function takePredicate(r: Reader, item: Item, i: number, next: Item | undefined): number {
  const side = sense(item, 'side');
  if (side && !isLeftVerb(r, item, i)) return takeSide(r, i);
  const state = sense(item, 'state');
  const relation = sense(item, 'relation');
  const action = sense(item, 'action');
  const direction = sense(item, 'direction');
  if (state) takeState(r, state, item, i);
  else if (relation && !(action && !subjectOf(r.clause))) {
    caveat(r, item, relation.caveat, relation.decides);
    r.relation = { kind: relation.relation, fallback: action, item, hasSubject: hasPart(r.clause, 'subject') };
  } else if (action) takeAction(r, isLeftBehind(r, i) ? { type: 'action', action: 'left_behind' } : action, item);
  else if (direction) r.clause = withPath(r.clause, { direction: pathOf(r.clause).direction ?? direction.direction });
  else {
    const unit = sense(item, 'unit');
    const isOne = sense(r.items[i - 1], 'filler')?.article === 'indefinite';
    const isLimit = isOne || r.compare !== null || ['for', 'within', 'in'].includes(r.preposition ?? '');
    if (unit?.dimension === 'time' && (unit.counted || isLimit)) return takeNumber(r, i);
    takeHead(r, item, next);
  }
  return 0;
}

/** Parts of a clause other than nouns: signals, sounds, the camera, quantities, and words without content. */
function takeHead(r: Reader, item: Item, next: Item | undefined) {
  const preposition = sense(item, 'preposition');
  const signal = sense(item, 'signal');
  const move = sense(item, 'camera_move');
  const quantity = sense(item, 'quantity');
  const sound = sense(item, 'sound');
  const motion = sense(item, 'motion');
  const empty = sense(item, 'empty');
  if (preposition) r.preposition = preposition.preposition;
  else if (sense(item, 'negation')) r.negation = true;
  else if (sense(item, 'join')?.join === 'both') {
    put(r, { kind: 'simultaneous' });
    if (sense(item, 'reciprocal')) r.together = item;
  } else if (signal) takeSignal(r, signal, item, next);
  else if (sound) {
    put(r, { kind: 'sound', sound });
    takeNegation(r);
    caveat(r, item, sound.caveat, sound.decides);
  } else if (sense(item, 'camera')) takeCamera(r, item);
  else if (move) takeCameraMove(r, move, item, next);
  else if (quantity) takeQuantity(r, item);
  else if (motion) {
    put(r, { kind: 'motion' });
    r.negation ||= motion.negated === true;
    takeNegation(r);
  } else if (empty) {
    put(r, { kind: 'empty' });
    if (empty.negated) r.negation = !r.negation;
  } else if (sense(item, 'setting')) takeSetting(r, item, r.items.indexOf(item));
  else if (sense(item, 'garment')) takeGarment(r, sense(item, 'garment')!, item);
  else takeOther(r, item, next);
}

function takeQuantity(r: Reader, item: Item) {
  const { quantity, min, max, caveat: reason } = sense(item, 'quantity')!;
  if (!hasPart(r.clause, 'camera') && hasPart(r.clause, 'subject') && !partOf(r.clause, 'subject')!.plain)
    return block(r, item.text, 'the speed of objects in the frame is not measured');
  const limits = min === undefined ? null : { min, max: max ?? null };
  const subject = subjectOf(r.clause);
  // "Bus speed"
  if (subject && subject.classes.length === 1 && subject.classes[0] !== 'car' && !hasPart(r.clause, 'camera'))
    return block(r, subject.text, 'the speed of objects in the frame is not measured');
  put(r, { kind: 'quantity', quantity, range: partOf(r.clause, 'quantity')?.range ?? limits });
  if (reason) r.assumed = { item, reason };
}

function takeOther(r: Reader, item: Item, next: Item | undefined) {
  const reciprocal = sense(item, 'reciprocal');
  const vague = sense(item, 'vague');
  const unsupported = sense(item, 'beyond');
  const pick = sense(item, 'pick');
  if (sense(item, 'pronoun')) takePronoun(r, item);
  else if (sense(item, 'question')) put(r, { kind: 'open' });
  else if (pick) putDefault(r, { kind: 'pick', pick: pick.pick });
  else if (reciprocal) {
    if (reciprocal.relation)
      r.relation ??= { kind: reciprocal.relation, fallback: null, item, hasSubject: hasPart(r.clause, 'subject') };
    takeReciprocal(r, item);
  } else if (sense(item, 'part') && sense(next, 'noun'))
    caveat(r, item, 'only the first and the last of several can be selected');
  else if (sense(item, 'filler') || sense(item, 'part')) return;
  else if (sense(item, 'throughout')) putDefault(r, { kind: 'throughout', text: item.text });
  else if (vague) caveat(r, item, vague.reason);
  else if (unsupported) {
    block(r, item.text, unsupported.reason);
    if (unsupported.verb) put(r, { kind: 'unsupported_verb' });
    else takeUnknownSubject(r, item);
    r.relation = null;
    r.pending = NO_PENDING;
  } else if (sense(item, 'window')) block(r, item.text, 'counting in this way is not supported');
  else if (sense(item, 'unit'))
    caveat(r, item, 'counting in this way is not supported; the rest was looked for without it');
}

/** "A robot arm", before a verb: a noun phrase of its own, which no earlier subject can stand for. */
function takeUnknownSubject(r: Reader, item: Item) {
  const before = r.items[r.items.indexOf(item) - 1];
  const isNounPhrase = sense(before, 'filler')?.article !== undefined || sense(before, 'number') !== null;
  if (
    isNounPhrase &&
    r.preposition === null &&
    r.relation === null &&
    !hasPart(r.clause, 'subject', 'verb', 'unsupported_verb')
  )
    put(r, { kind: 'unknown_subject' });
}

function takeUnknown(r: Reader, item: Item) {
  const last = r.clause.unchecked.at(-1);
  if (last && r.unknownEnd >= 0 && item.start - r.unknownEnd <= 1) {
    const text = excerpt(r.query.slice(r.unknownStart, item.end));
    r.clause = { ...r.clause, unchecked: r.clause.unchecked.with(-1, { ...last, text }) };
  } else {
    r.unknownStart = item.start;
    const meant = item.nearest?.length ? `; did you mean ${item.nearest.map((n) => `"${n}"`).join(' or ')}?` : '';
    block(r, item.text, `${UNKNOWN_WORD}${meant}`);
    takeUnknownSubject(r, item);
  }
  r.unknownEnd = item.end;
  r.relation = null;
  r.preposition = null;
  r.pending = NO_PENDING;
}

const PERSONAL: ReadonlySet<string> = new Set(['he', 'she']);

/** "Touches it", "approaches it", "leaves without it": an object named before. Otherwise the pronoun is the subject. */
function takePronoun(r: Reader, item: Item) {
  const action = actionNameOf(r);
  const before = sense(r.items[r.items.indexOf(item) - 1], 'negation');
  const without = action !== null && before?.without ? 'with' : null;
  const close = action === 'approaches' || action === 'passes' || action === 'overtakes' ? 'near' : null;
  const relation = r.relation?.kind ?? without ?? close;
  if (relation === null)
    put(r, { kind: 'pronoun', ...(PERSONAL.has(item.text.toLowerCase()) ? { person: true } : {}) });
  else {
    put(r, { kind: 'pronoun_relation', relation, negated: r.negation });
    r.negation = false;
    r.relation = null;
  }
}
