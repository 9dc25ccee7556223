import { type Item, sense } from '../items.ts';
import { type Rectangle, regionOf } from '../region.ts';
import type { Direction, Side } from '../schema.ts';
import { isPortable, liesThere } from './nouns.ts';
import { block, caveat, nothingPending, type Reader, type SenseOf, significant } from './state.ts';

export const sideDirection = (side: Side): Direction => (side === 'top' ? 'up' : side === 'bottom' ? 'down' : side);

const isFiller = ({ senses }: Item) => senses.length > 0 && senses.every((s) => s.type === 'filler');

/** "left", "top right corner", "left half": an edge, a way or a place, by what stands before it. */
export function takeSide(r: Reader, i: number): number {
  const sides: (Side | 'middle')[] = [];
  let part: SenseOf<'part'>['part'] | null = null;
  let used = 0;
  for (let k = i; k < r.items.length; k++) {
    const side = sense(r.items[k], 'side');
    const piece = sense(r.items[k], 'part')?.part;
    const skip = sides.length > 0 && (isFiller(r.items[k]!) || sense(r.items[k], 'preposition')?.preposition === 'of');
    if (side && !part) sides.push(side.side);
    else if (piece) part = part === 'half' ? part : piece;
    else if (!skip) break;
    if (!skip) used = k - i;
  }
  const [first] = sides;
  const only = sides.length === 1 && first !== 'middle' ? (first as Side) : null;
  // "Riding on": the way was in the verb.
  const how = r.preposition ?? (r.relation?.fallback?.weak ? 'on' : null);
  r.preposition = null;
  const action = r.clause.action?.action ?? null;
  const cameraSubject = r.clause.camera || r.clause.cameraMove;
  const isArea = part === 'half' || part === 'area' || sides.length > 1;
  const bounded = action === 'enters' || action === 'leaves' || action === 'crosses';
  if (bounded && first === 'middle' && sides.length === 1 && action === 'crosses' && how === null) return used;
  if (bounded && (isArea || first === 'middle') && (how === null || how === 'into' || how === 'out'))
    r.clause.region = named(regionOf(sides, part === 'half'), r.query.slice(r.items[i]!.start, r.items[i + used]!.end));
  else if (
    only &&
    (how === 'from' ||
      (how === null && action === 'appears') ||
      (how !== 'to' && how !== 'towards' && (action === 'enters' || action === 'overtakes')))
  )
    r.clause.from = only;
  else if (only && action === 'leaves') r.clause.to = only;
  else if (only && (cameraSubject || how === 'to' || how === 'towards' || how === 'into'))
    r.clause.direction = sideDirection(only);
  else if (only && how === null && !part && action && action !== 'present' && action !== 'stands' && action !== 'stops')
    r.clause.direction = sideDirection(only);
  else {
    const region = regionOf(sides, part === 'half');
    if (!region) return used;
    if (!r.clause.subject || (how === null && sense(significant(r, i + used + 1), 'thing'))) r.pending.place = region;
    if (r.lastThing && r.pending.place === null) r.lastThing.place = region;
    r.clause.place = region;
  }
  return used;
}

/** "A bag is left for 10 minutes": it has not gone by itself. */
export function isLeftThere({ clause, items }: Reader, i: number): boolean {
  const aux = sense(items[i - 1], 'filler');
  if (!sense(items[i], 'side') || !aux?.light || aux.article || !clause.subject?.classes.length) return false;
  return isPortable(clause.subject) && !sense(items[i + 1], 'part');
}

/** "the car left": a verb when a subject waits for one and no preposition or verb stands before it. */
export function leftAsVerb(r: Reader, item: Item, i: number): boolean {
  if (!sense(item, 'action') || !r.clause.subject || r.clause.action || r.preposition !== null) return false;
  if (r.clause.unchecked.some((u) => u.blocks)) return false;
  if (isLeftThere(r, i)) return true;
  const next = r.items[i + 1];
  return !sense(next, 'part') && !sense(next, 'thing') && sense(r.items[i - 1], 'filler')?.light !== true;
}

/** "Crosses the middle line": one that halves the picture. Any other has to be drawn. */
export function takeLine(r: Reader, { line }: SenseOf<'line'>, item: Item) {
  const verb = r.clause.action;
  if (line === null)
    return block(r, item.text, 'nobody drew this line: send it with the plan, as `line` of what crosses it');
  if (verb?.action !== 'crosses' && !verb?.weak)
    return block(r, item.text, 'of a line, only its crossing is looked for');
  caveat(r, item, 'the line that halves the picture is meant: markings on the road are not seen');
  r.clause.action = { type: 'action', action: 'crosses' };
  r.clause.line = {
    name: item.text.toLowerCase(),
    ...(line === 'vertical'
      ? { from: { x: 0.5, y: 0 }, to: { x: 0.5, y: 1 } }
      : { from: { x: 0, y: 0.5 }, to: { x: 1, y: 0.5 } }),
  };
  r.relation = null;
  r.preposition = null;
}

/** "Bus station", "boat house": a place, called by a thing. Of people it is said that they are there ("person driveway"). */
export function isCompound(r: Reader, i: number): boolean {
  const [before, item] = [r.items[i - 1], r.items[i]];
  const thing = sense(before, 'thing');
  if (!thing || thing.plural || thing.classes.length === 0 || thing.classes.includes('person')) return false;
  return sense(item, 'setting')?.noun === true && !sense(item, 'action');
}

function isAlong({ items }: Reader, i: number): boolean {
  const way = sense(
    items.slice(0, i).findLast((item) => !isFiller(item)),
    'direction',
  )?.direction;
  return (way === 'up' || way === 'down') && !sense(items[i], 'setting')?.steep;
}

const named = (region: Rectangle | null, name: string): Rectangle | null =>
  region && { ...region, name: name.toLowerCase() };

export function takeSetting(r: Reader, item: Item, i: number) {
  const compound = isCompound(r, i) ? `${r.items[i - 1]!.text} ${item.text}` : null;
  if (compound)
    block(
      r,
      compound,
      `this was read as a place, which nothing here recognises; for the thing, say "at" or "in" between the words`,
    );
  // "Down the street": along it.
  if (isAlong(r, i)) r.clause.direction = null;
  // "Approaches the door": that is not the camera.
  if (r.preposition === null && !r.relation && r.clause.action?.action === 'approaches')
    r.clause.action = { type: 'action', action: 'moves' };
  if (r.preposition === 'into' && (r.clause.action === null || r.clause.action.weak))
    r.clause.action = { type: 'action', action: 'enters' };
  if (r.preposition === 'out' && (r.clause.action === null || r.clause.action.weak))
    r.clause.action = { type: 'action', action: 'leaves' };
  if (r.preposition === 'on' || r.preposition === 'at' || r.relation) liesThere(r);
  r.clause.setting = true;
  // "the car in front" is another one.
  r.clause.plainSubject = false;
  caveat(r, item, 'nothing here recognises places such as this one');
  // The place was what the colour or relation was about.
  if (r.relation || r.pending.colors.length > 0) r.pending = nothingPending();
  r.relation = null;
  r.preposition = null;
}
