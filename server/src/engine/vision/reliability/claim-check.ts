import type { SeenClaim, WindowReply } from '../claims.ts';
import { type Edges, refineEdges } from '../edges.ts';
import { handled } from '../handled.ts';
import { framesAt, framesBetween } from '../plan/frame-times.ts';
import { type FrameWindow, framesOutside, type TimeSpan } from '../plan/windows.ts';
import type { LookSession } from '../session.ts';
import type { ReviewItem, VideoFrame, VisionQuestion } from '../types.ts';
import type { CheckedClaim, CheckedReview } from './checked-claims.ts';
import { addCounts, type Ballot, estimateConfidences, NO_ANSWERS, type Vote } from './confidence.ts';
import type { ControlVerdict } from './controls.ts';
import type { KnownTest } from './known-test.ts';
import { LOOK_FRAMES } from './looks.ts';
import { type TestedPlace, type TestedStatement, testStatement } from './place-test.ts';

/** Places at which what is claimed elsewhere should not be seen. */
const CONTRASTS = 4;

/** Standing of the votes about a statement: `proven`, they count; `chance` explains them; `open`, neither is shown. */
export type Proof = 'proven' | 'chance' | 'open';

export type CheckedClaims = {
  claims: CheckedClaim[];
  reviews: CheckedReview[];
  /** Of the claimed questions. */
  proofs: ReadonlyMap<VisionQuestion, Proof>;
};

/**
 * Shows the frames of each claim and of what observers found again, together with frames for which it was not reported,
 * in random order: only what the model confirms by what it sees is verified (`place-test.ts`). The same frames are also
 * shown with a scene that cannot be there: what the model confirms together with that is not verified. All of these
 * answers decide how probable each claim, and each event of an observer, is.
 */
export async function checkClaims(session: LookSession, request: ClaimRequest): Promise<CheckedClaims> {
  const { claims, review, replies, control, range, known } = request;
  const claimed = [...Map.groupBy(claims.keys(), (i) => claims[i]!.question)];
  const reviewed = [...Map.groupBy(review.keys(), (i) => review[i]!.text)];
  const edges = new Map<SeenClaim, Promise<Edges>>();
  const [claimTests, reviewTests] = await Promise.all([
    Promise.all(
      claimed.map(([question, own]) =>
        testStatement(session, {
          question,
          places: own.map((i) => ({
            frames: claims[i]!.frames,
            others: framesBetween(session.observations, claims[i]!.frames),
          })),
          contrasts: contrastsOf(question, request),
          // With a slow model, the edges one after the other would take too long.
          onConfirmed(k) {
            const claim = claims[own[k]!]!;
            if (!edges.has(claim)) edges.set(claim, handled(edgesOf(session, claim, range)));
          },
        }),
      ),
    ),
    Promise.all(
      reviewed.map(([text, own]) => {
        const items = own.map((i) => review[i]!);
        return testStatement(session, {
          question: { text, context: null, isOrdered: items.some(({ isOrdered }) => isOrdered) },
          places: items,
          contrasts: framesWithout(session, request, items),
          canDeny: true,
        });
      }),
    ),
  ]);
  const looks = placesOf(claimed, claimTests);
  const reviewLooks = placesOf(reviewed, reviewTests);
  const refined = await Promise.all(
    claims.map(async (claim, i) => {
      const own = await edges.get(claim);
      const isVerified = looks.get(i)!.verdict.status === 'verified';
      return { edges: own && isVerified ? own : unrefined(claim), answers: own?.answers ?? NO_ANSWERS };
    }),
  );
  const answered = [...looks.values(), ...reviewLooks.values(), ...replies];
  const decoyed = answered.filter(({ isDecoyed }) => isDecoyed).length;
  const easy = {
    falseYes: decoyed + (control?.doubted.size ?? 0),
    rightNo: answered.length - decoyed,
    // The plain image of the control.
    rightYes: 1,
    falseNo: 0,
  };
  const hard = refined.map(({ answers }) => answers).reduce(addCounts, NO_ANSWERS);
  const aroundOf = ({ contrasts }: TestedStatement) =>
    contrasts.map((votes): Ballot => ({ first: false, further: votes, most: 1 }));
  const ofClaims = claimed.map(([, own], q): Ballot[] => [
    ...own.map((i) => ({ first: true, further: looks.get(i)!.verdict.votes, most: MOST_LOOKS })),
    ...aroundOf(claimTests[q]!),
  ]);
  const ofReviews = reviewed.map(([, own], t): Ballot[] => [
    ...own.map((i) => ({
      first: null,
      prior: priorOf(review[i]!),
      further: reviewLooks.get(i)!.verdict.votes,
      most: MOST_LOOKS,
    })),
    ...aroundOf(reviewTests[t]!),
  ]);
  const estimated = estimateConfidences([...ofClaims, ...ofReviews], { easy, hard });
  const byClaim = spread(claimed, estimated);
  const byReview = spread(reviewed, estimated.slice(claimed.length));
  const [claimProofs, reviewProofs] = await Promise.all([
    Promise.all(claimTests.map((test) => proofOf(test, known))),
    Promise.all(reviewTests.map((test) => proofOf(test, known))),
  ]);
  const proofs = new Map(claimed.map(([question], q) => [question, claimProofs[q]!]));
  return {
    proofs,
    claims: claims.map((claim, i) => {
      const { verdict, isDecoyed } = looks.get(i)!;
      const test = claimTests[claimed.findIndex(([question]) => question === claim.question)]!;
      return {
        claim,
        verdict: withProof(verdict, proofs.get(claim.question)!),
        edges: refined[i]!.edges,
        probability: byClaim.get(i)!,
        doubts: [
          ...(isDecoyed ? ['the model confirmed a scene that cannot be there in the same frames'] : []),
          ...(isSeenElsewhere(test) ? [SEEN_ELSEWHERE] : []),
        ],
      };
    }),
    reviews: review.map((item, i) => {
      const { verdict, isDecoyed } = reviewLooks.get(i)!;
      const proof = reviewProofs[reviewed.findIndex(([text]) => text === item.text)]!;
      return { item, verdict, isDecoyed, isProven: proof === 'proven', probability: byReview.get(i)! };
    }),
  };
}

/** Looks at the same frames err alike: more of them make nothing more probable. */
const MOST_LOOKS = 3;
/** An observer is never certain. */
const PRIORS = { min: 0.02, max: 0.98 };

/** Probability that an observer's event is right, before the model has looked. */
const priorOf = ({ confidence }: Pick<ReviewItem, 'confidence'>): number =>
  Math.min(PRIORS.max, Math.max(PRIORS.min, confidence));

/** Estimates by the index of what they are about, which is in the groups. */
const spread = (groups: readonly (readonly [unknown, number[]])[], estimated: readonly number[][]) =>
  new Map(groups.flatMap(([, own], g) => own.map((i, k) => [i, estimated[g]![k]!] as const)));

const placesOf = (groups: readonly (readonly [unknown, number[]])[], tests: readonly TestedStatement[]) =>
  new Map(groups.flatMap(([, own], g) => own.map((i, k): [number, TestedPlace] => [i, tests[g]!.places[k]!])));

type ClaimRequest = {
  claims: readonly SeenClaim[];
  /** All claims, also those that are not checked. */
  reported: readonly SeenClaim[];
  review: readonly ReviewItem[];
  /** Other parts that are known to show what is reviewed. */
  found: readonly TimeSpan[];
  replies: readonly WindowReply[];
  control: ControlVerdict | null;
  range: TimeSpan;
  known: KnownTest;
};

/**
 * Votes without contrasts, and votes that deny everything, prove something only if the model also answers statements
 * about this footage whose truth is known.
 */
async function proofOf({ result, isContrasted }: TestedStatement, known: KnownTest): Promise<Proof> {
  if (result !== 'proven' || isContrasted) return result;
  return (await known()) === null ? 'proven' : 'chance';
}

/** A claim that the model itself denies needs no proof. */
const withProof = (verdict: TestedPlace['verdict'], proof: Proof): TestedPlace['verdict'] =>
  proof === 'proven' || verdict.status === 'refuted' ? verdict : { ...verdict, status: 'unverified' };

/** Frames of the shown windows for which a question was not claimed, in up to four places. */
function contrastsOf(question: VisionQuestion, { reported, replies }: ClaimRequest): VideoFrame[][] {
  const windows = replies.filter(({ isDecoyed }) => !isDecoyed).map(({ window, frames }) => ({ ...window, frames }));
  const spans = reported
    .filter((claim) => claim.question === question)
    .map(({ frames, before, after }) => ({
      from: (before ?? frames[0]!).timeS,
      to: (after ?? frames.at(-1)!).timeS,
    }));
  return inPlaces(framesAwayFrom(windows, spans));
}

/** Frames outside of spans, and not next to them if there are others: the claim may begin earlier and end later. */
function framesAwayFrom(windows: readonly FrameWindow[], spans: readonly TimeSpan[]): VideoFrame[] {
  const wide = spans.map(({ from, to }) => ({ from: from - AROUND_S, to: to + AROUND_S }));
  const away = framesOutside(windows, wide, CONTRASTS * LOOK_FRAMES);
  return away.length >= CONTRASTS ? away : framesOutside(windows, spans, CONTRASTS * LOOK_FRAMES);
}

/** Frames of the range in which observers found nothing of what is reviewed, in up to four places. */
function framesWithout(
  { observations }: LookSession,
  { range, found, review }: ClaimRequest,
  items: readonly ReviewItem[],
): VideoFrame[][] {
  const count = 4 * CONTRASTS * LOOK_FRAMES;
  const stepS = (range.to - range.from) / count;
  const times = Array.from({ length: count }, (_, i) => range.from + (i + 0.5) * stepS);
  const spans = [
    ...found,
    ...[...items, ...review].map(({ frames }) => ({ from: frames[0]!.timeS, to: frames.at(-1)!.timeS })),
  ];
  return inPlaces(framesAwayFrom([{ ...range, frames: framesAt(observations, times, stepS) }], spans));
}

/** Time around what was found in which it may be visible, too. */
const AROUND_S = 2;

/** Frames in places that follow each other: something that was overlooked is in few of them. */
function inPlaces(frames: readonly VideoFrame[]): VideoFrame[][] {
  const count = Math.min(CONTRASTS, frames.length);
  return Array.from({ length: count }, (_, i) =>
    frames.slice(Math.floor((i * frames.length) / count), Math.floor(((i + 1) * frames.length) / count)),
  );
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

const isSeenElsewhere = ({ contrasts }: TestedStatement): boolean =>
  contrasts.flat().filter((vote: Vote) => vote === true).length > 1;
