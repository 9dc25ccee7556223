import type { PlannedSearch } from './schema.ts';
import { singleSearch } from './single-search.ts';

/** A search for a part of the prompt that cannot be read: `words` block it for `reason`. */
export const blockedSearch = (text: string, words: string, reason: string): PlannedSearch =>
  singleSearch(text, { kind: 'unknown' }, [{ text: words, reason, blocks: true }]);

/** True if a part of the search prevents it from being answered. */
export const isBlocked = ({ steps }: PlannedSearch): boolean =>
  steps.some(({ what, unchecked }) => what.kind === 'unknown' || unchecked.some(({ blocks }) => blocks));
