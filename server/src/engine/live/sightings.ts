import { round } from '../find/index.ts';
import type { VideoEvent } from '../types.ts';

/** Verdicts of a vision-language model on a range of a stream, in seconds of the stream. */
export type StreamSighting = {
  fromS: number;
  untilS: number;
  /** State of each part of the prompt. */
  states: { text: string; state: 'seen' | 'unseen' | 'unknown' }[];
  /** Name of the model. */
  by: string;
  /** Longest time to the next sighting of the same event, in seconds. */
  holdS: number;
  /** Reason of unknown states. */
  reason: string | null;
};

/** Verified twice, in frames of a stream. Not calibrated (docs/models.md). */
const CONFIDENCE = 0.7;

/** Frame of a time in the window of a stream, in seconds of the stream. */
type FrameAt = (timeS: number) => { timeS: number; pts: number };

/**
 * Events of a part of a prompt: consecutive sightings of it, until one in which it is not seen. An ongoing event ends
 * at `endS`, the end of the stream so far.
 */
export function toSightedEvents(
  text: string,
  sightings: readonly StreamSighting[],
  { endS, timeBase, frameAt }: { endS: number; timeBase: [number, number]; frameAt: FrameAt },
): VideoEvent[] {
  const runs: (Pick<StreamSighting, 'fromS' | 'untilS' | 'by' | 'holdS'> & { count: number; isOver: boolean })[] = [];
  for (const { fromS, untilS, states, by, holdS } of sightings.toSorted((a, b) => a.fromS - b.fromS)) {
    const state = states.find((each) => each.text === text)?.state;
    const last = runs.at(-1);
    if (state === 'seen') {
      if (last && !last.isOver && fromS - last.untilS <= last.holdS)
        Object.assign(last, { untilS, count: last.count + 1 });
      else runs.push({ fromS, untilS, by, holdS, count: 1, isOver: false });
    } else if (state === 'unseen' && last) last.isOver = true;
  }
  return runs.map(({ fromS, untilS, by, count, isOver, holdS }) => {
    const isGoing = !isOver && endS - untilS <= holdS;
    const [start, end] = [frameAt(fromS), frameAt(isGoing ? endS : untilS)];
    const middle = frameAt((fromS + untilS) / 2);
    return {
      ...{ startS: start.timeS, endS: end.timeS, startPts: start.pts, endPts: end.pts, timeBase },
      ...{ label: text, category: 'look', severity: 'low' as const, confidence: CONFIDENCE },
      caveats: ['start and end are those of the chunks that were shown to the model'],
      explanation: `${by} confirmed it twice in ${count} ${count === 1 ? 'chunk' : 'chunks'} of the stream.`,
      verification: { status: 'verified' as const, by, framesS: [round(middle.timeS, 3)] },
      evidence: {
        frames: [{ role: 'best' as const, timeS: middle.timeS, pts: middle.pts, boxes: [] }],
        tracks: [],
        signals: [],
      },
    };
  });
}
