import { MIN_SCORE } from '../find/text/find-text.ts';
import { decodeObservation } from '../observe/index.ts';
import { speech } from '../observe/speech/observer.ts';
import { subtitles } from '../observe/subtitles/observer.ts';
import { text } from '../observe/text/observer.ts';

/** A sentence that is spoken, or a text that is read in frames. Times are seconds from the first frame. */
export type Passage = { startS: number; endS: number; text: string };

/** Kinds of observations that have passages. */
export const PASSAGE_KINDS = ['speech', 'subtitles', 'text'] as const;
export type PassageKind = (typeof PASSAGE_KINDS)[number];

/**
 * The passages of a stored artifact, in order of their start; empty if nothing is spoken or read. Throws
 * `observation_damaged` (500) if it is damaged.
 */
export function readPassages(artifact: Uint8Array, kind: PassageKind): Passage[] {
  return (kind === 'text' ? textsIn(artifact) : sentencesIn(artifact, kind)).toSorted((a, b) => a.startS - b.startS);
}

function sentencesIn(artifact: Uint8Array, kind: 'speech' | 'subtitles'): Passage[] {
  const { observation } =
    kind === 'speech' ? decodeObservation(speech, artifact) : decodeObservation(subtitles, artifact);
  if (!observation) return [];
  const { texts, startS, endS } = observation;
  return texts.map((sentence, i) => ({ startS: startS[i]!, endS: endS[i]!, text: sentence }));
}

function textsIn(artifact: Uint8Array): Passage[] {
  const { observation } = decodeObservation(text, artifact);
  if (!observation) return [];
  const { timeS, texts } = observation;
  return texts
    .filter(({ score }) => score >= MIN_SCORE)
    .map((each) => ({ startS: timeS[each.frame[0]!]!, endS: timeS[each.frame.at(-1)!]!, text: each.text }));
}
