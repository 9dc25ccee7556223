import type { VideoEvent } from '../../types.ts';
import type { SeenClaim } from '../claims.ts';
import { pickEvenly } from '../plan/windows.ts';
import { decoyOf } from '../reliability/controls.ts';
import { isConfirmed, verifyFrames } from '../reliability/verification.ts';
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
type Reason = 'excess' | 'times' | 'unseen';
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
 * Checks each sentence alone: times in it have to be those of a source that it cites, and the frames of its sources are
 * shown to the model again, which has to confirm it. Sentences that it denies are dropped, unless observers measured
 * what they cite. A sentence that it does not judge is unverified.
 */
export async function checkSentences(session: LookSession, drafts: readonly Draft[]): Promise<SentenceCheck> {
  const merged = mergeEqual(drafts);
  const read = merged.slice(0, MAX_SENTENCES);
  const timely = read.filter(({ text, sources }) => hasRightTimes(text, sources));
  const toShow = timely.filter((draft) => !restatesMeasured(draft));
  const [isDecoyed, looks] = await Promise.all([confirmsDecoy(session, toShow), lookAtAll(session, toShow)]);
  const sentences = timely.flatMap((draft): CheckedSentence[] => {
    const status = looks.get(draft) ?? 'verified';
    return status === 'refuted' ? [] : [{ ...draft, status }];
  });
  return {
    sentences: isDecoyed ? [] : sentences,
    dropped: {
      excess: merged.length - read.length,
      times: read.length - timely.length,
      unseen: isDecoyed ? 0 : timely.length - sentences.length,
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

async function lookAtAll(session: LookSession, drafts: readonly Draft[]) {
  const looks = drafts.map(async (draft) => {
    const frames = framesOf([draft]);
    const shown = pickEvenly(frames, FRAMES);
    const others = frames.filter((frame) => !shown.includes(frame));
    const question = { text: draft.text, context: null, isOrdered: false };
    const { status } = await verifyFrames(session, question, shown, pickEvenly(others, FRAMES));
    // Frames may not show everything that observers hear or measure.
    const isMeasured = draft.sources.some(({ measured }) => measured !== undefined);
    return [draft, status === 'refuted' && isMeasured ? 'unverified' : status] as const;
  });
  return new Map(await Promise.all(looks));
}

async function confirmsDecoy(session: LookSession, drafts: readonly Draft[]): Promise<boolean> {
  if (drafts.length === 0) return false;
  const decoy = { text: decoyOf(`${session.seed} answer`), context: null, isOrdered: false };
  return isConfirmed(session, decoy, pickEvenly(framesOf(drafts), DECOY_FRAMES));
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
