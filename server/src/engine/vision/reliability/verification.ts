import { createHash } from 'node:crypto';
import { CHOICE, readChoice } from '../calls/index.ts';
import { pickEvenly } from '../plan/windows.ts';
import { choicePrompt, type Option } from '../prompts.ts';
import type { LookSession } from '../session.ts';
import type { VideoFrame, VisionQuestion } from '../types.ts';
import type { Vote } from './confidence.ts';

export type FrameVerdict = {
  status: 'verified' | 'unverified' | 'refuted';
  /** Two looks, and a third one if they do not agree. */
  votes: Vote[];
  /** Frames that were shown. */
  frames: VideoFrame[];
  /** False if frames in reversed order were confirmed too, although the order matters. */
  isOrderSeen: boolean;
};

const FRAMES = 6;
/** Fewer of them would be a weaker second look than the same frames. */
const MIN_OTHERS = 2;
const MAX_TOKENS = 60;
const ORDER: readonly Option[] = ['requested', 'near', 'neither', 'unsure'];

/**
 * Shows frames again and asks which of four statements they support: twice, with the options under other letters, so
 * that a model which always says yes, or always names one letter, contradicts itself. The second time it sees
 * `others`, if there are enough, which it has not judged before. If the two do not agree, a third look decides. Where
 * the order matters, the frames are also shown reversed, which should not be confirmed.
 */
export async function verifyFrames(
  session: LookSession,
  { text, context, isOrdered }: VisionQuestion,
  candidates: readonly VideoFrame[],
  others: readonly VideoFrame[] = [],
): Promise<FrameVerdict> {
  const most = Math.min(FRAMES, session.maxImages);
  const frames = pickEvenly(candidates, most);
  const secondFrames = others.length >= MIN_OTHERS ? pickEvenly(others, most) : frames;
  const choose = (shown: readonly VideoFrame[], order: readonly Option[], isReversed = false) =>
    askChoice(session, shown, { text, context, order, isReversed });
  const [first, second, third] = ordersOf(`${session.seed} ${text} ${frames[0]?.pts}`);
  const needsOrder = isOrdered && frames.length > 1;
  const [one, two, reversed] = await Promise.all([
    choose(frames, first),
    choose(secondFrames, second),
    needsOrder ? choose(frames, first, true) : null,
  ]);
  const votes = [voteOf(one), voteOf(two)];
  if (votes[0] !== votes[1]) votes.push(voteOf(await choose(frames, third)));
  const count = (vote: Vote) => votes.filter((each) => each === vote).length;
  const status = count(true) >= 2 ? 'verified' : count(false) >= 2 ? 'refuted' : 'unverified';
  const shown = [...new Map([...frames, ...secondFrames].map((frame) => [frame.pts, frame])).values()];
  return { status, votes, frames: shown.toSorted((a, b) => a.pts - b.pts), isOrderSeen: reversed !== 'requested' };
}

/** Without an answer it has no vote, either. */
const voteOf = (choice: Option | null): Vote =>
  choice === null || choice === 'unsure' ? null : choice === 'requested';

/** Asks once which statement frames support. True if it is the given one. */
export async function isConfirmed(
  session: LookSession,
  { text, context }: VisionQuestion,
  frames: readonly VideoFrame[],
): Promise<boolean> {
  const [order] = ordersOf(`${session.seed} ${text} elsewhere`);
  const shown = pickEvenly(frames, Math.min(FRAMES, session.maxImages));
  return (await askChoice(session, shown, { text, context, order, isReversed: false })) === 'requested';
}

async function askChoice(
  session: LookSession,
  frames: readonly VideoFrame[],
  question: { text: string; context: string | null; order: readonly Option[]; isReversed: boolean },
): Promise<Option | null> {
  const { text, context, order, isReversed } = question;
  const reply = await session.askAbout(frames, {
    text: (images) => choicePrompt(text, context, order, images),
    schema: CHOICE,
    read: readChoice,
    maxTokens: MAX_TOKENS,
    isReversed,
  });
  return reply === null ? null : order['ABCD'.indexOf(reply.value)]!;
}

/** Three orders of the options, in which the question has another letter. */
function ordersOf(seed: string): [Option[], Option[], Option[]] {
  const turn = createHash('sha256').update(seed).digest()[0]! % ORDER.length;
  const turned = (by: number) => ORDER.map((_, i) => ORDER[(i + turn + by) % ORDER.length]!);
  return [turned(0), turned(1), turned(2)];
}
