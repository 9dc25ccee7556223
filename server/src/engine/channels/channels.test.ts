import { describe, expect, it } from 'vitest';
import { convertUnit, findUnit, matchChannels, nearestChannels, unitOfName } from './index.ts';

const named = (...names: string[]) => names.map((name) => ({ name, unit: null }));
const namesOf = (phrase: string, ...names: string[]) => matchChannels(phrase, named(...names)).map((at) => names[at]);

/** Pseudo-random numbers from 0 to 1, the same in every run. */
function createRandom(seed: number) {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return state / 2 ** 32;
  };
}

describe('channels of a phrase', () => {
  it.each([
    ['battery', ['battery/voltage', 'battery/percentage', 'imu/temp'], ['battery/percentage']],
    ['battery voltage', ['battery/voltage', 'battery/cell_voltage/0', 'battery/percentage'], ['battery/voltage']],
    ['altitude', ['gps/alt', 'gps/lat'], ['gps/alt']],
    [
      'joint 3',
      ['action/joint_3', 'observation.state/joint_3', 'observation.state/joint_13'],
      ['observation.state/joint_3'],
    ],
    ['joint 3', ['joint_states/position/joint3', 'joint_states/effort/joint3'], ['joint_states/position/joint3']],
    ['left wheel', ['wheelSpeedLeft', 'wheelSpeedRight'], ['wheelSpeedLeft']],
    ['motor temperature', ['motors/a/temp', 'motors/b/temp', 'cpu/temp'], ['motors/a/temp', 'motors/b/temp']],
    ['temperature', ['eip/temperature', 'eip/motor_temp', 'eip/setpoint_temp'], ['eip/temperature']],
    ['engine rpm', ['ENGINE_RPM', 'engine_load'], ['ENGINE_RPM']],
    ['rudder', ['battery/voltage'], []],
  ])('"%s" of %j', (phrase, names, expected) => {
    expect(namesOf(phrase, ...names)).toEqual(expected);
  });

  it('are found by their own name, however it is written', () => {
    const random = createRandom(7);
    const parts = ['battery', 'motor', 'wheel', 'arm', 'gps', 'tank', 'fan', 'pump', 'cell', 'valve'];
    const fields = ['temperature', 'voltage', 'current', 'speed', 'pressure', 'altitude', 'flow', 'weight'];
    const pick = <T>(list: readonly T[]) => list[Math.floor(random() * list.length)]!;
    const styles: ((words: readonly string[]) => string)[] = [
      (words) => words.join('_'),
      (words) => `/${words.join('/')}`,
      (words) => words.map((word, i) => (i === 0 ? word : word[0]!.toUpperCase() + word.slice(1))).join(''),
      (words) => words.join('_').toUpperCase(),
    ];
    for (let n = 0; n < 300; n++) {
      const all = Array.from({ length: 8 }, () => [pick(parts), String(Math.floor(random() * 20)), pick(fields)]);
      const unique = [...new Map(all.map((words) => [words.join(' '), words])).values()];
      const channels = unique.map((words) => ({ name: pick(styles)(words), unit: null }));
      const at = Math.floor(random() * unique.length);
      expect(matchChannels(unique[at]!.join(' '), channels)).toEqual([at]);
    }
  });

  it('are the same in any order of the channels, and of the words', () => {
    const names = ['battery/voltage', 'battery/temp', 'motor_1/temp', 'motor_2/temp', 'gps/alt'];
    for (const phrase of ['battery temperature', 'temperature of the battery', 'temperature', 'motor 2'])
      expect(namesOf(phrase, ...names.toReversed()).toSorted()).toEqual(namesOf(phrase, ...names).toSorted());
  });

  it('are named by those that are most like it', () => {
    const channels = named('gps/alt', 'battery/voltage', 'battery/temp');
    expect(nearestChannels('battery state', channels, 2)).toEqual([1, 2]);
  });
});

describe('units', () => {
  it.each([
    ['percent', '%'],
    ['PSI', 'psi'],
    ['degrees Celsius', '°C'],
    ['mA', 'mA'],
    ['parsecs', null],
  ])('%s is %s', (text, unit) => {
    expect(findUnit(text)).toBe(unit);
  });

  it.each([
    ['tire_pressure_kpa', 'kPa'],
    ['Voltage (V)', 'V'],
    ['battery_pct', '%'],
    ['motor/temperature', null],
    ['v', null],
  ])('the name %s states %s', (name, unit) => {
    expect(unitOfName(name)).toBe(unit);
  });

  it('convert both ways to the same value, and only within a dimension', () => {
    expect(convertUnit(212, '°F', '°C')).toBeCloseTo(100);
    expect(convertUnit(30, '°/s', 'rpm')).toBeCloseTo(5);
    expect(convertUnit(1, 'V', '%')).toBeNull();
    for (const [a, b] of [
      ['psi', 'bar'],
      ['km/h', 'm/s'],
      ['K', '°F'],
      ['mAh', 'Ah'],
    ] as const)
      expect(convertUnit(convertUnit(42, a, b)!, b, a)).toBeCloseTo(42);
  });
});
