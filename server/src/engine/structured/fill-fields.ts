import type { Answer, Coverage } from '../types.ts';
import { type AskPhrase, findKnownValue } from './known-values.ts';
import { type FieldSubject, measureField } from './measured-fields.ts';
import type {
  FieldError,
  FieldReader,
  FieldResult,
  FieldValue,
  FieldValues,
  OutputField,
  OutputSchema,
  StructuredOutput,
  UnfilledFields,
} from './types.ts';

export type FillOptions = {
  durationS: number;
  ask: AskPhrase;
  /** Fills what measurements do not; null without a model. */
  read: FieldReader | null;
};

type Subject = FieldSubject & { index: number | null };

const NEEDS_MODEL =
  'it needs a vision-language model that fills fields, which this service does not have (SIGHTLINE_VISION_URL)';

/**
 * Adds the requested fields to the events of an answer, or to the answer for the scope `video`; the first event of a
 * video then carries them too. Measurements are used where they suffice, then the model. `coverage` gets a row for each
 * field that no event has.
 */
export async function fillFields(answer: Answer, schema: OutputSchema, options: FillOptions): Promise<Answer> {
  const { events } = answer;
  const { durationS } = options;
  const subjects: Subject[] =
    schema.scope === 'video'
      ? [{ event: null, events, durationS, index: null }]
      : events.map((event, index) => ({ event, events, durationS, index }));
  const measured = subjects.map((subject) => new Map(schema.fields.map((field) => [field, measure(field, subject)])));
  const results = await withModel(schema, subjects, measured, options.read);
  const outputs = results.map((result) => toOutput(schema, result));
  const coverage = [...answer.coverage, ...unfilledRows(schema, outputs)];
  if (schema.scope === 'event')
    return { ...answer, coverage, events: events.map((event, i) => ({ ...event, structured: outputs[i]! })) };
  const [structured] = outputs;
  const [first, ...rest] = events;
  return { ...answer, coverage, structured, events: first ? [{ ...first, structured }, ...rest] : [] };

  function measure(field: OutputField, subject: Subject): FieldResult {
    const value = measureField(field, subject);
    if (value !== null) return { value: toListOrSingle(field, value) };
    if (field.type !== 'enum' && field.type !== 'boolean') return { missing: 'nothing measures it' };
    const known = findKnownValue(field, subject, options.ask);
    return 'value' in known ? { value: toListOrSingle(field, known.value) } : known;
  }
}

type Results = Map<OutputField, FieldResult>;

/** A list for a repeated field, else the first value of a list. */
const toListOrSingle = ({ repeated }: OutputField, value: FieldValue | FieldValue[]) =>
  repeated ? [value].flat() : [value].flat()[0]!;

async function withModel(
  { fields }: OutputSchema,
  subjects: readonly Subject[],
  measured: readonly Results[],
  read: FieldReader | null,
): Promise<Results[]> {
  const requests: UnfilledFields[] = subjects.map(({ index }, i) => ({
    event: index,
    fields: fields.filter((field) => 'missing' in measured[i]!.get(field)!),
  }));
  const open = requests.filter((request) => request.fields.length > 0);
  const answers = read && open.length > 0 ? await read(open) : null;
  return measured.map((results, i) => {
    const answered = answers?.[open.indexOf(requests[i]!)] ?? {};
    return new Map([...results].map(([field, result]) => [field, 'value' in result ? result : merge(field, result)]));

    function merge(field: OutputField, { missing }: { missing: string }): FieldResult {
      const reading = Object.hasOwn(answered, field.name) ? answered[field.name]! : null;
      if (reading === null) return { missing: `${missing}; ${NEEDS_MODEL}` };
      if ('missing' in reading) return { missing: `${missing}; ${reading.missing}` };
      const invalid = reasonAgainst(field, reading.value);
      return invalid === null ? reading : { missing: `${missing}; the model answered ${invalid}` };
    }
  });
}

/** The reason for refusing a value of the field; null if it is valid. */
function reasonAgainst({ type, values, repeated }: OutputField, value: unknown): string | null {
  if (repeated !== Array.isArray(value)) return repeated ? 'a single value, not a list' : 'a list, not a single value';
  const isValid = (one: unknown) => {
    if (type === 'enum') return typeof one === 'string' && values!.includes(one);
    if (type === 'number') return typeof one === 'number' && Number.isFinite(one);
    if (type === 'boolean') return typeof one === 'boolean';
    return typeof one === 'string' && one.length <= 10_000;
  };
  return [value].flat().every(isValid) ? null : 'a value of another type';
}

function toOutput({ label, version, fields }: OutputSchema, results: Results): StructuredOutput {
  const values: FieldValues = {};
  const errors: FieldError[] = [];
  let isComplete = true;
  for (const field of fields) {
    const result = results.get(field)!;
    if ('value' in result) {
      values[field.name] = result.value;
      continue;
    }
    values[field.name] = null;
    errors.push({ field: field.name, message: `${result.missing.charAt(0).toUpperCase()}${result.missing.slice(1)}.` });
    isComplete &&= !field.required;
  }
  return { label, version, values: isComplete ? values : null, errors };
}

/** One row for each field that nothing filled. */
function unfilledRows({ fields }: OutputSchema, outputs: readonly StructuredOutput[]): Coverage[] {
  return fields.flatMap(({ name }) => {
    const reasons = outputs.map(({ errors }) => errors.find(({ field }) => field === name)?.message);
    const [reason] = reasons;
    if (reason === undefined || reasons.includes(undefined)) return [];
    return { text: `field ${name}`, status: 'not_looked_for' as const, by: [], reason, findings: 0 };
  });
}
