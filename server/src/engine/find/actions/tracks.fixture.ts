import { line, objects, observations, signals, still, type TrackSpec } from '../observations.fixture.ts';

/** A video with these tracks and plain signals. */
export const video = (seconds: number, ...tracks: TrackSpec[]) =>
  observations(seconds, { signals: signals(seconds), objects: objects(seconds, tracks) });

/** A red car that drives through from left to right between 4 and 8 s. */
export const redCar: TrackSpec = {
  className: 'car',
  from: 4,
  to: 8,
  at: line(4, [0.05, 0.6], 8, [0.95, 0.6]),
  colors: [
    ['red', 0.45],
    ['black', 0.3],
  ],
  enteredFrom: 'left',
  leftTo: 'right',
};
export const parkedCar: TrackSpec = {
  className: 'car',
  from: 0,
  to: 20,
  at: still(0.5, 0.6),
  size: () => [0.2, 0.15],
  colors: [['white', 0.5]],
  stationary: [[0, 20]],
};
/** A person who comes in on the right, walks to the middle, stands there from 8 to 14 s and walks back. */
export const visitor: TrackSpec = {
  className: 'person',
  from: 4,
  to: 18,
  at: (t) => (t < 11 ? line(4, [0.97, 0.6], 8, [0.6, 0.6])(t) : line(14, [0.6, 0.6], 18, [0.97, 0.6])(t)),
  size: () => [0.05, 0.2],
  enteredFrom: 'right',
  leftTo: 'right',
  stationary: [[8, 14]],
};
