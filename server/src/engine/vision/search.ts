import { DEFAULT_MIN_CONFIDENCE } from '../find/index.ts';
import type { EventVerification, VideoEvent } from '../types.ts';
import { answerInWords } from './answers/words.ts';
import { askControl, askWindow, joinClaims, type SeenClaim, surveyRange, type WindowReply } from './claims.ts';
import { coverageOf, IN_WORDS, type ShownParts, VERIFICATION } from './coverage.ts';
import { type ControlVerdict, judgeDecoys } from './doubt/controls.ts';
import { type FrameVerdict, isConfirmed, verifyFrames } from './doubt/verification.ts';
import { type Edges, refineEdges } from './edges.ts';
import { toEvent } from './event.ts';
import { framesBetween } from './plan/frame-times.ts';
import { collectMoments, wordsOf } from './plan/moments.ts';
import { planSurvey } from './plan/survey.ts';
import { framesOutside, isShownWhole, planWindows, shownParts, type TimeSpan } from './plan/windows.ts';
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
  const [outcomes, elsewhere, verdicts] = await Promise.all([
    Promise.all(
      strongest.map((claim) =>
        verifyFrames(session, claim.question, claim.frames, framesBetween(session.observations, claim.frames)),
      ),
    ),
    seenElsewhere(session, believed, claims),
    untrusted === null ? reviewAll(session, review, name) : new Map<string, EventVerification>(),
  ]);
  onProgress(PROGRESS.verified);
  const confirmed = strongest.flatMap((claim, i) =>
    outcomes[i]!.status === 'refuted' ? [] : [{ claim, verdict: outcomes[i]! }],
  );
  const found = await Promise.all(
    confirmed.map(async ({ claim, verdict }) => {
      const { question, frames, before, after, label } = claim;
      const span = { first: frames[0]!, last: frames.at(-1)!, before, after };
      const edges: Edges =
        verdict.status === 'verified'
          ? await refineEdges(session, question.text, span, range)
          : { start: span.first, end: span.last, isExact: false };
      const isDoubted = elsewhere.has(question.text);
      const event = toEvent({ claim: { ...claim, label }, verdict, edges, isDoubted }, session.observations, name);
      return { question, event };
    }),
  );
  const events = found.filter(({ event }) => event.confidence >= minConfidence);
  const shown = shownOf(range, replies, surveyStepS);
  const facts = believed.flatMap((reply) => reply.facts);
  const sources = [...(request.events ?? []), ...events.map(({ event }) => event)];
  const words = wordsFor !== null && untrusted === null ? await answerInWords(session, wordsFor, facts, sources) : null;
  const limits = limitsOf(session, replies, outcomes, elsewhere);
  const unasked = [
    // An answer in words that belongs to a question has the row of that question.
    ...(wordsFor !== null && questions.length === 0
      ? [{ text: IN_WORDS, findings: words?.citations.length ?? 0 }]
      : []),
    ...(!isLooking && untrusted !== null ? [{ text: VERIFICATION, findings: 0 }] : []),
  ];
  return {
    events: inOrder(events),
    candidates: inOrder(found.filter((one) => !events.includes(one))),
    answer: words,
    verdicts,
    shown,
    coverage: [
      ...questions.map((question) =>
        coverageOf(question, {
          ...{ name, limits, shown },
          findings: events.filter((one) => one.question === question).length,
          untrusted:
            untrusted ??
            (control?.doubted.has(question.text) ? 'it says yes to this about plain colored pictures' : null),
        }),
      ),
      ...unasked.map(({ text, findings }) => coverageOf({ text }, { name, limits, shown, findings, untrusted })),
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

/** Texts of questions that the model also confirms in frames for which it had not reported them. */
async function seenElsewhere(
  session: LookSession,
  replies: readonly WindowReply[],
  claims: readonly SeenClaim[],
): Promise<ReadonlySet<string>> {
  const windows = replies.map(({ window, frames }) => ({ ...window, frames }));
  const questions = [...new Set(claims.map(({ question }) => question))];
  const doubted = await Promise.all(
    questions.map(async (question) => {
      const own = claims.filter((claim) => claim.question === question);
      const spans = own.map(({ frames, before, after }) => ({
        from: (before ?? frames[0]!).timeS,
        to: (after ?? frames.at(-1)!).timeS,
      }));
      const frames = framesOutside(windows, spans, 6);
      return frames.length > 0 && (await isConfirmed(session, question, frames)) ? [question.text] : [];
    }),
  );
  return new Set(doubted.flat());
}

async function reviewAll(session: LookSession, review: readonly ReviewItem[], name: string) {
  const verdicts = await Promise.all(
    review.map(async ({ key, text, frames, isOrdered }): Promise<[string, EventVerification]> => {
      const { status, frames: shown } = await verifyFrames(session, { text, context: null, isOrdered }, frames);
      return [key, { status, by: name, framesS: shown.map(({ timeS }) => timeS) }];
    }),
  );
  return new Map(verdicts);
}

const shownOf = (range: TimeSpan, replies: readonly WindowReply[], surveyStepS: number | null): ShownParts => ({
  ...{ range, surveyStepS },
  windows: replies.flatMap(({ window, frames }) => shownParts(window, frames)),
  frames: replies.reduce((sum, { frames }) => sum + frames.length, 0),
});

function limitsOf(
  session: LookSession,
  replies: readonly WindowReply[],
  outcomes: readonly FrameVerdict[],
  elsewhere: ReadonlySet<string>,
): string[] {
  const dropped = replies.reduce((sum, reply) => sum + reply.dropped, 0);
  const refuted = outcomes.filter(({ status }) => status === 'refuted').length;
  const stopped = session.stoppedBy();
  return [
    ...(dropped > 0 ? [`${dropped} of its claims named no frame or question that exists`] : []),
    ...(refuted > 0 ? [`${refuted} of its claims were not confirmed`] : []),
    ...(elsewhere.size > 0 ? ['it also confirmed frames that it had not reported'] : []),
    ...[...session.failures].map((failure) => `the model failed at times: ${failure}`),
    ...(stopped === null ? [] : [`it was stopped, so the result is partial: ${stopped}`]),
  ];
}

const inOrder = (found: readonly { event: VideoEvent }[]) =>
  found.map(({ event }) => event).toSorted((a, b) => a.startPts - b.startPts || a.endPts - b.endPts);
