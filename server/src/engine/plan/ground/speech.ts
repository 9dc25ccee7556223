import { isSilentLeaf, leavesOf } from '../meaning/leaves.ts';
import type { Predicate } from '../meaning/types.ts';
import { REASONS } from '../reasons.ts';
import type { Target } from '../schema.ts';
import type { Ledger } from './ledger.ts';

/** Longest spoken words of a plan. */
const MAX_LENGTH = 100;

/** Grounds spoken words. They are unknown where it is not certain which ones are meant. */
export function groundSpeech({ head, agent }: Predicate, ledger: Ledger): Target {
  if (head.type !== 'speech') return { kind: 'unknown' };
  const { words, quotation, about, loud } = head;
  const isRemarked = (span: { from: number }) =>
    span.from === loud?.span.from || (quotation !== null && span.from === quotation.span.from);
  ledger.use(...words.filter(({ span }) => !isRemarked(span)), ...leavesOf(agent, isSilentLeaf));
  if (loud) ledger.note([loud], REASONS.loudness);
  if (!quotation) return { kind: 'speech', words: null };
  const spoken = toPlainWords(quotation.words);
  if (quotation.isUnsure || spoken === '' || spoken.length > MAX_LENGTH) {
    ledger.block([quotation], REASONS.unsureWords);
    return { kind: 'unknown' };
  }
  ledger.use(quotation);
  return { kind: 'speech', words: spoken, ...(about ? { about } : {}) };
}

/** In lower case and without punctuation. */
const toPlainWords = (words: string) =>
  words
    .toLowerCase()
    .replaceAll('’', "'")
    .replaceAll(/[^\p{L}\p{M}\p{N}' -]+/gu, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
