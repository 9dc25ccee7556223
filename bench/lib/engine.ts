import { decodeObservation } from '../../server/src/engine/observe/decode-observation.ts';
import { keyframeScan } from '../../server/src/engine/observe/keyframe-scan/observer.ts';
import type { Observations, Track } from '../../server/src/engine/observe/observations.ts';
import { type ObserveArgs, observe } from '../../server/src/engine/observe/observe-task.ts';
import type { TaskContext } from '../../server/src/platform/media/index.ts';

export type TriageCost = { wallS: number; cpuS: number; peakBytes: number; keyframes: number };

/** Measures a keyframe scan in its own process, as in the product: time, CPU of all threads and peak memory. */
export async function triageCost({ args }: { args: ObserveArgs }, context: TaskContext): Promise<TriageCost> {
  const started = performance.now();
  const before = process.cpuUsage();
  const made = await observe(args, context);
  const keyframes = decodeObservation(keyframeScan, made.triage!).observation.timeS.length;
  const { user, system } = process.cpuUsage(before);
  const wallS = (performance.now() - started) / 1000;
  return { wallS, cpuS: (user + system) / 1e6, keyframes, peakBytes: process.resourceUsage().maxRSS * 1024 };
}

/** Repeats the same events until `seconds` are filled, as a long video of this kind would produce. */
export function repeated(observations: Observations, seconds: number): Observations {
  const { video, signals, sound, objects } = observations;
  if (!signals || !sound || !objects) throw new Error('signals, sound and objects are needed');
  const { durationS } = video;
  const times = Math.ceil(seconds / durationS);
  const ptsStep = Math.round((durationS * video.timeBase[1]) / video.timeBase[0]);
  const perFrame = Object.entries(signals).map(([name, values]) => [
    name,
    typeof values === 'number' ? values : again(values, times, stepOf(name, durationS, ptsStep)),
  ]);
  const looks = objects.timeS.length;
  return {
    ...observations,
    video: { ...video, durationS: durationS * times },
    signals: Object.fromEntries(perFrame),
    sound: { ...sound, levelDb: again(sound.levelDb, times, 0), peakDb: again(sound.peakDb, times, 0) },
    objects: {
      ...objects,
      timeS: again(objects.timeS, times, durationS),
      pts: again(objects.pts, times, ptsStep),
      tracks: Array.from({ length: times }, (_, k) =>
        objects.tracks.map((track) => later(track, k, objects.tracks.length, looks, durationS)),
      ).flat(),
    },
  };
}

const stepOf = (name: string, durationS: number, ptsStep: number) =>
  name === 'timeS' ? durationS : name === 'pts' ? ptsStep : 0;

function later(track: Track, k: number, tracks: number, looks: number, durationS: number): Track {
  return {
    ...track,
    id: track.id + k * tracks,
    frame: track.frame.map((look) => look + k * looks),
    stationary: track.stationary.map(({ startS, endS }) => ({
      startS: startS + k * durationS,
      endS: endS + k * durationS,
    })),
  };
}

function again<T extends Float64Array | Float32Array>(values: T, times: number, step: number): T {
  const all = new (values.constructor as new (length: number) => T)(values.length * times);
  for (let k = 0; k < times; k++) {
    for (let i = 0; i < values.length; i++) all[k * values.length + i] = values[i]! + k * step;
  }
  return all;
}
