/** Recorded numbers with names: their units, and how their names are matched with words. */
export { matchChannels, nearestChannels } from './match.ts';
export { convertUnit, findUnit, unitOfName } from './units.ts';
