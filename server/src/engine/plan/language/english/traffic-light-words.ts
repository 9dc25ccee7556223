import { type ClosedClass, inflected, words } from './closed-class.ts';

const NAMED = ['traffic light', 'trafficlight', 'traffic signal', 'stoplight', 'stop light'];
const CHANGES = ['turn', 'go', 'change', 'switch'];

/** Words for traffic lights and what happens at them. */
export const TRAFFIC_LIGHT_WORDS: readonly ClosedClass[] = [
  words('Lamp', NAMED.flatMap((noun) => [noun, `${noun}s`]).join(', '), { isNamed: true }),
  words('Lamp', 'light, lights, phase, phases', { isNamed: false }),
  ...inflected('Become', ['become', ...CHANGES.flatMap((verb) => [verb, `${verb} to`, `${verb} back to`])].join(', ')),
  ...inflected('Stay', 'stay, remain, show'),
  ...inflected('ChangeColor', 'change, switch, change color, change colour, change its color, change colors'),
  ...inflected('Run', 'run, run through, jump, jump through, drive through, go through'),
];
