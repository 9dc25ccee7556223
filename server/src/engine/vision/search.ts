import { DEFAULT_MIN_CONFIDENCE } from '../find/index.ts';
import type { VideoEvent } from '../types.ts';
import { finishWords, writeWords } from './answers/words.ts';
import { askControl, askWindow, joinClaims, surveyRange, type WindowReply } from './claims.ts';
import { describeCoverage, IN_WORDS, type ShownParts, VERIFICATION } from './coverage.ts';
import { toEvent } from './event.ts';
import { handled } from './handled.ts';
import { collectMoments, wordsOf } from './plan/moments.ts';
import { planSurvey } from './plan/survey.ts';
import { isShownWhole, planWindows, shownParts, type TimeSpan } from './plan/windows.ts';
import type { CheckedClaim } from './reliability/checked-claims.ts';
import { checkClaims, type Proof, SEEN_ELSEWHERE } from './reliability/claim-check.ts';
import { type ControlVerdict, judgeDecoys } from './reliability/controls.ts';
import { createKnownTest } from './reliability/known-test.ts';
import { toReviewVerdict } from './reliability/review-check.ts';
import type { LookSession } from './session.ts';
import type { ReviewItem, VisionQuestion, VisionSearchRequest } from './types.ts';

const MAX_CLAIMS = 12;

export type LookRequest = VisionSearchRequest & {
  range: TimeSpan;
  questions: readonly VisionQuestion[];
  wordsFor: string | null;
  review: readonly ReviewItem[];
  onProgress: (fraction: number) => void;
};

/** Share of each step in the progress. */
const PROGRESS = { survey: 0.3, windows: 0.7, verified: 0.9 };

/** Surveys the range, shows windows of it, and verifies what the model claims and what observers found. */
export async function searchVideo(session: LookSession, request: LookRequest, name: string) {
  const { questions, wordsFor, review, range, onProgress, minConfidence = DEFAULT_MIN_CONFIDENCE } = request;
  const reviewed = review.map(({ text, isOrdered }) => ({ text, context: null, isOrdered }));
  const isLooking = questions.length > 0 || wordsFor !== null;
  const [control, { replies, surveyStepS }] = await Promise.all([
    askControl(session, questions.length > 0 ? questions : reviewed.slice(0, 1), request.plan.query),
    isLooking ? showWindows(session, request) : { replies: [], surveyStepS: null },
  ]);
  const untrusted = judgeTrust(control, replies, isLooking);
  onProgress(PROGRESS.windows);

  const believed = replies.filter(({ isDecoyed }) => !isDecoyed);
  const claims =
    untrusted === null ? joinClaims(believed).filter(({ question }) => !control?.doubted.has(question.text)) : [];
  const strongest = claims.toSorted((a, b) => b.frames.length - a.frames.length).slice(0, MAX_CLAIMS);
  const facts = believed.flatMap((reply) => reply.facts);
  const notes = { facts, claims: strongest, events: request.events ?? [] };
  const known = createKnownTest(session);
  // At the same time: with a slow model, one after the other would take too long.
  const checking = checkClaims(session, {
    claims: strongest,
    reported: claims,
    replies,
    control,
    range,
    known,
    review: untrusted === null ? review : [],
    found: (request.events ?? []).map(({ startS, endS }) => ({ from: startS, to: endS })),
  });
  const claimProof = handled(checking.then(({ proofs }) => strongestOf([...proofs.values()])));
  const trust = { claims: claimProof, known };
  const [{ claims: checked, reviews, proofs }, draft] = await Promise.all([
    checking,
    wordsFor !== null && untrusted === null ? writeWords(session, wordsFor, notes, trust) : null,
  ]);
  onProgress(PROGRESS.verified);
  const found = checked
    .filter(({ claim, verdict }) => verdict.status !== 'refuted' && proofs.get(claim.question) !== 'chance')
    .map((each) => ({ claim: each.claim, event: toEvent(each, session.observations, name) }));
  const events = found.filter(({ event }) => event.confidence >= minConfidence);
  const shown = shownOf(range, replies, surveyStepS);
  const words = finishWords(draft, new Map(events.map(({ claim, event }) => [claim, event])));
  const limits = [...limitsOf(session, replies, checked), ...words.limits];
  const unasked = [
    // An answer in words that belongs to a question has the row of that question.
    ...(wordsFor !== null && questions.length === 0
      ? [{ text: IN_WORDS, findings: words.answer?.citations.length ?? 0 }]
      : []),
    ...(!isLooking && untrusted !== null ? [{ text: VERIFICATION, findings: 0 }] : []),
  ];
  return {
    events: inOrder(events),
    candidates: inOrder(found.filter((one) => !events.includes(one))),
    answer: words.answer,
    verdicts: new Map(reviews.map((each) => [each.item.key, toReviewVerdict(each, name)])),
    shown,
    coverage: [
      ...questions.map((question) =>
        describeCoverage(question, {
          name,
          limits,
          shown,
          findings: events.filter(({ claim }) => claim.question === question).length,
          untrusted:
            untrusted ??
            (control?.doubted.has(question.text) ? 'it says yes to this about plain colored images' : null) ??
            (proofs.get(question) === 'chance' ? CHANCE : null),
        }),
      ),
      ...unasked.map(({ text, findings }) => describeCoverage({ text }, { name, limits, shown, findings, untrusted })),
    ],
  };
}

/** Shows the windows of the range, after a survey if they cannot cover it. */
async function showWindows(session: LookSession, request: LookRequest) {
  const { plan, similar, questions, wordsFor, range, source, onProgress } = request;
  const { observations, seed } = session;
  const isWhole = isShownWhole(range);
  const surveyCalls = isWhole || questions.length === 0 ? [] : planSurvey(range);
  let done = 0;
  const onSurveyed = () => onProgress((PROGRESS.survey * ++done) / surveyCalls.length);
  const found = surveyCalls.length === 0 ? [] : await surveyRange(session, source, range, questions, onSurveyed);
  const moments = collectMoments(plan, observations, similar);
  const isOverview = questions.length === 0;
  const windows = planWindows(observations, range, { moments, found, seed, isOverview });
  let answered = 0;
  const base = surveyCalls.length > 0 ? PROGRESS.survey : 0;
  const replies = await Promise.all(
    windows.map(async (window) => {
      const reply = await askWindow(session, window, { questions, request: wordsFor, about: wordsOf(plan) });
      onProgress(base + ((PROGRESS.windows - base) * ++answered) / windows.length);
      return reply;
    }),
  );
  const [first, second] = surveyCalls[0]?.[0]?.times ?? [];
  return {
    replies: replies.filter((reply) => reply !== null),
    surveyStepS: first !== undefined && second !== undefined ? second - first : null,
  };
}

/** A reason to believe nothing, or null. A model that did not answer the control is not believed either. */
function judgeTrust(
  control: ControlVerdict | null,
  replies: readonly WindowReply[],
  isLooking: boolean,
): string | null {
  if (control?.untrusted) return control.untrusted;
  const decoyed = judgeDecoys(replies.filter(({ isDecoyed }) => isDecoyed).length, replies.length);
  if (decoyed !== null) return decoyed;
  // Without any reply there is nothing to believe, and the reason is that of the failed calls.
  const isAnswered = replies.length > 0 || !isLooking;
  return control === null && isAnswered ? 'it did not answer questions whose answers are known' : null;
}

const CHANCE = 'chance explains its answers to this as well as what the frames show';

/** The strongest proof among the questions of an analysis that its answers do not come by chance. */
const strongestOf = (proofs: readonly Proof[]): Proof =>
  (['proven', 'chance'] as const).find((proof) => proofs.includes(proof)) ?? 'open';

const shownOf = (range: TimeSpan, replies: readonly WindowReply[], surveyStepS: number | null): ShownParts => ({
  range,
  surveyStepS,
  windows: replies.flatMap(({ window, frames }) => shownParts(window, frames)),
  frames: replies.reduce((sum, { frames }) => sum + frames.length, 0),
});

function limitsOf(session: LookSession, replies: readonly WindowReply[], checked: readonly CheckedClaim[]): string[] {
  const dropped = replies.reduce((sum, reply) => sum + reply.dropped, 0);
  const refuted = checked.filter(({ verdict }) => verdict.status === 'refuted').length;
  const isSeenElsewhere = checked.some(({ doubts }) => doubts.includes(SEEN_ELSEWHERE));
  const stopped = session.stoppedBy();
  return [
    ...(dropped > 0 ? [`${dropped} of its claims named no frame or question that exists`] : []),
    ...(refuted > 0 ? [`${refuted} of its claims were not confirmed`] : []),
    ...(isSeenElsewhere ? ['it also confirmed frames that it had not reported'] : []),
    ...session.notes(),
    ...[...session.failures].map((failure) => `the model failed at times: ${failure}`),
    ...(stopped === null ? [] : [`it was stopped, so the result is partial: ${stopped}`]),
  ];
}

const inOrder = (found: readonly { event: VideoEvent }[]) =>
  found.map(({ event }) => event).toSorted((a, b) => a.startPts - b.startPts || a.endPts - b.endPts);
