import { type Item, isUnknown, sense } from '../items.ts';
import type { ActionSense } from '../lexicon.ts';
import type { Action, Relation, Thing } from '../schema.ts';
import { DETERMINERS } from '../segments.ts';
import { block, caveat, excerpt, note, nothingPending, quote, type Reader, type SenseOf } from './state.ts';

const VEHICLES = new Set(['car', 'truck', 'bus', 'motorcycle']);
export const NOT_THE_CAMERA =
  'of things in the picture only place and motion are seen; for the vehicle that carries the camera say "camera"';
const TWO_THINGS = 'what one thing does to another is only seen as nearness, overlap, approaching and passing';

/** Actions that one thing does to another. */
const BETWEEN_TWO: ReadonlySet<Action> = new Set(['approaches', 'passes', 'overtakes', 'follows', 'close_ahead']);

/** What people put down and pick up; a car at rest is not left behind. */
export const PORTABLE: readonly string[] =
  'backpack, handbag, suitcase, umbrella, sports ball, skateboard, bicycle, bottle, cup, laptop, cell phone, book, teddy bear'.split(
    ', ',
  );
/** What people walk: "walks a dog". */
const WALKED = new Set(['dog', 'horse', 'bicycle', 'motorcycle']);
const IMMOBILE = new Set(['traffic light', 'fire hydrant', 'stop sign', 'parking meter', 'bench']);
/** What stands in the street: it does not do what a list says of the others. */
export const isImmobile = (classes: readonly string[]) => classes.length > 0 && classes.every((c) => IMMOBILE.has(c));
/** What may be left somewhere; who leaves a table has not left it behind. */
export const isPortable = ({ classes }: Thing) => classes.every((name) => PORTABLE.includes(name));
const isPerson = (thing: Thing) => thing.classes.includes('person');
const isVehicle = (thing: Thing) =>
  thing.classes.some((c) => VEHICLES.has(c) || c === 'train' || c === 'boat' || c === 'airplane');

export function takeColor(r: Reader, color: SenseOf<'color'>, item: Item, next: Item | undefined): boolean {
  // "Black and has a ball", "red and moving": what follows is said of what was named before.
  const isLast = sense(r.items[r.items.indexOf(item) + 1], 'join') !== null;
  const describes =
    sense(next, 'color') ||
    (!isLast && next?.senses.some((s) => s.type === 'thing' || s.type === 'garment' || s.type === 'state')) ||
    sense(next, 'vague') ||
    (next !== undefined && isUnknown(next) && !r.clause.subject) ||
    (sense(next, 'beyond') !== null && !sense(item, 'signal'));
  if (!describes) {
    // An orange is a fruit, but nobody is dressed in one.
    const worn = r.preposition === 'in' || r.preposition === 'wearing';
    if (sense(item, 'thing') && !worn) return false;
    const target = r.lastThing ?? r.clause.subject;
    const fixed = target && r.fixedColors.get(target);
    if (fixed) {
      block(r, item.text, fixed);
      return true;
    }
    if (target && r.negation) {
      block(r, item.text, 'a colour that something does not have is not looked for: name those that it may have');
      r.negation = false;
      return true;
    }
    if (target && (worn || target.colors.length === 0)) {
      target.colors.push(...r.pending.colors, ...color.names);
      r.pending = nothingPending();
      caveat(
        r,
        item,
        color.caveat ?? (r.preposition === null ? undefined : 'the colour is looked for on the whole of it'),
      );
      r.preposition = null;
      return true;
    }
    if (sense(item, 'signal')) return false;
  }
  r.pending.colors.push(...color.names);
  r.pending.start ??= item.start;
  r.pending.said ??= item;
  if (color.caveat) caveat(r, item, color.caveat);
  return true;
}

export function takeThing(r: Reader, thing: SenseOf<'thing'>, item: Item) {
  if (thing.negated) r.negation = true;
  const wasBlocked = r.clause.unchecked.some((u) => u.blocks);
  const np: Thing = {
    text: excerpt(quote(r.query, r.pending.start ?? item.start, item)),
    classes: [...thing.classes],
    colors: thing.fixedColor ? [] : [...new Set(r.pending.colors)].slice(0, 20),
    count: r.pending.count ?? { min: thing.min ?? 1, max: null },
    state: r.pending.state,
    place: r.pending.place,
    ...(thing.ridden ? { ridden: true } : {}),
  };
  if (thing.fixedColor) {
    r.fixedColors.set(np, thing.fixedColor);
    if (r.pending.colors.length > 0) block(r, np.text, thing.fixedColor);
  }
  if (thing.caveat) caveat(r, item, thing.caveat);
  const plain = r.pending.colors.length === 0 && !r.pending.count && !r.pending.state && !r.pending.place;
  r.pending = nothingPending();
  r.lastThing = np;
  const beside = r.clause.subject ? null : relationOfNobody(r);
  if (beside !== null) {
    r.clause.relation = { kind: beside, other: np, negated: r.negation };
    r.negation = false;
    r.relation = null;
    r.preposition = null;
  } else if (!r.clause.subject && r.clause.action && isFrom(r, item)) block(r, np.text, TWO_THINGS);
  else if (thing.plural && isSaidOf(r, item)) {
    block(r, np.text, NOT_THE_CAMERA);
  } else if (!r.clause.subject && isDoneTo(r, item)) {
    block(r, np.text, 'who did this was not said; that the vehicle that carries the camera does so is not seen');
    r.clause.subject = np;
  } else if (!r.clause.subject) {
    r.clause.subject = np;
    const hadAction = r.clause.action !== null;
    r.clause.verbFirst = hadAction || wasBlocked;
    // "Clips with two cars": nobody has them.
    if (r.relation?.kind === 'with' && r.relation.of === null && !r.relation.fallback && !hadAction) r.relation = null;
    if (r.relation?.of === null && !r.relation.fallback)
      r.clause.besideFirst = { kind: r.relation.kind, text: r.relation.item.text };
    r.plural = thing.plural === true || np.count.min > 1;
    // "the lead vehicle" is another one.
    const isOwn = r.clause.unchecked.every((u) => u.text === item.text);
    const carrier = np.classes.length > 0 && np.classes.every((c) => VEHICLES.has(c));
    r.clause.plainSubject = plain && isOwn && !thing.plural && (carrier || thing.carrier === true);
    // "no person": the whole step; "no" before a verb is met there.
    if (r.negation) r.clause.negated = true;
    r.negation = false;
    r.preposition = null;
  } else second(r, np, item);
}

/** "Rolls off the table": it is not the table that does. */
const isFrom = ({ items }: Reader, item: Item): boolean => {
  const before = items
    .slice(0, items.indexOf(item))
    .findLast(({ senses }) => !senses.every((s) => s.type === 'filler'));
  return sense(before, 'direction') !== null;
};

/** "Turning vehicles": what the camera would do is said of them. */
const isSaidOf = ({ clause, items }: Reader, item: Item): boolean => {
  const before = items
    .slice(0, items.indexOf(item))
    .findLast(({ senses }) => !senses.some((s) => DESCRIBING.has(s.type)));
  return !clause.camera && !clause.subject && sense(before, 'camera_move') !== null;
};
const DESCRIBING: ReadonlySet<string> = new Set(['color', 'state', 'vague']);

/** "Loitering near a car", "stopped at a stop sign": who does it is not said, and it is not the thing beside. */
function relationOfNobody({ clause, relation, preposition }: Reader): Relation | null {
  const isAsked = clause.open && !clause.action;
  if (!(clause.action || isAsked) || clause.action?.passive || clause.camera || clause.cameraMove || clause.relation)
    return null;
  if (relation) return relation.fallback?.relation ? null : relation.kind;
  return preposition === 'at' ? 'near' : preposition === 'on' ? 'on' : preposition === 'in' ? 'inside' : null;
}

/** "Overtaking a truck", not "overtaking trucks": an article after the verb begins what it is done to. */
function isDoneTo({ clause, items }: Reader, item: Item): boolean {
  if (clause.camera || clause.action?.passive) return false;
  const verb = clause.action?.action;
  if (verb !== 'overtakes' && verb !== 'passes' && verb !== 'follows') return false;
  const at = items.indexOf(item);
  const from = items.findLastIndex((before, i) => i < at && sense(before, 'action') !== null);
  return items.slice(from + 1, at).some((between) => sense(between, 'filler')?.light === true);
}

/** A second thing: what ties it to the first. */
function second(r: Reader, np: Thing, item: Item) {
  const subject = r.clause.subject!;
  const action = r.clause.action?.action ?? null;
  const negated = r.negation;
  r.negation = false;
  const tie = (kind: Relation) => {
    if (r.clause.relation) r.clause.also.push({ kind, other: np, negated });
    else r.clause.relation = { kind, other: np, negated };
  };
  const act = (name: ActionSense['action']) => {
    r.clause.action = { type: 'action', action: name };
    tie('near');
  };
  const how = r.preposition;
  r.preposition = null;
  if (r.clause.unchecked.some((u) => u.blocks)) return;
  if (r.passive) {
    r.passive = false;
    r.clause.relation = { kind: 'near', other: subject, negated };
    r.clause.subject = np;
  } else if ((action === 'left_behind' || action === 'taken_away') && isPerson(np)) {
    // "left behind by a person": that a person was close is looked for anyway.
    r.relation = null;
    if (np.colors.length > 0) block(r, np.text, 'who left or took it is only known to be a person');
  } else if (r.relation) {
    liesThere(r);
    tie(r.relation.kind);
    r.relation = null;
  } else if (negated && how === null && isSaidNotToBe(r, item))
    block(r, np.text, 'nothing can be left out of what is looked for: name what to look for instead');
  else if (negated) tie(how === 'in' ? 'inside' : how === 'on' ? 'on' : 'with');
  else if (r.clause.action?.relation) tie(r.clause.action.relation);
  else if (how === null && isOwned(r, item)) tie('with');
  else if (how === null && r.clause.action?.by === 'person' && np.classes.every((name) => WALKED.has(name)))
    tie('with');
  else if (how === 'towards' || (how === 'to' && r.clause.action?.weak)) act('approaches');
  else if (how === 'past') act('passes');
  else if (how === 'on') {
    liesThere(r);
    tie('on');
  } else if (how === 'in' || how === 'wearing') tie('inside');
  else if (how === 'at') tie('near');
  else if (how === 'between') {
    tie('near');
    note(r, np.text, '"between" is looked for as being near to one of them');
  } else if (isVehicle(np) && (how === 'out' || action === 'leaves' || action === 'appears')) {
    act('appears');
    note(r, np.text, 'getting out is looked for as appearing close to it');
  } else if (isVehicle(np) && (how === 'into' || action === 'enters')) {
    act('disappears');
    note(r, np.text, 'getting in is looked for as vanishing close to it');
  } else if (how === 'into' || how === 'out') block(r, np.text, 'getting into or out of something is not seen');
  else if (action !== null && BETWEEN_TWO.has(action)) tie('near');
  else if (action === 'left_behind' || action === 'taken_away' || (action === 'leaves' && isPortable(np))) {
    r.clause.action = { type: 'action', action: action === 'taken_away' ? action : 'left_behind' };
    r.clause.doer = subject;
    r.clause.subject = np;
  } else if (action === null || r.clause.action === null) {
    // "truck driver": the last noun is what is meant; the first one cannot be checked.
    block(r, subject.text, TWO_THINGS);
    r.clause.subject = np;
  } else block(r, np.text, TWO_THINGS);
}

/** "Objects that are not people" */
function isSaidNotToBe({ clause, items }: Reader, item: Item): boolean {
  const not = items.slice(0, items.indexOf(item)).findLast((before) => sense(before, 'negation'));
  return !clause.action && sense(not, 'negation')?.is === true;
}

/** "A person has a backpack" */
function isOwned({ items }: Reader, item: Item): boolean {
  const before = items.slice(0, items.indexOf(item));
  const verb = before.findLast(
    (each) => sense(each, 'filler')?.owns || !each.senses.some((s) => DETERMINERS.has(s.type)),
  );
  return sense(verb, 'filler')?.owns === true;
}

/** "A bag left on a bench", "at the door": bags do not leave by themselves. */
export function liesThere({ clause }: Reader) {
  const { subject, action } = clause;
  if (action?.action === 'leaves' && subject && subject.classes.length > 0 && isPortable(subject))
    clause.action = { type: 'action', action: 'left_behind' };
}

/** "two cars next to each other": pairs of the same; of three and more, so many that each have one. */
export function takeReciprocal(r: Reader, item: Item) {
  const { subject } = r.clause;
  if (!subject) return;
  if (subject.count.min <= 2) subject.count = { min: 1, max: null };
  second(r, { ...subject, count: { min: 1, max: null } }, item);
  r.clause.mutual = true;
}

/** "People hug": each other. What somebody holds or touches has to be said. */
export function takeOneself(r: Reader, { kind, item }: NonNullable<Reader['relation']>) {
  if (kind === 'with') block(r, item.text, 'what is held, carried or led was not named');
  else if (r.plural) takeReciprocal(r, item);
  else block(r, item.text, 'who or what this is done to was not named');
}

export function takeGarment(r: Reader, item: Item) {
  const wearer = r.clause.subject;
  if (r.pending.colors.length > 0 && wearer) {
    wearer.colors.push(...r.pending.colors);
    caveat(r, item, 'the colour is looked for on the whole person, not on one garment');
  } else block(r, item.text, 'nothing here sees what people wear, except its colour');
  r.pending = nothingPending();
  r.relation = null;
  r.preposition = null;
}
