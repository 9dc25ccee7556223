import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { NAME_PATTERN } from '#platform/text';
import { createWalkSessions } from './api/auth-walk.ts';
import {
  type DescribedOperation,
  exampleBody,
  fetchDocument,
  listFields,
  listOperations,
  listTextFields,
} from './api/operations.ts';
import { startTestApp, type TestApp } from './app.ts';
import type { CallOptions } from './http.ts';

/** Rules for every operation of the OpenAPI document, including new ones. */
let app: TestApp;
let operations: DescribedOperation[];
let admin: string;
beforeAll(async () => {
  app = await startTestApp({}, { roles: { api: true, worker: false } });
  const owner = (await app.sightline.accounts.owner())!;
  admin = (await app.sightline.keys.create({ ...owner, name: 'walk', scopes: ['admin'] })).key;
  operations = listOperations(await fetchDocument(app.api));
});
afterAll(() => app?.close());

const ID = '0'.repeat(32);
/** Characters that no text field accepts. */
const UNFIT = ['\u0000', '\u0007', '\u001b', '\u0085', '\ud800'];

test('every text field of every operation refuses control characters and lone surrogates', async () => {
  const signIn = createWalkSessions(app.sightline.database, app.sightline.people, {
    orgId: (await app.sightline.accounts.owner())!.orgId,
  });
  const cookie = await signIn('owner');
  const wrong: string[] = [];
  let tried = 0;
  for (const operation of operations) {
    const { id, method, scope } = operation;
    const session = { headers: { cookie, origin: app.api.base } };
    const as: CallOptions = scope === 'session' ? session : scope === 'public' ? {} : { key: admin };
    const expectRefused = async (field: string, path: string, options: CallOptions) => {
      tried++;
      const { status, json, text } = await app.api.call(method, path, { ...as, ...options });
      const refused = status === 400 && /_invalid$/.test(String(json.error));
      if (!(refused || (method === 'HEAD' && status === 400)))
        wrong.push(`${id} ${field}: ${status} ${text.slice(0, 150)}`);
    };
    for (const [i, field] of listTextFields(operation).entries()) {
      const character = UNFIT[i % UNFIT.length]!;
      const path = operation.path.replace(/\{\w+\}/g, ID);
      // A URL has no lone surrogates.
      const encoded = encodeURIComponent(character === '\ud800' ? '\u0001' : character);
      if (field.in === 'path') {
        const hostile = operation.path.replace(`{${field.name}}`, `a${encoded}b`).replace(/\{\w+\}/g, ID);
        await expectRefused(field.name, hostile, { json: exampleBody(operation) });
      } else if (field.in === 'query') {
        await expectRefused(field.name, `${path}?${field.name}=a${encoded}b`, { json: exampleBody(operation) });
      } else {
        const json = { ...(exampleBody(operation) as object), [field.name]: field.wrap(`a${character}b`) };
        await expectRefused(field.name, path, { json });
      }
    }
  }
  expect(wrong).toEqual([]);
  expect(tried).toBeGreaterThan(250);
}, 240_000);

/** Fields with a display name that users choose. */
const NAMES = /^(name|custom_name|filename|stream_name|folder_name|folder)$/;

test('every name field follows the one rule for names', () => {
  // Names of models are those of the catalog: users do not choose them.
  const named = operations.filter(({ path }) => !path.startsWith('/api/system/models'));
  const wrong = named.flatMap((operation) =>
    listFields(operation)
      .filter(({ name, schema }) => NAMES.test(name) && !JSON.stringify(schema).includes(JSON.stringify(NAME_PATTERN)))
      .map(({ name }) => `${operation.id} ${name}`),
  );
  expect(wrong).toEqual([]);
});

test('names are stored unchanged', async () => {
  const name = 'Gate 3/4, 21/11/2026 \\ “Süd” 🎥';
  const send = async (method: string, path: string, options: CallOptions) => {
    const answer = await app.api.call(method, path, { key: admin, ...options });
    expect(answer.status, `${path}: ${answer.text}`).toBeLessThan(300);
    return answer;
  };
  const post = async (path: string, json: object) => (await send('POST', path, { json })).json;
  const folder = await post('/api/folders', { name });
  expect(folder.name).toBe(name);
  expect((await send('GET', `/api/folders/get?name=${encodeURIComponent(name)}`, {})).json.id).toBe(folder.id);
  expect((await post('/api/keys', { name })).name).toBe(name);
  expect((await send('PATCH', '/api/organization', { json: { name } })).json.name).toBe(name);
  const credentials = { access_key_id: 'a', secret_access_key: 'b', bucket: 'a-bucket', region: 'eu-west-1' };
  expect((await post('/api/cloud-integrations/s3?verify=False', { name, ...credentials })).name).toBe(name);
  const { mcap_ingest_id } = await post('/api/mcap/create-ingest', { filename: name, size_bytes: 9 });
  expect((await send('GET', `/api/mcap/${mcap_ingest_id}`, {})).json.filename).toBe(name);
  for (const field of ['filename', 'custom_name']) {
    const metadata = `${field} ${Buffer.from(name).toString('base64')}`;
    const headers = { 'tus-resumable': '1.0.0', 'upload-length': '9', 'upload-metadata': metadata };
    const { headers: made } = await send('POST', '/api/uploads', { headers });
    const video = `/api/video/${made.get('location')!.split('/').at(-1)}`;
    expect((await send('GET', `${video}/status`, {})).json.video_name, field).toBe(name);
    expect((await send('PATCH', video, { json: { name: `${name}!`, tags: [name] } })).json).toMatchObject({
      video_name: `${name}!`,
      tags: [name],
    });
  }
});

const SPELLINGS = { True: true, TRUE: true, true: true, 1: true, False: false, false: false, 0: false };

test('every boolean query parameter accepts exactly the spellings that clients send', async () => {
  const wrong: string[] = [];
  let tried = 0;
  for (const operation of operations) {
    const path = operation.path.replace(/\{\w+\}/g, ID);
    const inQuery = listFields(operation).filter((field) => field.in === 'query');
    // Without its signature, a signed request is refused for that first.
    const signature = inQuery.some(({ name }) => name === 'token') ? '&token=none' : '';
    for (const { name } of inQuery.filter(({ schema }) => schema.type === 'boolean')) {
      const send = (value: string) =>
        app.api.call(operation.method, `${path}?${name}=${value}${signature}`, {
          key: admin,
          json: exampleBody(operation),
        });
      for (const value of Object.keys(SPELLINGS)) {
        tried++;
        const answer = await send(value);
        if (answer.text.includes(`\`${name}\``)) wrong.push(`${operation.id} ${name}=${value}: ${answer.text}`);
      }
      for (const value of ['yes', '2', '']) {
        const { status, json, text } = await send(value);
        if (status !== 400 || !String(json.message).includes(name))
          wrong.push(`${operation.id} ${name}=${value}: ${text}`);
      }
    }
  }
  expect(wrong).toEqual([]);
  expect(tried).toBeGreaterThan(40);
});

test('every operation that needs a key or session refuses unknown query parameters', async () => {
  const wrong: string[] = [];
  const cookie = await createWalkSessions(app.sightline.database, app.sightline.people, {
    orgId: (await app.sightline.accounts.owner())!.orgId,
  })('owner');
  const walked = operations.filter(({ scope }) => scope !== 'public');
  for (const operation of walked) {
    const { id, method, scope } = operation;
    const as: CallOptions = scope === 'session' ? { headers: { cookie, origin: app.api.base } } : { key: admin };
    const send = (query: string) =>
      app.api.call(method, `${operation.path.replace(/\{\w+\}/g, ID)}?${query}`, {
        ...as,
        json: exampleBody(operation),
      });
    const { status, json, text } = await send('zzzz=1');
    const refused = status === 400 && /^The query parameter `zzzz` is unknown[;?]/.test(String(json.message));
    if (method === 'HEAD' ? status !== 400 : !refused || !isDeepStrictEqual(paramsOf(json), ['zzzz']))
      wrong.push(`${id}: ${status} ${text.slice(0, 150)}`);
    for (const { name } of listFields(operation).filter((field) => field.in === 'query' && field.name.length > 2)) {
      const { json: misspelled } = await send(`${name}${name.at(-1)}=1`);
      if (!String(misspelled.message).includes('did you mean `')) wrong.push(`${id} ${name}: ${misspelled.message}`);
    }
  }
  expect(wrong).toEqual([]);
  expect(walked.length).toBeGreaterThan(200);
}, 240_000);

const paramsOf = ({ errors }: Record<string, unknown>) => (errors as { param: string }[]).map(({ param }) => param);

test('signed URLs accept any query parameters', async () => {
  const files = operations.filter(({ scope, method }) => scope === 'public' && method === 'GET');
  for (const { id, path } of files) {
    const { json } = await app.api.call('GET', `${path.replace(/\{\w+\}/g, ID)}?token=x&zzzz=1`);
    expect(String(json.message), id).not.toContain('zzzz');
  }
  expect(files.length).toBeGreaterThan(20);
});

test('every operation with a JSON body accepts unknown fields, and names them', async () => {
  const wrong: string[] = [];
  const cookie = await createWalkSessions(app.sightline.database, app.sightline.people, {
    orgId: (await app.sightline.accounts.owner())!.orgId,
  })('owner');
  // The body of the latter is a file, whose content may be any JSON.
  const walked = operations.filter(({ body, id }) => body && !['callMcp', 'putMetadataFile'].includes(id));
  for (const operation of walked) {
    const { id, method, scope } = operation;
    const session = { headers: { cookie, origin: app.api.base } };
    const as: CallOptions = scope === 'session' ? session : scope === 'public' ? {} : { key: admin };
    const json = { ...(exampleBody(operation) as object), zzzz: 1 };
    const { headers, text } = await app.api.call(method, operation.path.replace(/\{\w+\}/g, ID), { ...as, json });
    const ignored = (headers.get('ignored-fields') ?? '').split(', ');
    if (!ignored.includes('zzzz') || text.includes('zzzz')) wrong.push(`${id}: ${ignored} ${text.slice(0, 150)}`);
  }
  expect(wrong).toEqual([]);
  expect(walked.length).toBeGreaterThan(70);
}, 240_000);

test('405 lists exactly the methods of the path', async () => {
  const wrong: string[] = [];
  for (const template of new Set(operations.map(({ path }) => path))) {
    const path = template.replace(/\{\w+\}/g, ID);
    const methods = operations.filter((operation) => operation.path === template).map(({ method }) => method);
    // The document omits HEAD; tus reads the progress of an upload with it.
    const hasHead = methods.includes('GET') || template === '/api/uploads/{upload_id}';
    const allowed = [...new Set([...methods, ...(hasHead ? ['HEAD'] : []), 'OPTIONS'])];
    const listed = new Set<string>();
    for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
      const { status, headers } = await app.api.call(method, path);
      if (status === 405) listed.add(String(headers.get('allow')).replaceAll(' ', ''));
      if (status === 405 && allowed.includes(method)) wrong.push(`${method} ${path} is described and not known`);
    }
    if ([...listed].some((names) => names !== allowed.sort().join()))
      wrong.push(`${path}: ${[...listed]}; takes ${allowed}`);
  }
  expect(wrong).toEqual([]);
  const nowhere = await app.api.call('PUT', '/api/nowhere');
  expect([nowhere.status, nowhere.headers.get('allow')]).toEqual([404, null]);
});
