import { type Item, sense } from '../tokens/lexer.ts';
import { isVerb, mainClauseAt, type Segment } from './clause-segments.ts';

/** "A, B, then C": the commas of a list join like its last joining word. */
export function closeLists(segments: Segment[]): Segment[] {
  let closing: Segment['join'] = null;
  return segments
    .toReversed()
    .map((segment) => {
      const join = segment.comma && (closing === 'then' || closing === 'or') ? closing : segment.join;
      closing = segment.comma || join !== 'stop' ? join : null;
      return { ...segment, join };
    })
    .toReversed();
}

/** "At night, cars and people": each of them. */
export function spreadLead(segments: Segment[]): Segment[] {
  const [first, ...rest] = segments;
  const at = first?.items.findIndex((item) => sense(item, 'signal')?.leads) ?? -1;
  const isAlone = first?.items.every((item, i) => i === at || sense(item, 'filler')) ?? false;
  if (at < 0 || !isAlone || !rest[0]?.comma) return segments;
  const lead = { ...first!.items[at]!, lent: true as const };
  return rest.map((segment, i) => {
    const { end } = segment.items.at(-1)!;
    return {
      ...segment,
      join: i === 0 ? null : segment.join,
      items: [...segment.items, { ...lead, start: end, end }],
    };
  });
}

/** "After a car stops, a person appears": turned into "a car stops, then a person appears". */
export function unfoldLeading(segments: Segment[]): Segment[] {
  const [first, lead, ...others] = segments;
  const word = lead?.join;
  if (!first || !lead) return segments;
  if (word !== 'after' && word !== 'before' && word !== 'while') return segments;
  // "10 seconds after a car stops, a person appears"
  const gap = word !== 'while' && isTime(first.items) ? first.items : [];
  if (first.items.length > gap.length) return segments;
  const rest: Segment[] = [{ ...lead, join: null }, ...others];
  const main = mainAt(rest);
  if (!main && word !== 'while' && gap.length === 0 && lead.word)
    return [{ ...rest[0]!, items: [untied(lead.word), ...lead.items] }, ...others];
  if (!main) return gap.length > 0 ? segments : rest;
  const { segment, at } = main;
  const { items } = rest[segment]!;
  const heads = [...rest.slice(0, segment), ...(at > 0 ? [{ ...rest[segment]!, items: items.slice(0, at) }] : [])];
  const clause: Segment = { join: null, items: items.slice(at), comma: false };
  const tail = rest.slice(segment + 1);
  if (word === 'before') return [clause, later(heads[0]!, gap), ...heads.slice(1), ...tail];
  return [...heads, word === 'after' ? later(clause, gap) : { ...clause, join: 'while' }, ...tail];
}

/** "After a car stops", and no more: what happens then is not said. */
const untied = (word: Item): Item => ({ ...word, senses: [{ type: 'beyond', reason: UNTIED }] });
const UNTIED = 'what happens before or after this was not named';

function later(segment: Segment, gap: readonly Item[]): Segment {
  const { end } = segment.items.at(-1) ?? { end: 0 };
  const lent = gap.map((item) => ({ ...item, start: end, end, lent: true as const }));
  return { ...segment, join: 'then', items: [...segment.items, ...lent], isLater: gap.length > 0 };
}

/** "At least 10 seconds", and nothing else. */
const isTime = (items: readonly Item[]) =>
  items.some((item) => sense(item, 'unit')?.dimension === 'time') &&
  items.every(({ senses }) => senses.some(({ type }) => TIME.has(type)));
const TIME: ReadonlySet<string> = new Set(['number', 'unit', 'compare', 'count', 'filler', 'vague', 'preposition']);

/**
 * Start of the main clause after a subordinate one with "after" or "while": behind a comma and a verb, or with the
 * noun of the second verb.
 */
function mainAt(segments: readonly Segment[]): { segment: number; at: number } | null {
  for (const [i, { items, comma }] of segments.entries()) {
    if (i > 0 && comma && segments.slice(0, i).some((before) => before.items.some(isVerb)))
      return { segment: i, at: 0 };
    const at = mainClauseAt(items);
    if (at !== null) return { segment: i, at };
  }
  const comma = segments.findIndex((segment, i) => i > 0 && segment.comma);
  return comma < 0 ? null : { segment: comma, at: 0 };
}
