import { askTrust } from './claims.ts';
import { decoyOf } from './doubt/controls.ts';
import { isConfirmed, verifyFrames } from './doubt/verification.ts';
import { pickEvenly } from './plan/windows.ts';
import type { LookSession } from './session.ts';
import type { VideoFrame, VisionQuestion } from './types.ts';

/** State of each question in a part of a stream; `unknown` if the model gave no usable answer. */
export type GateVerdict = {
  states: { text: string; state: 'seen' | 'unseen' | 'unknown' }[];
  /** Reason of unknown states; null without them. */
  reason: string | null;
};

/** Frames of the first, cheap question. */
const GATE_FRAMES = 4;

/**
 * Asks about frames of a stream: a cheap yes or no for each question, and only where it is yes, verification with all
 * frames and a scene that cannot be there. Something is seen if it is verified.
 */
export async function askGate(
  session: LookSession,
  questions: readonly VisionQuestion[],
  frames: readonly VideoFrame[],
): Promise<GateVerdict> {
  const untrusted = await askTrust(session, 'live');
  if (untrusted !== null) return unknown(questions, `the model is not believed: ${untrusted}`);
  const few = pickEvenly(frames, GATE_FRAMES);
  const states = await Promise.all(
    questions.map(async (question): Promise<GateVerdict['states'][number]> => {
      const { text } = question;
      if (!(await isConfirmed(session, question, few))) return { text, state: 'unseen' };
      const decoy = { text: decoyOf(`${session.seed} ${text}`), context: null, isOrdered: false };
      const [verdict, isDecoyed] = await Promise.all([
        verifyFrames(session, question, frames),
        isConfirmed(session, decoy, frames),
      ]);
      if (isDecoyed) return { text, state: 'unknown' };
      return { text, state: verdict.status === 'verified' && verdict.isOrderSeen ? 'seen' : 'unseen' };
    }),
  );
  const failure = session.stoppedBy() ?? [...session.failures][0] ?? null;
  if (failure !== null) return unknown(questions, failure);
  const isDecoyed = states.some(({ state }) => state === 'unknown');
  return { states, reason: isDecoyed ? 'the model reported an object that cannot be there' : null };
}

const unknown = (questions: readonly VisionQuestion[], reason: string): GateVerdict => ({
  states: questions.map(({ text }) => ({ text, state: 'unknown' })),
  reason,
});
