import { askPlainControl } from './claims.ts';
import { MAX_VERIFIED } from './event.ts';
import { pickEvenly } from './plan/windows.ts';
import type { Vote } from './reliability/confidence.ts';
import { decoyOf } from './reliability/controls.ts';
import { askKnownRound, reasonOf } from './reliability/known-test.ts';
import { isConfirmed, type Look, sendLooks } from './reliability/looks.ts';
import type { Reliability } from './reliability/reliability.ts';
import { statusOf } from './reliability/statement-test.ts';
import { verifyFrames } from './reliability/verification.ts';
import type { LookSession } from './session.ts';
import type { VideoFrame, VisionQuestion } from './types.ts';

/**
 * State of each question in a part of a stream; `unknown` if the model gave no usable answer. `confidence` is the
 * probability that it is there, 0 to 1; 0 unless it is seen.
 */
export type GateVerdict = {
  states: { text: string; state: 'seen' | 'unseen' | 'unknown'; confidence: number }[];
  /** Reason of unknown states; null without them. */
  reason: string | null;
};

/** Frames of the first, cheap question. */
const GATE_FRAMES = 4;
/** Parts of a stream of which one is also shown with a scene that cannot be there, if nothing was seen in it. */
const CONTROL_EVERY = 6;
/** Further looks at something that is seen, until the looks of the stream are distinguished from chance. */
const MAX_FURTHER = 6;

/**
 * Asks about frames of a stream: a cheap yes or no for each question, and only where it is yes, verification with all
 * frames and a scene that cannot be there. Something is seen if it is verified. How probable it is then depends on what
 * the model answered about the stream so far, also to questions whose answers are known. Answers that chance explains
 * as well say nothing.
 */
export async function askGate(
  session: LookSession,
  questions: readonly VisionQuestion[],
  frames: readonly VideoFrame[],
  reliability: Reliability,
): Promise<GateVerdict> {
  const untrusted = (await askPlainControl(session, 'live')) ?? (await askKnown(session, frames, reliability));
  if (untrusted !== null) return unknown(questions, `the model is not believed: ${untrusted}`);
  // The same answer comes from the cache later.
  if (!reliability.isTried) reliability.addKnown({ rightYes: 1, rightNo: 1 });
  const few = pickEvenly(frames, GATE_FRAMES);
  const looks = await Promise.all(
    questions.map(async (question) =>
      (await isConfirmed(session, { ...question, frames: few }))
        ? lookAgain(session, question, frames, reliability)
        : null,
    ),
  );
  const isQuiet = looks.every((look) => look === null);
  const decoys = looks.flatMap((look) => look?.isDecoyed ?? []);
  if (isQuiet && (reliability.parts + 1) % CONTROL_EVERY === 0)
    decoys.push(await isConfirmed(session, decoyFor(session, String(few[0]?.pts), few)));
  const failure = session.stoppedBy() ?? [...session.failures][0] ?? null;
  if (failure !== null) return unknown(questions, failure);
  const falseYes = decoys.filter((isDecoyed) => isDecoyed).length;
  reliability.addKnown({ falseYes, rightNo: decoys.length - falseYes });
  const isSeen = looks.map((look) => look !== null && look.status === 'verified' && look.isOrderSeen);
  const judged = reliability.judge(
    questions.map(({ text }, i) => ({ question: text, isSeen: isSeen[i]!, votes: looks[i]?.votes ?? [false] })),
  );
  const states = questions.map(({ text }, i): GateVerdict['states'][number] => {
    const { probability, isProven } = judged[i]!;
    if (!isSeen[i]) return { text, state: looks[i]?.isDecoyed ? 'unknown' : 'unseen', confidence: 0 };
    if (looks[i]?.isDecoyed || !isProven) return { text, state: 'unknown', confidence: 0 };
    return { text, state: 'seen', confidence: Math.min(MAX_VERIFIED, probability) };
  });
  const isDecoyed = looks.some((look) => look?.isDecoyed);
  const isUnproven = states.some(({ state }) => state === 'unknown');
  return { states, reason: isDecoyed ? DECOYED : isUnproven ? UNPROVEN : null };
}

const DECOYED = 'the model reported an object that cannot be there';
const UNPROVEN = 'chance explains what the model has answered about it in this stream as well';

/** Tests it once in a stream with statements whose truth is known. A reason to believe nothing, or null. */
async function askKnown(
  session: LookSession,
  frames: readonly VideoFrame[],
  { known }: Reliability,
): Promise<string | null> {
  if (known.result() === 'proven') return null;
  for (let round = 0; await askKnownRound(session, known, frames, round); round++);
  return reasonOf(known);
}

async function lookAgain(
  session: LookSession,
  question: VisionQuestion,
  frames: readonly VideoFrame[],
  reliability: Reliability,
) {
  const [verdict, isDecoyed] = await Promise.all([
    verifyFrames(session, question, frames),
    isConfirmed(session, decoyFor(session, question.text, frames)),
  ]);
  const { isOrderSeen } = verdict;
  // The first look was a yes.
  const votes: Vote[] = [true, ...verdict.votes];
  const isSeen = verdict.status === 'verified' && isOrderSeen && !isDecoyed;
  const needsMore = isSeen && !reliability.isProvenWith({ question: question.text, isSeen, votes });
  if (needsMore) votes.push(...(await lookFurther(session, question, frames)));
  return { votes, isOrderSeen, isDecoyed, status: needsMore ? statusOf(votes.slice(1)) : verdict.status };
}

async function lookFurther(session: LookSession, { text, context }: VisionQuestion, frames: readonly VideoFrame[]) {
  const shown = pickEvenly(frames, GATE_FRAMES);
  const looks = Array.from({ length: MAX_FURTHER }, (): Look => ({ text, context, frames: shown }));
  return Promise.all(sendLooks(session, looks, `${text} ${shown[0]?.pts} further`));
}

const decoyFor = ({ seed }: LookSession, subject: string, frames: readonly VideoFrame[]): Look => ({
  text: decoyOf(`${seed} ${subject}`),
  context: null,
  frames,
});

const unknown = (questions: readonly VisionQuestion[], reason: string): GateVerdict => ({
  states: questions.map(({ text }) => ({ text, state: 'unknown', confidence: 0 })),
  reason,
});
