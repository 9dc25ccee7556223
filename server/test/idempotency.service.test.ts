import { afterAll, beforeAll, expect, test } from 'vitest';
import { fetchDocument } from './api/operations.ts';
import { startTestApp, type TestApp } from './app.ts';
import type { CallOptions } from './http.ts';

/** Every write of the complete API, sent twice under one `Idempotency-Key`, and once more as another request. */
type Operation = {
  operationId: string;
  'x-scope': string;
  'x-idempotency'?: 'replay' | 'resumable';
  requestBody?: { content: Record<string, { example?: object; examples?: Record<string, { value: object }> }> };
};

let app: TestApp;
let keys: { write: string; admin: string };
beforeAll(async () => {
  app = await startTestApp();
  const owner = (await app.sightline.accounts.owner())!;
  const make = async (name: 'write' | 'admin') =>
    (await app.sightline.keys.create({ ...owner, name, scopes: [name] })).key;
  keys = { write: await make('write'), admin: await make('admin') };
});
afterAll(() => app?.close());

const WRITES = ['post', 'put', 'patch', 'delete'];
/**
 * An offset makes a piece safe to repeat; URLs of parts are new each time, and change nothing; a model that is there,
 * removed or being downloaded stays so; a test of a camera stores nothing.
 */
const SAFE_WITHOUT = [
  'continueResumableUpload',
  'signUploadParts',
  'downloadModel',
  'cancelModelDownload',
  'removeModel',
  'provideModelFile',
  'testCameraSource',
  'testCamera',
];
const form = () => {
  const body = new FormData();
  body.set('source', 'file');
  body.set('file', new Blob(['no film']), 'x.mp4');
  return { body };
};
const TUS = { 'tus-resumable': '1.0.0', 'upload-length': '9' };
const SPECIAL: Record<string, () => CallOptions> = {
  uploadVideo: form,
  putMetadataFile: () => ({ body: '[]' }),
  putSubtitles: () => ({ body: '1\n00:00:01,000 --> 00:00:02,000\nStop\n' }),
  createResumableUpload: () => ({ headers: TUS }),
  endResumableUpload: () => ({ headers: TUS }),
};

test('every write runs once per Idempotency-Key, and another request with it is refused', async () => {
  const document = await fetchDocument(app.api);
  const wrong: string[] = [];
  let walked = 0;
  for (const [path, operations] of Object.entries<Record<string, Operation>>(document.paths)) {
    const url = path.replace('{version}', '1').replace(/\{\w+\}/g, '0'.repeat(32));
    for (const [method, operation] of Object.entries(operations)) {
      const { operationId, 'x-scope': scope, 'x-idempotency': mode } = operation;
      if (!WRITES.includes(method) || !(scope === 'write' || scope === 'admin')) continue;
      if (!mode) {
        if (!SAFE_WITHOUT.includes(operationId)) wrong.push(`${operationId} takes no Idempotency-Key`);
        continue;
      }
      walked++;
      const content = operation.requestBody?.content['application/json'];
      const json = content && (content.example ?? Object.values(content.examples ?? {})[0]?.value ?? {});
      const { headers, ...made } = SPECIAL[operationId]?.() ?? { json };
      const send = (to: string) =>
        app.api.call(method.toUpperCase(), to, {
          key: keys[scope],
          headers: { ...headers, 'idempotency-key': `walk-${operationId}` },
          ...made,
        });
      // Its bucket is not there, and such a failure is not stored.
      const to = operationId === 'createHuggingFaceIntegration' ? `${url}?verify=false` : url;
      const [first, second] = [await send(to), await send(to)];
      // Another request by its address; one with an unknown parameter would be refused first.
      const other = await send(`${to}${to.includes('?') ? '&' : '?'}`);
      const description = `${operationId}: ${first.status} ${first.text.slice(0, 200)}, then ${second.status} ${second.text.slice(0, 200)}`;
      if (first.status >= 500) wrong.push(description);
      // A key or an invitation link is returned once: a repeat gets an error and creates nothing.
      const shownOnce =
        ['createKey', 'createInvitation', 'createWebhook', 'rotateWebhookSecret', 'createCameraKey'].includes(
          operationId,
        ) && /_shown_once$/.test(String(second.json.error));
      const same = second.status === first.status && second.text === first.text;
      const place = first.headers.get('location') === second.headers.get('location');
      const replayed = second.headers.get('idempotency-replayed') === 'true';
      if (!replayed || !(shownOnce || (same && place))) wrong.push(description);
      if (other.status !== 409 || other.json.error !== 'idempotency_conflict') {
        wrong.push(`${operationId} as another request: ${other.status} ${other.text.slice(0, 200)}`);
      }
    }
  }
  expect(wrong).toEqual([]);
  expect(walked).toBeGreaterThan(15);
});

test('an upload that is started twice with one key is one upload, and another one is refused', async () => {
  const begin = (length: string) =>
    app.api.call('POST', '/api/uploads', {
      key: keys.write,
      headers: { ...TUS, 'upload-length': length, 'idempotency-key': 'one-upload' },
    });
  const [first, second, other] = [await begin('9'), await begin('9'), await begin('10')];
  expect([first.status, second.status]).toEqual([201, 201]);
  expect(second.headers.get('location')).toBe(first.headers.get('location'));
  expect([other.status, other.json.error]).toEqual([409, 'idempotency_conflict']);
});
