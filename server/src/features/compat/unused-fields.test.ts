import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { UNUSED_FIELDS } from './unused-fields.ts';

type Schema = { properties: Record<string, { items: Schema; description?: string }> };

const document = JSON.parse(await readFile(new URL('../../../openapi.json', import.meta.url), 'utf8')) as {
  components: { schemas: Record<string, Schema> };
};

test.each(Object.entries(UNUSED_FIELDS))('the fields of %s are described', (name, { fields, itemsOf }) => {
  const schema = document.components.schemas[name]!;
  const { properties } = itemsOf ? schema.properties[itemsOf]!.items : schema;
  for (const [field, { description }] of Object.entries(fields as unknown as Schema['properties']))
    expect(properties[field]?.description, field).toBe(description);
});
