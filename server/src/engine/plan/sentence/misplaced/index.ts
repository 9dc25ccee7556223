import type { Item } from '../../tokens/lexer.ts';
import { AMOUNTS } from './amounts.ts';
import { PARTICLES } from './particles.ts';
import { QUESTION_WORDS } from './questions.ts';
import { STRAY } from './stray-particles.ts';
import { VERB_PHRASES } from './verbs.ts';
import type { MisplacedRule } from './words.ts';

/** Words in positions where no construction has them. */

/** Reason of the items that block their part because no construction has them. */
export const MISPLACED = 'this word does not fit into the rest; without it the rest would answer another question';

/** Makes every misplaced word one that blocks its part. */
export const blockMisplaced = (items: readonly Item[]): Item[] =>
  items.map((item, i) =>
    RULES.some((rule) => rule(items, i)) ? { ...item, senses: [{ type: 'beyond', reason: MISPLACED }] } : item,
  );

const RULES: readonly MisplacedRule[] = [...QUESTION_WORDS, ...VERB_PHRASES, ...AMOUNTS, ...PARTICLES, ...STRAY];
