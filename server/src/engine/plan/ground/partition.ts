import type { Leaf } from '../meaning/types.ts';
import type { TokenSpan } from '../parse/rules.ts';
import { type Ledger, leafKey } from './ledger.ts';

const isLeaf = (value: object): value is Leaf => 'span' in value && 'id' in value && 'text' in value;

/** Every leaf of a meaning. Determiners and other words that say nothing by themselves are left out by `isSilent`. */
export function leavesOf(meaning: unknown, isSilent: (leaf: Leaf) => boolean): Leaf[] {
  const leaves: Leaf[] = [];
  const visit = (value: unknown) => {
    if (typeof value !== 'object' || value === null) return;
    if (isLeaf(value)) {
      if (!isSilent(value)) leaves.push(value);
    } else for (const part of Object.values(value)) visit(part);
  };
  visit(meaning);
  return leaves;
}

/** Determiners say nothing by themselves, except that another object is meant. */
export const isSilentLeaf = (leaf: Leaf): boolean => 'type' in leaf && leaf.type !== 'other';

/** Reason to reject a reading: the words that its plan lost, or used twice. */
export type Fault = { readonly lost: readonly string[]; readonly twice: readonly string[] };

/**
 * Compares the leaves of a meaning with what a step of a plan accounts for: each leaf once. Null if they are the same.
 */
export function checkPartition(leaves: readonly Leaf[], ledger: Ledger): Fault | null {
  const account = ledger.account();
  const lost = leaves.filter((leaf) => !account.has(leafKey(leaf))).map(({ text }) => text);
  const twice = leaves.filter((leaf) => (account.get(leafKey(leaf)) ?? 0) > 1).map(({ text }) => text);
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
