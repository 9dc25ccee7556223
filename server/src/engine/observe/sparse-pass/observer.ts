import { availableParallelism } from 'node:os';
import type { FrameRequest } from '#platform/media/index';
import type { NumericArray } from '../artifact.ts';
import { createAudioCollector } from '../audio/collector.ts';
import { audio } from '../audio/observer.ts';
import { keyframeScan } from '../keyframe-scan/observer.ts';
import { findQuietIntervals } from '../keyframe-scan/quiet-intervals.ts';
import { createDetector } from '../objects/detector/detector.ts';
import { detectorOf, toDetectorSize } from '../objects/detectors.ts';
import { type ObjectsSettings, objects, prepareDetector } from '../objects/observer.ts';
import { COLOR_HEIGHT, COLOR_WIDTH, createSignalsCollector, HEIGHT, WIDTH } from '../signals/collector.ts';
import type { Signals } from '../signals/observation.ts';
import { signals } from '../signals/observer.ts';
import {
  defineTaskObserver,
  type EncodedObservation,
  type Prepared,
  SAMPLE_RATE,
  type TaskObserverContext,
  toDuration,
} from '../types.ts';
import type { SparsePass } from './observation.ts';
import { buildTracks } from './tracks.ts';

/** Minimum interval of sampled frames in seconds. */
const MIN_INTERVAL_S = 2;
/**
 * Mean distance of keyframes from which other frames are decoded too: a sample every ten seconds misses most events.
 */
const MAX_KEYFRAME_INTERVAL_S = 4;

/** Parts of the observation by their stored names. */
const PARTS = ['signals', 'objects', 'sound'] as const;
type Part = (typeof PARTS)[number];

export const sparsePass = defineTaskObserver({
  kind: 'glance',
  version: 'sparse-pass-8',
  depth: 'sparse',
  relativeDuration: 0.1,
  usesDetector: true,
  async prepare(deps): Promise<Prepared<ObjectsSettings | null>> {
    // Without a detector only signals and audio are observed.
    const prepared = await prepareDetector(deps, { usual: true });
    return 'unavailable' in prepared ? { settings: null, suffix: '' } : prepared;
  },
  encode(observation: SparsePass): EncodedObservation {
    const parts: Record<Part, EncodedObservation | null> = {
      signals: signals.encode(observation.signals),
      objects: observation.objects && objects.encode(observation.objects),
      sound: audio.encode(observation.sound),
    };
    const arrays = PARTS.flatMap((part) =>
      Object.entries(parts[part]?.arrays ?? {}).map(([name, values]): [string, NumericArray] => [
        `${part}.${name}`,
        values,
      ]),
    );
    const facts = Object.fromEntries(PARTS.map((part) => [part, parts[part]?.facts ?? null]));
    return { facts: { ...facts, quiet: observation.quiet }, arrays: Object.fromEntries(arrays) };
  },
  decode({ facts, arrays }): SparsePass {
    const { quiet, ...parts } = facts as Record<Part, object | null> & Pick<SparsePass, 'quiet'>;
    const decodePart = <Value>(part: Part, decode: (stored: EncodedObservation) => Value): Value | null => {
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
      signals: decodePart('signals', signals.decode)!,
      objects: decodePart('objects', objects.decode),
      sound: decodePart('sound', audio.decode),
      quiet,
    };
  },
  async observe({
    path,
    video,
    settings,
    decoder,
    onProgress,
    getResult,
  }: TaskObserverContext<ObjectsSettings | null>) {
    const { observation: scan } = await getResult(keyframeScan);
    const quiet = findQuietIntervals(scan, video);
    const isQuiet = (timeS: number) => quiet.some(({ startS, endS }) => timeS > startS && timeS < endS);
    const signalsCollector = createSignalsCollector();
    const audioCollector = createAudioCollector(video.durationS);
    const spec = detectorOf(settings?.model ?? null);
    const size = toDetectorSize(video, spec);
    const threads = settings?.threads ?? Math.min(2, availableParallelism());
    const detector = settings && (await createDetector({ weights: settings.weights, spec, ...size, threads }));
    const sample = (request: Omit<FrameRequest, 'minIntervalS'>): FrameRequest => ({
      ...request,
      minIntervalS: MIN_INTERVAL_S,
      onFrame: (frame) => (isQuiet(frame.timeS) ? undefined : request.onFrame(frame)),
    });
    const frames = [
      sample({
        width: WIDTH,
        height: HEIGHT,
        format: 'gray',
        onFrame: ({ data, timeS, pts }) => void signalsCollector.addFrame(data, timeS, pts),
      }),
      sample({
        width: COLOR_WIDTH,
        height: COLOR_HEIGHT,
        format: 'rgb',
        onFrame: ({ data, timeS }) => signalsCollector.addColorFrame(data, timeS),
      }),
    ];
    if (detector) frames.push(sample({ ...size, format: 'rgb', onFrame: ({ data }) => detector.detect(data) }));
    try {
      const hasRareKeyframes = scan.timeS.length * MAX_KEYFRAME_INTERVAL_S < video.durationS;
      const summary = await decoder.decode(path, {
        skip: hasRareKeyframes ? 'non-reference' : 'non-key',
        skipDeblocking: 'all',
        frames,
        ...(video.hasAudio ? { audio: { sampleRate: SAMPLE_RATE, onSamples: audioCollector.addSamples } } : {}),
        onProgress,
      });
      const observed = clearMotion(signalsCollector.finish());
      const tracks = detector && buildTracks(await detector.finish());
      const { timeS, pts } = observed;
      const observation: SparsePass = {
        signals: observed,
        objects: tracks && { model: settings.model, classes: [...spec.classes], timeS, pts, tracks },
        sound: audioCollector.finish(),
        quiet,
      };
      return { observation, ...toDuration(summary, video) };
    } finally {
      await detector?.close();
    }
  },
});

/** Clears the signals that compare a frame with the previous one: the frames are seconds apart. */
export function clearMotion(observation: Signals): Signals {
  const { difference, cut, dissolve, globalX, globalY, zoom, roll, advance, localMotion, regions } = observation;
  for (const values of [difference, cut, dissolve, globalX, globalY, zoom, roll, advance, localMotion, regions])
    values.fill(0);
  return observation;
}
