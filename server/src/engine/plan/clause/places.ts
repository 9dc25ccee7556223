import { NO_PLACES, REASONS } from '../reasons.ts';
import { regionOf } from '../region.ts';
import type { Direction, Region, Side } from '../schema.ts';
import { type Item, sense } from '../tokens/lexer.ts';
import type { SenseOf } from '../tokens/senses.ts';
import { isPortable } from './classes.ts';
import { liesThere } from './objects.ts';
import {
  actionNameOf,
  block,
  caveat,
  changeNoun,
  isFiller,
  NO_PENDING,
  nextContent,
  note,
  presume,
  put,
  type Reader,
  setAction,
} from './reader.ts';
import { actionOf, blocked, hasPart, partOf, pathOf, subjectOf, withPath } from './syntax.ts';

export const sideDirection = (side: Side): Direction => (side === 'top' ? 'up' : side === 'bottom' ? 'down' : side);

/** "Left", "top right corner", "left half" as written. */
type SidePhrase = {
  sides: readonly (Side | 'middle')[];
  part: SenseOf<'part'>['part'] | null;
  /** Number of following items that belong to it. */
  used: number;
};

function sidePhraseAt(items: readonly Item[], i: number): SidePhrase {
  const sides: (Side | 'middle')[] = [];
  let part: SidePhrase['part'] = null;
  let used = 0;
  for (let k = i; k < items.length; k++) {
    const side = sense(items[k], 'side');
    const piece = sense(items[k], 'part')?.part;
    const skip = sides.length > 0 && (isFiller(items[k]!) || sense(items[k], 'preposition')?.preposition === 'of');
    if (side && !part) sides.push(side.side);
    else if (piece) part = part === 'half' ? part : piece;
    else if (!skip) break;
    if (!skip) used = k - i;
  }
  return { sides, part, used };
}

/** Reads a side phrase: an edge, a direction or a region, by the preposition and the verb before it. */
export function takeSide(r: Reader, i: number): number {
  const { sides, part, used } = sidePhraseAt(r.items, i);
  const [first] = sides;
  const only = sides.length === 1 && first !== 'middle' ? (first as Side) : null;
  // "Riding on": the direction is in the verb.
  const preposition = r.preposition ?? (r.relation?.fallback?.weak ? 'on' : null);
  const unplaced = r.preposition !== null && UNPLACED.has(r.preposition);
  const isMotion = pathOf(r.clause).from !== null || hasPart(r.clause, 'camera', 'camera_move');
  const isOff = r.relation && (OFF_SIDE.has(r.relation.kind) || (r.relation.kind === 'near' && isMotion));
  if (unplaced || (isOff && !r.relation?.fallback))
    block(r, r.query.slice(r.items[i]!.start, r.items[i + used]!.end), NOT_A_PLACE);
  r.preposition = null;
  const action = actionNameOf(r);
  const isArea = part === 'half' || part === 'area' || sides.length > 1;
  const isBounded = action === 'enters' || action === 'leaves' || action === 'crosses';
  const isMiddle = first === 'middle' && sides.length === 1;
  if (action === 'crosses' && isMiddle && preposition === null) return used;
  const isBorder = isBounded && (isArea || first === 'middle');
  const region = regionOf(sides, part === 'half');
  if (isBorder && (preposition === null || preposition === 'into' || preposition === 'out')) {
    const name = r.query.slice(r.items[i]!.start, r.items[i + used]!.end).toLowerCase();
    if (region) put(r, { kind: 'border', region: { ...region, name } });
  } else if (!(only && takeEdge(r, only, part, preposition)) && region)
    takeRegion(r, region, preposition, i + used + 1);
  return used;
}

const NOT_FROM = 'where in the frame a motion begins is known only for its edges; write "from the left"';
const NOT_A_PLACE = 'this is not read as a place or a direction; write "on the left" or "to the left"';
/** "Past right", "onto the left". */
const UNPLACED: ReadonlySet<string> = new Set(['past', 'across', 'between', 'within', 'for', 'of']);
const OFF_SIDE: ReadonlySet<string> = new Set(['on', 'behind', 'in_front_of', 'overlaps', 'with']);

/** A side that is an edge or a direction. Returns false when it is a region. */
function takeEdge(r: Reader, side: Side, part: SidePhrase['part'], preposition: Reader['preposition']): boolean {
  const action = actionNameOf(r);
  const isGoal = preposition === 'to' || preposition === 'towards';
  // "A person to the left"
  const isBare = action === null && !r.relation?.fallback && !hasPart(r.clause, 'camera_move');
  if (preposition === 'to' && isBare && hasPart(r.clause, 'subject')) return false;
  const isOvertaking = action === 'enters' || action === 'overtakes';
  const isEntry = (preposition === null && action === 'appears') || (!isGoal && isOvertaking);
  const isCamera = hasPart(r.clause, 'camera', 'camera_move');
  const isMotion = action && action !== 'present' && action !== 'stands' && action !== 'stops';
  const isDirection = isCamera || isGoal || preposition === 'into' || (preposition === null && !part && isMotion);
  if (preposition === 'from' || isEntry) r.clause = withPath(r.clause, { from: side });
  else if (action === 'leaves') r.clause = withPath(r.clause, { to: side });
  else if (isDirection && isCrossed(r, side, preposition))
    block(r, side, 'two directions at once: join them with "and" or "then"');
  else if (isDirection) r.clause = withPath(r.clause, { direction: sideDirection(side) });
  else return false;
  return true;
}

/** "From left up right": the direction up precedes another one. */
const isCrossed = ({ clause }: Reader, side: Side, preposition: Reader['preposition']) => {
  const { direction, from } = pathOf(clause);
  if (from !== null && preposition === 'into') return true;
  return direction !== null && direction !== sideDirection(side) && !hasPart(clause, 'camera', 'camera_move');
};

/** Limits the place of the latest noun, or of the next one. */
export function takeRegion(r: Reader, region: Region, preposition: Reader['preposition'], next: number) {
  // "Moves from the top left corner": not in it.
  if (preposition === 'from' && actionNameOf(r) !== null) return block(r, region.name, NOT_FROM);
  const isAttributive = preposition === null && sense(nextContent(r, next), 'noun');
  if (!hasPart(r.clause, 'subject') || isAttributive) r.pending = { ...r.pending, place: region };
  if (r.lastNoun && r.pending.place === null) changeNoun(r, r.lastNoun, { place: region });
  put(r, { kind: 'place', region });
}

/** "A bag is left for 10 minutes": it did not leave by itself. */
export function isLeftBehind({ clause, items }: Reader, i: number): boolean {
  const auxiliary = sense(items[i - 1], 'filler');
  const subject = subjectOf(clause);
  if (!sense(items[i], 'side') || !auxiliary?.light || auxiliary.article || !subject?.classes.length) return false;
  return isPortable(subject) && !sense(items[i + 1], 'part');
}

/** "The car left": a verb if the subject has none yet and no preposition or verb precedes it. */
export function isLeftVerb(r: Reader, item: Item, i: number): boolean {
  if (!sense(item, 'action') || !hasPart(r.clause, 'subject') || hasPart(r.clause, 'verb') || r.preposition !== null)
    return false;
  if (blocked(r.clause)) return false;
  if (isLeftBehind(r, i)) return true;
  const next = r.items[i + 1];
  return !sense(next, 'part') && !sense(next, 'noun') && sense(r.items[i - 1], 'filler')?.light !== true;
}

/** "Crosses the middle line": one that halves the frame. Any other has to be sent with the plan. */
export function takeLine(r: Reader, { line }: { line: 'vertical' | 'horizontal' | null }, item: Item) {
  const verb = actionOf(r.clause);
  if (line === null) return block(r, item.text, REASONS.noLine);
  if (verb?.action !== 'crosses' && !verb?.weak) return block(r, item.text, 'a line can only be crossed');
  caveat(r, item, REASONS.halvingLine);
  setAction(r, 'crosses');
  const [from, to] =
    line === 'vertical'
      ? [
          { x: 0.5, y: 0 },
          { x: 0.5, y: 1 },
        ]
      : [
          { x: 0, y: 0.5 },
          { x: 1, y: 0.5 },
        ];
  put(r, { kind: 'line', line: { name: item.text.toLowerCase(), from: from!, to: to! } });
  r.relation = null;
  r.preposition = null;
}

/** "Bus station", "boat house": a place named by an object. People are in the place: "person driveway". */
export function isCompound(r: Reader, i: number): boolean {
  const [before, item] = [r.items[i - 1], r.items[i]];
  const nounSense = sense(before, 'noun');
  if (!nounSense || nounSense.plural || nounSense.classes.length === 0 || nounSense.classes.includes('person'))
    return false;
  return sense(item, 'setting')?.noun === true && !sense(item, 'action');
}

/** "Down the street": along it, not downwards in the frame; "off the curb" is not away from the camera. */
function isAlong({ items }: Reader, i: number): boolean {
  const before = items.slice(0, i).findLast((item) => !isFiller(item));
  if (before?.text.toLowerCase() === 'off') return true;
  const direction = sense(before, 'direction')?.direction;
  return (direction === 'up' || direction === 'down') && !sense(items[i], 'setting')?.steep;
}

const OUTDOORS = /^(?:outside|outdoors)$/i;

/** "Is anyone in the room": the place that the camera shows. */
function isShown(r: Reader, item: Item, i: number): boolean {
  const verb = actionOf(r.clause);
  const isState = verb === null || verb.action === 'present' || verb.action === 'stands';
  const isInside = r.preposition === 'in' || r.relation?.kind === 'inside';
  const isDefinite = sense(r.items[i - 1], 'filler')?.article === 'definite';
  return isState && isInside && isDefinite && sense(item, 'setting')?.enclosed === true;
}

/** "Something on the ground", "what is on the shelf": without the place, whatever is in view would count. */
function isAnythingThere({ clause, preposition, relation }: Reader, item: Item): boolean {
  const subject = subjectOf(clause);
  const verb = actionOf(clause);
  if (verb !== null && verb.action !== 'present') return false;
  const isThere = preposition === 'on' || relation !== null || sense(item, 'setting')?.surface === true;
  if (!subject) return hasPart(clause, 'open') && isThere;
  return subject.classes.length === 0 && subject.colors.length === 0 && !hasPart(clause, 'motion', 'signal', 'sound');
}

/** "Is it dark outside": the light of the picture is the light of what it shows. */
const isLight = ({ clause }: Reader) => LIGHT.has(partOf(clause, 'signal')?.signal.signal ?? '');
const LIGHT: ReadonlySet<string> = new Set(['dark', 'well_lit', 'bright', 'gets_dark', 'gets_bright']);

/** "People not at the gate", "does not use the crosswalk": somebody is there, and elsewhere. */
function isElsewhere({ clause, items }: Reader, i: number): boolean {
  const verb = actionOf(clause);
  if (!subjectOf(clause) || (verb !== null && verb.action !== 'present')) return false;
  const noun = items.findIndex((each) => sense(each, 'noun'));
  return items.slice(noun + 1, i).some((each) => sense(each, 'negation') !== null);
}

/** "On the left side of the road": the side is a part of the place. */
const BESIDE: ReadonlySet<string> = new Set(['left_of', 'right_of', 'above', 'below']);

export function takeSetting(r: Reader, item: Item, i: number) {
  const compound = isCompound(r, i) ? `${r.items[i - 1]!.text} ${item.text}` : null;
  if (compound)
    block(
      r,
      compound,
      `this was read as a place, and places are not recognized; for the object, say "at" or "in" between the words`,
    );
  if (isAlong(r, i)) r.clause = withPath(r.clause, { direction: null });
  // "Approaches the door": the door is not the camera.
  if (r.preposition === null && !r.relation && actionNameOf(r) === 'approaches') setAction(r, 'moves');
  const verb = actionOf(r.clause);
  const takesBorder = verb === null || verb.weak;
  if (r.preposition === 'into' && takesBorder) setAction(r, 'enters');
  if (r.preposition === 'out' && takesBorder) setAction(r, 'leaves');
  if (r.preposition === 'on' || r.preposition === 'at' || r.relation) liesThere(r);
  put(r, { kind: 'setting', surface: sense(item, 'setting')?.surface === true });
  // "The car in front" is another one.
  const subject = partOf(r.clause, 'subject');
  // "The driver at the gate", not "the driver stops at the gate"
  if (subject && !hasPart(r.clause, 'verb')) put(r, { ...subject, plain: false });
  const isEntered = ['enters', 'leaves'].includes(actionNameOf(r) ?? '') && sense(item, 'setting')?.passed === true;
  if (isEntered && !subject) block(r, item.text, NO_PLACES);
  else if (isShown(r, item, i)) presume(r, item, 'fixed', REASONS.shown);
  else if (isAnythingThere(r, item) || isElsewhere(r, i)) block(r, item.text, NO_PLACES);
  else if (OUTDOORS.test(item.text) && hasPart(r.clause, 'signal'))
    presume(r, item, isLight(r) ? 'any' : 'vehicle', NO_PLACES);
  else if (r.relation && BESIDE.has(r.relation.kind))
    note(r, r.query.slice(r.relation.item.start, item.end), NO_PLACES);
  else caveat(r, item, NO_PLACES, isEntered);
  // The color or relation described the place.
  if (r.relation || r.pending.colors.length > 0) r.pending = NO_PENDING;
  r.relation = null;
  r.preposition = null;
}
