import { type Item, sense } from '../items.ts';
import { regionOf } from '../region.ts';
import type { Direction, Side } from '../schema.ts';
import { caveat, nothingPending, type Reader, significant } from './state.ts';

export const sideDirection = (side: Side): Direction => (side === 'top' ? 'up' : side === 'bottom' ? 'down' : side);

const isFiller = ({ senses }: Item) => senses.length > 0 && senses.every((s) => s.type === 'filler');

/** "left", "top right corner", "left half": an edge, a way or a place, by what stands before it. */
export function takeSide(r: Reader, i: number): number {
  const sides: (Side | 'middle')[] = [];
  let half = false;
  let part = false;
  let used = 0;
  for (let k = i; k < r.items.length; k++) {
    const side = sense(r.items[k], 'side');
    const piece = sense(r.items[k], 'part');
    const skip = sides.length > 0 && (isFiller(r.items[k]!) || sense(r.items[k], 'preposition')?.preposition === 'of');
    if (side && !part) sides.push(side.side);
    else if (piece) {
      part = true;
      half ||= piece.half;
    } else if (!skip) break;
    if (!skip) used = k - i;
  }
  const [first] = sides;
  const only = sides.length === 1 && first !== 'middle' ? (first as Side) : null;
  const how = r.preposition;
  r.preposition = null;
  const action = r.clause.action?.action ?? null;
  const cameraSubject = r.clause.camera || r.clause.cameraMove;
  if (
    only &&
    (how === 'from' || (how !== 'to' && how !== 'towards' && (action === 'enters' || action === 'overtakes')))
  )
    r.clause.from = only;
  else if (only && action === 'leaves') r.clause.to = only;
  else if (only && (cameraSubject || how === 'to' || how === 'towards' || how === 'into'))
    r.clause.direction = sideDirection(only);
  else if (only && how === null && !part && action && action !== 'present' && action !== 'stands' && action !== 'stops')
    r.clause.direction = sideDirection(only);
  else {
    const region = regionOf(sides, half);
    if (!region) return used;
    if (!r.clause.subject || (how === null && sense(significant(r, i + used + 1), 'thing'))) r.pending.place = region;
    if (r.lastThing && r.pending.place === null) r.lastThing.place = region;
    r.clause.place = region;
  }
  return used;
}

/** "the car left": a verb when a subject waits for one and no preposition or verb stands before it. */
export function leftAsVerb(r: Reader, item: Item, i: number): boolean {
  if (!sense(item, 'action') || !r.clause.subject || r.clause.action || r.preposition !== null) return false;
  if (r.clause.unchecked.some((u) => u.blocks)) return false;
  const next = r.items[i + 1];
  return !sense(next, 'part') && !sense(next, 'thing') && sense(r.items[i - 1], 'filler')?.light !== true;
}

export function takeSetting(r: Reader, item: Item) {
  if (r.preposition === 'into' && (r.clause.action === null || r.clause.action.weak))
    r.clause.action = { type: 'action', action: 'enters' };
  if (r.preposition === 'out' && (r.clause.action === null || r.clause.action.weak))
    r.clause.action = { type: 'action', action: 'leaves' };
  // "the car in front" is another one.
  r.clause.plainSubject = false;
  caveat(r, item, 'nothing here recognises places such as this one');
  // The place was what the colour or relation was about.
  if (r.relation || r.pending.colors.length > 0) r.pending = nothingPending();
  r.relation = null;
  r.preposition = null;
}
