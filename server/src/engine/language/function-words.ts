import type { Planner } from '../plan/index.ts';

/** Articles and prepositions of languages that a model may read, unless they are English words that name something. */
const FUNCTION_WORDS = new Set(
  `ein eine einen einem einer der den dem des das im am an auf bei mit zu zum zur von vom aus für
een het de op naar met uit te voor aan
un une le la les l d du à au aux en dans sur avec pour par
el los las una unos unas del al con
uno il lo i gli di della da dal nel nella su sul per
um uma o os as do em no na com por
ett et det på vid med till från av hos ved til fra
w z od przy po ze we
в на с к у из от по и
bir ve`.split(/\s+/),
);

/** True if a text contains words besides articles, prepositions and others that name nothing. */
export const hasContent = (text: string, { isFunctionWord, isClosedClassWord }: WordKinds): boolean =>
  wordsOf(text).some((word) => !isFunctionWord(word) && !isClosedClassWord(word) && !FUNCTION_WORDS.has(word));

/** True if a text between two parts of a prompt contains words that may join them or have a meaning of their own. */
export const hasMeaning = (text: string, { isFunctionWord }: Pick<WordKinds, 'isFunctionWord'>): boolean =>
  wordsOf(text).some((word) => !isFunctionWord(word));

export type WordKinds = Pick<Planner, 'isFunctionWord' | 'isClosedClassWord'>;

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
