import { availableParallelism } from 'node:os';
import type { PictureRequest } from '#platform/media/index';
import type { Numbers } from '../artifact.ts';
import { type DenseGiven, denseObserver, type Ready, type ReadyDeps, type Unavailable } from '../observer.ts';
import { signals } from '../signals/observer.ts';
import { createObjectsObserver, LOOK_EVERY_S } from './index.ts';
import type { Objects, Track } from './observation.ts';

export type ObjectsSettings = {
  /** Path of the detector's weights. */
  weights: string;
  /** Its name and digest, kept with the result. */
  model: string;
  /** How many threads it looks on; as many as suit the video and the machine where this is not said. */
  threads?: number;
};

/** Detecting takes as long as decoding at this size; of larger pictures one thread sees all that is decoded, of smaller ones it takes two. */
const LARGE_PIXELS = 1e6;
/** Digits of the weights' digest that go into versions. */
const DIGEST_DIGITS = 12;

const TRACK_ARRAYS = ['frame', 'x', 'y', 'width', 'height', 'score'] as const satisfies (keyof Track)[];

/** What of a track is no array, and how many of the joined arrays' entries are its own. */
type TrackFacts = Omit<Track, (typeof TRACK_ARRAYS)[number]> & { entries: number };
type StoredFacts = Pick<Objects, 'model' | 'classes'> & { tracks: TrackFacts[] };

/** Whether there is a detector; its weights are a part of the version of what it finds. */
export async function readyDetector({ weights }: ReadyDeps): Promise<Ready<ObjectsSettings> | Unavailable> {
  const found = await weights.find();
  if ('unavailable' in found) return found;
  const digest = found.digest.slice(0, DIGEST_DIGITS);
  return { settings: { weights: found.path, model: `${found.name} ${digest}` }, suffix: `${found.name}.${digest}` };
}

export const objects = denseObserver({
  kind: 'objects',
  version: 'objects-12',
  depth: 'dense',
  ready: readyDetector,
  encode({ timeS, pts, tracks, model, classes }: Objects) {
    const facts: StoredFacts = {
      model,
      classes,
      tracks: tracks.map(({ id, className, colors, enteredFrom, leftTo, stationary, frame }) => {
        return { id, className, colors, enteredFrom, leftTo, stationary, entries: frame.length };
      }),
    };
    const total = tracks.reduce((sum, { frame }) => sum + frame.length, 0);
    const joined = TRACK_ARRAYS.map((name): [string, Numbers] => {
      const all = name === 'frame' ? new Int32Array(total) : new Float32Array(total);
      let at = 0;
      for (const track of tracks) {
        all.set(track[name], at);
        at += track[name].length;
      }
      return [name, all];
    });
    return { facts, arrays: { timeS, pts, ...Object.fromEntries(joined) } };
  },
  decode({ facts, arrays }): Objects {
    const { model, classes, tracks } = facts as StoredFacts;
    const { timeS, pts } = arrays as Pick<Objects, 'timeS' | 'pts'>;
    let at = 0;
    const restored = tracks.map(({ entries, ...track }): Track => {
      const own = TRACK_ARRAYS.map((name) => [name, arrays[name]!.subarray(at, at + entries)]);
      at += entries;
      return { ...track, ...Object.fromEntries(own) };
    });
    return { model, classes, timeS, pts, tracks: restored };
  },
  async open({ video, settings, pass }: DenseGiven<ObjectsSettings>) {
    const isLarge = video.width * video.height > LARGE_PIXELS;
    const threads = settings.threads ?? (isLarge || availableParallelism() === 1 ? 1 : 2);
    // Things are followed against the camera's motion.
    const { onStep } = await pass(signals);
    const observer = await createObjectsObserver({ ...settings, threads, shown: video });
    onStep(observer.stepped);
    const look: PictureRequest = {
      width: observer.width,
      height: observer.height,
      format: 'rgb',
      minIntervalS: LOOK_EVERY_S,
      onFrame: ({ data, timeS, pts }) => observer.take(data, timeS, pts),
    };
    return { pictures: [look], finish: observer.finish, close: observer.close };
  },
});
