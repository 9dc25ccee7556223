import type { Caption } from '#platform/media/index';
import { decodeObservation } from '../observe/index.ts';
import { speech } from '../observe/speech/observer.ts';

/** Longest text of a caption: two lines. Longer segments are divided. */
const MAX_LENGTH = 84;

/** `language`: BCP 47 tag of the language of most of them; null if it is unknown. */
export type TranscriptCaptions = { captions: Caption[]; language: string | null };

/**
 * The captions of a stored transcript, an artifact of the kind `speech`; none if nothing is spoken. Throws
 * `observation_damaged` (500) if it is damaged.
 */
export function readTranscript(artifact: Uint8Array): TranscriptCaptions {
  const { observation } = decodeObservation(speech, artifact);
  if (!observation) return { captions: [], language: null };
  const { texts, startS, endS, language, isMultilingual } = observation;
  const captions = texts.flatMap((text, i) => divide({ startS: startS[i]!, endS: endS[i]!, text }));
  // English-only weights take every language for English.
  return { captions, language: isMultilingual ? language : null };
}

/** Divides a long text between words into parts of similar length, each with its share of the time. */
function divide({ startS, endS, text }: Caption): Caption[] {
  const target = text.length / Math.ceil(text.length / MAX_LENGTH);
  const parts: string[] = [];
  for (const word of text.split(' ')) {
    const last = parts.at(-1);
    const isFull = last === undefined || `${last} ${word}`.length > MAX_LENGTH || last.length >= target;
    if (isFull) parts.push(word);
    else parts[parts.length - 1] = `${last} ${word}`;
  }
  const total = parts.reduce((sum, part) => sum + part.length, 0);
  let before = 0;
  return parts.map((part) => {
    const from = startS + ((endS - startS) * before) / total;
    before += part.length;
    return { startS: from, endS: startS + ((endS - startS) * before) / total, text: part };
  });
}
