import type { Entry, Sense } from '../meaning/senses.ts';
import { entry } from './entry.ts';

const quantity = entry('quantities', 'none');

/** Measured quantities. */
export const quantities: readonly Entry[] = [
  quantity('sound level, noise level, audio level, volume level, sound volume', {
    type: 'quantity',
    quantity: 'loudness',
  }),
  quantity('speed, speeds, velocity, driving speed', { type: 'quantity', quantity: 'speed' }),
  quantity('acceleration, accelerate, accelerates, accelerating, accelerated, speeds up, speed up, speeding up', {
    type: 'quantity',
    quantity: 'acceleration',
    min: 1,
    caveat: 'without a number, more than 1 m/s² counts',
  }),
  quantity(
    'hard acceleration, harsh acceleration, strong acceleration, accelerates hard, accelerating hard, sudden acceleration, rapid acceleration',
    { type: 'quantity', quantity: 'acceleration', min: 2.5, caveat: '"hard" is read as more than 2.5 m/s²' },
  ),
  quantity('deceleration, braking force, brake force', {
    type: 'quantity',
    quantity: 'deceleration',
    min: 1,
    caveat: 'without a number, more than 1 m/s² counts',
  }),
  quantity('lateral acceleration, sideways acceleration, cornering force, cornering', {
    type: 'quantity',
    quantity: 'lateral_acceleration',
    min: 2,
    caveat: 'without a number, more than 2 m/s² counts',
  }),
  quantity('harsh cornering, hard cornering', {
    type: 'quantity',
    quantity: 'lateral_acceleration',
    min: 3,
    caveat: '"hard" is read as more than 3 m/s²',
  }),
  quantity('yaw rate, turn rate, turning rate, rate of turn, yaw', {
    type: 'quantity',
    quantity: 'yaw_rate',
    min: 0.1,
    caveat: 'without a number, more than 0.1 rad/s counts',
  }),
];

const unit = (phrases: string, dimension: Extract<Sense, { type: 'unit' }>['dimension'], factor: number): Entry =>
  quantity(phrases, { type: 'unit', dimension, factor });
/** A unit of time that includes its number. */
const spell = (phrases: string, factor: number): Entry =>
  quantity(phrases, { type: 'unit', dimension: 'time', factor, counted: true });
const DEGREE = Math.PI / 180;

/** Units, as factors to SI. */
export const units: readonly Entry[] = [
  unit('s, sec, secs, second, seconds', 'time', 1),
  unit('ms, millisecond, milliseconds, msec', 'time', 0.001),
  unit('min, mins, minute, minutes', 'time', 60),
  unit('h, hr, hrs, hour, hours', 'time', 3600),
  spell('half a second, half second, half a sec', 0.5),
  spell('half a minute, half minute, half a min', 30),
  spell('a minute and a half, minute and a half, one and a half minutes', 90),
  spell('quarter of an hour, a quarter of an hour, quarter hour', 900),
  spell('half an hour, half hour', 1800),
  unit(
    'km/h, kmh, kph, kmph, kilometers per hour, kilometres per hour, km per hour, kilometer per hour, kilometre per hour, km an hour',
    'speed',
    1 / 3.6,
  ),
  unit('mph, mi/h, miles per hour, mile per hour, miles an hour', 'speed', 0.44704),
  unit('m/s, mps, meters per second, metres per second, meter per second, metre per second', 'speed', 1),
  unit('ft/s, fps, feet per second', 'speed', 0.3048),
  unit('knot, knots, kn, kt', 'speed', 0.514444),
  unit(
    'm/s², m/s2, m/s^2, m/ss, mps2, mps², meters per second squared, metres per second squared, meters per second per second',
    'acceleration',
    1,
  ),
  unit('g, gs, g force', 'acceleration', 9.80665),
  unit('°/s, deg/s, degs/s, degrees per second, degree per second', 'angular_rate', DEGREE),
  unit('rad/s, radians per second, radian per second', 'angular_rate', 1),
  unit(
    'm, meter, metre, meters, metres, cm, mm, km, kilometer, kilometers, kilometre, kilometres, ft, feet, foot, inch, inches, yard, yards, mile, miles',
    'beyond',
    1,
  ),
  unit(
    'rpm, v, volt, volts, mv, millivolt, millivolts, amp, amps, ampere, amperes, milliamps, watt, watts, kw, kilowatt, kilowatts',
    'beyond',
    1,
  ),
  unit('bar, psi, kpa, hpa, pascal, pascals, rad, radian, radians, nm, newton, newtons, newton meters', 'beyond', 1),
  unit('hz, hertz, khz, lux, liter, liters, litre, litres, gallon, gallons, kelvin, mah, ah, wh, kwh', 'beyond', 1),
  unit('°f, fahrenheit, degrees fahrenheit, degrees celsius, degree celsius, degrees c, degrees f', 'beyond', 1),
  unit('times', 'times', 1),
  unit(
    '%, percent, degrees, degree, °, db, decibel, decibels, pixels, pixel, px, frames, kg, celsius, °c',
    'beyond',
    1,
  ),
];
