import { problems } from '../problems.ts';
import type { EventField, Filter } from './types.ts';

const MAX_DEPTH = 8;
const MAX_CONDITIONS = 200;
const COMPARISON = /^(<=?|>=?)\s*(-?\d+(?:\.\d+)?)$/;
const GROUPS = ['and', 'or'] as const;

/**
 * Reads the `where` of a filter: `{field: value}`, `{field: [any of these]}` or `{number: "< 5"}`, whose entries must
 * all hold, and `{and: [...]}` or `{or: [...]}` around them. Throws `dataset_filter_invalid` (400).
 */
export function readFilter(where: unknown, fields: ReadonlyMap<string, EventField>): Filter {
  let conditions = 0;
  return readGroup(where, 'where', 0);

  function readGroup(value: unknown, at: string, depth: number): Filter {
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      throw fault(`\`${at}\` must be an object of fields and values.`);
    if (depth > MAX_DEPTH) throw fault(`\`${at}\` is nested more than ${MAX_DEPTH} times.`);
    const entries = Object.entries(value);
    if (entries.length === 0) throw fault(`\`${at}\` is empty.`);
    const of = entries.map(([key, each]) => {
      const group = GROUPS.find((known) => known === key);
      return group ? readList(group, each, `${at}.${key}`, depth) : readCondition(key, each);
    });
    return of.length === 1 ? of[0]! : { kind: 'and', of };
  }

  function readList(kind: 'and' | 'or', value: unknown, at: string, depth: number): Filter {
    if (!Array.isArray(value) || value.length === 0) throw fault(`\`${at}\` must be a list of conditions.`);
    return { kind, of: value.map((each, i) => readGroup(each, `${at}[${i}]`, depth + 1)) };
  }

  function readCondition(name: string, value: unknown): Filter {
    if (++conditions > MAX_CONDITIONS) throw fault(`A filter has at most ${MAX_CONDITIONS} conditions.`);
    const field = fields.get(name);
    if (!field)
      throw fault(
        `There is no field "${name.slice(0, 100)}". Fields of this dataset: ${[...fields.keys()].join(', ')}.`,
      );
    const [, operator, limit] = (typeof value === 'string' && COMPARISON.exec(value.trim())) || [];
    if (operator && field.type === 'number')
      return { kind: 'compare', field: name, operator: operator as '<', value: Number(limit) };
    const values = [value].flat();
    if (values.length === 0 || values.length > MAX_CONDITIONS)
      throw fault(`The field "${name}" needs 1 to ${MAX_CONDITIONS} values.`);
    return { kind: 'equals', field: name, values: values.map((each) => readValue(field, each)) };
  }
}

function readValue({ name, type, values }: EventField, value: unknown): string | number | boolean {
  switch (type) {
    case 'boolean':
      if (typeof value === 'boolean') return value;
      if (value === 'true' || value === 'false') return value === 'true';
      throw fault(`The field "${name}" is true or false.`);
    case 'number': {
      const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
      if (typeof number === 'number' && Number.isFinite(number)) return number;
      throw fault(`The field "${name}" takes a number, or a comparison such as "< 5".`);
    }
    case 'enum':
      if (typeof value === 'string' && values!.includes(value)) return value;
      throw fault(`The field "${name}" has the values ${values!.join(', ')}.`);
    default:
      if (typeof value === 'string' && value.length <= 1_000) return value;
      throw fault(`The field "${name}" takes text of at most 1,000 characters.`);
  }
}

const fault = (sentence: string) => problems.dataset_filter_invalid(sentence);
