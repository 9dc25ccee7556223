import type { Entry } from '../meaning/senses.ts';
import { BY_SOUND } from '../reasons.ts';
import type { RecognizedSound } from '../terms.ts';
import { entry } from './entry.ts';
import { inflectEnglish } from './inflect.ts';

const sound = entry('sound', 'none');
const soundNoun = entry('sound', 'noun');
const soundVerb = entry('sound', 'verb');

/** Words that stand for anybody who makes a sound: who it is, nothing recognizes. */
const ANYBODY = 'someone, somebody, anyone, anybody, person, people, persons';
const split = (phrases: string) => phrases.split(', ');

/** "Sound of rain", "rain sounds", "noise of rain", "rain noise". */
const soundsOf = (sources: string) =>
  split(sources)
    .flatMap((each) => [
      ...['sound', 'sounds', 'noise', 'noises'].flatMap((word) => [`${word} of ${each}`, `${each} ${word}`]),
    ])
    .join(', ');
/** "Dog barks", "dog barking", "barking dog": the one who makes the sound, and the verb. */
const madeBy = (makers: string, verbs: string) =>
  split(makers)
    .flatMap((maker) =>
      split(verbs).flatMap((phrase) => {
        const [verb = '', ...particle] = phrase.split(' ');
        const forms = inflectEnglish(verb, 'verb');
        const gerund = forms.find((form) => form.endsWith('ing'))!;
        return [
          ...forms.map((form) => [maker, form, ...particle].join(' ')),
          ...(particle.length > 0 ? [] : [`${gerund} ${maker}`]),
        ];
      }),
    )
    .join(', ');

/** Words for a sound, and phrases of which the guide need not list every form. */
const recognized = (name: RecognizedSound, phrases: string, ...forms: string[]): Entry[] => {
  const sense = { type: 'sound', sound: name } as const;
  return [sound(phrases, sense), { ...sound(forms.join(', '), sense), isUnlisted: true }];
};
/** Words for something that can also be seen: only its sound is recognized. */
const bySound = (name: RecognizedSound, phrases: string) =>
  soundNoun(phrases, { type: 'sound', sound: name, caveat: BY_SOUND });

/** Sounds. */
export const sounds: readonly Entry[] = [
  sound(
    'silence, silences, silent, dead air, quiet, no sound, no audio, mute, muted, audio drops out, sound drops out, audio cuts out, sound cuts out, audio loss, sound loss, audio missing, sound missing, audio lost, sound lost, audio gone, sound gone, sound goes off, silence falls',
    { type: 'sound', sound: 'silence' },
  ),
  sound('sound, sounds, audio, audible, anything to hear', { type: 'sound', sound: 'sound' }),
  sound('loud, noisy, noise, noises, loudness, loud sounds, loud audio', { type: 'sound', sound: 'loud' }),
  soundNoun('loud noise, loud sound', { type: 'sound', sound: 'loud' }),
  soundNoun('bang, thud, thump, sudden noise, sudden sound, loud bang, clap, pop', { type: 'sound', sound: 'bang' }),
  soundNoun('door slam, slam, impact sound, crash sound', {
    type: 'sound',
    sound: 'bang',
    caveat: 'looked for as any bang; its source is not known',
    decides: true,
  }),
  soundNoun('beep, beeping, doorbell, ringing', {
    type: 'sound',
    sound: 'sound',
    caveat: 'looked for as any sound; its source is not known',
    decides: true,
  }),
  soundVerb('get loud, become loud', { type: 'sound', sound: 'loud' }),
  soundVerb('get quiet, become quiet, go silent, become silent, go quiet', { type: 'sound', sound: 'silence' }),

  ...recognized(
    'siren',
    'siren, sirens, police siren, police sirens, ambulance siren, fire engine siren, fire truck siren, emergency siren, air raid siren, warning siren',
    madeBy('siren, sirens', 'wail, sound, blare, go off'),
    soundsOf('siren, sirens'),
  ),
  ...recognized(
    'alarm',
    'alarm, alarms, fire alarm, smoke alarm, car alarm, burglar alarm, alarm bell, buzzer',
    'alarm rings, alarm ringing',
    madeBy('alarm, fire alarm, smoke alarm, car alarm', 'sound, go off, blare'),
    soundsOf('alarm, alarms'),
  ),
  ...recognized(
    'car_horn',
    'horn, horns, car horn, car horns, vehicle horn, air horn, honking, klaxon',
    madeBy(`car, cars, vehicle, ${ANYBODY}`, 'honk'),
    soundsOf('horn, car horn'),
  ),
  ...recognized(
    'glass_breaking',
    'glass breaking, breaking glass, glass break, glass breaks, glass shattering, shattering glass, glass shatters, glass smashing, smashing glass',
    soundsOf('breaking glass, glass breaking, shattering glass'),
  ),
  ...recognized(
    'gunshot',
    'gunshot, gunshots, gun shot, gun shots, gunfire, shot fired, shots fired',
    madeBy('gun', 'fire'),
    soundsOf('gunshot, gunfire, gun'),
  ),
  ...recognized('explosion', 'explosion, explosions, detonation', soundsOf('explosion')),
  ...recognized(
    'dog_bark',
    'barking, dog barking, dog barks',
    madeBy('dog, dogs', 'bark, howl, growl'),
    soundsOf('dog, dogs, barking'),
  ),
  ...recognized('cat_meow', 'meow, meowing, cat meowing', madeBy('cat, cats', 'meow, purr'), soundsOf('cat, cats')),
  ...recognized(
    'rooster',
    'cock-a-doodle-doo, rooster crowing, rooster, roosters',
    madeBy('rooster, cock', 'crow'),
    soundsOf('rooster'),
  ),
  ...recognized(
    'birds',
    'birdsong, bird song, birds singing',
    madeBy('bird, birds', 'chirp, tweet'),
    soundsOf('bird, birds'),
  ),
  ...recognized(
    'baby_cry',
    'baby crying, crying baby',
    madeBy('baby, babies, infant', 'cry'),
    soundsOf('baby, baby crying'),
  ),
  ...recognized(
    'scream',
    'scream, screams, screaming',
    madeBy(ANYBODY, 'scream, shriek'),
    soundsOf('scream, screaming'),
  ),
  ...recognized('laughter', 'laughter, laughing', madeBy(ANYBODY, 'laugh, giggle'), soundsOf('laughter')),
  ...recognized('sneeze', 'sneeze, sneezing', madeBy(ANYBODY, 'sneeze'), soundsOf('sneeze, sneezing')),
  ...recognized('cough', 'coughing, someone coughs', madeBy(ANYBODY, 'cough'), soundsOf('cough, coughing')),
  ...recognized('snoring', 'snoring', madeBy(ANYBODY, 'snore'), soundsOf('snoring')),
  ...recognized(
    'applause',
    'applause, clapping, ovation',
    madeBy(`crowd, audience, ${ANYBODY}`, 'clap, applaud'),
    soundsOf('applause, clapping'),
  ),
  ...recognized('cheering', 'cheering', madeBy(`crowd, audience, ${ANYBODY}`, 'cheer'), soundsOf('cheering')),
  ...recognized(
    'speech',
    'speech, voice, voices, human voice, conversation, talking, speaking',
    madeBy(ANYBODY, 'talk, speak, chat'),
    soundsOf('speech, voices, conversation'),
  ),
  ...recognized('music', 'music, song, songs, background music', madeBy('music', 'play'), soundsOf('music')),
  ...recognized(
    'engine',
    'revving, engine noise, engine running',
    madeBy('engine, motor', 'run, rev, idle, roar'),
    soundsOf('engine, engines, motor'),
  ),
  bySound('engine', 'engine'),
  ...recognized('chainsaw', 'chainsaw noise', soundsOf('chainsaw, chain saw')),
  bySound('chainsaw', 'chainsaw, chain saw'),
  ...recognized('helicopter', 'helicopter noise', soundsOf('helicopter')),
  bySound('helicopter', 'helicopter'),
  ...recognized('airplane', 'airplane noise', soundsOf('airplane, aeroplane, plane, aircraft, jet')),
  ...recognized('train', 'train horn, train whistle, train noise', soundsOf('train, trains')),
  ...recognized('rain', 'sound of rain', soundsOf('rain')),
  sound('rain, rainfall', { type: 'sound', sound: 'rain', caveat: BY_SOUND }),
  ...recognized('thunder', 'thunder, thunderclap, rumble of thunder, thunderstorm', soundsOf('thunder')),
  ...recognized(
    'sea_waves',
    'sea waves, ocean waves, sound of waves, waves crashing',
    madeBy('waves', 'crash'),
    soundsOf('waves, sea, ocean, surf'),
  ),
  ...recognized('clock_tick', 'ticking, clock ticking', madeBy('clock', 'tick'), soundsOf('clock, ticking')),
  ...recognized('fire_crackling', 'crackling, fire crackling', madeBy('fire', 'crackle'), soundsOf('fire, crackling')),
  ...recognized('typing', 'sound of typing', soundsOf('typing, keyboard')),
];
