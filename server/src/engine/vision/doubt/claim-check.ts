import type { SeenClaim, WindowReply } from '../claims.ts';
import { type Edges, refineEdges } from '../edges.ts';
import { framesBetween } from '../plan/frame-times.ts';
import { framesOutside, type TimeSpan } from '../plan/windows.ts';
import type { LookSession } from '../session.ts';
import type { VisionQuestion } from '../types.ts';
import { addCounts, type Ballot, estimateConfidences, NO_ANSWERS } from './confidence.ts';
import { type ControlVerdict, decoyOf } from './controls.ts';
import { type FrameVerdict, isConfirmed, verifyFrames } from './verification.ts';

/** A claim after all looks at its frames. */
export type CheckedClaim = {
  claim: SeenClaim;
  verdict: FrameVerdict;
  edges: Edges;
  /** Probability that it is true, 0 to 1. */
  probability: number;
  doubts: string[];
};

const FRAMES_ELSEWHERE = 6;

/**
 * Shows the frames of each claim again, and narrows the edges of those that are verified. The same frames are also
 * shown with a scene that cannot be there: a claim whose frames the model confirms for that too is not verified. Frames
 * without a claim are shown with the same question. All of these answers decide how probable each claim is.
 */
export async function checkClaims(session: LookSession, request: ClaimRequest): Promise<CheckedClaim[]> {
  const { claims, replies, control, range } = request;
  const [looks, elsewhere] = await Promise.all([
    Promise.all(
      claims.map(async (claim) => {
        const look = await lookAgain(session, claim);
        const edges = look.verdict.status === 'verified' ? await edgesOf(session, claim, range) : unrefined(claim);
        return { ...look, edges };
      }),
    ),
    lookElsewhere(session, claims, replies),
  ]);
  const decoyed = [...looks, ...replies].filter(({ isDecoyed }) => isDecoyed).length;
  const easy = {
    falseYes: decoyed + (control?.doubted.size ?? 0),
    rightNo: looks.length + replies.length - decoyed,
    // The plain picture of the control.
    ...{ rightYes: 1, falseNo: 0 },
  };
  const hard = looks.map(({ edges }) => edges.answers).reduce(addCounts, NO_ANSWERS);
  const byQuestion = [...Map.groupBy(claims.keys(), (i) => claims[i]!.question)];
  const ballots = byQuestion.map(([question, own]): Ballot[] => {
    const vote = elsewhere.get(question);
    const around: Ballot[] = vote === undefined ? [] : [{ first: false, further: [vote] }];
    return [...own.map((i) => ({ first: true, further: looks[i]!.verdict.votes })), ...around];
  });
  const probabilities = estimateConfidences(ballots, { easy, hard });
  const probabilityOf = new Map(byQuestion.flatMap(([, own], q) => own.map((i, k) => [i, probabilities[q]![k]!])));
  return claims.map((claim, i) => {
    const { verdict, isDecoyed, edges } = looks[i]!;
    return {
      ...{ claim, verdict, edges, probability: probabilityOf.get(i)! },
      doubts: [
        ...(isDecoyed ? ['the model confirmed a scene that cannot be there in the same frames'] : []),
        ...(elsewhere.get(claim.question) === true ? [SEEN_ELSEWHERE] : []),
      ],
    };
  });
}

type ClaimRequest = {
  claims: readonly SeenClaim[];
  replies: readonly WindowReply[];
  control: ControlVerdict | null;
  range: TimeSpan;
};

async function lookAgain(session: LookSession, { question, frames }: SeenClaim) {
  const decoy = { text: decoyOf(`${session.seed} ${question.text} ${frames[0]!.pts}`), context: null };
  const [verdict, isDecoyed] = await Promise.all([
    verifyFrames(session, question, frames, framesBetween(session.observations, frames)),
    isConfirmed(session, { ...decoy, isOrdered: false }, frames),
  ]);
  const status = isDecoyed && verdict.status === 'verified' ? 'unverified' : verdict.status;
  return { verdict: { ...verdict, status }, isDecoyed };
}

function edgesOf(session: LookSession, { question, frames, before, after }: SeenClaim, range: TimeSpan) {
  return refineEdges(session, question.text, { first: frames[0]!, last: frames.at(-1)!, before, after }, range);
}

const unrefined = ({ frames }: SeenClaim): Edges => ({
  ...{ start: frames[0]!, end: frames.at(-1)!, isExact: false, answers: NO_ANSWERS },
});

export const SEEN_ELSEWHERE = 'the model confirmed it in other frames too';

/** For each claimed question, whether the model confirms it in frames for which it had not reported it. */
async function lookElsewhere(
  session: LookSession,
  claims: readonly SeenClaim[],
  replies: readonly WindowReply[],
): Promise<ReadonlyMap<VisionQuestion, boolean>> {
  const windows = replies.map(({ window, frames }) => ({ ...window, frames }));
  const looks = await Promise.all(
    [...Map.groupBy(claims, ({ question }) => question)].map(async ([question, own]) => {
      const spans = own.map(({ frames, before, after }) => ({
        from: (before ?? frames[0]!).timeS,
        to: (after ?? frames.at(-1)!).timeS,
      }));
      const frames = framesOutside(windows, spans, FRAMES_ELSEWHERE);
      return frames.length === 0 ? null : ([question, await isConfirmed(session, question, frames)] as const);
    }),
  );
  return new Map(looks.filter((look) => look !== null));
}
