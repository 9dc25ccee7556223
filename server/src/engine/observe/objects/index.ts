export { MOVING_OBJECT } from './classes.ts';
