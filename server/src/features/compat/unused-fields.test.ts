import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { UNUSED_FIELDS, UNUSED_PARAMETERS } from './unused-fields.ts';

type Schema = { properties: Record<string, { items: Schema; description?: string }> };

type Operation = { operationId: string; parameters: { name: string; description: string }[] };

const document = JSON.parse(await readFile(new URL('../../../openapi.json', import.meta.url), 'utf8')) as {
  components: { schemas: Record<string, Schema> };
  paths: Record<string, Record<string, Operation>>;
};

test.each(Object.entries(UNUSED_FIELDS))('the fields of %s are described', (name, { fields, itemsOf }) => {
  const schema = document.components.schemas[name]!;
  const { properties } = itemsOf ? schema.properties[itemsOf]!.items : schema;
  for (const [field, { description }] of Object.entries(fields as unknown as Schema['properties']))
    expect(properties[field]?.description, field).toBe(description);
});

test.each(Object.entries(UNUSED_PARAMETERS))('the parameters of %s are described', (id, parameters) => {
  const operation = Object.values(document.paths)
    .flatMap((methods) => Object.values(methods))
    .find(({ operationId }) => operationId === id)!;
  for (const name of Object.keys(parameters))
    expect(operation.parameters.find((parameter) => parameter.name === name)?.description).toMatch(/ignored\.$/);
});
