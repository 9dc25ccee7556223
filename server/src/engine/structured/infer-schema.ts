import type { OutputField, OutputSchema } from './types.ts';

type Draft = Pick<OutputField, 'name' | 'type' | 'values'> & { repeated?: boolean };

const NO_CONTRACT =
  'The query does not state the form of its answer. Name the fields and their values, such as "VERDICT: yes/no/uncertain", or give an example as JSON. With a language model (`SIGHTLINE_LANGUAGE_URL`), fields are found for any query.';

/**
 * The fields that a query requests: an example as JSON, lines such as "VERDICT: yes/no/uncertain", or "answer
 * low|medium|high". Null with a reason if it states none.
 */
export function inferOutputSchema(query: string): { schema: OutputSchema | null; reason: string | null } {
  const drafts = fromJson(query) ?? fromLines(query);
  const named = new Map(drafts.filter(({ name }) => name !== '').map((draft) => [draft.name, draft]));
  const fields = [...named.values()].slice(0, 12).map(
    (draft): OutputField => ({
      description: null,
      required: true,
      repeated: draft.type === 'time_range',
      ...draft,
    }),
  );
  if (fields.length === 0) return { schema: null, reason: NO_CONTRACT };
  return { schema: { label: 'structured_output', scope: 'event', version: 1, fields }, reason: null };
}

/** Fields of the first JSON object in the text; null without one. */
function fromJson(query: string): Draft[] | null {
  const [start, end] = [query.indexOf('{'), query.lastIndexOf('}')];
  if (start < 0 || end < start) return null;
  try {
    const example: unknown = JSON.parse(query.slice(start, end + 1));
    if (typeof example !== 'object' || example === null) return null;
    return Object.entries(example).map(([name, value]) => toDraft(name, value));
  } catch {
    return null;
  }
}

function toDraft(rawName: string, value: unknown): Draft {
  const name = toFieldName(rawName);
  if (Array.isArray(value)) {
    const texts = value.filter((each): each is string => typeof each === 'string');
    return { ...toDraft(rawName, texts[0] ?? value[0] ?? ''), repeated: true };
  }
  if (typeof value === 'boolean') return { name, type: 'boolean', values: null };
  if (typeof value === 'number') return { name, type: 'number', values: null };
  return fromValue(name, String(value ?? ''));
}

const LINE =
  /(?:^|[\n.?!;,(]|\band\b)\s*(?:a |an |the |with |give me |answer |return )*["'`*]*([A-Za-z][\w ]{0,40}?)["'`*]*\s*[:=]\s*([^\n;]+)/gi;
const IS_ONE_OF = /\b([A-Za-z][\w]{0,40}) (?:is |must be |should be )?one of ([^\n.;]+)/gi;
const ANSWER =
  /\b(?:answer|reply|respond|say|rate it|classify it)(?: only)?(?: with| as)?\s+([\w -]+(?:\s*[|/]\s*[\w -]+)+)/i;

function fromLines(query: string): Draft[] {
  const drafts = [...query.matchAll(LINE), ...query.matchAll(IS_ONE_OF)]
    .sort((a, b) => a.index - b.index)
    .map(([, name = '', value = '']) => fromValue(toFieldName(name), value))
    .filter(({ type }) => type !== 'text');
  if (drafts.length > 0) return drafts;
  const [, options] = ANSWER.exec(query) ?? [];
  return options ? [fromValue('answer', options)].filter(({ type }) => type === 'enum') : [];
}

/** The type that a value states: `yes/no`, `low|medium|high`, `a, b or c`, `true/false`, `<number>`, `MM:SS-MM:SS`. */
function fromValue(name: string, stated: string): Draft {
  const text = stated
    .replace(/[<>[\]()"'`]/g, '')
    .replace(/\.\s.*$/s, '')
    .replace(/\.$/, '')
    .trim();
  if (/^true\s*[|/]\s*false$|^boolean$|^bool$/i.test(text)) return { name, type: 'boolean', values: null };
  if (/^(a )?(number|integer|float|int|0-1|0 to 1|\d+(\.\d+)?)$/i.test(text))
    return { name, type: 'number', values: null };
  if (/^(mm:ss|\d+:\d\d)\s*[-–]\s*(mm:ss|\d+:\d\d)$|^time[_ ]range$/i.test(text))
    return { name, type: 'time_range', values: null };
  const separator = text.includes('|') ? /\s*\|\s*/ : text.includes('/') ? /\s*\/\s*/ : /\s*,\s*(?:or\s+)?|\s+or\s+/;
  const values = [...new Set(text.split(separator).map((value) => value.trim()))];
  const isList = values.length >= 2 && values.length <= 64 && values.every((value) => /^[\w -]{1,40}$/.test(value));
  return isList ? { name, type: 'enum', values } : { name, type: 'text', values: null };
}

/** A name that a field may have; empty if nothing is left of it. */
export const toFieldName = (text: string): string =>
  text
    .trim()
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replace(/^[^a-z]+|_+$/g, '')
    .slice(0, 48);
