import { isDeepStrictEqual } from 'node:util';
import { RESOURCE_NAME } from '../schema/resource.ts';

/** Keywords whose values are data, not schemas. */
const DATA = new Set(['examples', 'example', 'default', 'enum', 'const']);

/**
 * Collects the named schemas of an API. `hoist` replaces each by a reference; `definitions` holds the definitions.
 * Throws if a name has two definitions.
 */
export function createResources() {
  const definitions: Record<string, object> = {};
  const hoisted = new WeakMap<object, unknown>();

  function hoist(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(hoist);
    if (typeof value !== 'object' || value === null) return value;
    const known = hoisted.get(value);
    if (known) return known;
    const result = hoistNode(value as Node);
    hoisted.set(value, result);
    return result;
  }

  function hoistNode(node: Node): Node {
    const { [RESOURCE_NAME]: name, ...rest } = node;
    const definition = Object.fromEntries(
      Object.entries(rest).map(([key, child]) => [key, DATA.has(key) ? child : hoist(child)]),
    );
    if (name === undefined) return definition;
    definitions[name] ??= definition;
    if (!isDeepStrictEqual(definitions[name], definition)) {
      throw new Error(`The resource ${name} has two different definitions: give one of them another name.`);
    }
    // Responses and requests take their description and example from the schema.
    const { description, examples } = node;
    return { [RESOURCE_NAME]: name, description, ...(examples && { examples }) };
  }

  return { definitions, hoist: <T>(schema: T): T => hoist(schema) as T };
}

type Node = { [RESOURCE_NAME]?: string; description?: string; examples?: unknown[] };
