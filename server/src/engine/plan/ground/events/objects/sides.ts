import type { Modifier } from '../../../meaning/types.ts';
import { REASONS } from '../../../reasons.ts';
import type { Side } from '../../../schema.ts';
import { directionOf } from '../../actions.ts';
import { edgeOf, leavesOfSide, placeOf } from '../../objects.ts';
import type { ObjectDraft } from './draft.ts';

/** "On the left", "from the right": a part of the frame, or the edge where the action begins or leads to. */
export function takeSide(
  draft: ObjectDraft,
  { role, place }: Extract<Modifier, { type: 'side' }>,
  isOfNoun: boolean,
): boolean {
  const { context, ledger, path } = draft;
  const edge = edgeOf(place);
  const isBounded = draft.action === 'enters' || draft.action === 'leaves' || draft.action === 'crosses';
  const isState =
    draft.action === 'present' ||
    draft.action === 'stands' ||
    draft.action === 'sits' ||
    draft.action === 'stops' ||
    draft.action === 'loiters';
  if (role === 'from' && (draft.action === 'approaches' || draft.action === 'starts')) {
    ledger.note(leavesOfSide(place), REASONS.anyPlace);
    return true;
  }
  ledger.use(...leavesOfSide(place));
  if (role === 'from') {
    if (!edge || path.from !== null) return false;
    if (draft.action === 'present') draft.action = 'moves';
    if (draft.action === 'appears') draft.action = 'enters';
    if (draft.action === 'disappears') draft.action = 'leaves';
    path.from = edge;
    return true;
  }
  if (role === 'to' && edge && path.from !== null && !isOpposite(path.from, edge)) return false;
  // "A car from the left to the right": also of a noun, the end of a way is no place.
  if (role === 'to' && edge && !isState && (!isOfNoun || path.from !== null)) {
    if (draft.action === 'leaves') path.to = edge;
    else if (path.direction !== null) return false;
    else path.direction = directionOf(edge);
    if (path.from !== null && path.direction !== null) path.from = null;
    return true;
  }
  if (role === 'bare' && edge && !isState) {
    if (draft.action === 'enters' || draft.action === 'overtakes' || draft.action === 'appears') {
      draft.action = draft.action === 'appears' ? 'enters' : draft.action;
      path.from = edge;
    } else if (draft.action === 'leaves') path.to = edge;
    else if (path.direction === null && place.parts.length === 0) path.direction = directionOf(edge);
    else return false;
    return true;
  }
  if (role === 'at' && edge && !isOfNoun && (draft.action === 'enters' || draft.action === 'overtakes')) {
    path.from = edge;
    return true;
  }
  if (role === 'at' && edge && !isOfNoun && draft.action === 'leaves') {
    path.to = edge;
    return true;
  }
  const area = placeOf(place);
  if (!area) return false;
  const isEntered =
    (role === 'bare' || role === 'into') && !edge && (isBounded || (role === 'into' && draft.action === 'moves'));
  if (isEntered) {
    const isMiddle = place.sides.length === 1 && place.sides[0]!.sense.side === 'middle' && place.parts.length === 0;
    if (draft.action === 'crosses' && isMiddle) return true;
    if (draft.action === 'moves') draft.action = 'enters';
    draft.region = { ...area, name: context.textOf(leavesOfSide(place)).toLowerCase() };
    return true;
  }
  if (role === 'into' || draft.subject.place !== null) return false;
  if (role === 'bare' && !isState) return false;
  draft.subject = { ...draft.subject, place: area };
  return true;
}

const isOpposite = (from: Side, to: Side) => OPPOSITE[from] === to;

const OPPOSITE = { left: 'right', right: 'left', top: 'bottom', bottom: 'top' } as const satisfies Record<Side, Side>;
