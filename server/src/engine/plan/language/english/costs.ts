/** Costs of words and rules: the reading of a prompt is the cheapest derivation. Chosen by hand. */

/** A word that stands for its usual meaning. */
export const USUAL = 0;
/** A rarer meaning of a word of the vocabulary. */
export const RARE = 0.4;
/** A past form beside the state of the same word: "the car stopped". */
export const SECOND = 1.5;
/** A word that no observer knows, by its class in WordNet. */
export const OPEN = 0.5;
/** A word that is in no list: a name, or a slip that cannot be corrected. */
export const UNLISTED = 1.5;
/** A word of the vocabulary, read as any other word of its class: "a cat gets a shot". */
export const OUTSIDE = 3;

/** A modifier at a noun or verb. */
export const MODIFIER = 0.2;
/** A verb phrase behind a noun that it describes. */
export const REDUCED_CLAUSE = 0.9;
/** Words that no observer knows beside words that some do. */
export const UNSEEN = 1;
/** A conjunction of whole clauses, rather than of their parts. */
export const JOINED_CLAUSES = 0.7;
/** A clause beside a bare noun: unlike conjuncts. */
export const UNLIKE = 2.5;
/** A clause without a subject. */
export const NO_SUBJECT = 1.2;
