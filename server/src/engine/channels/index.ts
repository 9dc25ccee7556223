/** Recorded numbers with names: their units, and how their names are matched with words. */
export { turnOf, unwrapDirections, wrapDirection } from './directions.ts';
export { matchChannels, nearestChannels } from './match.ts';
export { convertUnit, findUnit, unitOfName } from './units.ts';
