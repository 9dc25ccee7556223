import { leavesOf } from '../meaning/leaves.ts';
import type { Leaf } from '../meaning/types.ts';
import type { TokenSpan } from '../parse/rules.ts';
import { type Ledger, leafKey } from './ledger.ts';

/** Reason to reject a reading: the words that its plan lost, or used twice. */
export type Fault = { readonly lost: readonly string[]; readonly twice: readonly string[] };

/**
 * Compares the leaves of a meaning with what a step of a plan accounts for: each leaf once. Null if they are the same.
 */
export function checkPartition(leaves: readonly Leaf[], ledger: Ledger): Fault | null {
  const account = ledger.account();
  const lost = leaves.filter((leaf) => !account.has(leafKey(leaf))).map(({ text }) => text);
  // "A white and a black car": their noun is that of both.
  const occurrences = Map.groupBy(leaves, leafKey);
  const twice = leaves
    .filter((leaf) => (account.get(leafKey(leaf)) ?? 0) > occurrences.get(leafKey(leaf))!.length)
    .map(({ text }) => text);
  return lost.length + twice.length > 0 ? { lost, twice } : null;
}

/** The words of a derivation that no part of its meaning has. */
export function findDropped(words: readonly Leaf[], meaning: unknown): string[] {
  const spans = leavesOf(meaning, () => false).map(({ span }) => span);
  return words
    .filter(({ span }) => !spans.some(({ from, to }) => from <= span.from && span.to <= to))
    .map(({ text }) => text);
}

/** Where the quoted words of a meaning are. */
export const quotedIn = (meaning: unknown): TokenSpan[] =>
  leavesOf(meaning, (leaf) => !('isExact' in leaf)).map(({ span }) => span);
