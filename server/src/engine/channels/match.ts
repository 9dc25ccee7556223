/** A channel of a recording as it is named there. */
export type NamedChannel = { readonly name: string; readonly unit: string | null };

/** Words with one meaning in names of channels and prompts; the first stands for all. */
const SAME: readonly string[] = [
  'battery, batt, bat, accumulator, bms',
  'altitude, alt, elevation, height, hgt',
  'temperature, temp, tmp, temps',
  'velocity, vel, speed, spd, velocities',
  'position, pos, positions, opening',
  'acceleration, acc, accel',
  'voltage, volt, volts, vbat, vbatt, vbus',
  'current, curr, amperage, amps, amp',
  'level, pct, percent, percentage, soc, charge, remaining, fraction',
  'rpm, revs, rev',
  'heading, hdg, bearing, course',
  'latitude, lat',
  'longitude, lon, lng, long',
  'throttle, thr, thrott',
  'pressure, press, prs',
  'humidity, hum, rh',
  'engine, eng, motor, mot, mtr, motors, engines',
  'gripper, grip, grippers, finger, fingers, claw',
  'left, l',
  'right, r',
  'front, fr',
  'joint, jnt, joints',
  'command, cmd, action, target, setpoint, desired, goal, reference, commanded, demand',
  'angle, ang, angles',
  'effort, eff, torque, trq, efforts',
  'satellite, sat, sats, satellites',
  'distance, dist',
  'steering, steer, steerang',
  'brake, brk, brakes',
  'wheel, wheels, whl',
  'tire, tires',
  'power, pwr',
  'frequency, freq',
  'shoulder, shldr',
  'signal, sig, rssi',
  'exposure, exp',
];
const CANONICAL = new Map(
  SAME.flatMap((words) => {
    const [first, ...others] = words.split(', ');
    return [first!, ...others].map((word) => [word, first!] as const);
  }),
);

/** Values that the name of a part alone stands for: "the battery drops" is about how full it is. */
const MEANT: Readonly<Record<string, readonly string[]>> = {
  battery: ['level', 'voltage'],
  fuel: ['level'],
  joint: ['position'],
  gripper: ['position'],
  wheel: ['velocity'],
  engine: ['rpm', 'velocity'],
  shoulder: ['position'],
  elbow: ['position'],
  wrist: ['position'],
};
const MEANT_ALONE = ['position'];

/** Words that say nothing about which channel is meant. */
const EMPTY = new Set(['sensor', 'reading', 'value', 'signal', 'measured', 'data', 'topic', 'channel', 'state', 'the']);
/** Fewest letters of a word that may be the beginning of a longer one in a name. */
const PREFIX = 4;

/** The words of a name or phrase: divided at case, digits and marks, each as the one that stands for it. */
export function wordsOfName(name: string): string[] {
  return name
    .replaceAll(/(\p{Ll}|\d)(\p{Lu})/gu, '$1 $2')
    .replaceAll(/(\p{Lu}+)(\p{Lu}\p{Ll})/gu, '$1 $2')
    .replaceAll(/(\p{L})(\d)/gu, '$1 $2')
    .replaceAll(/(\d)(\p{L})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\d]+/u)
    .filter((word) => word !== '')
    .map((word) => word.replace(/^ty(?=re)/, 'ti'))
    .map((word) => CANONICAL.get(word) ?? CANONICAL.get(word.replace(/s$/, '')) ?? toSingular(word));
}

const toSingular = (word: string) => (word.length > 3 && /[^s]s$/.test(word) ? word.slice(0, -1) : word);

/** `extra`: words of the name that the phrase does not say; `isLast`: those of its last part are all said. */
type Candidate = { at: number; words: string[]; extra: number; isLast: boolean; isCommand: boolean };

/**
 * The channels that a phrase names, by their places: all of its words are in the name of the channel. Measured values
 * go before commanded ones. Of those, the ones whose names say nothing else are taken, then those of what is usually
 * meant by the name of a part, then those whose last part says nothing else. Several remain where the phrase does not
 * say which is meant.
 */
export function matchChannels(phrase: string, channels: readonly NamedChannel[]): number[] {
  const all = wordsOfName(phrase);
  const wanted = all.filter((word) => !EMPTY.has(word));
  const sought = wanted.length > 0 ? wanted : all;
  if (sought.length === 0) return [];
  const candidates = channels.flatMap(({ name }, at): Candidate[] => {
    const words = [...new Set(wordsOfName(name))];
    const rest = restOf(words, sought);
    if (rest === null) return [];
    const isCommand = rest.includes('command');
    const isLast = restOf(sought, wordsOfName(name.split('/').at(-1)!)) !== null;
    return [{ at, words, extra: rest.filter((word) => !EMPTY.has(word)).length, isLast, isCommand }];
  });
  const measured = preferred(candidates, ({ isCommand }) => !isCommand);
  const exact = measured.filter(({ extra }) => extra === 0);
  if (exact.length > 0) return exact.map(({ at }) => at);
  const usual = [...sought.flatMap((word) => MEANT[word] ?? []), ...MEANT_ALONE].filter(
    (word) => !sought.includes(word),
  );
  for (const word of usual) {
    const meant = measured.filter(({ words }) => words.includes(word));
    if (meant.length > 0) return fewestExtra(meant);
  }
  return preferred(measured, ({ isLast }) => isLast).map(({ at }) => at);
}

/** "battery/level" rather than "battery/level/limit". */
function fewestExtra(candidates: readonly Candidate[]): number[] {
  const least = Math.min(...candidates.map(({ extra }) => extra));
  return candidates.filter(({ extra }) => extra === least).map(({ at }) => at);
}

function preferred<T>(all: readonly T[], isPreferred: (each: T) => boolean): readonly T[] {
  const better = all.filter(isPreferred);
  return better.length > 0 ? better : all;
}

/** The words of a name that a phrase does not say; null if the name lacks one of the phrase. */
function restOf(words: readonly string[], sought: readonly string[]): string[] | null {
  const rest = [...words];
  for (const word of sought) {
    const isNumber = /^\d/.test(word);
    let at = rest.indexOf(word);
    if (at < 0 && isNumber) at = rest.findIndex((each) => /^\d+$/.test(each) && Number(each) === Number(word));
    if (at < 0 && !isNumber && word.length >= PREFIX) at = rest.findIndex((each) => each.startsWith(word));
    if (at < 0) return null;
    rest.splice(at, 1);
  }
  return rest;
}

/** The channels whose names are most like a phrase, by their places, at most `most`. */
export function nearestChannels(phrase: string, channels: readonly NamedChannel[], most: number): number[] {
  const sought = new Set(wordsOfName(phrase));
  const scored = channels.map(({ name }, at) => ({
    at,
    score: wordsOfName(name).filter((word) => sought.has(word) || [...sought].some((each) => isLike(each, word)))
      .length,
  }));
  return scored
    .toSorted((a, b) => b.score - a.score || a.at - b.at)
    .slice(0, most)
    .map(({ at }) => at);
}

const isLike = (a: string, b: string) => a.length >= 3 && b.length >= 3 && (a.startsWith(b) || b.startsWith(a));
