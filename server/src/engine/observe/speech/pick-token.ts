import type { Tokenizer } from './tokenizer.ts';

/** Latest start of the first words after the start of an utterance, in time marks: 1 s. */
const MAX_START = 50;

/**
 * Picks the most probable next token that Whisper's grammar of time marks allows: text stands between two marks, and
 * marks never decrease.
 */
export function pickToken(
  logits: Float32Array,
  tokens: readonly number[],
  { endOfText, firstTime, size }: Pick<Tokenizer, 'endOfText' | 'firstTime' | 'size'>,
): number {
  const isTime = (token: number | undefined) => token !== undefined && token >= firstTime;
  const isFirst = tokens.length === 0;
  const [before, last] = [tokens.at(-2), tokens.at(-1)];
  // After the mark that ends a text comes the mark that begins the next one, or the end.
  const isClosed = isTime(last) && !isTime(before) && tokens.length > 1;
  const isOpened = isTime(last) && !isClosed;
  const lastTime = tokens.findLast(isTime) ?? firstTime;
  // A text has a length, so that the mark that closes it is a later one.
  const earliest = isClosed || isFirst ? lastTime : lastTime + 1;

  const text = isFirst ? -1 : isClosed ? endOfText : argmax(logits, 0, endOfText + 1);
  if (isOpened) return text;
  const latest = isFirst ? firstTime + MAX_START + 1 : size;
  const time = argmax(logits, earliest, latest);
  if (isFirst) return time;
  if (time < 0) return text;
  // Together, marks may be more probable than any text, although each alone is not.
  const isLikely = logSumOf(logits, earliest, latest) > logits[text]!;
  return isLikely || logits[time]! > logits[text]! ? time : text;
}

function argmax(values: Float32Array, from: number, until: number): number {
  let best = -1;
  for (let i = from; i < until; i++) if (best < 0 || values[i]! > values[best]!) best = i;
  return best;
}

/** Logarithm of the sum of exponentials. */
function logSumOf(values: Float32Array, from: number, until: number): number {
  const max = values[argmax(values, from, until)]!;
  let sum = 0;
  for (let i = from; i < until; i++) sum += Math.exp(values[i]! - max);
  return max + Math.log(sum);
}
