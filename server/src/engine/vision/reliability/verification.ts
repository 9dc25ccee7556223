import { pickEvenly } from '../plan/windows.ts';
import type { LookSession } from '../session.ts';
import type { VideoFrame, VisionQuestion } from '../types.ts';
import type { Vote } from './confidence.ts';
import { LOOK_FRAMES, sendLooks } from './looks.ts';
import { statusOf, type VoteStatus } from './statement-test.ts';

export type FrameVerdict = {
  status: VoteStatus;
  votes: Vote[];
  /** Frames that were shown. */
  frames: VideoFrame[];
  /** False if frames in reversed order were confirmed too, although the order matters. */
  isOrderSeen: boolean;
};

/** Fewer of them would be a weaker second look than the same frames. */
const MIN_OTHERS = 2;

/**
 * Frames of the looks at a place, which alternate: those in which something was reported, and `others` between them,
 * which the model has not judged before, if there are enough.
 */
export function framesOfLooks(
  session: Pick<LookSession, 'maxImages'>,
  candidates: readonly VideoFrame[],
  others: readonly VideoFrame[] = [],
): { of: (look: number) => VideoFrame[]; shown: VideoFrame[] } {
  const most = Math.min(LOOK_FRAMES, session.maxImages);
  const frames = pickEvenly(candidates, most);
  const second = others.length >= MIN_OTHERS ? pickEvenly(others, most) : frames;
  const shown = [...new Map([...frames, ...second].map((frame) => [frame.pts, frame])).values()];
  return { of: (look) => (look % 2 === 0 ? frames : second), shown: shown.toSorted((a, b) => a.pts - b.pts) };
}

/**
 * Shows frames again and asks which of four statements they support: twice, with the options under other letters, so
 * that a model which always says yes, or always names one letter, contradicts itself. If the two do not agree, a third
 * look decides. Where the order matters, the frames are also shown reversed, which should not be confirmed.
 */
export async function verifyFrames(
  session: LookSession,
  { text, context, isOrdered }: VisionQuestion,
  candidates: readonly VideoFrame[],
  others: readonly VideoFrame[] = [],
): Promise<FrameVerdict> {
  const { of, shown } = framesOfLooks(session, candidates, others);
  const look = (i: number) => ({ text, context, frames: of(i) });
  const isReversible = isOrdered && of(0).length > 1;
  const reversed = isReversible ? [{ ...look(0), isReversed: true }] : [];
  const seed = `${text} ${of(0)[0]?.pts}`;
  const [one, two, backwards = null] = await Promise.all(sendLooks(session, [look(0), look(1), ...reversed], seed));
  const votes: Vote[] = [one!, two!];
  if (votes[0] !== votes[1]) votes.push(...(await Promise.all(sendLooks(session, [look(2)], `${seed} third`))));
  return { status: statusOf(votes), votes, frames: shown, isOrderSeen: backwards !== true };
}
