import type { VideoEvent } from '../../types.ts';
import type { SeenClaim } from '../claims.ts';
import { pickEvenly } from '../plan/windows.ts';
import type { Proof } from '../reliability/claim-check.ts';
import { decoyOf } from '../reliability/controls.ts';
import type { KnownTest } from '../reliability/known-test.ts';
import { isConfirmed, type Look, sendLooks } from '../reliability/looks.ts';
import { createStatementTest, type StatementTest, statusOf, type VoteStatus } from '../reliability/statement-test.ts';
import { framesOfLooks, verifyFrames } from '../reliability/verification.ts';
import type { LookSession } from '../session.ts';
import type { VideoFrame } from '../types.ts';

/** Source of a sentence: a fact that was seen, a claim of the model, or an event that observers measured. */
export type NoteSource = {
  timeS: number;
  endS: number;
  text: string;
  /** Frames that show it. */
  frames: VideoFrame[];
  claim?: SeenClaim;
  measured?: VideoEvent;
};

export type CheckedSentence = { text: string; sources: NoteSource[]; status: 'verified' | 'unverified' };

/** Reasons for which sentences do not count. */
type Reason = 'excess' | 'times' | 'unseen' | 'unproven';
export type SentenceCheck = {
  sentences: CheckedSentence[];
  dropped: Record<Reason, number>;
  /** True if the model confirmed a scene that cannot be there in the same frames: no sentence counts. */
  isDecoyed: boolean;
};

/** A sentence as the model wrote it, with the sources that it cites. */
type Draft = { text: string; sources: NoteSource[] };

const MAX_SENTENCES = 20;
/** Frames of one look: sentences are many. */
const FRAMES = 3;
const DECOY_FRAMES = 6;

/**
 * Grounds for the model's answers about sentences to count: whether those about claims of the same analysis were
 * distinguished from chance, and, where there were none, whether those about statements of known truth are.
 */
export type SentenceTrust = { claims: Promise<Proof>; known: KnownTest };

/**
 * Checks each sentence alone: times in it have to be those of a source that it cites, and the frames of its sources are
 * shown to the model again, which has to confirm it. Sentences that it denies are dropped, unless observers measured
 * what they cite. A sentence that it does not judge is unverified. Where chance explains its answers as well, only
 * sentences that restate what observers measured are left.
 */
export async function checkSentences(
  session: LookSession,
  drafts: readonly Draft[],
  trust: SentenceTrust,
): Promise<SentenceCheck> {
  const merged = mergeEqual(drafts);
  const read = merged.slice(0, MAX_SENTENCES);
  const timely = read.filter(({ text, sources }) => hasRightTimes(text, sources));
  const toShow = timely.filter((draft) => !restatesMeasured(draft));
  const [isDecoyed, looks] = await Promise.all([confirmsDecoy(session, toShow), lookAtAll(session, toShow, trust)]);
  const unproven = toShow.filter((draft) => looks.unproven.has(draft));
  const sentences = timely.flatMap((draft): CheckedSentence[] => {
    const status = looks.statuses.get(draft) ?? 'verified';
    return status === 'refuted' || looks.unproven.has(draft) ? [] : [{ ...draft, status }];
  });
  return {
    sentences: isDecoyed ? [] : sentences,
    dropped: {
      excess: merged.length - read.length,
      times: read.length - timely.length,
      unseen: isDecoyed ? 0 : timely.length - sentences.length - unproven.length,
      unproven: isDecoyed ? 0 : unproven.length,
    },
    isDecoyed,
  };
}

/** Joins equal sentences with all of their sources. */
function mergeEqual(drafts: readonly Draft[]): Draft[] {
  return [...Map.groupBy(drafts, ({ text }) => text.toLowerCase()).values()].map((own) => ({
    text: own[0]!.text,
    sources: [...new Set(own.flatMap(({ sources }) => sources))],
  }));
}

/** Two looks at each sentence, and as many more as it takes to tell their votes from chance. */
async function lookAtAll(session: LookSession, drafts: readonly Draft[], trust: SentenceTrust) {
  const places = drafts.map((draft) => {
    const frames = framesOf([draft]);
    const shown = pickEvenly(frames, FRAMES);
    const others = frames.filter((frame) => !shown.includes(frame));
    return { draft, frames: framesOfLooks(session, shown, pickEvenly(others, FRAMES)) };
  });
  const verdicts = await Promise.all(
    places.map(({ draft, frames }) => {
      const question = { text: draft.text, context: null, isOrdered: false };
      return verifyFrames(session, question, frames.of(0), frames.of(1));
    }),
  );
  // Frames may not show everything that observers hear or measure.
  const isMeasured = ({ sources }: Draft) => sources.some(({ measured }) => measured !== undefined);
  const test = createStatementTest({ expected: drafts.length, contrasts: 0, canDeny: drafts.some(isMeasured) });
  test.add(verdicts.flatMap(({ votes }, place) => votes.map((vote) => ({ place, vote }))));
  const isOver = test.next().length === 0 && test.result() === 'chance';
  const proof = drafts.length === 0 || isOver ? 'chance' : await trust.claims;
  if (proof === 'open') await lookFurther(session, places, test);
  const isProven = proof === 'proven' || (proof === 'open' && (await isBeyondChance(test, trust)));
  const statuses = new Map<Draft, VoteStatus>();
  const unproven = new Set<Draft>();
  for (const [place, { draft }] of places.entries()) {
    const status = statusOf(test.votesOf(place));
    const isShown = status !== 'refuted' || isMeasured(draft);
    statuses.set(draft, isShown && status === 'refuted' ? 'unverified' : status);
    if (isShown && !isProven) unproven.add(draft);
  }
  return { statuses, unproven };
}

async function isBeyondChance(test: StatementTest, { known }: SentenceTrust): Promise<boolean> {
  return test.result() === 'proven' && (await known()) === null;
}

async function lookFurther(
  session: LookSession,
  places: readonly { draft: Draft; frames: ReturnType<typeof framesOfLooks> }[],
  test: StatementTest,
): Promise<void> {
  for (let next = test.next(); next.length > 0 && session.stoppedBy() === null; next = test.next()) {
    const looked = places.map((_, place) => test.votesOf(place).length);
    const looks = next.map((place): Look => {
      const { draft, frames } = places[place]!;
      return { text: draft.text, context: null, frames: frames.of(looked[place]!++) };
    });
    const votes = await Promise.all(sendLooks(session, looks, `sentences ${looked.join()}`));
    test.add(votes.map((vote, i) => ({ place: next[i]!, vote })));
  }
}

async function confirmsDecoy(session: LookSession, drafts: readonly Draft[]): Promise<boolean> {
  if (drafts.length === 0) return false;
  const frames = pickEvenly(framesOf(drafts), DECOY_FRAMES);
  return isConfirmed(session, { text: decoyOf(`${session.seed} answer`), context: null, frames });
}

/** Frames of all sources, each once, in the order of time. */
function framesOf(drafts: readonly Draft[]): VideoFrame[] {
  const all = drafts.flatMap(({ sources }) => sources.flatMap(({ frames }) => frames));
  return [...new Map(all.map((frame) => [frame.pts, frame])).values()].toSorted((a, b) => a.pts - b.pts);
}

/** "1:02:03", "0:04.5". */
const CLOCK = /(?<![\d:.])(?:(\d{1,2}):)?(\d{1,2}):(\d{2}(?:\.\d+)?)(?![\d:])/g;
/** "at 4.5 seconds", "from 2 min", "second 12". Durations have no such word before them. */
const SPOKEN =
  /\b(?:at|from|until|till)\s+(?:about\s+|around\s+)?(\d+(?:\.\d+)?)\s*(s|sec|seconds?|min|minutes?)\b|\b(second|minute)\s+(\d+)\b/gi;
const TOLERANCE_S = 1;

/** True if each time that a sentence states is one of a source, or is in the text of one, such as a clock. */
function hasRightTimes(text: string, sources: readonly NoteSource[]): boolean {
  const times = [
    ...[...text.matchAll(CLOCK)].map(([words, h, m, s]) => ({
      words,
      fromS: Number(h ?? 0) * 3600 + Number(m) * 60 + Number(s),
      lastsS: 0,
    })),
    ...[...text.matchAll(SPOKEN)].map(([words, number, unit, named, index]) => {
      const isMinute = /^m/i.test(unit ?? named!);
      return { words, fromS: Number(number ?? index) * (isMinute ? 60 : 1), lastsS: isMinute ? 60 : 0 };
    }),
  ];
  return times.every(({ words, fromS, lastsS }) =>
    sources.some(
      ({ timeS, endS, text: own }) =>
        own.includes(words) || (fromS + lastsS >= timeS - TOLERANCE_S && fromS <= endS + TOLERANCE_S),
    ),
  );
}

/** Words that state that something is there, without saying what. */
const STATING = new Set(
  'a an the is are was were be there and then at in of with one it this video frame frames occurs occur happens happen seen heard visible detected shown found'.split(
    ' ',
  ),
);

/** True if a sentence says nothing but what observers measured: "A cut is seen." */
function restatesMeasured({ text, sources }: Draft): boolean {
  if (!sources.every(({ measured }) => measured !== undefined)) return false;
  const wordsIn = (words: string) => words.toLowerCase().match(/[\p{L}\p{N}.:]*[\p{L}\p{N}]/gu) ?? [];
  const known = new Set(sources.flatMap((source) => wordsIn(source.text)));
  const own = wordsIn(text).filter((word) => !STATING.has(word));
  return own.length > 0 && own.every((word) => known.has(word));
}
