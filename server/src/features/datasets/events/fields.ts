import type { DatasetEvent, EventField, Taxonomy } from './types.ts';

const measured = (name: string, type: EventField['type'], description: string): EventField => ({
  name,
  type,
  description,
  values: null,
  repeated: false,
  required: true,
});

/** Fields of every event. A field of a taxonomy with the same name takes precedence. */
export const EVENT_FIELDS = [
  measured('label', 'text', 'What was found.'),
  measured('type', 'text', 'Kind of event.'),
  { ...measured('severity', 'enum', 'How serious it is.'), values: ['low', 'medium', 'high'] },
  { ...measured('approval', 'enum', 'Review state.'), values: ['pending', 'approved', 'rejected', 'unsure'] },
  measured('confidence', 'number', 'Confidence from 0 to 1.'),
  measured('video_id', 'text', 'The video.'),
] as const satisfies readonly EventField[];

/** The fields of taxonomies by name; of several with one name the first, with the values of all. */
export function taxonomyFields(taxonomies: readonly Taxonomy[]): Map<string, EventField> {
  const fields = new Map<string, EventField>();
  for (const field of taxonomies.flatMap((taxonomy) => taxonomy.fields)) {
    const known = fields.get(field.name);
    const values = known?.values && field.values ? [...new Set([...known.values, ...field.values])] : null;
    fields.set(field.name, known ? { ...known, values: values ?? known.values } : field);
  }
  return fields;
}

/** All fields that a filter can name. */
export const filterFields = (taxonomies: readonly Taxonomy[]): Map<string, EventField> =>
  new Map([...EVENT_FIELDS.map((field): [string, EventField] => [field.name, field]), ...taxonomyFields(taxonomies)]);

export type FacetTable = {
  fields: { name: string; values: string[] }[];
  /** One row per event and one cell per field: the index of its value, a list of them, or -1 without one. */
  rows: (number | number[])[][];
};

const ABSENT = -1;

/** The values of the taxonomy fields that have a fixed set of them, for each event. */
export function facetTable(taxonomies: readonly Taxonomy[], events: readonly DatasetEvent[]): FacetTable {
  const fields = [...taxonomyFields(taxonomies).values()].filter(({ type }) => type === 'enum' || type === 'boolean');
  const vocabularies = fields.map(({ values }) => values ?? ['true', 'false']);
  const indexes = vocabularies.map((values) => new Map(values.map((value, index) => [value, index])));
  const cell = ({ fieldValues }: DatasetEvent, { name, repeated }: EventField, column: number) => {
    const found = [fieldValues[name] ?? []].flat().flatMap((value) => indexes[column]!.get(String(value)) ?? []);
    return repeated ? found : (found[0] ?? ABSENT);
  };
  return {
    fields: fields.map(({ name }, column) => ({ name, values: vocabularies[column]! })),
    rows: events.map((event) => fields.map((field, column) => cell(event, field, column))),
  };
}
