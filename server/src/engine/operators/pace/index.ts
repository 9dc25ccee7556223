import type { ObjectOperator } from '../types.ts';

/** Mean motion of objects in the picture, in their own lengths: it hardly depends on how near they are. */
export const pace: ObjectOperator = {
  calculate(objects) {
    const paces = objects.flatMap((object) => object.pace?.() ?? []);
    return paces.length === 0 ? null : paces.reduce((sum, each) => sum + each, 0) / paces.length;
  },
  tolerance: 0.15,
  states: 'mean motion in the picture, in lengths of the object per second',
  restated: 'how fast in the picture',
  text: (value) => `${Math.round(100 * value) / 100} of its lengths per second`,
  compared: { more: 'faster in the picture', less: 'slower in the picture', same: 'equally fast' },
  english: {
    more: 'faster, quicker',
    less: 'slower',
    most: 'fastest, quickest',
    least: 'slowest',
    equal: 'as fast, as quick, as quickly',
  },
  examples: ['is the dog faster than the cat', 'are people walking faster at the end?'],
};
