import type { Sense } from '../meaning/senses.ts';
import { REASONS } from '../reasons.ts';
import type { Line, Region } from '../schema.ts';
import type { Token } from '../words/token.ts';
import type { WordList } from '../words/word-list.ts';
import { findMentions, type Mention } from './find-mentions.ts';
import type { Zone } from './types.ts';

/** The words with the names of zones, each as one word. Undefined: no video or folder says which there are. */
export function withZones(list: WordList, zones: readonly Zone[] | undefined): WordList {
  /** Senses of the words that stand for names; no prompt contains such a word. */
  const named = new Map<string, readonly Sense[]>();
  return {
    ...list,
    has: (word) => named.has(word) || list.has(word),
    namesOf: (word) => named.get(word),
    joinNames: (query, tokens) =>
      joinNames(tokens, findMentions(query, zones ?? []), (mention) => {
        const word = `\u0000${mention.start}`;
        named.set(word, [toSense(mention, zones)]);
        return word;
      }),
  };
}

function joinNames(
  tokens: readonly Token[],
  mentions: readonly Mention[],
  toWord: (mention: Mention) => string,
): Token[] {
  const joined: Token[] = [];
  let next = 0;
  for (const mention of mentions) {
    const { start, end } = mention;
    while (next < tokens.length && tokens[next]!.end <= start) joined.push(tokens[next++]!);
    // The end of a prompt that is too long has no tokens.
    if (next === tokens.length) break;
    while (next < tokens.length && tokens[next]!.start < end) next++;
    joined.push({ kind: 'word', text: toWord(mention), value: 0, start, end });
  }
  return [...joined, ...tokens.slice(next)];
}

function toSense({ kind, name, zone, way }: Mention, zones: readonly Zone[] | undefined): Sense {
  if (zone === null) return { type: 'beyond', reason: missingReason(kind, name, zones) };
  if (zone.kind === 'line') return { type: 'line', line: toLine(zone, way) };
  return { type: 'setting', noun: true, zone: toRegion(zone) };
}

/** Explains that a name is that of no zone. Undefined: no video or folder says which there are. */
export function missingReason(kind: Zone['kind'], name: string, zones: readonly Zone[] | undefined): string {
  if (!zones) return REASONS.zonesOfVideo;
  const noun = kind === 'line' ? 'line' : 'zone';
  const known = zones.map((zone) => zone.name).join(', ');
  return `there is no ${noun} "${name}" for this video; ${known === '' ? 'none was drawn' : `drawn are: ${known}`}`;
}

const toRegion = ({ name, points }: Zone): Region => ({
  name,
  points: points.map(({ x, y }) => ({ x, y })),
  zone: true,
});

function toLine({ name, points }: Zone, way: Mention['way']): Line {
  const [from, to] = points.map(({ x, y }) => ({ x, y }));
  return { name, from: from!, to: to!, zone: true, ...(way ? { way } : {}) };
}
