export {
  type CalculatedValue,
  calculateGroups,
  calculateValue,
  countedStep,
  countsObjects,
  type GroupValue,
} from './calculate.ts';
export { compareValues, type Order } from './compare.ts';
