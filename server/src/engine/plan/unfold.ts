import { isVerb, mainClauseAt, type Segment } from './segments.ts';

/** "A, B, then C": the commas of a list mean what its last word means. */
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

/** "After a car stops, a person appears": turned into "a car stops, then a person appears". */
export function unfoldLeading(segments: Segment[]): Segment[] {
  const [first, lead, ...others] = segments;
  const word = lead?.join;
  if (!first || first.items.length > 0 || !lead) return segments;
  if (word !== 'after' && word !== 'before' && word !== 'while') return segments;
  const rest: Segment[] = [{ ...lead, join: null }, ...others];
  const main = mainAt(rest);
  if (!main) return rest;
  const { segment, at } = main;
  const { items } = rest[segment]!;
  const heads = [...rest.slice(0, segment), ...(at > 0 ? [{ ...rest[segment]!, items: items.slice(0, at) }] : [])];
  const clause: Segment = { join: null, items: items.slice(at), comma: false };
  const tail = rest.slice(segment + 1);
  if (word === 'before') return [clause, { ...heads[0]!, join: 'then' }, ...heads.slice(1), ...tail];
  return [...heads, { ...clause, join: word === 'after' ? 'then' : 'while' }, ...tail];
}

/** Where the main clause begins, after one that "after" or "while" leads in: behind a comma and a verb, or with the second verb's noun. */
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
