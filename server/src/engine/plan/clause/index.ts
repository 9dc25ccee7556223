import { type Item, isUnknown, sense } from '../items.ts';
import type { Thing } from '../schema.ts';
import { takeColor, takeGarment, takeOneself, takeReciprocal, takeThing } from './nouns.ts';
import { takeNumber } from './numbers.ts';
import { isCompound, isLeftThere, leftAsVerb, takeLine, takeSetting, takeSide } from './places.ts';
import {
  block,
  type Clause,
  caveat,
  createReader,
  excerpt,
  note,
  nothingPending,
  type Reader,
  significant,
  takeNegation,
} from './state.ts';
import { takeAction, takeCamera, takeCameraMove, takeSignal, takeState } from './verbs.ts';

export { isImmobile, PORTABLE } from './nouns.ts';
export { NONE } from './numbers.ts';
export { sideDirection } from './places.ts';
export { type Clause, textOf } from './state.ts';

/** Any thing at all. */
export const ANYTHING: Thing = {
  text: 'anything',
  classes: [],
  colors: [],
  count: { min: 1, max: null },
  state: null,
  place: null,
};

const UNKNOWN = 'this is none of the things, actions, signals or sounds that can be looked for here';

/** Reads one segment, left to right, once: each item finds its place by its senses and by what was read before it. */
export function readClause(items: readonly Item[], query: string): Clause {
  const reader = createReader(items, query);
  for (let i = 0; i < items.length; i++) {
    const item = items[i]!;
    if (isUnknown(item)) unknown(reader, item);
    else i += take(reader, item, i);
  }
  return finish(reader);
}

const hasOther = (clause: Clause) =>
  clause.signal ||
  clause.sound ||
  clause.cameraMove ||
  clause.quantity ||
  clause.motion ||
  clause.camera ||
  clause.empty;

/** Reads one item; returns how many following items were read with it. */
function take(r: Reader, item: Item, i: number): number {
  const next = significant(r, i + 1);
  if (item.senses.length === 0) return 0;
  if (sense(item, 'number')) return takeNumber(r, i);
  const count = sense(item, 'count');
  const counting = sense(next, 'unit')?.dimension;
  if (count && (counting === 'time' || counting === 'times')) return takeNumber(r, i);
  const compared = sense(item, 'compare');
  const counted = sense(next, 'number') || (sense(next, 'unit') && !sense(next, 'filler'));
  if (compared && (counted || item.senses.length === 1)) {
    if (counted) r.compare = compared.compare;
    // "Only", "just", "how many at most": nothing is compared.
    else if (sense(next, 'quantity')) block(r, item.text, 'the most and the least of what is measured are not told');
    else if (next && (compared.compare === 'above' || compared.compare === 'below') && !sense(next, 'vague'))
      block(r, item.text, 'things are compared with numbers, not with one another');
    else if (next && compared.compare !== 'exact') caveat(r, item, 'a limit needs a number behind it');
    return 0;
  }
  const color = sense(item, 'color');
  if (color && takeColor(r, color, item, next)) return 0;
  const thing = sense(item, 'thing');
  if (thing && !(count && r.items.slice(i + 1).some((later) => sense(later, 'thing')))) {
    takeThing(r, thing, item);
    // "Left luggage"
    const done = sense(item, 'action');
    if (done) takeAction(r, done, item);
    return 0;
  }
  if (count) {
    r.pending.count = { min: count.min, max: count.max };
    r.pending.said ??= item;
    return 0;
  }
  const place = sense(item, 'setting');
  if (place && (r.preposition !== null || isCompound(r, i))) {
    takeSetting(r, item, i);
    return 0;
  }
  const line = sense(item, 'line');
  if (line) {
    takeLine(r, line, item);
    return 0;
  }
  if (sense(item, 'garment') && r.pending.colors.length > 0) {
    takeGarment(r, item);
    return 0;
  }
  const side = sense(item, 'side');
  if (side && !leftAsVerb(r, item, i)) return takeSide(r, i);
  const state = sense(item, 'state');
  if (state) {
    takeState(r, state, item, i);
    return 0;
  }
  const related = sense(item, 'relation');
  const action = sense(item, 'action');
  if (related && !(action && !r.clause.subject)) {
    caveat(r, item, related.caveat);
    r.relation = { kind: related.relation, fallback: action, item, of: r.clause.subject };
    return 0;
  }
  if (action) {
    takeAction(r, isLeftThere(r, i) ? { type: 'action', action: 'left_behind' } : action, item);
    return 0;
  }
  const direction = sense(item, 'direction');
  if (direction) {
    r.clause.direction ??= direction.direction;
    return 0;
  }
  const unit = sense(item, 'unit');
  const isOne = sense(r.items[i - 1], 'filler')?.article === 'indefinite';
  const bounded =
    isOne || r.compare !== null || r.preposition === 'for' || r.preposition === 'within' || r.preposition === 'in';
  if (unit?.dimension === 'time' && (unit.counted || bounded)) return takeNumber(r, i);
  return takeRest(r, item, next);
}

function takeRest(r: Reader, item: Item, next: Item | undefined): number {
  const preposed = sense(item, 'preposition');
  const signal = sense(item, 'signal');
  const move = sense(item, 'camera_move');
  const quantity = sense(item, 'quantity');
  const sound = sense(item, 'sound');
  const beyond = sense(item, 'beyond');
  const vague = sense(item, 'vague');
  const reciprocal = sense(item, 'reciprocal');
  const motion = sense(item, 'motion');
  const empty = sense(item, 'empty');
  if (preposed) r.preposition = preposed.preposition;
  else if (sense(item, 'negation')) r.negation = true;
  else if (sense(item, 'join')?.join === 'both') {
    r.clause.both = true;
    if (reciprocal) r.together = item;
  } else if (signal) takeSignal(r, signal, item, next);
  else if (sound) {
    r.clause.sound = sound;
    takeNegation(r);
    caveat(r, item, sound.caveat);
  } else if (sense(item, 'camera')) takeCamera(r, item);
  else if (move) takeCameraMove(r, move, item, next);
  else if (quantity) {
    if (r.clause.camera || !r.clause.subject || r.clause.plainSubject) {
      r.clause.quantity = quantity.quantity;
      if (!r.clause.range && quantity.min !== undefined)
        r.clause.range = { min: quantity.min, max: quantity.max ?? null };
      if (quantity.caveat) r.assumed = { item, reason: quantity.caveat };
    } else block(r, item.text, 'the speed of things in the picture is not measured');
  } else if (motion) {
    r.clause.motion = true;
    r.negation ||= motion.negated === true;
    takeNegation(r);
  } else if (empty) {
    r.clause.empty = true;
    if (empty.negated) r.negation = !r.negation;
  } else if (sense(item, 'setting')) takeSetting(r, item, r.items.indexOf(item));
  else if (sense(item, 'garment')) takeGarment(r, item);
  else if (sense(item, 'pronoun')) takePronoun(r, item);
  else if (sense(item, 'question')) r.clause.open = true;
  else if (sense(item, 'pick')) r.clause.pick ??= sense(item, 'pick')!.pick;
  else if (reciprocal) {
    if (reciprocal.relation) r.relation ??= { kind: reciprocal.relation, fallback: null, item, of: r.clause.subject };
    takeReciprocal(r, item);
  } else if (sense(item, 'part') && sense(next, 'thing'))
    caveat(r, item, 'of several, the first and the last can be told apart');
  else if (sense(item, 'filler') || sense(item, 'part')) return 0;
  else if (vague) caveat(r, item, vague.reason);
  else if (beyond) {
    block(r, item.text, beyond.reason);
    r.clause.deed ||= beyond.verb === true;
    r.relation = null;
    r.pending = nothingPending();
  } else if (sense(item, 'unit') || sense(item, 'window'))
    caveat(r, item, 'nothing here counts in this way; the rest was looked for without it');
  return 0;
}

function unknown(r: Reader, item: Item) {
  const last = r.clause.unchecked.at(-1);
  if (last && r.unknownEnd >= 0 && item.start - r.unknownEnd <= 1) {
    last.text = excerpt(r.query.slice(r.unknownStart, item.end));
  } else {
    r.unknownStart = item.start;
    const meant = item.nearest?.length ? `; did you mean ${item.nearest.map((n) => `"${n}"`).join(' or ')}?` : '';
    block(r, item.text, `${UNKNOWN}${meant}`);
  }
  r.unknownEnd = item.end;
  r.relation = null;
  r.preposition = null;
  r.pending = nothingPending();
}

/** "touches it", "approaches it", "leaves without it": the thing named before. Else the pronoun is the subject. */
function takePronoun(r: Reader, item: Item) {
  const action = r.clause.action?.action;
  const apart = action !== undefined && sense(r.items[r.items.indexOf(item) - 1], 'negation')?.without ? 'with' : null;
  const close = action === 'approaches' || action === 'passes' || action === 'overtakes' ? 'near' : null;
  const kind = r.relation?.kind ?? apart ?? close;
  if (kind === null) r.clause.pronoun = true;
  else {
    r.clause.itAsOther = { kind, negated: r.negation };
    r.negation = false;
    r.relation = null;
  }
}

/** "People standing together": near each other. Of one thing it says when: "a person and a dog together". */
function takeTogether(r: Reader) {
  const { together } = r;
  if (!together || !r.plural || r.clause.relation || isSettled(r.clause)) return;
  r.clause.both = false;
  r.relation = { kind: 'near', fallback: null, item: together, of: r.clause.subject };
  takeReciprocal(r, together);
}

/** Something else, or something that cannot be seen, was asked for: a loose end of a thing matters no more. */
const isSettled = (clause: Clause) => Boolean(hasOther(clause)) || clause.unchecked.some((u) => u.blocks);

function finish(r: Reader): Clause {
  takeNegation(r);
  takeTogether(r);
  const { subject, sound, motion, cameraMove, signal } = r.clause;
  const isDone = r.clause.action !== null && r.clause.action.action !== 'present';
  if (signal?.when && (subject || sound || motion || cameraMove || isDone)) {
    r.clause.during = signal;
    r.clause.signal = null;
  }
  if (r.clause.pick === 'most' && r.clause.duration) {
    r.clause.duration = null;
    note(r, r.clause.text, 'when there are most is told of a moment, not of a stretch of time');
  }
  if (r.assumed) caveat(r, r.assumed.item, r.assumed.reason);
  // "walks in", "drives into the picture", "carries a bag out": nothing came after.
  const { action } = r.clause;
  const goes = action?.weak && (action.action === 'moves' || (action.relation === 'with' && r.clause.relation));
  if (goes && (r.preposition === 'in' || r.preposition === 'into'))
    r.clause.action = { type: 'action', action: 'enters' };
  if (goes && r.preposition === 'out') r.clause.action = { type: 'action', action: 'leaves' };
  const fallback = r.relation?.fallback;
  const isDoneToAnother = fallback?.relation && (fallback.relation === 'with' || !fallback.weak);
  if (r.relation?.of && isDoneToAnother && !r.clause.relation) takeOneself(r, r.relation);
  else if (r.relation?.fallback && !r.clause.relation)
    takeAction(r, { ...r.relation.fallback, relation: undefined }, r.relation.item);
  // "leaves a bag behind"
  else if (r.relation && r.clause.action?.action !== 'left_behind' && r.clause.subject && !isSettled(r.clause))
    caveat(r, r.relation.item, 'no second thing was named with it');
  // "a cyclist is overtaken": by anything.
  if (r.passive && r.clause.subject) {
    r.clause.relation = { kind: 'near', other: r.clause.subject, negated: false };
    r.clause.subject = { ...ANYTHING };
  }
  // Colours or places without a noun: any thing.
  if (!r.clause.subject && !hasOther(r.clause) && r.pending.colors.length > 0) {
    r.clause.subject = {
      text: excerpt(r.clause.text),
      classes: [],
      colors: [...new Set(r.pending.colors)].slice(0, 20),
      count: r.pending.count ?? { min: 1, max: null },
      state: r.pending.state,
      place: r.pending.place,
    };
  }
  // "a person alone", "people, at least 3"
  else if (r.pending.count && r.lastThing) r.lastThing.count = r.pending.count;
  else if (r.pending.said && !r.clause.quantity)
    caveat(r, r.pending.said, 'what this is said of is not counted, coloured or placed here');
  return r.clause;
}
