import openapiTS, { astToString } from 'openapi-typescript';

/** The types of all operations, from the text of the server's OpenAPI document. */
export async function renderTypes(openapi: string): Promise<string> {
  return `// Generated from server/openapi.json.\n\n${astToString(await openapiTS(JSON.parse(openapi)))}`;
}

/** The resources of the API under their names. */
export function renderResources(openapi: string): string {
  const { components } = JSON.parse(openapi) as { components: { schemas: Record<string, unknown> } };
  const types = Object.keys(components.schemas).map((name) => `export type ${name} = Schemas['${name}'];\n`);
  return `// Generated from server/openapi.json.\n\nimport type { components } from './api.generated.ts';\n\ntype Schemas = components['schemas'];\n\n${types.join('')}`;
}
