import type { TSchema } from 'typebox';

/** Keyword that carries the name of a resource. Validators and serializers ignore it. */
export const RESOURCE_NAME = 'x-resource';

/**
 * Names a schema. It stays inline for validation, serialization and types; the OpenAPI document has it once, under
 * `components.schemas`, and every use refers to it. A name stands for one definition: a second one fails at start.
 */
export function resource<T extends TSchema>(name: string, schema: T): T {
  if (!/^[A-Z][A-Za-z0-9]*$/.test(name)) throw new TypeError(`"${name}" is not a resource name: use PascalCase.`);
  // TypeBox keeps the kind of a schema in properties that spreading does not copy.
  return Object.defineProperties({ [RESOURCE_NAME]: name }, Object.getOwnPropertyDescriptors(schema)) as unknown as T;
}
