import type { ClauseParts, SceneClauses } from '../translate/types.ts';
import { nouns } from './nouns.ts';

const PICTURE = '(?:das bild|die aufnahme|das video|der bildschirm)';
const CAMERA = '(?:die kamera|das bild)';
/** Without a name, the vehicle that records. */
const WE = '(?:wir|ich)';
const HARD = '(?:stark|scharf|heftig|hart|abrupt)';

/** Sounds that are heard, by the nouns of the language. */
const SOUNDS = {
  'a siren': 'siren',
  'an alarm': 'alarm',
  'a car horn': 'car horn',
  'a gunshot': 'gunshot',
  'an explosion': 'explosion',
  applause: 'applause',
  music: 'music',
  laughter: 'laughter',
  barking: 'barking',
  thunder: 'thunder',
  'a scream': 'scream',
};

const heard = Object.entries(SOUNDS).map(([english, noun]) => {
  const words = nouns[noun]!.split(/[,|]/).map((form) => form.trim());
  const sound = `(?:eine?n? )?(?:${words.filter((word) => word !== '').join('|')})`;
  const forms: ClauseParts[] = [
    ['(?:man|ihr)', 'hört', sound],
    [sound, '(?:ist|sind)', 'zu hören'],
  ];
  return { english: ['you', 'hear', english] as ClauseParts, forms };
});

/** Places without anybody and anything that is recognized. */
const empty = [
  ['the room', '(?:der raum|das zimmer)'],
  ['the street', '(?:die straße|die fahrbahn)'],
].map(([place, form]) => ({
  english: [place!, 'be', 'empty'] as ClauseParts,
  forms: [[form!, 'ist', 'leer']] as ClauseParts[],
  lasts: true,
}));

/**
 * Prompts about the picture, the camera, sounds and the recording vehicle. The parts of a clause are its subject, its
 * verb and the rest.
 */
export const germanScenes: SceneClauses = {
  language: 'German',
  orders: {
    statement: ['S V R', '(?:zeige? mir(?: alle stellen)?,? )?(?:wo|wenn|dass) S R ?V'],
    question: ['V S R'],
    when: ['wann V S R'],
    howOften: ['wie oft V S R'],
    howLong: ['wie lange? V S R'],
  },
  clauses: [
    { english: ['the picture', 'get', 'dark'], forms: [['(?:das bild|es)', 'wird', '(?:dunkel|dunkler)']] },
    { english: ['the picture', 'get', 'bright'], forms: [['(?:das bild|es)', 'wird', '(?:hell|heller)']] },
    { english: ['the picture', 'be', 'dark'], forms: [[PICTURE, 'ist', 'dunkel']], lasts: true },
    { english: ['the picture', 'be', 'black'], forms: [[PICTURE, 'ist', 'schwarz']], lasts: true },
    { english: ['the picture', 'be', 'blurry'], forms: [[PICTURE, 'ist', '(?:unscharf|verschwommen)']], lasts: true },
    {
      english: ['the picture', 'freeze', ''],
      forms: [
        [PICTURE, 'friert', 'ein'],
        [PICTURE, 'bleibt', 'stehen'],
        [PICTURE, 'ist', 'eingefroren'],
      ],
      lasts: true,
    },
    { english: ['the camera', 'shake', ''], forms: [[CAMERA, '(?:wackelt|zittert|ruckelt)', '']], lasts: true },
    { english: ['the camera', 'zoom', ''], forms: [['die kamera', 'zoomt', '']] },
    { english: ['the camera', 'zoom', 'in'], forms: [['die kamera', 'zoomt', '(?:rein|hinein|heran|ran)']] },
    { english: ['the camera', 'zoom', 'out'], forms: [['die kamera', 'zoomt', '(?:raus|heraus)']] },
    { english: ['the camera', 'tilt', 'up'], forms: [['die kamera', 'schwenkt', 'nach oben']] },
    { english: ['the camera', 'tilt', 'down'], forms: [['die kamera', 'schwenkt', 'nach unten']] },
    { english: ['a dog', 'bark', ''], forms: [['(?:(?:ein|der) )?hund', 'bellt', '']] },
    { english: ['a baby', 'cry', ''], forms: [['(?:(?:ein|das) )?(?:baby|kind)', 'weint', '']] },
    { english: ['someone', 'scream', ''], forms: [['jemand', 'schreit', '']] },
    { english: ['someone', 'laugh', ''], forms: [['jemand', 'lacht', '']] },
    { english: ['someone', 'honk', ''], forms: [['(?:jemand|(?:ein )?auto)', 'hupt', '']] },
    { english: ['people', 'applaud', ''], forms: [['(?:die )?(?:leute|menschen)', '(?:klatschen|applaudieren)', '']] },
    { english: ['glass', 'break', ''], forms: [['(?:das )?glas', '(?:zerbricht|splittert)', '']] },
    { english: ['it', 'thunder', ''], forms: [['es', 'donnert', '']] },
    { english: ['it', 'rain', ''], forms: [['es', 'regnet', '']] },
    { english: ['it', 'get', 'loud'], forms: [['es', 'wird', 'laut']] },
    { english: ['it', 'get', 'quiet'], forms: [['es', 'wird', '(?:still|leise|ruhig)']] },
    ...empty,
    { english: ['it', 'be', 'quiet'], forms: [['es', 'ist', '(?:still|leise|ruhig)']], lasts: true },
    ...heard,
    { english: ['someone', 'wave', ''], forms: [['jemand', 'winkt', '']] },
    {
      english: ['someone', 'raise', 'their hand'],
      forms: [['(?:jemand|eine person)', 'hebt', '(?:die|eine|seine|ihre) hand']],
    },
    {
      english: ['someone', 'fall', ''],
      forms: [
        ['(?:jemand|eine person)', 'stürzt', ''],
        ['(?:jemand|eine person)', 'fällt', '(?:hin|um)'],
      ],
    },
    { english: ['we', 'brake', ''], forms: [[WE, 'bremsen?', '']] },
    { english: ['we', 'brake', 'hard'], forms: [[WE, 'bremsen?', HARD]] },
    { english: ['the car', 'brake', 'hard'], forms: [['das (?:auto|fahrzeug)', 'bremst', HARD]] },
    { english: ['we', 'accelerate', ''], forms: [[WE, 'beschleunigen?', '']] },
    { english: ['the car', 'accelerate', ''], forms: [['das (?:auto|fahrzeug)', 'beschleunigt', '']] },
    { english: ['we', 'accelerate', 'hard'], forms: [[WE, 'beschleunigen?', HARD]] },
    { english: ['the car', 'accelerate', 'hard'], forms: [['das (?:auto|fahrzeug)', 'beschleunigt', HARD]] },
    { english: ['we', 'turn', 'left'], forms: [[WE, 'biegen?', '(?:nach )?links ab']] },
    { english: ['we', 'turn', 'right'], forms: [[WE, 'biegen?', '(?:nach )?rechts ab']] },
    {
      english: ['we', 'stop', ''],
      forms: [
        [WE, 'halten?', ''],
        [WE, 'halten?', 'an'],
      ],
    },
    { english: ['we', 'start', 'moving'], forms: [[WE, 'fahren?', 'los']] },
    { english: ['we', 'reverse', ''], forms: [[WE, 'fahren?', 'rückwärts']] },
    {
      english: ['we', 'stand', 'still'],
      forms: [
        [WE, 'stehen?', ''],
        [WE, 'stehen?', 'still'],
      ],
      lasts: true,
    },
  ],
  phrases: {
    silence: ['stille', 'kein (?:ton|geräusch)', 'völlige stille'],
    'a bang': ['ein knall'],
    'a loud bang': ['(?:ein )?lauter knall'],
    'a cut': ['(?:ein )?(?:schnitt|szenenwechsel)'],
    'how many cuts are there': ['wie ?viele schnitte(?: gibt es)?'],
    'hard braking': ['(?:starkes|scharfes|heftiges|hartes|abruptes) (?:bremsen|abbremsen|bremsmanöver)'],
    'emergency braking': ['(?:eine )?(?:vollbremsung|notbremsung|gefahrenbremsung)(?:en)?'],
    'hard acceleration': ['starke(?:s)? (?:beschleunigung|beschleunigen)'],
    'an accident': ['(?:ein )?(?:verkehrs)?unfall', 'gibt es einen (?:verkehrs)?unfall'],
    'a collision': ['(?:ein |eine )?(?:zusammenstoß|kollision)'],
    'nothing moves': ['nichts bewegt sich', 'es bewegt sich nichts'],
    'something moves': ['(?:irgend)?etwas bewegt sich', 'es bewegt sich (?:irgend)?etwas'],
    'how fast do we drive': ['wie schnell (?:fahren wir|sind wir)'],
  },
};
