import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { RecognizedSound } from '../../server/src/engine/plan/index.ts';
import { type DebianPackage, unpackCat, unpackDebian, unpackSoundFont } from './debian.ts';

/** A recording of one sound; `sound` is null for a sound without a word of ours, where every recognition is wrong. */
export type Recording = {
  source: string;
  path: string;
  sound: RecognizedSound | null;
  /** Seconds at its start to leave out. */
  fromS?: number;
  /** True for a sample that is repeated to a length of three seconds, as a player of the instrument does. */
  isLooped?: boolean;
};

const ESC10: Record<string, RecognizedSound> = {
  baby_cry: 'baby_cry',
  chainsaw: 'chainsaw',
  clock_tick: 'clock_tick',
  dog_bark: 'dog_bark',
  fire_crackling: 'fire_crackling',
  helicopter: 'helicopter',
  person_sneeze: 'sneeze',
  rain: 'rain',
  rooster: 'rooster',
  sea_waves: 'sea_waves',
};

/** The recordings beside this repository. */
function sharedRecordings(folder: string): Recording[] {
  const esc10 = Object.entries(ESC10).flatMap(([name, sound]) =>
    readdirSync(join(folder, 'esc10', name)).map(
      (file): Recording => ({
        source: 'ESC-10',
        path: join(folder, 'esc10', name, file),
        sound,
      }),
    ),
  );
  const longer: Record<string, RecognizedSound | null> = {
    applause: 'applause',
    arcade_music: 'music',
    birds1: 'birds',
    car_engine: 'engine',
    crowd_cheering: 'cheering',
    jazz_guitar: 'music',
    piano: 'music',
    rain: 'rain',
    snoring: 'snoring',
    thunder: 'thunder',
    train: 'train',
    typing: 'typing',
  };
  const rest = Object.entries(longer).flatMap(([name, sound]) =>
    [0, 5].map((fromS): Recording => ({ source: 'freesound', path: join(folder, `${name}.flac`), sound, fromS })),
  );
  return [...esc10, ...rest];
}

type Labels = Record<string, RecognizedSound | null>;

const OPENSFX: Labels = {
  4: 'train',
  5: 'train',
  8: 'airplane',
  9: 'airplane',
  10: 'train',
  18: 'explosion',
  24: 'helicopter',
  25: 'engine',
  26: 'car_horn',
  27: 'engine',
  28: 'engine',
  29: 'applause',
  33: null,
  35: 'car_horn',
  36: null,
  37: null,
  38: null,
  56: 'chainsaw',
  59: 'airplane',
  61: 'airplane',
  65: 'train',
  66: 'birds',
  71: 'train',
  72: 'birds',
};
const FLUID: Labels = {
  Siren: 'siren',
  Gun: 'gunshot',
  MachineGun: 'gunshot',
  'Dog Bark': 'dog_bark',
  Explosion: 'explosion',
  Scream: 'scream',
  Laugh: 'laughter',
  Applause: 'applause',
  'SeattleRain...(L)': 'rain',
  'Thunder(L)': 'thunder',
  train: 'train',
  Heli: 'helicopter',
  FootStep: null,
  'Telephone 2': null,
  'Car Start': 'engine',
  'Car Pass': 'engine',
  'Sea Shore': 'sea_waves',
  Crash: null,
  Door: null,
};
const LOOPED: ReadonlySet<string> = new Set(['Siren', 'MachineGun', 'train', 'Heli', 'SeattleRain...(L)', 'Applause']);
const SCRATCH: Labels = {
  'Animal/Dog1.wav': 'dog_bark',
  'Animal/Dog2.wav': 'dog_bark',
  'Animal/Rooster.wav': 'rooster',
  'Animal/Cat.mp3': 'cat_meow',
  'Animal/Meow.wav': 'cat_meow',
  'Animal/Kitten.wav': 'cat_meow',
  'Animal/Bird.wav': 'birds',
  'Human/BabyCry.mp3': 'baby_cry',
  'Human/Cough-female.wav': 'cough',
  'Human/Cough-male.wav': 'cough',
  'Human/Laugh-female.wav': 'laughter',
  'Human/Laugh-male1.wav': 'laughter',
  'Human/Laugh-male2.wav': 'laughter',
  'Human/Laugh-male3.mp3': 'laughter',
  'Human/Scream-female.wav': 'scream',
  'Human/Scream-male1.wav': 'scream',
  'Human/Scream-male2.mp3': 'scream',
  'Human/Sneeze-female.wav': 'sneeze',
  'Human/Sneeze-male.wav': 'sneeze',
  'Effects/Typing.mp3': 'typing',
  'Effects/CarPassing.wav': 'engine',
  'Effects/MotorcyclePassing.wav': 'engine',
  'Effects/BellToll.wav': null,
  'Percussion/Gong.wav': null,
  'Instruments/Trumpet1.wav': 'music',
  'Instruments/GuitarStrum.wav': 'music',
  'Music Loops/HipHop.mp3': 'music',
  'Music Loops/GuitarChords1.mp3': 'music',
  'Music Loops/Medieval1.mp3': 'music',
  'Music Loops/Techno.mp3': 'music',
  'Music Loops/Garden.mp3': 'music',
  'Music Loops/Triumph.mp3': 'music',
};
function debianRecordings(): Recording[] {
  const of = (name: DebianPackage, folder: (root: string) => string | null, labels: Labels, ending: string) => {
    const root = unpackDebian(name);
    const from = root && folder(root);
    if (!from) return [];
    return Object.entries(labels).map(
      ([file, sound]): Recording => ({
        source: name,
        path: join(from, `${file}${ending}`),
        sound,
        isLooped: LOOPED.has(file),
      }),
    );
  };
  return [
    ...of(
      'openttd-opensfx',
      (root) => unpackCat(join(root, 'usr/share/games/openttd/baseset/opensfx/opensfx.cat')),
      OPENSFX,
      '.wav',
    ),
    ...of(
      'fluid-soundfont-gs',
      (root) => unpackSoundFont(join(root, 'usr/share/sounds/sf2/FluidR3_GS.sf2')),
      FLUID,
      '.wav',
    ),
    ...of('scratch', (root) => join(root, 'usr/share/scratch/Media/Sounds'), SCRATCH, ''),
  ];
}

/** All recordings that are there; those of Debian only where its packages can be downloaded. */
export function listRecordings(sounds: string): Recording[] {
  return [...(existsSync(sounds) ? sharedRecordings(sounds) : []), ...debianRecordings()];
}
