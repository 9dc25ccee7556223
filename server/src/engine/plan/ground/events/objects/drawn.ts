import type { Leaf, PlaceRole, Surface } from '../../../meaning/types.ts';
import { REASONS } from '../../../reasons.ts';
import type { Line } from '../../../schema.ts';
import { crossLine, useZone, type zoneOf } from '../../zones.ts';
import { leafOf, type ObjectDraft } from './draft.ts';

/** A zone that was drawn: its border, or where the object is. */
export function takeZone(
  draft: ObjectDraft,
  { region: zone, entity: named }: NonNullable<ReturnType<typeof zoneOf>>,
  role: PlaceRole,
  surface: Surface,
  isElsewhere: boolean,
): boolean {
  const { ledger, predicate } = draft;
  const leaf = leafOf(named);
  if (named.attributes.length + named.modifiers.length > 0 || named.amount || named.doing || named.pick) return false;
  const isOutside = isElsewhere || (predicate?.negation != null && draft.action === 'present');
  const verb = draft.action === 'leaves' && predicate?.passive ? 'left_behind' : draft.action;
  const use = useZone(verb, role, {
    surface,
    isTaken: draft.region !== undefined || draft.subject.place !== null,
    isOutside,
  });
  if (use.kind === 'blocked') {
    ledger.block([leaf], use.reason);
    draft.isUnknown = true;
    return true;
  }
  ledger.use(leaf, ...(named.negation ? [named.negation] : []));
  if (use.kind === 'place') draft.subject = { ...draft.subject, place: zone };
  else {
    draft.action = use.action;
    draft.region = zone;
  }
  return true;
}

/** A line that was drawn, which is crossed. */
export function takeDrawnLine(draft: ObjectDraft, drawn: Line, leaf: Leaf, isAcross: boolean): boolean {
  const { ledger } = draft;
  const crossed = isAcross ? crossLine(draft.action, drawn) : null;
  if (!crossed || draft.line || draft.region) {
    ledger.block([leaf], draft.line || draft.region ? REASONS.twoZones : REASONS.onLine);
    draft.isUnknown = true;
    return true;
  }
  ledger.use(leaf);
  draft.action = 'crosses';
  draft.line = crossed;
  return true;
}
