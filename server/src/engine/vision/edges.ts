import { PER_FRAME, readPerFrame } from './calls/index.ts';
import { framesAt } from './plan/frame-times.ts';
import type { TimeSpan } from './plan/windows.ts';
import { edgePrompt } from './prompts.ts';
import { type AnswerCounts, addCounts, NO_ANSWERS } from './reliability/confidence.ts';
import type { LookSession } from './session.ts';
import type { VideoFrame } from './types.ts';

/** Frames of one call: a call narrows the gap to an eighth. */
const FRAMES = 7;
const MAX_ROUNDS = 3;
const MAX_TOKENS = 120;
/** Farthest that an edge is searched from where something was seen. */
const MAX_GAP_S = 30;
/** Gap that is exact enough; in short videos edges are searched to the frame. */
const EXACT_S = 0.25;
const SHORT_VIDEO_S = 20;

export type Edges = {
  start: VideoFrame;
  end: VideoFrame;
  isExact: boolean;
  /** Answers about single frames: right if they fit "no … no yes … yes", or can be changed least to fit it. */
  answers: AnswerCounts;
};

/** Shown frames around an event: the first and last in which it was seen, and the nearest in which it was not. */
export type SeenSpan = { first: VideoFrame; last: VideoFrame; before: VideoFrame | null; after: VideoFrame | null };

/**
 * Narrows the start and end of something that was seen, by frames in the gaps to where it was not. An answer that is
 * not "no … no yes … yes" is not used.
 */
export async function refineEdges(
  session: LookSession,
  text: string,
  { first, last, before, after }: SeenSpan,
  range: TimeSpan,
): Promise<Edges> {
  const [start, end] = await Promise.all([
    refineEdge(session, text, { seen: first, unseen: before, limitS: range.from, side: -1 }),
    refineEdge(session, text, { seen: last, unseen: after, limitS: range.to, side: 1 }),
  ]);
  return {
    start: start.edge,
    end: end.edge,
    isExact: start.isExact && end.isExact,
    answers: [...start.answers, ...end.answers].map(countAnswers).reduce(addCounts, NO_ANSWERS),
  };
}

type Gap = { seen: VideoFrame; unseen: VideoFrame | null; limitS: number; side: -1 | 1 };

/** Answers about frames from where something was seen outwards: yes, up to the edge. */
function countAnswers(outwards: readonly boolean[]): AnswerCounts {
  const fits = Array.from({ length: outwards.length + 1 }, (_, edge) => {
    const count = (answer: boolean, isInside: boolean) =>
      outwards.filter((each, i) => each === answer && i < edge === isInside).length;
    const [falseYes, falseNo] = [count(true, false), count(false, true)];
    return { falseYes, falseNo, rightNo: count(false, false), rightYes: count(true, true) };
  });
  return fits.reduce((best, fit) => (fit.falseYes + fit.falseNo < best.falseYes + best.falseNo ? fit : best));
}

async function refineEdge(session: LookSession, text: string, { seen, unseen, limitS, side }: Gap) {
  const answers: boolean[][] = [];
  const { observations } = session;
  const exactS = observations.video.durationS <= SHORT_VIDEO_S ? 0 : EXACT_S;
  let edge = seen;
  let far = unseen && Math.abs(unseen.timeS - seen.timeS) <= MAX_GAP_S ? unseen : null;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const farS = far?.timeS ?? side * Math.min(side * limitS, side * edge.timeS + MAX_GAP_S);
    const gap = Math.abs(farS - edge.timeS);
    if (gap <= exactS) break;
    // A far end that was not shown is shown too.
    const parts = far === null ? FRAMES : FRAMES + 1;
    const times = Array.from({ length: FRAMES }, (_, k) => edge.timeS + ((k + 1) * (farS - edge.timeS)) / parts);
    const frames = framesAt(observations, times, gap / parts).filter(
      ({ pts }) => pts !== edge.pts && pts !== far?.pts && side * (pts - edge.pts) > 0,
    );
    if (frames.length === 0) break;
    const reply = await session.askAbout(frames, {
      text: (images) => edgePrompt(text, images),
      schema: PER_FRAME,
      read: readPerFrame,
      maxTokens: MAX_TOKENS,
    });
    if (reply === null) return { edge, isExact: false, answers };
    // From the seen side outwards.
    const outwards = reply.frames.map((frame, i) => ({ frame, isSeen: reply.value[i]! }));
    if (side < 0) outwards.reverse();
    answers.push(outwards.map(({ isSeen }) => isSeen));
    const seenCount = outwards.findIndex(({ isSeen }) => !isSeen);
    const isMonotone = seenCount < 0 || outwards.slice(seenCount).every(({ isSeen }) => !isSeen);
    if (!isMonotone) return { edge, isExact: false, answers };
    edge = (seenCount < 0 ? outwards.at(-1) : outwards[seenCount - 1])?.frame ?? edge;
    if (seenCount >= 0) far = outwards[seenCount]!.frame;
    else if (far === null && Math.abs(edge.timeS - limitS) <= gap / parts) break;
  }
  return { edge, isExact: true, answers };
}
