import type { Sense } from '../../meaning/senses.ts';
import type { Lexeme } from '../../parse/lattice.ts';
import type { Category, ChannelPart } from './categories.ts';
import { OPEN, USUAL } from './costs.ts';
import { isNounLike, isSingular } from './open-class.ts';

/** Nouns for what is measured: their value may be asked for without a comparison. */
const MEASURES = new Set(
  (
    'temperature temperatures temp voltage current battery fuel altitude elevation heading bearing latitude longitude pressure humidity ' +
    'throttle rpm torque angle angles position effort force power energy charge level levels percentage capacity consumption range ' +
    'velocity speed acceleration pitch roll yaw thrust depth distance load weight mass flow rate frequency gain exposure iso ' +
    'brightness volume resistance capacitance salinity ph concentration density intensity strength rssi snr latency ' +
    'odometer mileage satellites gear coolant oil boost lambda rudder aileron elevator flaps steering pedal choke ' +
    'gripper joint joints servo actuator encoder odometry imu gyro gyroscope accelerometer magnetometer barometer lidar radar gps gnss ' +
    'soc soh cpu gpu ram usage utilization utilisation load'
  ).split(/\s+/),
);
/** Parts of a machine that move by themselves: "joint 3 moves" is a change of its position. */
const PARTS = new Set(['joint', 'servo', 'actuator', 'axis', 'encoder', 'motor', 'finger', 'wheel']);

/** Measures of how something moves: those of an object in the frame are no recorded ones. */
const MOTIONS = new Set(
  'speed velocity acceleration position distance height altitude heading direction range'.split(' '),
);

/** Words that say something else in any phrase: they are no part of a name. */
const OTHERS: ReadonlySet<Sense['type']> = new Set([
  'color',
  'number',
  'count',
  'compare',
  'question',
  'pick',
  'window',
  'per',
  'throughout',
  'camera',
]);
/** Senses of words for what happens, which are no names of what is recorded. */
const HAPPENS: ReadonlySet<Sense['type']> = new Set(['action', 'camera_move', 'motion', 'signal', 'state', 'empty']);

/** A word as part of the name of a channel; none for a word that cannot be one. `senses`: what it means elsewhere. */
export function channelWordOf(word: string, senses: readonly Sense[], isFunctionWord: boolean): Lexeme[] {
  const isMeasure = MEASURES.has(word);
  const isOf = (types: ReadonlySet<Sense['type']>) => senses.some(({ type }) => types.has(type));
  if (!isMeasure && (isFunctionWord || isOf(OTHERS) || !isNounLike(word, isOf(HAPPENS)))) return [];
  const isObject = senses.some((sense) => sense.type === 'noun');
  const category: Category = 'ChannelWord';
  const features: ChannelPart = {
    isHead: isMeasure || (senses.every(({ type }) => type === 'beyond') && isSingular(word)),
    isMeasure,
    isPart: PARTS.has(word),
    isObject,
    isMotion: MOTIONS.has(word),
    isQuantity: senses.some(({ type }) => type === 'quantity'),
  };
  return [{ category, cost: isMeasure ? USUAL : OPEN, features }];
}
