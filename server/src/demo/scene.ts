import type { Media } from '#platform/media/index';

/**
 * Timeline of the demo video: a drawn street in two shots, so that the demo needs no network and no third-party
 * footage. Tests compare analyses with it. Times in seconds.
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
  siren: { startS: 9.2, endS: 14 },
  blueCar: { startS: 10.6, stopsS: 13 },
  dark: { startS: 14.5, endS: 16.5 },
  frozen: { startS: 17, endS: 18.5 },
  bangS: 19,
} as const;

/** Timeline of the sample of a room: a visitor crosses it, the light goes out and on again, a door slams. */
export const ROOM = {
  width: 960,
  height: 540,
  frameRate: 10,
  durationS: 16,
  soundRate: 48_000,
  visitor: { startS: 2, endS: 10 },
  dark: { startS: 11, endS: 13 },
  bangS: 14,
  frozen: { startS: 16, endS: 16 },
} as const;

/** Timeline of the sample of a robot: an arm carries a cube to the right, waits, returns, and the image freezes. */
export const ROBOT = {
  width: 960,
  height: 540,
  frameRate: 10,
  durationS: 16,
  soundRate: 48_000,
  carries: { startS: 1, endS: 5 },
  waits: { startS: 5, endS: 9 },
  returns: { startS: 9, endS: 12 },
  bangS: 16,
  frozen: { startS: 13, endS: 14.5 },
} as const;

/** Prompt for events that are in the video. */
export const DEMO_PROMPT =
  'a red car enters from the left, a person, a bus, the picture gets dark, the picture freezes, silence, a loud bang, a siren';

export type SampleScene = 'street' | 'room' | 'robot';

/** Renders a sample to the file `path`, in a media process. Takes a few seconds. */
export async function renderSample(
  media: Media,
  scene: SampleScene,
  path: string,
  signal?: AbortSignal,
): Promise<void> {
  if (scene === 'street') return renderDemoVideo(media, path, signal);
  const module = new URL('./draw-indoors.ts', import.meta.url);
  await media.run({ module, name: 'render', args: { path, scene }, writes: [path] }, { signal });
}

/** Renders the video to the file `path`, in a media process. Takes a few seconds. */
export async function renderDemoVideo(media: Media, path: string, signal?: AbortSignal): Promise<void> {
  const task = { module: new URL('./draw.ts', import.meta.url), name: 'render', args: { path }, writes: [path] };
  await media.run(task, { signal });
}
