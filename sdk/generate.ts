import openapiTS, { astToString } from 'openapi-typescript';

/** The client's types, from the text of the server's OpenAPI document. */
export async function renderTypes(openapi: string): Promise<string> {
  return `// Generated from server/openapi.json.\n\n${astToString(await openapiTS(JSON.parse(openapi)))}`;
}
