import { RECOGNIZED_SOUNDS } from '../terms.ts';
import { type Item, sense } from '../tokens/lexer.ts';
import type { Sense } from '../tokens/senses.ts';
import { block, endOfClause, isVerb, only, type Rule, startOfClause, wordOf } from './rule.ts';

/** Constructions of questions about what is audible. */

/** "When does the doorbell stop": only whether there is any sound is known. */
const audible: Rule = (items, i, query) => {
  const sound = sense(items[i], 'sound');
  if (sound?.sound !== 'sound' || !sound.decides) return null;
  const others = items.slice(startOfClause(items, i), endOfClause(items, i)).filter((each) => each !== items[i]);
  const isAlone = !others.some((each) => isVerb(each) || sense(each, 'noun') || sense(each, 'sound'));
  return isAlone ? null : block(items, i, 1, query, 'audio is analyzed by level only');
};

/** "Does the car have sound": its source is not known. */
const ownSound: Rule = (items, i, query) => {
  if (!sense(items[i], 'sound')) return null;
  const clause = items.slice(startOfClause(items, i), i);
  const owner = clause.findIndex((each) => sense(each, 'noun') ?? sense(each, 'pronoun'));
  const isOwned =
    owner >= 0 &&
    clause.slice(owner + 1).some((each) => /^(?:have|has|had|make|makes|made|making)$/.test(wordOf(each)));
  return isOwned && sense(clause[owner], 'noun') ? block(items, i, 1, query, SOURCE_UNKNOWN) : null;
};
const SOURCE_UNKNOWN = 'what makes a sound is not known; "is there any sound" asks for the audio of the video';

/** Kinds of words that leave a recognized sound as it is: when, how long and how often it is heard, and whether. */
const BESIDE_SOUND: ReadonlySet<Sense['type']> = new Set([
  ...(['filler', 'negation', 'question', 'pick', 'window', 'unit', 'compare', 'throughout', 'per', 'average'] as const),
  ...(['clock', 'preposition', 'setting'] as const),
]);
const HEAR = /^(?:hear|hears|heard|hearing)$/;
/** True for "hear" with the name of a recognized sound in its clause. */
export function isHeard(items: readonly Item[], i: number): boolean {
  if (!HEAR.test(wordOf(items[i]))) return false;
  return items.slice(startOfClause(items, i), endOfClause(items, i)).some(isRecognized);
}
const isRecognized = (item: Item | undefined) => {
  const name = sense(item, 'sound')?.sound;
  return name !== undefined && RECOGNIZED_SOUNDS.some((each) => each === name);
};

/** "A person with a siren", "two dogs bark", "the siren stops": a sound is looked for on its own. */
const recognized: Rule = (items, i, query) => {
  if (!isRecognized(items[i])) return null;
  const [start, end] = [startOfClause(items, i), endOfClause(items, i)];
  const isBeside = (each: Item, k: number) => {
    if (k === i || HEAR.test(wordOf(each))) return true;
    const next = items[k + 1];
    if (sense(each, 'number')) return sense(next, 'unit') !== null || sense(next, 'clock') !== null;
    return each.senses.some(({ type }) => BESIDE_SOUND.has(type));
  };
  const isAlone = items.every((each, k) => k < start || k >= end || isBeside(each, k));
  return isAlone ? null : block(items, i, 1, query, ALONE);
};
const ALONE = 'a sound is recognized, but not who or what makes it, or why it ends; ask for the sound alone';

/** "Can you hear a siren", "a siren can be heard": whether there is one. */
const hearing: Rule = (items, i) => {
  const isBeyond = items[i]!.senses.every(({ type }) => type === 'beyond');
  return isBeyond && isHeard(items, i) ? only(items[i]!, { type: 'filler' }) : null;
};

export const SOUND_CONSTRUCTIONS: readonly Rule[] = [ownSound, audible, recognized, hearing];
