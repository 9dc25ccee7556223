import type { Modifier, SidePlace } from '../../meaning/types.ts';
import { REASONS } from '../../reasons.ts';
import type { Target } from '../../schema.ts';
import { leavesOfSide } from '../objects.ts';
import { groundPlace } from '../places.ts';
import type { EventContext } from './types.ts';

/** A change of a lamp is a moment: there are no times of its absence. */
export const isChange = (what: Target) => what.kind === 'traffic_light' && what.event !== 'shows';

/** Places in the world narrow a statement about the frame, and "again" says nothing about it; nothing else can. */
export function placed(others: readonly Modifier[], what: Target, { ledger }: EventContext): boolean {
  const signal = what.kind === 'signal' ? what.signal : null;
  const again = others.flatMap((each) => (each.type === 'again' ? [each.word] : []));
  if (again.length > 0) ledger.note(again, REASONS.again);
  return others.every(
    (each) =>
      each.type === 'again' ||
      (each.type === 'side' && signal !== null && onWholeFrame(each.place)) ||
      (each.type === 'relation' && besidePlace(each)) ||
      (each.type === 'role' &&
        groundPlace(each, ledger, { action: null, signal, isAnything: false, isSubject: false })),
  );

  function onWholeFrame(place: SidePlace): boolean {
    ledger.note(leavesOfSide(place), REASONS.wholeFrame);
    return true;
  }

  /** "Motion near the door". */
  function besidePlace({ word, negation, other }: Extract<Modifier, { type: 'relation' }>): boolean {
    if (negation || other.kind === 'group' || other.head.type !== 'place' || other.head.word.sense.zone) return false;
    if (other.attributes.length + other.modifiers.length > 0 || other.amount || other.doing) return false;
    ledger.use(word);
    ledger.note([other.head.word], REASONS.place);
    return true;
  }
}
