import type { DecodedFrame, FrameRequest, TaskContext } from '#platform/media/index';
import { createAudioCollector } from '../observe/audio/collector.ts';
import { createObjectsObserver } from '../observe/objects/objects-observer.ts';
import type { TrackBuilder } from '../observe/objects/track-builder.ts';
import {
  COLOR_HEIGHT,
  COLOR_INTERVAL_S,
  COLOR_WIDTH,
  createSignalsCollector,
  HEIGHT,
  WIDTH,
} from '../observe/signals/collector.ts';
import { sliceSignals } from '../observe/signals/join.ts';
import { SAMPLE_RATE, type VideoFacts } from '../observe/types.ts';
import { createDetectorCache } from './detector-cache.ts';
import {
  type DetectedSample,
  type ObservedSegment,
  type SegmentTail,
  TAIL_S,
  type TailFrame,
} from './observed-segment.ts';

export type ObserveSegmentArgs = {
  path: string;
  video: VideoFacts;
  /** Tail of the previous segment, if known. Its times count from the first frame of this segment. */
  previousTail: SegmentTail | null;
  /** The detector, and the seconds between two frames that it examines; null for no detection. */
  detector: { weights: string; model: string; intervalS: number } | null;
};

export type ObserveSegmentResult = { segment: ObservedSegment; tail: SegmentTail };

/** One per media process, which runs one task at a time. */
const openDetector = createDetectorCache();

/**
 * The task of a media process. Observes signals, audio and detections of one segment, with the same result as one
 * pass over all segments. Signals have every frame, at any frame rate.
 */
export async function observeSegment(
  { path, video, previousTail, detector }: ObserveSegmentArgs,
  { decoder }: TaskContext,
): Promise<ObserveSegmentResult> {
  const samples: DetectedSample[] = [];
  const presentationTimes: number[] = [];
  const sampleRecorder: TrackBuilder = {
    add: (sample, colors) => void samples.push({ sample, colors, pts: presentationTimes[samples.length]! }),
    finish: () => [],
  };
  const signals = createSignalsCollector();
  const audio = createAudioCollector(video.durationS);
  const settings = detector && {
    ...detector,
    displaySize: video,
    threads: 1,
    trackBuilder: sampleRecorder,
    open: openDetector,
  };
  const objects = settings && (await createObjectsObserver(settings));
  let recent: TailFrame[] = [];
  const addSignalFrame = (frame: TailFrame) => {
    const step = signals.addFrame(frame.data, frame.timeS, frame.pts);
    objects?.addMotion(step, frame.timeS);
    recent.push(frame);
  };
  for (const frame of previousTail?.frames ?? []) {
    addSignalFrame(frame);
    if (frame.timeS === previousTail?.lastDetectionS) objects?.resetMotion();
  }

  const frames: FrameRequest[] = [
    {
      width: WIDTH,
      height: HEIGHT,
      format: 'gray',
      onFrame({ data, timeS, pts }) {
        addSignalFrame({ data: data.slice(), timeS, pts });
        if (recent[0]!.timeS < timeS - 2 * TAIL_S) recent = lastOf(recent);
      },
    },
    {
      width: COLOR_WIDTH,
      height: COLOR_HEIGHT,
      format: 'rgb',
      minIntervalS: COLOR_INTERVAL_S,
      onFrame: ({ data, timeS }: DecodedFrame) => signals.addColorFrame(data, timeS),
    },
  ];
  if (objects) {
    frames.push({
      width: objects.width,
      height: objects.height,
      format: 'rgb',
      minIntervalS: detector.intervalS,
      onFrame({ data, timeS, pts }) {
        presentationTimes.push(pts);
        return objects.take(data, timeS, pts);
      },
    });
  }
  try {
    const { endS } = await decoder.decode(path, {
      frames,
      ...(video.hasAudio ? { audio: { sampleRate: SAMPLE_RATE, onSamples: audio.addSamples } } : {}),
      skipDeblocking: 'all',
    });
    await objects?.finish();
    const segment: ObservedSegment = {
      video: { ...video, durationS: endS },
      signals: sliceSignals(signals.finish(), -TAIL_S / 2),
      sound: audio.finish(),
      detections: detector && { model: detector.model, samples },
    };
    return { segment, tail: { frames: lastOf(recent), lastDetectionS: samples.at(-1)?.sample.timeS ?? null } };
  } finally {
    await objects?.close();
  }
}

const lastOf = (frames: readonly TailFrame[]) => frames.filter(({ timeS }) => timeS >= frames.at(-1)!.timeS - TAIL_S);
