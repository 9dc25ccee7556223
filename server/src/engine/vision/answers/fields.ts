import { toTimeRange } from '../../structured/time-range.ts';
import type { FieldResult, FieldValue, OutputField } from '../../structured/types.ts';
import { booleanOf, FIELDS, readFieldValues } from '../calls/index.ts';
import { askTrust } from '../claims.ts';
import { selectDetails } from '../plan/details.ts';
import { framesAt } from '../plan/frame-times.ts';
import type { TimeSpan } from '../plan/windows.ts';
import { fieldsPrompt } from '../prompts.ts';
import { decoyOf } from '../reliability/controls.ts';
import { isConfirmed } from '../reliability/looks.ts';
import type { LookSession } from '../session.ts';
import type { VideoFrame } from '../types.ts';

/** Fields to read from a range of the video. */
export type FieldRequest = TimeSpan & {
  /** Label of the event in this range; null for the whole video. */
  subject: string | null;
  fields: readonly OutputField[];
};

type Results = Record<string, FieldResult>;

/** Requests that are shown to the model: the first ones. */
const MAX_REQUESTS = 20;
const FRAMES = 12;
const MAX_TOKENS = 600;

/**
 * Reads fields from frames: each request twice, with fields and values in another order. A value counts if both agree,
 * and a text also has to be confirmed. A scene that cannot be there is among the fields; where the model reports it,
 * none of its values counts.
 */
export async function readFields(
  session: LookSession,
  requests: readonly FieldRequest[],
  name: string,
): Promise<{ results: Results[]; windows: TimeSpan[] }> {
  const missing = (reason: string) => ({ missing: `${name} ${reason}` });
  const refuseAll = (request: FieldRequest, reason: string) =>
    Object.fromEntries(request.fields.map((field) => [field.name, missing(reason)]));
  const untrusted = await askTrust(session, 'fields');
  if (untrusted !== null)
    return { results: requests.map((each) => refuseAll(each, `is not believed: ${untrusted}`)), windows: [] };
  const shown = requests.slice(0, MAX_REQUESTS);
  const results = await Promise.all(
    shown.map(async (request) => {
      const reading = await readTwice(session, request);
      if ('failure' in reading) return refuseAll(request, reading.failure);
      const entries = reading.values.map(([field, value]) => [
        field,
        typeof value === 'string' ? missing(value) : value,
      ]);
      return Object.fromEntries(entries) as Results;
    }),
  );
  const rest = requests.slice(MAX_REQUESTS).map((each) => refuseAll(each, `is shown ${MAX_REQUESTS} events only`));
  return { results: [...results, ...rest], windows: shown.map(({ from, to }) => ({ from, to })) };
}

/** For each field its value, or a sentence that explains why it has no value. */
type Reading = [field: string, result: { value: FieldValue | FieldValue[] } | string][];

async function readTwice(
  session: LookSession,
  request: FieldRequest,
): Promise<{ values: Reading } | { failure: string }> {
  const frames = framesIn(session, request);
  const [one, two] = await Promise.all([
    readOnce(session, request, frames, false),
    readOnce(session, request, frames, true),
  ]);
  if (one === null || two === null)
    return { failure: session.stoppedBy() ?? [...session.failures][0] ?? 'gave no answer' };
  if (one.isDecoyed || two.isDecoyed) return { failure: 'reported an object that cannot be there' };
  const values = await Promise.all(
    request.fields.map(async (field): Promise<Reading[number]> => {
      const found = [one, two].map(({ values }) => valuesOf(field, values.get(field.name) ?? [], frames));
      const [first, second] = found as [Value[], Value[]];
      if (first.length === 0 || second.length === 0) return [field.name, 'saw nothing that fills it'];
      if (field.type !== 'text' && !isSame(first, second))
        return [field.name, `contradicted itself: ${wordsOf(first)}, then ${wordsOf(second)}`];
      const accepted = field.type === 'text' ? await confirmed(session, field, first, frames) : first;
      if (accepted.length === 0) return [field.name, `did not confirm what it read: ${wordsOf(first)}`];
      const stated = accepted.map(({ value }) => value);
      return [field.name, { value: field.repeated ? stated : stated[0]! }];
    }),
  );
  return { values };
}

async function readOnce(
  session: LookSession,
  { fields, subject }: FieldRequest,
  frames: readonly VideoFrame[],
  isReversed: boolean,
) {
  const decoy = {
    name: 'scene',
    form: FORMS.boolean,
    description: decoyOf(`${session.seed} ${subject} ${isReversed}`),
  };
  const ordered = isReversed ? fields.toReversed() : [...fields];
  const described = ordered.map((field) => ({ ...field, form: formOf(field, isReversed) }));
  // In the middle: models that answer the first or the last field only do not pass by chance.
  const at = described.length >> 1;
  const requested = described.toSpliced(at, 0, decoy as never);
  const about = [subject ?? '', ...fields.map(({ name, description }) => description ?? name)].join('\n');
  const reply = await session.askAbout(frames, {
    details: selectDetails(about, session.observations, frames),
    text: (images) => fieldsPrompt(requested, images, subject),
    schema: FIELDS,
    read: (text, images) => (images === frames.length ? readFieldValues(text, requested.length) : null),
    maxTokens: MAX_TOKENS,
  });
  if (reply === null) return null;
  return {
    isDecoyed: (reply.value.get(at + 1) ?? []).some((value) => booleanOf(value) === true),
    values: new Map(requested.map(({ name }, i) => [name, reply.value.get(i + 1) ?? []])),
  };
}

const FORMS = {
  text: 'a few words',
  number: 'a number in digits',
  boolean: '"yes" or "no"',
  time_range: 'the first and the last frame, such as "3-7"',
} as const;

function formOf({ type, values, repeated }: OutputField, isReversed: boolean): string {
  const options = isReversed ? values?.toReversed() : values;
  const form = type === 'enum' ? `one of ${options!.map((each) => JSON.stringify(each)).join(', ')}` : FORMS[type];
  return repeated ? `${form}, an item for each` : form;
}

/** A value as it is stored, and what two readings have to agree on. */
type Value = { value: FieldValue; same: readonly (string | number | boolean)[] };

/** Valid values of a field among the words of a reply; only the first one of a field that is not a list. */
function valuesOf(field: OutputField, words: readonly string[], frames: readonly VideoFrame[]): Value[] {
  const valid = words.flatMap((text) => toValue(field, text, frames) ?? []);
  const distinct = [...new Map(valid.map((each) => [String(each.value), each])).values()];
  return field.repeated ? distinct : distinct.slice(0, 1);
}

const NOTHING = /^(?:unknown|n\/?a|none visible|not visible|unclear|null|undefined)\W*$/i;

function toValue({ type, values }: OutputField, text: string, frames: readonly VideoFrame[]): Value | null {
  const equal = values?.find((each) => each.toLowerCase() === text.trim().toLowerCase());
  if (type === 'enum') return equal === undefined ? null : { value: equal, same: [equal] };
  if (NOTHING.test(text)) return null;
  if (type === 'text') return { value: text, same: [text.toLowerCase()] };
  if (type === 'boolean') {
    const value = booleanOf(text);
    return value === null ? null : { value, same: [value] };
  }
  if (type === 'number') {
    const digits = /^-?\d+(?:\.\d+)?/.exec(text.replace(/(\d),(?=\d{3}\b)/g, '$1'))?.[0];
    return digits === undefined ? null : { value: Number(digits), same: [Number(digits)] };
  }
  const [first, last = first] = [...text.matchAll(/\d+/g)].map(([digits]) => Number(digits));
  const [start, end] = [frames[first! - 1], frames[last! - 1]];
  if (!start || !end || end.timeS < start.timeS) return null;
  return { value: toTimeRange({ startS: start.timeS, endS: end.timeS }), same: [first!, last!] };
}

/** True if two readings agree; edges of a range may differ by a frame. */
function isSame(one: readonly Value[], two: readonly Value[]): boolean {
  const isRange = one.some(({ same }) => same.length === 2);
  const matches = (a: Value) =>
    two.some(({ same }) =>
      a.same.every((part, i) => (isRange ? Math.abs(Number(part) - Number(same[i])) <= 1 : part === same[i])),
    );
  return one.length === two.length && one.every(matches);
}

async function confirmed(session: LookSession, field: OutputField, values: Value[], frames: readonly VideoFrame[]) {
  const verdicts = await Promise.all(
    values.map(({ value }) => {
      const text = `${field.name.replaceAll('_', ' ')}: ${value}`;
      return isConfirmed(session, { text, context: field.description, frames });
    }),
  );
  return values.filter((_, i) => verdicts[i]);
}

const wordsOf = (values: readonly Value[]) => values.map(({ value }) => JSON.stringify(value)).join(', ');

function framesIn({ observations, maxImages }: LookSession, { from, to }: TimeSpan): VideoFrame[] {
  const count = Math.min(FRAMES, maxImages);
  const step = (to - from) / count;
  const times = Array.from({ length: count }, (_, k) => from + (k + 0.5) * step);
  return framesAt(observations, times, step);
}
