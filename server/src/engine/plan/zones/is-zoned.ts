import type { Line, Plan, Region, Target } from '../schema.ts';

const isZone = (border: Line | Region | null | undefined): boolean =>
  border != null && 'zone' in border && border.zone === true;

/** True if a condition depends on a zone that was drawn. */
export function isZoned(what: Target): boolean {
  if (what.kind === 'motion') return isZone(what.place);
  if (what.kind !== 'object') return false;
  const { subject, line, region, relation } = what;
  return [subject.place, relation?.other.place, line, region].some(isZone);
}

/** True if a plan contains the points of a zone: it holds for the videos of that zone. */
export const namesZone = ({ searches }: Plan): boolean =>
  searches.some(({ steps }) => steps.some(({ what }) => isZoned(what)));
