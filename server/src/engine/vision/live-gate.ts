import { askTrust } from './claims.ts';
import { MAX_VERIFIED } from './event.ts';
import { pickEvenly } from './plan/windows.ts';
import { decoyOf } from './reliability/controls.ts';
import type { Reliability } from './reliability/reliability.ts';
import { isConfirmed, verifyFrames } from './reliability/verification.ts';
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

/**
 * Asks about frames of a stream: a cheap yes or no for each question, and only where it is yes, verification with all
 * frames and a scene that cannot be there. Something is seen if it is verified. How probable it is then depends on what
 * the model answered about the stream so far, also to questions whose answers are known.
 */
export async function askGate(
  session: LookSession,
  questions: readonly VisionQuestion[],
  frames: readonly VideoFrame[],
  reliability: Reliability,
): Promise<GateVerdict> {
  const untrusted = await askTrust(session, 'live');
  if (untrusted !== null) return unknown(questions, `the model is not believed: ${untrusted}`);
  // The same answer comes from the cache later.
  if (!reliability.isTried) reliability.addKnown({ rightYes: 1, rightNo: 1 });
  const few = pickEvenly(frames, GATE_FRAMES);
  const looks = await Promise.all(
    questions.map(async (question) =>
      (await isConfirmed(session, question, few)) ? lookAgain(session, question, frames) : null,
    ),
  );
  const isQuiet = looks.every((look) => look === null);
  const decoys = looks.flatMap((look) => look?.isDecoyed ?? []);
  if (isQuiet && (reliability.parts + 1) % CONTROL_EVERY === 0)
    decoys.push(await isConfirmed(session, decoyFor(session, String(few[0]?.pts)), few));
  const failure = session.stoppedBy() ?? [...session.failures][0] ?? null;
  if (failure !== null) return unknown(questions, failure);
  const falseYes = decoys.filter((isDecoyed) => isDecoyed).length;
  reliability.addKnown({ falseYes, rightNo: decoys.length - falseYes });
  const isSeen = looks.map((look) => look !== null && look.verdict.status === 'verified' && look.verdict.isOrderSeen);
  const probabilities = reliability.judge(
    questions.map(({ text }, i) => ({
      question: text,
      isSeen: isSeen[i]!,
      votes: [looks[i] !== null, ...(looks[i]?.verdict.votes ?? [])],
    })),
  );
  const states = questions.map(({ text }, i): GateVerdict['states'][number] => {
    if (looks[i]?.isDecoyed) return { text, state: 'unknown', confidence: 0 };
    if (!isSeen[i]) return { text, state: 'unseen', confidence: 0 };
    return { text, state: 'seen', confidence: Math.min(MAX_VERIFIED, probabilities[i]!) };
  });
  const isDecoyed = states.some(({ state }) => state === 'unknown');
  return { states, reason: isDecoyed ? 'the model reported an object that cannot be there' : null };
}

async function lookAgain(session: LookSession, question: VisionQuestion, frames: readonly VideoFrame[]) {
  const [verdict, isDecoyed] = await Promise.all([
    verifyFrames(session, question, frames),
    isConfirmed(session, decoyFor(session, question.text), frames),
  ]);
  return { verdict, isDecoyed };
}

const decoyFor = ({ seed }: LookSession, subject: string): VisionQuestion => ({
  text: decoyOf(`${seed} ${subject}`),
  context: null,
  isOrdered: false,
});

const unknown = (questions: readonly VisionQuestion[], reason: string): GateVerdict => ({
  states: questions.map(({ text }) => ({ text, state: 'unknown', confidence: 0 })),
  reason,
});
