import { round } from '../find/index.ts';
import type { VideoEvent } from '../types.ts';
import type { GateVerdict } from '../vision/index.ts';

/** Verdicts of a vision-language model on a range of a stream, in seconds of the stream. */
export type StreamSighting = {
  fromS: number;
  untilS: number;
  /** State of each part of the prompt. */
  states: GateVerdict['states'];
  /** Name of the model. */
  by: string;
  /** Longest time to the next sighting of the same event, in seconds. */
  holdS: number;
  /** Reason of unknown states. */
  reason: string | null;
};

/** Frame of a time in the window of a stream, in seconds of the stream. */
type FrameAt = (timeS: number) => { timeS: number; pts: number };

/**
 * Events of a part of a prompt: consecutive sightings of it, until one in which it is not seen. An ongoing event ends
 * at `endS`, the end of the stream so far. Its confidence is that of the surest sighting.
 */
export function toSightedEvents(
  text: string,
  sightings: readonly StreamSighting[],
  { endS, timeBase, frameAt }: { endS: number; timeBase: [number, number]; frameAt: FrameAt },
): VideoEvent[] {
  type Run = Pick<StreamSighting, 'fromS' | 'untilS' | 'by' | 'holdS'> & { count: number; confidence: number };
  const runs: (Run & { isOver: boolean })[] = [];
  for (const { fromS, untilS, states, by, holdS } of sightings.toSorted((a, b) => a.fromS - b.fromS)) {
    const { state, confidence = 0 } = states.find((each) => each.text === text) ?? {};
    const last = runs.at(-1);
    if (state === 'seen') {
      if (last && !last.isOver && fromS - last.untilS <= last.holdS)
        Object.assign(last, { untilS, count: last.count + 1, confidence: Math.max(last.confidence, confidence) });
      else runs.push({ fromS, untilS, by, holdS, confidence, count: 1, isOver: false });
    } else if (state === 'unseen' && last) last.isOver = true;
  }
  return runs.map(({ fromS, untilS, by, count, confidence, isOver, holdS }) => {
    const isGoing = !isOver && endS - untilS <= holdS;
    const [start, end] = [frameAt(fromS), frameAt(isGoing ? endS : untilS)];
    const middle = frameAt((fromS + untilS) / 2);
    return {
      startS: start.timeS,
      endS: end.timeS,
      startPts: start.pts,
      endPts: end.pts,
      timeBase,
      label: text,
      category: 'look',
      severity: 'low' as const,
      confidence: round(confidence, 3),
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
