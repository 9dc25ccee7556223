import type { RecognizedSound, SoundLevel } from '../../plan/index.ts';

/** Recognition of a sound in the scores of YAMNet. */
type SoundRule = {
  /**
   * AudioSet classes by their index in the output of the model: a class of the ontology with those below it. The score
   * of the sound is the highest of theirs.
   */
  classes: Readonly<Record<string, number>>;
  /** Score, 0 to 1, from which the sound begins; it lasts while scores are at least half as high. */
  threshold: number;
  /**
   * True if precision of at least 0.8 and recall of at least 0.6 were measured. What is found of other sounds are
   * candidates: they are confused too often, or there were too few recordings to measure them.
   */
  isReliable: boolean;
  /** Sounds among which it is looked for, with less confidence, where none were recognized. */
  level: SoundLevel;
};

const reliable = (threshold: number, classes: SoundRule['classes']): SoundRule => ({
  threshold,
  classes,
  isReliable: true,
  level: 'sound',
});
const tentative: typeof reliable = (...rule) => ({ ...reliable(...rule), isReliable: false });
const sudden: typeof reliable = (...rule) => ({ ...tentative(...rule), level: 'bang' });

/** Thresholds are set on labeled recordings in the sound of other footage (`bench -- sounds`). */
export const SOUND_RULES: Record<RecognizedSound, SoundRule> = {
  siren: tentative(0.5, {
    Siren: 390,
    'Civil defense siren': 391,
    'Emergency vehicle': 316,
    'Police car (siren)': 317,
    'Ambulance (siren)': 318,
    'Fire engine, fire truck (siren)': 319,
  }),
  alarm: tentative(0.3, {
    Alarm: 382,
    'Car alarm': 304,
    'Alarm clock': 389,
    Buzzer: 392,
    'Smoke detector, smoke alarm': 393,
    'Fire alarm': 394,
  }),
  car_horn: tentative(0.3, { 'Vehicle horn, car horn, honking': 302, Toot: 303, 'Air horn, truck horn': 312 }),
  glass_breaking: sudden(0.3, { Shatter: 437 }),
  gunshot: sudden(0.5, { 'Gunshot, gunfire': 421, 'Machine gun': 422, Fusillade: 423, 'Artillery fire': 424 }),
  explosion: sudden(0.5, { Explosion: 420, Boom: 430 }),
  dog_bark: reliable(0.5, { Dog: 69, Bark: 70, Yip: 71, 'Bow-wow': 73, Growling: 74 }),
  cat_meow: tentative(0.5, { Cat: 76, Purr: 77, Meow: 78, Caterwaul: 80 }),
  rooster: reliable(0.3, { 'Crowing, cock-a-doodle-doo': 96 }),
  birds: tentative(0.45, {
    Bird: 106,
    'Bird vocalization, bird call, bird song': 107,
    'Chirp, tweet': 108,
    Squawk: 109,
  }),
  baby_cry: reliable(0.15, { 'Baby cry, infant cry': 20 }),
  scream: tentative(0.3, { Screaming: 11 }),
  laughter: tentative(0.3, {
    Laughter: 13,
    'Baby laughter': 14,
    Giggle: 15,
    Snicker: 16,
    'Belly laugh': 17,
    'Chuckle, chortle': 18,
  }),
  sneeze: tentative(0.2, { Sneeze: 44 }),
  cough: tentative(0.3, { Cough: 42 }),
  snoring: tentative(0.3, { Snoring: 38 }),
  applause: reliable(0.3, { Applause: 62, Clapping: 58 }),
  cheering: tentative(0.5, { Cheering: 61 }),
  speech: tentative(0.5, { Speech: 0, 'Child speech, kid speaking': 1, Conversation: 2, 'Narration, monologue': 3 }),
  music: reliable(0.85, { Music: 132 }),
  engine: tentative(0.5, {
    Engine: 337,
    'Light engine (high frequency)': 338,
    'Medium engine (mid frequency)': 342,
    'Heavy engine (low frequency)': 343,
    'Engine knocking': 344,
    'Engine starting': 345,
    Idling: 346,
    'Accelerating, revving, vroom': 347,
  }),
  chainsaw: reliable(0.15, { Chainsaw: 341 }),
  helicopter: tentative(0.3, { Helicopter: 333 }),
  airplane: tentative(0.4, {
    'Fixed-wing aircraft, airplane': 334,
    'Aircraft engine': 330,
    'Jet engine': 331,
    'Propeller, airscrew': 332,
  }),
  train: tentative(0.6, {
    Train: 323,
    'Rail transport': 322,
    'Train whistle': 324,
    'Train horn': 325,
    'Railroad car, train wagon': 326,
    'Train wheels squealing': 327,
    'Subway, metro, underground': 328,
  }),
  rain: reliable(0.2, { Rain: 283, Raindrop: 284, 'Rain on surface': 285 }),
  thunder: tentative(0.3, { Thunder: 281, Thunderstorm: 280 }),
  sea_waves: tentative(0.27, { 'Waves, surf': 289, Ocean: 288 }),
  clock_tick: tentative(0.2, { Tick: 401, 'Tick-tock': 402, Clock: 400 }),
  fire_crackling: tentative(0.3, { Fire: 292, Crackle: 293 }),
  typing: tentative(0.4, { Typing: 378, Typewriter: 379, 'Computer keyboard': 380 }),
};
