import { CLASSES } from '../observe/objects/classes.ts';
import { createTrackBuilder, type TrackBuilder } from '../observe/objects/track-builder.ts';
import type { Objects, Observations } from '../observe/observations.ts';
import { NOTHING_OBSERVED } from '../observe/observers.ts';
import { joinAudio, joinSignals, sliceSignals } from '../observe/signals/join.ts';
import type { ObservedSegment } from './observed-segment.ts';
import type { StreamSighting } from './sightings.ts';

/** An observed segment and its start, in seconds of the stream. */
export type WindowSegment = { segment: ObservedSegment; startS: number };

/**
 * The latest part of a stream as if it were a video: at least `seconds` long once that much was observed, at most
 * twice as long. Tracks continue across segments. From time to time old segments are dropped and the rest is tracked
 * again, so that memory and time stay bounded.
 */
export type StreamWindow = {
  /** Adds the next segment. Returns the start of the window, in seconds of the stream. */
  add(entry: WindowSegment): number;
  /** Adds sightings of a model that arrived later, of ranges in the window. */
  addSightings(sightings: readonly StreamSighting[]): void;
  /** Sightings of a model in the window, in seconds of the stream. */
  sightings(): StreamSighting[];
  /** Observations in the window, with times from its start. Null if it is empty. */
  observations(): Observations | null;
  startS(): number;
  endS(): number;
};

export function createStreamWindow(seconds: number): StreamWindow {
  let segments: WindowSegment[] = [];
  let tracks: TrackBuilder = createTrackBuilder();
  let samples: { timeS: number; pts: number }[] = [];
  let model: string | null = null;
  let sightings: StreamSighting[] = [];

  const startS = () => segments[0]?.startS ?? 0;
  const endS = () => {
    const last = segments.at(-1);
    return last ? last.startS + last.segment.video.durationS : 0;
  };

  function track({ segment: { detections }, startS: segmentStartS }: WindowSegment): void {
    if (!detections) return;
    model = detections.model;
    const atS = segmentStartS - startS();
    for (const { sample, colors, pts } of detections.samples) {
      const timeS = sample.timeS + atS;
      samples.push({ timeS, pts });
      tracks.add({ ...sample, timeS }, colors);
    }
  }

  function dropOldSegments(): void {
    segments = segments.filter((entry) => entry.startS + entry.segment.video.durationS > endS() - seconds);
    tracks = createTrackBuilder();
    samples = [];
    segments.forEach(track);
    sightings = sightings.filter(({ untilS }) => untilS > startS());
  }

  function objects(): Objects | null {
    if (model === null) return null;
    return {
      model,
      classes: [...CLASSES],
      timeS: Float64Array.from(samples, ({ timeS }) => timeS),
      pts: Float64Array.from(samples, ({ pts }) => pts),
      tracks: tracks.finish(),
    };
  }

  return {
    startS,
    endS,
    addSightings: (more) => void sightings.push(...more),
    sightings: () => [...sightings],
    add(entry) {
      const last = segments.at(-1);
      if (last) {
        // The new segment knows this part better.
        const untilS = entry.startS + entry.segment.signals.timeS[0]! - last.startS;
        last.segment = {
          ...last.segment,
          signals: sliceSignals(last.segment.signals, Number.NEGATIVE_INFINITY, untilS),
        };
      }
      segments.push({ ...entry });
      sightings.push(...(entry.segment.sightings ?? []));
      if (endS() - startS() > 2 * seconds) dropOldSegments();
      else track(entry);
      return startS();
    },
    observations() {
      const last = segments.at(-1);
      if (!last) return null;
      const durationS = endS() - startS();
      const parts = segments.map(({ segment, startS: segmentStartS }) => {
        const atS = segmentStartS - startS();
        return { ...segment, atS, endS: atS + segment.video.durationS };
      });
      return {
        ...NOTHING_OBSERVED,
        video: {
          ...last.segment.video,
          durationS,
          hasAudio: segments.some(({ segment }) => segment.video.hasAudio),
        },
        signals: joinSignals(parts),
        sound: joinAudio(parts),
        objects: objects(),
      };
    },
  };
}
