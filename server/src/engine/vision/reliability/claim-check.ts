import type { SeenClaim, WindowReply } from '../claims.ts';
import { type Edges, refineEdges } from '../edges.ts';
import { framesBetween } from '../plan/frame-times.ts';
import { framesOutside, type TimeSpan } from '../plan/windows.ts';
import type { LookSession } from '../session.ts';
import type { ReviewItem, VideoFrame, VisionQuestion } from '../types.ts';
import type { CheckedClaim, CheckedReview } from './checked-claims.ts';
import { addCounts, type Ballot, estimateConfidences, NO_ANSWERS } from './confidence.ts';
import { type ControlVerdict, decoyOf } from './controls.ts';
import { isConfirmed, verifyFrames } from './verification.ts';

const FRAMES_ELSEWHERE = 6;

/**
 * Shows the frames of each claim and of what observers found again, and narrows the edges of claims that are verified.
 * The same frames are also shown with a scene that cannot be there: what the model confirms together with that is not
 * verified. Frames without a claim are shown with the same question. All of these answers decide how probable each
 * claim, and each event of an observer, is.
 */
export async function checkClaims(
  session: LookSession,
  request: ClaimRequest,
): Promise<{ claims: CheckedClaim[]; reviews: CheckedReview[] }> {
  const { claims, review, replies, control, range } = request;
  const [looks, reviewLooks, elsewhere] = await Promise.all([
    Promise.all(
      claims.map(async (claim) => {
        const look = await lookAgain(session, claim, framesBetween(session.observations, claim.frames));
        const edges = look.verdict.status === 'verified' ? await edgesOf(session, claim, range) : unrefined(claim);
        return { ...look, edges };
      }),
    ),
    Promise.all(
      review.map(({ text, isOrdered, frames }) =>
        lookAgain(session, { question: { text, context: null, isOrdered }, frames }),
      ),
    ),
    lookElsewhere(session, claims, replies),
  ]);
  const answered = [...looks, ...reviewLooks, ...replies];
  const decoyed = answered.filter(({ isDecoyed }) => isDecoyed).length;
  const easy = {
    falseYes: decoyed + (control?.doubted.size ?? 0),
    rightNo: answered.length - decoyed,
    // The plain image of the control.
    rightYes: 1,
    falseNo: 0,
  };
  const hard = looks.map(({ edges }) => edges.answers).reduce(addCounts, NO_ANSWERS);
  const claimed = [...Map.groupBy(claims.keys(), (i) => claims[i]!.question)];
  const reviewed = [...Map.groupBy(review.keys(), (i) => review[i]!.text)];
  const ofClaims = claimed.map(([question, own]): Ballot[] => {
    const vote = elsewhere.get(question);
    const around: Ballot[] = vote === undefined ? [] : [{ first: false, further: [vote] }];
    return [...own.map((i) => ({ first: true, further: looks[i]!.verdict.votes })), ...around];
  });
  const ofReviews = reviewed.map(([, own]) =>
    own.map((i): Ballot => ({ first: null, prior: priorOf(review[i]!), further: reviewLooks[i]!.verdict.votes })),
  );
  const estimated = estimateConfidences([...ofClaims, ...ofReviews], { easy, hard });
  const byClaim = spread(claimed, estimated);
  const byReview = spread(reviewed, estimated.slice(claimed.length));
  return {
    claims: claims.map((claim, i) => {
      const { verdict, isDecoyed, edges } = looks[i]!;
      return {
        claim,
        verdict,
        edges,
        probability: byClaim.get(i)!,
        doubts: [
          ...(isDecoyed ? ['the model confirmed a scene that cannot be there in the same frames'] : []),
          ...(elsewhere.get(claim.question) === true ? [SEEN_ELSEWHERE] : []),
        ],
      };
    }),
    reviews: review.map((item, i) => ({ item, ...reviewLooks[i]!, probability: byReview.get(i)! })),
  };
}

/** An observer is never certain. */
const PRIORS = { min: 0.02, max: 0.98 };

/** Probability that an observer's event is right, before the model has looked. */
const priorOf = ({ confidence }: Pick<ReviewItem, 'confidence'>): number =>
  Math.min(PRIORS.max, Math.max(PRIORS.min, confidence));

/** Estimates by the index of what they are about, which is in the groups. */
const spread = (groups: readonly (readonly [unknown, number[]])[], estimated: readonly number[][]) =>
  new Map(groups.flatMap(([, own], g) => own.map((i, k) => [i, estimated[g]![k]!] as const)));

type ClaimRequest = {
  claims: readonly SeenClaim[];
  review: readonly ReviewItem[];
  replies: readonly WindowReply[];
  control: ControlVerdict | null;
  range: TimeSpan;
};

async function lookAgain(
  session: LookSession,
  { question, frames }: Pick<SeenClaim, 'question' | 'frames'>,
  others: readonly VideoFrame[] = [],
) {
  const decoy = { text: decoyOf(`${session.seed} ${question.text} ${frames[0]?.pts}`), context: null };
  const [verdict, isDecoyed] = await Promise.all([
    verifyFrames(session, question, frames, others),
    isConfirmed(session, { ...decoy, isOrdered: false }, frames),
  ]);
  const status = isDecoyed && verdict.status === 'verified' ? 'unverified' : verdict.status;
  return { verdict: { ...verdict, status }, isDecoyed };
}

function edgesOf(session: LookSession, { question, frames, before, after }: SeenClaim, range: TimeSpan) {
  return refineEdges(session, question.text, { first: frames[0]!, last: frames.at(-1)!, before, after }, range);
}

const unrefined = ({ frames }: SeenClaim): Edges => ({
  start: frames[0]!,
  end: frames.at(-1)!,
  isExact: false,
  answers: NO_ANSWERS,
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
