import type { NounPatterns } from '../translate/types.ts';

const ARE = '(?:sind|waren|gibt es|gab es|sieht man)';
const IN_VIEW = '(?: (?:da|dort|zu sehen|sichtbar|im bild|im video))?';
const IS = '(?:ist|war|bleibt|blieb)';
const THE = '(?:der|die|das|den|dem)';
const MOST = '(?:höchstens|maximal)';
const ARE_WE = '(?:sind|waren|fahren|fuhren) wir';
const AFTERWARDS = '(?:danach|nachher|hinterher)';
const BEFORE = '(?:davor|vorher)';

const START = '(?:am anfang|zu beginn)';
const END = '(?:am ende|zum schluss)';

/** Parts of the video, beside each other. */
const PARTS = {
  'in the first half than in the second half': 'in der ersten hälfte als in der zweiten(?: hälfte)?',
  'in the second half than in the first half': 'in der zweiten hälfte als in der ersten(?: hälfte)?',
  'at the start than at the end': `${START} als ${END}`,
  'at the end than at the start': `${END} als ${START}`,
};
/** Events in which the recording vehicle takes part. */
const EVENTS = {
  'the turn': 'dem (?:abbiegen|abbiegevorgang)',
  'the stop': 'dem (?:halt|anhalten|stopp|halten)',
};
const AMOUNTS = { more: 'mehr', fewer: 'weniger' };
const LEVELS = { louder: 'lauter', 'less loud': 'leiser' };
const LENGTHS = { longer: 'länger', shorter: 'kürzer' };
const PACES = { faster: 'schneller', slower: 'langsamer' };
const SIZES_AND_PACES = { bigger: 'größer', smaller: 'kleiner', ...PACES };
/** Multiples of another value. */
const MULTIPLES = { twice: 'doppelt', 'three times': 'drei ?mal', half: 'halb' };
const AS_MUCH = { big: 'groß', fast: 'schnell' };
const EXTREMES = { largest: 'größte', smallest: 'kleinste', fastest: 'schnellste', slowest: 'langsamste' };

const EXTREME_VALUES = {
  highest: '(?:höchste|maximale|größte)[nrs]?',
  lowest: '(?:niedrigste|tiefste|geringste|minimale|kleinste)[nrs]?',
  average: '(?:durchschnittliche|mittlere)[nrs]?',
};
const LIMITS = { above: 'über', below: 'unter' };
const RISES = { rise: 'steigt', drop: '(?:sinkt|fällt)' };
const OF = '(?:der |die |das )?CHANNEL';
const LIES = '(?:ist|liegt|war|lag)';

const from = (entries: readonly (readonly [string, readonly string[]])[]) => Object.fromEntries(entries);

/** Comparisons, colors, orders and sizes of objects, and values of recorded channels. */
export const germanComparisons: NounPatterns = {
  language: 'German',
  channels: {
    'battery voltage': 'batteriespannung, akkuspannung, bordspannung',
    'battery level': 'akkustand, batteriestand, ladestand, ladezustand',
    'motor temperature': 'motortemperatur',
    'engine temperature': 'kühlwassertemperatur',
    temperature: 'temperatur',
    'engine rpm': 'motordrehzahl, drehzahl',
    'tire pressure': 'reifendruck',
    'oil pressure': 'öldruck',
    pressure: 'druck',
    'fuel level': 'tankfüllstand, kraftstoffstand, tankstand, füllstand',
    altitude: 'höhe, flughöhe',
    'motor current': 'motorstrom',
    voltage: 'spannung',
    throttle: 'gaspedal, gas',
  },
  units: {
    '°C': 'grad celsius, grad, °c',
    V: 'volt, v',
    A: 'ampere, a',
    bar: 'bar',
    '%': 'prozent, %',
    rpm: 'u/min, rpm',
    m: 'meter, m',
  },
  patterns: {
    'is $1 $2': ['(?:ist|war) NOUN COLOR'],
    'what color is $1': ['welche farbe hat(?:te)? NOUN', 'welche farbe NOUN hat(?:te)?'],
    'are all $1 $2': ['(?:sind|waren) alle PLURAL COLOR'],
    'all $1 are $2': ['alle PLURAL (?:sind|waren) COLOR'],
    'are most $1 $2': ['(?:sind|waren) die meisten PLURAL COLOR'],
    ...from(
      Object.entries(AMOUNTS).flatMap(([more, mehr]) => [
        [`are there ${more} $1 than $2`, [`(?:${ARE} )?${mehr} PLURAL als PLURAL${IN_VIEW}`]] as const,
        ...Object.entries(PARTS).map(
          ([parts, teile]) =>
            [
              `are there ${more} $1 ${parts}`,
              [
                `${ARE} ${mehr} PLURAL ${teile}${IN_VIEW}`,
                `${ARE} ${teile.replace(' als ', ` ${mehr} PLURAL als `)}${IN_VIEW}`,
              ],
            ] as const,
        ),
      ]),
    ),
    ...from(
      Object.entries(LEVELS).flatMap(([louder, lauter]) => [
        [`is it ${louder} at the start or at the end`, [`${IS} es ${START} oder ${END} ${lauter}`]] as const,
        [`is it getting ${louder}`, [`wird es ${lauter}`]] as const,
        ...Object.entries(PARTS).map(
          ([parts, teile]) =>
            [
              `is it ${louder} ${parts}`,
              [`${IS} es ${teile.replace(' als ', ` ${lauter} als `)}`, `${IS} es ${lauter} ${teile}`],
            ] as const,
        ),
      ]),
    ),
    ...from(
      Object.entries(SIZES_AND_PACES).map(([bigger, größer]) => [
        `is $1 ${bigger} than $2`,
        [`${IS} NOUN ${größer} als NOUN`],
      ]),
    ),
    ...from(
      Object.entries(MULTIPLES).flatMap(([twice, doppelt]) => [
        [
          `are there ${twice} as many $1 as $2`,
          [`(?:${ARE} )?${doppelt} so viele PLURAL wie PLURAL${IN_VIEW}`],
        ] as const,
        ...Object.entries(AS_MUCH).map(
          ([big, groß]) => [`is $1 ${twice} as ${big} as $2`, [`${IS} NOUN ${doppelt} so ${groß} wie NOUN`]] as const,
        ),
      ]),
    ),
    'are there as many $1 as $2': [`(?:${ARE} )?(?:genau ?so|ebenso|gleich) viele PLURAL wie PLURAL${IN_VIEW}`],
    'is it louder or less loud at the end': [`${IS} es ${END} lauter oder leiser`],
    'is it louder or less loud at the start': [`${IS} es ${START} lauter oder leiser`],
    'is it getting louder or less loud': [`wird es lauter oder leiser`],
    ...from(
      Object.entries(LENGTHS).map(([longer, länger]) => [
        `was $1 in view ${longer} than $2`,
        [`${IS} NOUN ${länger}${IN_VIEW} als NOUN${IN_VIEW}`],
      ]),
    ),
    ...from(
      Object.entries(PACES).flatMap(([faster, schneller]) =>
        Object.entries(EVENTS).flatMap(([event, ereignis]) => [
          [
            `are we ${faster} before ${event} than after it`,
            [
              `${ARE_WE} vor ${ereignis} ${schneller} als ${AFTERWARDS}`,
              `${ARE_WE} ${schneller} vor ${ereignis} als ${AFTERWARDS}`,
            ],
          ] as const,
          [
            `are we ${faster} after ${event} than before it`,
            [
              `${ARE_WE} nach ${ereignis} ${schneller} als ${BEFORE}`,
              `${ARE_WE} ${schneller} nach ${ereignis} als ${BEFORE}`,
            ],
          ] as const,
          [`are we ${faster} after ${event}`, [`${ARE_WE} nach ${ereignis} ${schneller}`]] as const,
          [
            `how much ${faster} are we after ${event}`,
            [`(?:um )?wie ?viel ${schneller} ${ARE_WE} nach ${ereignis}`],
          ] as const,
          [
            `are we ${faster} before ${event} or after it`,
            [`${ARE_WE} vor oder nach ${ereignis} ${schneller}`],
          ] as const,
        ]),
      ),
    ),
    ...from(
      Object.entries(EXTREMES).flatMap(([largest, größte]) => [
        [`the ${largest} $1`, [`${THE} ${größte}[nrs]? KIND`]] as const,
        [`which $1 is the ${largest}`, [`welche[rs]? KIND ist (?:am ${größte}n|${THE} ${größte})`]] as const,
      ]),
    ),
    'which $1 stays longest': [`welche[rs]? KIND ${IS} am längsten${IN_VIEW}`],
    'how many $1 at most at the same time': [
      `wie ?viele PLURAL (?:sind|waren) ${MOST} gleichzeitig${IN_VIEW}`,
      `wie ?viele PLURAL (?:sind|waren) gleichzeitig ${MOST}${IN_VIEW}`,
      `${MOST} wie ?viele PLURAL (?:sind|waren) gleichzeitig${IN_VIEW}`,
    ],
    ...from(
      Object.entries(EXTREME_VALUES).map(([highest, höchste]) => [
        `${highest} $1`,
        [`(?:wie (?:hoch|groß) ${LIES} |was ${LIES} )?(?:${THE} )?${höchste} CHANNEL`],
      ]),
    ),
    ...from(
      Object.entries(LIMITS).flatMap(([above, über]) => [
        [`$1 ${above} $2`, [`${OF} ${über} VALUE`, `${OF} ${LIES} ${über} VALUE`]] as const,
        [`is $1 ever ${above} $2`, [`${LIES} ${OF} (?:jemals |irgendwann |je )?${über} VALUE`]] as const,
        [`when is $1 ${above} $2`, [`wann ${LIES} ${OF} ${über} VALUE`]] as const,
        [`how long is $1 ${above} $2`, [`wie lange? ${LIES} ${OF} ${über} VALUE`]] as const,
      ]),
    ),
    ...from(
      Object.entries(RISES).flatMap(([rise, steigt]) => [
        [`does $1 ${rise}`, [`${steigt} ${OF}`]] as const,
        [`when does $1 ${rise}`, [`wann ${steigt} ${OF}`]] as const,
      ]),
    ),
    'top speed': [
      `(?:die )?höchste geschwindigkeit`,
      `(?:die )?höchstgeschwindigkeit`,
      `wie schnell ${ARE_WE} ${MOST}`,
    ],
    'lowest speed': [`(?:die )?niedrigste geschwindigkeit`],
    'average speed': [
      `(?:die )?(?:durchschnittliche|mittlere) geschwindigkeit`,
      `(?:die )?durchschnittsgeschwindigkeit`,
    ],
  },
};
