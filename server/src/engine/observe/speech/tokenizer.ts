import { readFile } from 'node:fs/promises';
import { toLanguage } from '#platform/media/index';

/** Tokens of Whisper: text, and marks with a meaning of their own. */
export type Tokenizer = {
  /** Number of tokens, marks included. */
  size: number;
  /** First mark; all tokens before it are text. It ends a transcript. */
  endOfText: number;
  start: number;
  noSpeech: number;
  /** The mark of 0 s; the following ones are 0.02 s apart, up to 30 s. */
  firstTime: number;
  /** Tokens that prompt multilingual weights; null for English-only weights. */
  multilingual: Multilingual | null;
  /** The text of tokens; marks are left out. */
  decode(tokens: readonly number[]): string;
};

export type Multilingual = {
  /** Tokens of the languages, by their BCP 47 tags. */
  languages: ReadonlyMap<string, number>;
  transcribe: number;
};

/** Seconds from one time mark to the next. */
export const TIME_STEP_S = 0.02;
/** Number of time marks: 0 to 30 s. */
const TIMES = 1_501;
/**
 * Tokens of text in the vocabulary of GPT-2, which all English-only weights have. Multilingual ones have another
 * vocabulary. Both list the languages, so that the presence of these tokens says nothing.
 */
const ENGLISH_TEXTS = 50_256;
const LANGUAGE = /^<\|([a-z]{2,3})\|>$/;

/** Reads the `tokenizer.json` of a Whisper model. Throws if a token that is needed is missing. */
export async function readTokenizer(path: string): Promise<Tokenizer> {
  const file = JSON.parse(await readFile(path, 'utf8')) as {
    model: { vocab: Record<string, number> };
    added_tokens: { id: number; content: string }[];
  };
  const texts: string[] = [];
  for (const [text, id] of Object.entries(file.model.vocab)) texts[id] = text;
  const marks = new Map(file.added_tokens.map(({ id, content }) => [content, id]));
  const markOf = (...names: string[]) => {
    const name = names.find((each) => marks.has(each));
    if (name === undefined) throw new Error(`the tokenizer has no token ${names[0]}`);
    return marks.get(name)!;
  };
  const endOfText = markOf('<|endoftext|>');
  const isEnglish = endOfText === ENGLISH_TEXTS || !marks.has('<|transcribe|>');
  const byteOf = createByteTable();
  // Exports differ in whether they list the time marks; these follow directly in either case.
  const firstTime = markOf('<|notimestamps|>') + 1;
  return {
    size: firstTime + TIMES,
    endOfText,
    firstTime,
    start: markOf('<|startoftranscript|>'),
    noSpeech: markOf('<|nospeech|>', '<|nocaptions|>'),
    multilingual: isEnglish ? null : { languages: languagesIn(marks), transcribe: markOf('<|transcribe|>') },
    decode(tokens) {
      const characters = tokens.flatMap((id) => (id < endOfText ? [...(texts[id] ?? '')] : []));
      return Buffer.from(characters.flatMap((each) => byteOf.get(each) ?? [])).toString('utf8');
    },
  };
}

/** Throws if there are none. Whisper's own tags are made canonical, such as `jv` for `jw`. */
function languagesIn(marks: ReadonlyMap<string, number>): ReadonlyMap<string, number> {
  const languages = [...marks].flatMap(([mark, id]) => {
    const tag = toLanguage(LANGUAGE.exec(mark)?.[1]);
    return tag === null ? [] : ([[tag, id]] as const);
  });
  if (languages.length === 0) throw new Error('the tokenizer of multilingual weights has no token of a language');
  return new Map(languages);
}

/** The byte of each character in the vocabulary: printable ones stand for themselves, others are shifted by 256. */
function createByteTable(): Map<string, number> {
  const isPrintable = (byte: number) => (byte > 32 && byte < 127) || (byte > 160 && byte !== 173);
  const table = new Map<string, number>();
  let shifted = 256;
  for (let byte = 0; byte < 256; byte++) {
    table.set(String.fromCodePoint(isPrintable(byte) ? byte : shifted), byte);
    if (!isPrintable(byte)) shifted++;
  }
  return table;
}
