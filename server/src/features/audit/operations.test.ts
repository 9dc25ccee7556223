import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ACTIONS, EXEMPT, RECORDED } from './operations.ts';

/** Compares the tables with the API: an operation that writes, exports or returns URLs is in exactly one of them. */
type Schema = {
  $ref?: string;
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
  additionalProperties?: Schema | boolean;
};
type Operation = {
  operationId: string;
  'x-scope': string;
  parameters?: { name: string; in: string }[];
  responses: Record<string, { $ref?: string; content?: Record<string, { schema?: Schema }> }>;
};

const document = JSON.parse(await readFile(join(import.meta.dirname, '../../../openapi.json'), 'utf8')) as {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
};
const operations = Object.values(document.paths).flatMap((methods) =>
  Object.entries(methods).map(([method, operation]) => ({ method, ...operation })),
);

const isWrite = ({ method }: { method: string }) => ['post', 'put', 'patch', 'delete'].includes(method);

/** True if the response has a field named as URLs are, at any depth. */
function hasUrl(schema: Schema | undefined, seen: readonly string[] = []): boolean {
  if (!schema) return false;
  const { $ref, properties = {}, items, anyOf = [], additionalProperties } = schema;
  if ($ref)
    return !seen.includes($ref) && hasUrl(document.components.schemas[$ref.split('/').at(-1)!], [...seen, $ref]);
  if (Object.keys(properties).some((name) => /(^|_)ur[il]s?$/.test(name))) return true;
  const inner = [...Object.values(properties), ...anyOf, items, additionalProperties];
  return inner.some((each) => typeof each === 'object' && hasUrl(each, seen));
}
const successes = ({ responses }: Operation) =>
  Object.entries(responses).flatMap(([status, { content }]) =>
    Number(status) < 300 ? Object.entries(content ?? {}) : [],
  );
/** True if the response is no JSON (a file, a stream or a text), or what a signed URL opens. */
const exportsData = (operation: Operation) =>
  successes(operation).some(([type]) => type !== 'application/json') ||
  operation.parameters?.some(({ name, in: place }) => name === 'token' && place === 'query');
const returnsUrls = (operation: Operation) => successes(operation).some(([, { schema }]) => hasUrl(schema));

const answerable = operations.filter((each) => isWrite(each) || exportsData(each) || returnsUrls(each));

test('every operation that writes, exports or returns URLs is recorded, or exempt with a reason', () => {
  const missing = answerable.filter(({ operationId: id }) => !(id in RECORDED) && !(id in EXEMPT));
  expect(missing.map(({ operationId }) => operationId)).toEqual([]);
  expect(Object.keys(RECORDED).filter((id) => id in EXEMPT)).toEqual([]);
  expect(Object.values(EXEMPT).filter((reason) => !/^[A-Z].{20,}[.]$/.test(reason))).toEqual([]);
});

test('the tables have no other operations', () => {
  const ids = answerable.map(({ operationId }) => operationId);
  // They redirect a browser.
  const others = ['beginSso', 'finishSso'];
  expect([...Object.keys(RECORDED), ...Object.keys(EXEMPT)].filter((id) => ![...ids, ...others].includes(id))).toEqual(
    [],
  );
});

test('no operation that writes is exempt because it only reads', () => {
  const writes = operations.filter((each) => isWrite(each) && ['write', 'admin'].includes(each['x-scope']));
  const exempt = writes.map(({ operationId }) => operationId).filter((id) => id in EXEMPT);
  expect(exempt).toEqual(['completeDirectUpload', 'signUploadParts', 'continueResumableUpload']);
});

test('the console has a name for every action', async () => {
  const text = await readFile(join(import.meta.dirname, '../../../../web/src/rooms/audit/actions.ts'), 'utf8');
  const named = [...text.matchAll(/^ {2}'([\w.]+)': msg`/gm)].map(([, action]) => action);
  expect(named.sort()).toEqual([...ACTIONS].sort());
});
