export { type CalculatedValue, calculateValue, countsObjects } from './calculate.ts';
export { compareValues, type Order } from './compare.ts';
