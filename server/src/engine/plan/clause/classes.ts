import type { Thing } from '../schema.ts';

/** Detector classes with something in common that the grammar needs. */

export const ROAD_VEHICLES: readonly string[] = ['car', 'truck', 'bus', 'motorcycle'];
const VEHICLES = new Set([...ROAD_VEHICLES, 'train', 'boat', 'airplane']);

/** What people put down and pick up; a car at rest is not left behind. */
export const PORTABLE: readonly string[] = [
  ...['backpack', 'handbag', 'suitcase', 'umbrella', 'sports ball', 'skateboard', 'bicycle', 'bottle', 'cup'],
  ...['laptop', 'cell phone', 'book', 'teddy bear'],
];
/** What people walk: "walks a dog". */
const WALKED = new Set(['dog', 'horse', 'bicycle', 'motorcycle']);
const IMMOBILE = new Set(['traffic light', 'fire hydrant', 'stop sign', 'parking meter', 'bench']);

/** Street furniture: the verb of a list does not apply to it. */
export const isImmobile = (classes: readonly string[]) => classes.length > 0 && classes.every((c) => IMMOBILE.has(c));
/** Who leaves a table has not left it behind. */
export const isPortable = ({ classes }: Thing) => classes.every((name) => PORTABLE.includes(name));
export const isWalked = ({ classes }: Thing) => classes.every((name) => WALKED.has(name));
/** What hands pass on. */
export const isCarryable = (thing: Thing) =>
  isPortable(thing) && thing.classes.length > 0 && !thing.classes.includes('bicycle');
export const isPerson = ({ classes }: Thing) => classes.includes('person');
export const isVehicle = ({ classes }: Thing) => classes.some((name) => VEHICLES.has(name));
export const isRoadVehicle = ({ classes }: Thing) =>
  classes.length > 0 && classes.every((name) => ROAD_VEHICLES.includes(name));
