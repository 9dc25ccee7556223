export { findTrafficLight } from './find-traffic-light.ts';
