export { type CalculatedValue, calculateValue, countedStep, countsObjects } from './calculate.ts';
export { compareValues, type Order } from './compare.ts';
