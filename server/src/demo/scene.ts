import type { Media } from '#platform/media/index';

/**
 * The demo's own clip: a street in two drawn shots, so that the demo needs neither the network nor anyone's footage. What happens in it when is known, and
 * tests hold the answers against it.
 */
export const SCENE = {
  width: 960,
  height: 540,
  frameRate: 20,
  durationS: 20,
  soundRate: 48_000,
  redCar: { startS: 1, endS: 4.6 },
  person: { startS: 3, endS: 9 },
  silence: { startS: 5.5, endS: 7.5 },
  cutS: 9,
  bus: { startS: 9.6, endS: 13.4 },
  blueCar: { startS: 10.6, stopsS: 13 },
  dark: { startS: 14.5, endS: 16.5 },
  frozen: { startS: 17, endS: 18.5 },
  bangS: 19,
} as const;

/** What happens in the clip, in seconds, in the words that a person would use. */
export const HAPPENINGS: readonly { startS: number; endS: number; text: string }[] = [
  { ...SCENE.redCar, text: 'A red car enters from the left, passes, and leaves to the right.' },
  { ...SCENE.person, text: 'A person enters from the right and walks along the pavement.' },
  { ...SCENE.silence, text: 'There is no sound at all.' },
  { startS: SCENE.cutS, endS: SCENE.cutS, text: 'The picture cuts from day to evening.' },
  { ...SCENE.bus, text: 'A yellow bus enters from the right, passes, and leaves to the left.' },
  { startS: SCENE.blueCar.startS, endS: SCENE.blueCar.stopsS, text: 'A blue car enters from the left and stops.' },
  { ...SCENE.dark, text: 'The lights go out: the picture is dark.' },
  { ...SCENE.frozen, text: 'The picture is frozen.' },
  { startS: SCENE.bangS, endS: SCENE.bangS + 0.4, text: 'There is a bang.' },
];

/** Asks for things that are in the clip, and for one that nothing here can look for. */
export const DEMO_PROMPT =
  'a red car enters from the left, a bus, the picture gets dark, the picture freezes, silence, a loud bang, a siren';

/** Draws the clip into a file, in a media process. Takes some seconds. */
export async function drawDemoClip(media: Media, path: string, signal?: AbortSignal): Promise<void> {
  await media.run({ module: new URL('./draw.ts', import.meta.url), name: 'draw', args: { path } }, { signal });
}
