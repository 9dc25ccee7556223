import type { Leaf } from './types.ts';

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
