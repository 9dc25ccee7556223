import { CLASSES } from './classes.ts';

/**
 * Labels of the detector that was trained on Open Images, in the order of its outputs, with the class of `CLASSES` that
 * each stands for; null for what is no class there. "Vehicle" is found for bicycles and trains, too, beside their own
 * label or without one, and never of a car that "Car" misses.
 */
const LABELS: readonly (readonly [label: string, className: string | null])[] = [
  ['background', null],
  ['Bicycle', 'bicycle'],
  ['Boot', null],
  ['Laptop', 'laptop'],
  ['Person', 'person'],
  ['Chair', 'chair'],
  ['Cattle', 'cow'],
  ['Desk', 'dining table'],
  ['Cat', 'cat'],
  ['Computer mouse', 'mouse'],
  ['Computer monitor', 'tv'],
  ['Box', null],
  ['Mug', 'cup'],
  ['Coffee cup', 'cup'],
  ['Stationary bicycle', null],
  ['Table', 'dining table'],
  ['Bottle', 'bottle'],
  ['High heels', null],
  ['Vehicle', null],
  ['Footwear', null],
  ['Dog', 'dog'],
  ['Book', 'book'],
  ['Camera', null],
  ['Car', 'car'],
];

export const LABEL_COUNT = LABELS.length;

/** Index of `CLASSES` of each label; -1 for what is no class. */
export const CLASS_OF_LABEL: readonly number[] = LABELS.map(([, className]) =>
  className === null ? -1 : CLASSES.indexOf(className),
);

/** Labels that compete for a box: a box is of the most likely one. "Vehicle" is no rival of "Car", whose kind it is. */
export const RIVAL_LABELS: readonly number[] = LABELS.flatMap(([label], index) =>
  label === 'background' || label === 'Vehicle' ? [] : [index],
);

/** The classes that the detector knows, in the order of `CLASSES`. */
export const OPEN_IMAGES_CLASSES: readonly string[] = CLASSES.filter((_, index) => CLASS_OF_LABEL.includes(index));
