import { clock } from '../../find/index.ts';
import type { Citation, VideoEvent } from '../../types.ts';
import { readSentences, SENTENCES } from '../calls/index.ts';
import type { SeenClaim } from '../claims.ts';
import { framesAt } from '../plan/frame-times.ts';
import { pickEvenly } from '../plan/windows.ts';
import { answerPrompt } from '../prompts.ts';
import type { LookSession } from '../session.ts';
import type { SeenFact, VideoFrame } from '../types.ts';
import {
  type CheckedSentence,
  checkSentences,
  type NoteSource,
  type SentenceCheck,
  type SentenceTrust,
} from './sentences.ts';

const MAX_EVENTS = 30;
const MAX_FACTS = 60;
const MAX_TOKENS = 700;
/** Times that a sentence lists. */
const MAX_TIMES = 3;
const FRAMES_OF_EVENT = 6;

/** Sources of an answer in words. */
export type Notes = {
  facts: readonly SeenFact[];
  claims: readonly SeenClaim[];
  /** Events of the observers. */
  events: readonly VideoEvent[];
};

/** Sentences before it is known which claims they cite became events. `uncited`: those without a source. */
export type WordsDraft = SentenceCheck & { uncited: number };

/**
 * Answers a request in words from what was seen in the frames, from claims and from events, and checks each sentence.
 * Null if there is nothing to cite, or no answer.
 */
export async function writeWords(
  session: LookSession,
  request: string,
  notes: Notes,
  trust: SentenceTrust,
): Promise<WordsDraft | null> {
  const sources = sourcesOf(session, notes);
  if (sources.length === 0) return null;
  const reply = await session.ask([], {
    text: () => answerPrompt(request, sources),
    schema: SENTENCES,
    read: (text) => readSentences(text, sources.length),
    maxTokens: MAX_TOKENS,
  });
  if (reply === null) return null;
  const drafts = reply.sentences.map(({ text, cites }) => ({ text, sources: cites.map((cite) => sources[cite - 1]!) }));
  return { ...(await checkSentences(session, drafts, trust)), uncited: reply.uncited };
}

function sourcesOf({ observations }: LookSession, { facts, claims, events }: Notes): NoteSource[] {
  const framesWithin = (startS: number, endS: number) => {
    const stepS = (endS - startS) / FRAMES_OF_EVENT;
    const times = Array.from({ length: FRAMES_OF_EVENT }, (_, i) => startS + (i + 0.5) * stepS);
    return framesAt(observations, times, stepS);
  };
  const known = [
    ...events.map((measured): NoteSource => {
      const { startS, endS, label } = measured;
      return { timeS: startS, endS, text: label, frames: framesWithin(startS, endS), measured };
    }),
    ...claims.map((claim): NoteSource => {
      const { frames, label } = claim;
      return { timeS: frames[0]!.timeS, endS: frames.at(-1)!.timeS, text: label, frames: [...frames], claim };
    }),
  ];
  const seen = facts.map(({ timeS, pts, text }): NoteSource => {
    const frame: VideoFrame = { timeS, pts };
    return { timeS, endS: timeS, text, frames: [frame] };
  });
  return [...pickEvenly(known, MAX_EVENTS), ...pickEvenly(seen, MAX_FACTS)].toSorted((a, b) => a.timeS - b.timeS);
}

/** The answer with its citations, and reasons to doubt it in words. */
export type WordsResult = { answer: { text: string; citations: Citation[] } | null; limits: string[] };

/**
 * Replaces claims by the events that they became. Claims that did not are no sources, and sentences without any other
 * are dropped. Everything that was dropped or could not be verified is counted in `limits`.
 */
export function finishWords(draft: WordsDraft | null, eventOf: ReadonlyMap<SeenClaim, VideoEvent>): WordsResult {
  if (draft === null) return { answer: null, limits: [] };
  if (draft.isDecoyed)
    return {
      answer: null,
      limits: ['no sentence is used: it confirmed a scene that cannot be there in the same frames'],
    };
  const cited = draft.sentences.map((sentence) => ({
    ...sentence,
    sources: sentence.sources.filter(({ claim }) => claim === undefined || eventOf.has(claim)),
  }));
  const sentences = cited.filter(({ sources }) => sources.length > 0);
  const { excess, times, unseen, unproven } = draft.dropped;
  const uncited = draft.uncited + cited.length - sentences.length;
  const total = sentences.length + excess + times + unseen + unproven + uncited;
  const unverified = sentences.filter(({ status }) => status === 'unverified').length;
  const counted = (count: number, what: string) => (count > 0 ? [`${count} of ${total} sentences ${what}`] : []);
  const limits = [
    ...counted(uncited, 'were dropped, which cite nothing that was found'),
    ...counted(times, 'were dropped, which state other times than those of what they cite'),
    ...counted(unseen, 'were dropped, which the frames that they cite do not show'),
    ...counted(unproven, 'were dropped, because chance explains the answers about them as well'),
    ...counted(excess, 'were dropped, more than can be checked'),
    ...counted(unverified, 'could not be verified in frames, and are marked'),
  ];
  if (sentences.length === 0) return { answer: null, limits };
  const citations = sentences.map((sentence) => toCitation(sentence, eventOf));
  return { answer: { text: citations.map(withTimes).join(' '), citations }, limits };
}

function toCitation({ text, status, sources }: CheckedSentence, eventOf: ReadonlyMap<SeenClaim, VideoEvent>): Citation {
  const cited = sources.map(({ timeS, text: own, claim, measured }) => {
    const event = claim ? eventOf.get(claim) : measured;
    if (!event) return { timeS, text: own };
    const { startS, startPts, endPts, label } = event;
    return { timeS: startS, text: label, event: { startPts, endPts, label } };
  });
  return { sentence: text, status, sources: cited.toSorted((a, b) => a.timeS - b.timeS) };
}

/** "The cup is red (0:03.2, 0:07.9)." */
function withTimes({ sentence, status, sources }: Citation): string {
  const times = [...new Set(sources.map(({ timeS }) => clock(timeS)))].slice(0, MAX_TIMES).join(', ');
  const end = /[.!?…]$/.exec(sentence)?.[0] ?? '.';
  return `${sentence.replace(/[.!?…]$/, '')} (${times}${status === 'verified' ? '' : '; not verified'})${end}`;
}
