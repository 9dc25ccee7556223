/** Part that a word of another language plays in a sentence of the controlled English. */
export type WordRole =
  | 'noun'
  /** A noun only where it is worn: "in a jacket". */
  | 'garment'
  | 'color'
  /** "parked", "moving": before a noun, or after "is". */
  | 'state'
  | 'number'
  /** "several", "many". */
  | 'amount'
  /** "at least", "more than": before a number. */
  | 'compare'
  /** "the", "a", "no". */
  | 'article'
  /** "First", "last": before a noun, and before its number. */
  | 'ordinal'
  | 'action'
  /** Left or right, at a place or in a direction: the verb decides. */
  | 'side'
  /** "On the left side": always a place. */
  | 'place'
  | 'direction'
  | 'origin'
  /** A place in the world that is entered, left or crossed: "the room". */
  | 'setting'
  | 'relation'
  | 'join'
  | 'ask'
  | 'unit'
  /** "For" before a duration. */
  | 'lasting'
  /** "Who", "that": only behind a noun or a comma. */
  | 'relative'
  /** Measure words of Chinese: only behind a number. */
  | 'measure'
  /** Joins an attribute to its noun; behind a noun it is a genitive, which is not read. */
  | 'linker'
  | 'filler'
  /** The reason why the word is not read: it has several meanings. */
  | 'ambiguous';

/**
 * The words of a language by role and English equivalent; forms are separated by commas. Plurals of nouns follow a `|`.
 * A verb in two parts has an ellipsis: "hält … an".
 */
export type ForeignLanguage = {
  /** English name of the language. */
  name: string;
  /** ISO 639-1 code. */
  code: string;
  roles: { readonly [role in WordRole]?: Readonly<Record<string, string>> };
  /** Frequent words that identify the language and are not read. */
  common: string;
  /** Written without spaces: every character is a token. */
  spaceless?: true;
  /** Parts of the video, at either end of a prompt: English phrase, in which `$1` is a number or time → pattern. */
  windows?: Readonly<Record<string, string>>;
  /** Adverbs that may stand anywhere, and behind the sentence in English: English phrase → pattern. */
  adverbs?: Readonly<Record<string, string>>;
  /** Conjunctions between two clauses: English word → pattern. */
  conjunctions?: Readonly<Record<string, string>>;
  /** Other spellings of a form: "faehrt" for "fährt". */
  spellings?: (form: string) => readonly string[];
};

/** A meaning of a word. `plural` is null where the form serves for both numbers. */
export type Meaning = { role: WordRole; english: string; plural: boolean | null };

/** A word or phrase of the prompt with its meanings; none if it is unknown. Positions are those of the prompt. */
export type ForeignItem = { text: string; start: number; end: number; meanings: readonly Meaning[] };

/** A sentence of the prompt in controlled English, or the words that prevent it and the reason. */
export type Translation = { from: string } & ({ to: string } | { words: string; reason: string });

/** Whole prompts that ask for a fact: English question → patterns, in which `VIDEO` stands for its name. */
export type FactPatterns = { language: string; video: string; facts: Record<string, readonly string[]> };

/**
 * Prompts about nouns: English prompt, in which `$1` is the first of them → patterns. `NOUN` stands for a noun with its
 * article, or for a color that stands for the same noun, `KIND` for one without an article, `PLURAL` for several,
 * `COLOR` for a color, `CHANNEL` for a recorded channel, `VALUE` for a number with its unit. `channels`, `units`:
 * English name → forms.
 */
export type NounPatterns = {
  language: string;
  patterns: Readonly<Record<string, readonly string[]>>;
  channels: Readonly<Record<string, string>>;
  units: Readonly<Record<string, string>>;
};

/** Subject, verb and the rest of a clause. */
export type ClauseParts = readonly [subject: string, verb: string, rest: string];

/**
 * Clauses about the picture, the camera, sounds and the recording vehicle, which are stated and asked for alike. The
 * parts of `forms` are patterns; `orders` says in which order `S`, `V` and `R` stand. English verbs are base forms.
 * `phrases` are prompts without a verb.
 */
export type SceneClauses = {
  language: string;
  orders: Readonly<Record<'statement' | 'question' | 'when' | 'howOften' | 'howLong', readonly string[]>>;
  clauses: readonly { english: ClauseParts; forms: readonly ClauseParts[]; lasts?: boolean }[];
  phrases: Readonly<Record<string, readonly string[]>>;
};

/**
 * Whole prompts about what is spoken or written: English prompt → patterns. `WORDS` stands for the sought words,
 * `QUOTED` for such in quotation marks. `articles` begin a subject and are left out; after `doubtful` words it is not
 * certain which words are spoken.
 */
export type SpeechPatterns = {
  language: string;
  articles: RegExp;
  doubtful: RegExp;
  prompts: Record<string, readonly string[]>;
};
