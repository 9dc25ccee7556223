import type { ObjectOperator } from '../types.ts';

/** Share of the frame that an object fills: an object that is nearer looks larger. */
export const size: ObjectOperator = {
  calculate: (objects) => Math.max(...objects.flatMap(({ boxes }) => boxes.map(({ width, height }) => width * height))),
  tolerance: 0.1,
  states: 'share of the picture that the largest box of the object fills; what is nearer looks larger',
  restated: 'how large in the picture',
  text: (value) => `${Math.round(1000 * value) / 10} % of the picture`,
  compared: { more: 'bigger in the picture', less: 'smaller in the picture', same: 'the same size' },
  english: {
    more: 'bigger, larger',
    less: 'smaller, littler, tinier',
    most: 'biggest, largest',
    least: 'smallest, tiniest',
    equal: 'as big, as large',
  },
  examples: ['is the dog bigger than the cat', 'which is larger, the bus or the truck?'],
};
