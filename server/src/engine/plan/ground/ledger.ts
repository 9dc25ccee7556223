import type { Leaf, Word } from '../meaning/types.ts';
import type { TokenSpan } from '../parse/rules.ts';
import type { Presumption, Unchecked } from '../schema.ts';

/** Options of a remark besides its reason. */
type RemarkOptions = { decides?: boolean; presumed?: Presumption };

/**
 * Accounts for the leaves of one step: each is part of the target, or is named as something that cannot be checked.
 * `partition.ts` compares the account with the meaning.
 */
export type Ledger = {
  /** The leaves are part of the target. */
  use(...leaves: readonly Leaf[]): void;
  /** The leaves are not checked, and only narrow the question. */
  note(leaves: readonly Leaf[], reason: string, options?: RemarkOptions): void;
  /** The leaves are not checked, and without them the rest would answer another question. */
  block(leaves: readonly Leaf[], reason: string): void;
  /** A caveat on a leaf that is part of the target, or on all words of the step. */
  caveat(leaf: Leaf | typeof WHOLE, reason: string | undefined, options?: RemarkOptions): void;
  /** Number of times that each leaf was accounted for. */
  account(): ReadonlyMap<string, number>;
  /** The remarks in the order of the prompt, without those on leaves that an earlier step has named. */
  remarks(named: readonly Leaf[]): Unchecked[];
};

/** All words of a step. */
export const WHOLE = null;

export const leafKey = ({ span: { from, to }, id }: Leaf) => `${from}.${to}.${id}`;

const spanOf = (leaves: readonly Leaf[]): TokenSpan => ({
  from: Math.min(...leaves.map(({ span }) => span.from)),
  to: Math.max(...leaves.map(({ span }) => span.to)),
});

/** Behind all words. */
const LAST: TokenSpan = { from: Number.MAX_SAFE_INTEGER, to: Number.MAX_SAFE_INTEGER };

/** Longest excerpt of a prompt in a remark. */
const EXCERPT = 200;

/** Creates the account of a step with these words. `textOf` gives the words of the prompt. */
export function createLedger(textOf: (span: TokenSpan) => string, step = ''): Ledger {
  const accounted = new Map<string, number>();
  const remarks: { span: TokenSpan; remark: Unchecked }[] = [];
  const count = (leaves: readonly Leaf[]) => {
    for (const leaf of leaves) accounted.set(leafKey(leaf), (accounted.get(leafKey(leaf)) ?? 0) + 1);
  };
  const add = (
    leaves: readonly Leaf[] | typeof WHOLE,
    reason: string,
    blocks: boolean,
    { decides, presumed }: RemarkOptions = {},
  ) => {
    const span = leaves === WHOLE ? LAST : spanOf(leaves);
    const remark: Unchecked = {
      text: (leaves === WHOLE ? step : textOf(span)).slice(0, EXCERPT),
      reason,
      blocks,
      ...(decides ? { decides } : {}),
      ...(presumed ? { presumed } : {}),
    };
    remarks.push({ span, remark });
  };
  return {
    use: (...leaves) => count(leaves),
    note(leaves, reason, options) {
      count(leaves);
      add(leaves, reason, false, options);
    },
    block(leaves, reason) {
      count(leaves);
      add(leaves, reason, true);
    },
    caveat(leaf, reason, options) {
      if (reason !== undefined) add(leaf === WHOLE ? WHOLE : [leaf], reason, false, options);
    },
    account: () => accounted,
    remarks: (named) =>
      remarks
        .filter(({ span }) => !named.some((leaf) => leaf.span.from === span.from && leaf.span.to === span.to))
        .toSorted((a, b) => a.span.from - b.span.from || a.span.to - b.span.to)
        .map(({ remark }) => remark),
  };
}

/** True if what is found depends on a word that is not checked. */
export const decidesOf = ({ sense }: Word<'vague' | 'color'>): RemarkOptions =>
  sense.decides ? { decides: true } : {};
