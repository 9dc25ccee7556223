import { availableParallelism } from 'node:os';
import type { PictureRequest } from '#platform/media/index';
import type { Numbers } from '../artifact.ts';
import { CLASSES } from '../objects/classes.ts';
import { createDetector } from '../objects/detector.ts';
import { type ObjectsSettings, objects, readyDetector } from '../objects/observer.ts';
import { pictureSize } from '../objects/yolox.ts';
import { lengthOf, type Ready, SAMPLE_RATE, type Stored, type TaskGiven, taskObserver } from '../observer.ts';
import { COLOR_HEIGHT, COLOR_WIDTH, createSignalsObserver, HEIGHT, WIDTH } from '../signals/index.ts';
import type { Signals } from '../signals/observation.ts';
import { signals } from '../signals/observer.ts';
import { createSoundObserver } from '../sound/index.ts';
import { sound } from '../sound/observer.ts';
import { triage } from '../triage/observer.ts';
import { quietIntervals } from '../triage/quiet.ts';
import type { Glance } from './observation.ts';
import { sightingsOf } from './sightings.ts';

/** Seconds between two pictures that are looked at, at least. */
const LOOK_EVERY_S = 2;
/** Where keyframes lie farther apart than this in the mean, other frames are decoded too: a look every ten seconds misses most of what happens. */
const RARE_S = 4;

/** What is stored of each part, under its name. */
const PARTS = ['signals', 'objects', 'sound'] as const;

export const glance = taskObserver({
  kind: 'glance',
  version: 'glance-4',
  depth: 'sparse',
  share: 0.1,
  async ready(deps): Promise<Ready<ObjectsSettings | null>> {
    // Without a detector it looks at the picture as a whole.
    const ready = await readyDetector(deps);
    return 'unavailable' in ready ? { settings: null, suffix: '' } : ready;
  },
  encode(observed: Glance): Stored {
    const stored: Record<(typeof PARTS)[number], Stored | null> = {
      signals: signals.encode(observed.signals),
      objects: observed.objects && objects.encode(observed.objects),
      sound: sound.encode(observed.sound),
    };
    const arrays = PARTS.flatMap((part) =>
      Object.entries(stored[part]?.arrays ?? {}).map(([name, values]): [string, Numbers] => [
        `${part}.${name}`,
        values,
      ]),
    );
    const facts = Object.fromEntries(PARTS.map((part) => [part, stored[part]?.facts ?? null]));
    return { facts: { ...facts, quiet: observed.quiet }, arrays: Object.fromEntries(arrays) };
  },
  decode({ facts, arrays }): Glance {
    const { quiet, ...parts } = facts as Record<(typeof PARTS)[number], object | null> & Pick<Glance, 'quiet'>;
    const read = <Part>(part: (typeof PARTS)[number], decode: (stored: Stored) => Part): Part | null => {
      const own = Object.entries(arrays).filter(([name]) => name.startsWith(`${part}.`));
      const stored = parts[part];
      return (
        stored &&
        decode({
          facts: stored,
          arrays: Object.fromEntries(own.map(([name, values]) => [name.slice(part.length + 1), values])),
        })
      );
    };
    return {
      signals: read('signals', signals.decode)!,
      objects: read('objects', objects.decode),
      sound: read('sound', sound.decode),
      quiet,
    };
  },
  async observe({ path, video, settings, decoder, progress, observed }: TaskGiven<ObjectsSettings | null>) {
    const { observation: triaged } = await observed(triage);
    const quiet = quietIntervals(triaged, video);
    const isQuiet = (timeS: number) => quiet.some(({ startS, endS }) => timeS > startS && timeS < endS);
    const picture = createSignalsObserver();
    const hearing = createSoundObserver(video.durationS);
    const size = pictureSize(video);
    const threads = settings?.threads ?? Math.min(2, availableParallelism());
    const detector = settings && (await createDetector({ weights: settings.weights, ...size, threads }));
    const look = (request: Omit<PictureRequest, 'minIntervalS'>): PictureRequest => ({
      ...request,
      minIntervalS: LOOK_EVERY_S,
      onFrame: (frame) => (isQuiet(frame.timeS) ? undefined : request.onFrame(frame)),
    });
    const pictures = [
      look({
        ...{ width: WIDTH, height: HEIGHT, format: 'gray' },
        onFrame: ({ data, timeS, pts }) => void picture.take(data, timeS, pts),
      }),
      look({
        ...{ width: COLOR_WIDTH, height: COLOR_HEIGHT, format: 'rgb' },
        onFrame: ({ data, timeS }) => picture.takeColor(data, timeS),
      }),
    ];
    if (detector) pictures.push(look({ ...size, format: 'rgb', onFrame: ({ data }) => detector.look(data) }));
    try {
      const isRare = triaged.timeS.length * RARE_S < video.durationS;
      const pass = await decoder.decode(path, {
        skip: isRare ? 'non-reference' : 'non-key',
        skipDeblocking: 'all',
        pictures,
        ...(video.hasAudio ? { sound: { sampleRate: SAMPLE_RATE, onSamples: hearing.take } } : {}),
        onProgress: progress,
      });
      const seen = stillsOf(picture.finish());
      const found = detector && sightingsOf(await detector.finish());
      const { timeS, pts } = seen;
      const observation: Glance = {
        signals: seen,
        objects: found && { model: settings.model, classes: [...CLASSES], timeS, pts, tracks: found },
        sound: hearing.finish(),
        quiet,
      };
      return { observation, ...lengthOf(pass, video) };
    } finally {
      await detector?.close();
    }
  },
});

/** Signals of pictures seconds apart: what compares one with the one before says nothing. */
export function stillsOf(observed: Signals): Signals {
  const { difference, cut, dissolve, globalX, globalY, zoom, roll, advance, localMotion, regions } = observed;
  for (const values of [difference, cut, dissolve, globalX, globalY, zoom, roll, advance, localMotion, regions])
    values.fill(0);
  return observed;
}
