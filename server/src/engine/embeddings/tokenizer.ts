import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';

/** Number of merges that belong to CLIP; the file has more. */
const MERGES = 48_894;
/** Longest text in tokens, with the marks at its ends. */
const MAX_TOKENS = 77;
/** Words, contractions, single digits, and runs of other characters. */
const WORD = /'s|'t|'re|'ve|'m|'ll|'d|\p{L}+|\p{N}|[^\s\p{L}\p{N}]+/gu;
/** Ends the last piece of a word. */
const END = '</w>';

export type ClipTokenizer = {
  /** Tokens of a text between the marks of start and end; what is too long is cut. */
  encode(text: string): number[];
};

/** Reads the compressed merges of CLIP's byte-pair encoding. Throws if the file is another one. */
export async function readClipTokenizer(path: string): Promise<ClipTokenizer> {
  const lines = (await promisify(gunzip)(await readFile(path))).toString('utf8').split('\n');
  const merges = lines.slice(1, MERGES + 1);
  if (merges.length < MERGES || !merges.every((line) => /^\S+ \S+$/.test(line)))
    throw new Error(`the tokenizer's file does not have the ${MERGES} merges of CLIP`);
  const ranks = new Map(merges.map((merge, rank) => [merge, rank]));
  const { characterOf, alphabet } = createByteAlphabet();
  const pieces = [...alphabet, ...alphabet.map((each) => each + END), ...merges.map((each) => each.replace(' ', ''))];
  const ids = new Map(pieces.map((piece, id) => [piece, id]));
  const [start, end] = [pieces.length, pieces.length + 1];

  /** Merges the pieces of a word, the most frequent pair first. */
  function split(word: string): string[] {
    const parts = [...Buffer.from(word)].map((byte) => characterOf[byte]!);
    parts.push(parts.pop()! + END);
    for (;;) {
      let best = { at: -1, rank: Number.POSITIVE_INFINITY };
      for (let at = 0; at + 1 < parts.length; at++) {
        const rank = ranks.get(`${parts[at]} ${parts[at + 1]}`);
        if (rank !== undefined && rank < best.rank) best = { at, rank };
      }
      if (best.at < 0) return parts;
      parts.splice(best.at, 2, parts[best.at]! + parts[best.at + 1]!);
    }
  }

  return {
    encode(text) {
      const words = text.normalize('NFC').toLowerCase().match(WORD) ?? [];
      const tokens = words.flatMap((word) => split(word).map((piece) => ids.get(piece)!));
      return [start, ...tokens.slice(0, MAX_TOKENS - 2), end];
    },
  };
}

/** Characters that stand for bytes: printable ones for themselves, the others for characters from 256 on. */
function createByteAlphabet(): { characterOf: string[]; alphabet: string[] } {
  const isPrintable = (byte: number) => (byte > 32 && byte < 127) || (byte > 160 && byte !== 173);
  const bytes = Array.from({ length: 256 }, (_, byte) => byte);
  const [printable, others] = [bytes.filter(isPrintable), bytes.filter((byte) => !isPrintable(byte))];
  const characterOf: string[] = [];
  for (const byte of printable) characterOf[byte] = String.fromCharCode(byte);
  for (const [at, byte] of others.entries()) characterOf[byte] = String.fromCharCode(256 + at);
  return { characterOf, alphabet: [...printable, ...others].map((byte) => characterOf[byte]!) };
}
