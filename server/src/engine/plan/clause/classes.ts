import type { ObjectQuery } from '../schema.ts';

/** Detector classes with something in common that the grammar needs. */

export const ROAD_VEHICLES: readonly string[] = ['car', 'truck', 'bus', 'motorcycle'];
const VEHICLES = new Set([...ROAD_VEHICLES, 'train', 'boat', 'airplane']);

/** Objects that people put down and pick up; a car at rest is not left behind. */
export const PORTABLE: readonly string[] = [
  ...['backpack', 'handbag', 'suitcase', 'umbrella', 'sports ball', 'skateboard', 'bicycle', 'bottle', 'cup'],
  ...['laptop', 'cell phone', 'book', 'teddy bear'],
];
/** Animals that people walk: "walks a dog". */
const WALKED = new Set(['dog', 'horse', 'bicycle', 'motorcycle']);
const IMMOBILE = new Set(['traffic light', 'fire hydrant', 'stop sign', 'parking meter', 'bench']);

/** Street furniture: the verb of a list does not apply to it. */
export const isImmobile = (classes: readonly string[]) => classes.length > 0 && classes.every((c) => IMMOBILE.has(c));
/** Objects that can be left behind: a table cannot. */
export const isPortable = ({ classes }: ObjectQuery) => classes.every((name) => PORTABLE.includes(name));
export const isWalked = ({ classes }: ObjectQuery) => classes.every((name) => WALKED.has(name));
/** Objects that can be handed over. */
export const isCarryable = (query: ObjectQuery) =>
  isPortable(query) && query.classes.length > 0 && !query.classes.includes('bicycle');
export const isPerson = ({ classes }: ObjectQuery) => classes.includes('person');
export const isVehicle = ({ classes }: ObjectQuery) => classes.some((name) => VEHICLES.has(name));
export const isRoadVehicle = ({ classes }: ObjectQuery) =>
  classes.length > 0 && classes.every((name) => ROAD_VEHICLES.includes(name));
