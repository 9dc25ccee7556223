export { isZoned, namesZone } from './is-zoned.ts';
export type { Zone, ZonePoint } from './types.ts';
export { withZones } from './with-zones.ts';
