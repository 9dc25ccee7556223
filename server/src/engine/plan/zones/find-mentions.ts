import type { Zone } from './types.ts';

/** The name of a zone in a prompt; `zone` is null if there is no zone of this name. */
export type Mention = {
  start: number;
  end: number;
  kind: Zone['kind'];
  name: string;
  zone: Zone | null;
  /** "Crosses line A inwards". */
  way: 'in' | 'out' | null;
};

const OPEN = '["“”„«]';
const CLOSE = '["“”„»]';
const NOUNS = { polygon: 'zone', line: 'line' } as const satisfies Record<Zone['kind'], string>;
const END = '(?=\\s*(?:$|[,.;?!]|(?:and|or|then|while|for|per)\\b))';
const WAY = `(?:\\s+(?<way>in|out|inwards?|outwards?)${END})?`;
/** Words behind which "zone door" names a zone, which "the zone door" and "work zone" do not. */
const BORDERS = 'cross(?:es|ed|ing)?|pass(?:es|ed|ing)?|over|across|through';
const PLACES = `${BORDERS}|enters?|entered|entering|leaves?|left|leaving|exits?|exited|exiting|in|into|inside|out of|from`;
const NAME = `(?:${OPEN}(?<quoted>[^"“”„«»]{1,60})${CLOSE}|(?<word>[\\p{L}\\p{N}]+)${END})`;
const UNKNOWN: readonly [Zone['kind'], RegExp][] = [
  ['polygon', new RegExp(`(?<=\\b(?:${PLACES})\\s+)zone\\s+${NAME}`, 'giu')],
  ['line', new RegExp(`(?<=\\b(?:${BORDERS})\\s+)line\\s+${NAME}`, 'giu')],
];
/** Behind a zone without a name: "in zone walking", "in zone now". */
const NOT_A_NAME = /^(?:\p{L}+ing|a|an|the|it|is|are|now|here|there|again|twice|once|too|outside|inside|in|out)$/iu;

/**
 * Finds the names of zones in a prompt: "zone door", "the door zone", "line A", "the A line", or the exact name in
 * quotation marks. Mentions do not overlap; longer names take precedence.
 */
export function findMentions(query: string, zones: readonly Zone[]): Mention[] {
  const found: Mention[] = [];
  const add = (mention: Mention) => {
    if (found.every(({ start, end }) => mention.end <= start || mention.start >= end)) found.push(mention);
  };
  for (const zone of zones.toSorted((a, b) => b.name.length - a.name.length))
    for (const match of query.matchAll(patternOf(zone)))
      add({ ...spanOf(match), kind: zone.kind, name: zone.name, zone });
  for (const [kind, pattern] of UNKNOWN)
    for (const match of query.matchAll(pattern)) {
      const name = match.groups!.quoted ?? match.groups!.word!;
      if (match.groups!.quoted !== undefined || !NOT_A_NAME.test(name))
        add({ ...spanOf(match), kind, name, zone: null });
    }
  return found.toSorted((a, b) => a.start - b.start);
}

function spanOf(match: RegExpExecArray): Pick<Mention, 'start' | 'end' | 'way'> {
  const way = match.groups?.way?.toLowerCase() ?? null;
  return {
    start: match.index,
    end: match.index + match[0].length,
    way: way === null ? null : way.startsWith('in') ? 'in' : 'out',
  };
}

/** A zone that is called "Loading zone" is "the loading zone". */
function patternOf({ name, kind }: Zone): RegExp {
  const noun = NOUNS[kind];
  const plain = name.replace(new RegExp(`^${noun} (?=.)|(?<=.) ${noun}$`, 'iu'), '');
  const [whole, short] = [name, plain].map((each) =>
    each.replaceAll(/[^\p{L}\p{N} '-]/gu, '\\$&').replaceAll(' ', '\\s+'),
  );
  const called = `${noun}\\s+(?:(?:called|named)\\s+)?(?:${OPEN}(?:${whole}|${short})${CLOSE}|(?:${whole}|${short})(?![\\p{L}\\p{N}]))`;
  const before = `(?<=\\bthe\\s+)${OPEN}?${short}${CLOSE}?\\s+${noun}(?![\\p{L}\\p{N}])`;
  const quoted = `${OPEN}${whole}${CLOSE}`;
  return new RegExp(`(?:(?<![\\p{L}\\p{N}])${called}|${before}|${quoted})${kind === 'line' ? WAY : ''}`, 'giu');
}
