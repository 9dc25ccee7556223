import type { FieldFault } from '#platform/problem';
import { outputSchemaInvalid } from './problems.ts';
import { FIELD_TYPES, type OutputField, type OutputSchema } from './types.ts';

const DEFAULT_LABEL = 'structured_output';
const LIMITS = { fields: 12, name: 48, values: 64, description: 1000, label: 255 };
const NAME = /^[a-z][a-z0-9_]*$/;

type Json = Record<string, unknown>;

/**
 * The schema in its canonical form: defaults filled in, names in lower case. `param` is the name of the request's
 * field. Throws `output_schema_invalid` (400) that lists all faults.
 */
export function checkOutputSchema(value: unknown, param = 'output_schema'): OutputSchema {
  const faults: FieldFault[] = [];
  const fault = (path: string, message: string) => void faults.push({ param: `${param}${path}`, message });
  const schema = isObject(value) ? readSchema(value, fault) : void fault('', 'must be an object');
  const [first] = faults;
  if (!first) return schema!;
  const more = faults.length > 1 ? ` ${faults.length - 1} more: see \`errors\`.` : '';
  throw outputSchemaInvalid(`The field \`${first.param}\` ${first.message}.${more}`, { errors: faults });
}

type Report = (path: string, message: string) => void;

function readSchema({ label, scope, version, fields }: Json, fault: Report): OutputSchema {
  if (label != null && (typeof label !== 'string' || label.length > LIMITS.label))
    fault('.label', `must be text of at most ${LIMITS.label} characters`);
  if (scope != null && scope !== 'event' && scope !== 'video') fault('.scope', 'must be one of event, video');
  if (version != null && !Number.isInteger(version)) fault('.version', 'must be an integer');
  if (!Array.isArray(fields) || fields.length === 0 || fields.length > LIMITS.fields) {
    fault('.fields', `must be a list of 1 to ${LIMITS.fields} fields`);
  }
  const listed = Array.isArray(fields) ? fields.slice(0, LIMITS.fields) : [];
  const seen = new Set<string>();
  return {
    label: (typeof label === 'string' && label.trim()) || DEFAULT_LABEL,
    scope: scope === 'video' ? 'video' : 'event',
    version: typeof version === 'number' ? version : 1,
    fields: listed.map((field, i) => {
      const at: Report = (path, message) => fault(`.fields[${i}]${path}`, message);
      const read = readField(isObject(field) ? field : void at('', 'must be an object'), at);
      if (seen.has(read.name)) at('.name', `repeats the name "${read.name}"`);
      if (read.name !== '') seen.add(read.name);
      return read;
    }),
  };
}

function readField(field: Json | undefined, fault: Report): OutputField {
  const { description, repeated, required } = field ?? {};
  const name = typeof field?.name === 'string' ? field.name.trim().toLowerCase() : '';
  const isNamed = NAME.test(name) && name.length <= LIMITS.name;
  if (field && !isNamed)
    fault('.name', `must be 1 to ${LIMITS.name} letters, digits and underscores, with a letter first`);
  const type = FIELD_TYPES.find((known) => known === (field?.type ?? 'text'));
  if (!type) fault('.type', `must be one of ${FIELD_TYPES.join(', ')}`);
  if (description != null && (typeof description !== 'string' || description.length > LIMITS.description))
    fault('.description', `must be text of at most ${LIMITS.description} characters`);
  for (const [key, flag] of Object.entries({ repeated, required }))
    if (flag != null && typeof flag !== 'boolean') fault(`.${key}`, 'must be true or false');
  return {
    name: isNamed ? name : '',
    type: type ?? 'text',
    description: (typeof description === 'string' && description.trim()) || null,
    values: type === 'enum' ? readValues(field?.values, fault) : null,
    repeated: typeof repeated === 'boolean' ? repeated : type === 'time_range',
    required: typeof required === 'boolean' ? required : true,
  };
}

function readValues(values: unknown, fault: Report): string[] {
  const texts = Array.isArray(values) ? values.map((value) => (typeof value === 'string' ? value.trim() : '')) : [];
  const distinct = [...new Set(texts)];
  if (distinct.length < 2 || distinct.length > LIMITS.values || distinct.includes(''))
    fault('.values', `must be a list of 2 to ${LIMITS.values} distinct texts`);
  return distinct;
}

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
