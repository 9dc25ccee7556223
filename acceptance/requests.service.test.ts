import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ApiResponse } from '../server/test/http.ts';
import { sceneClip } from '../server/test/media/clips.ts';
import { sightline, user } from './harness/command.ts';
import { makeFolder, type Service, startService } from './harness/service.ts';

/** Invalid requests: each gets its status, a stable code, and a sentence with a remedy. */
let folder: Awaited<ReturnType<typeof makeFolder>>;
let service: Service;
let videoId: string;

beforeAll(async () => {
  folder = await makeFolder();
  service = await startService(`${folder.path}/data`);
  videoId = await service.upload(await sceneClip());
});
afterAll(async () => {
  await service?.stop();
  await folder?.remove();
});

const NOBODY = '0'.repeat(32);

function expectRefusal(
  { status, json, headers }: ApiResponse,
  expected: number,
  code: string,
  says: RegExp = /\w/,
): void {
  expect([status, json.error]).toEqual([expected, code]);
  expect(json.detail).toBe(json.message);
  expect(json.message).toMatch(/^[A-Z`/].{15,}[.]$/s);
  expect(json.message).toMatch(says);
  expect(headers.get('x-request-id')).toMatch(/\w/);
}

describe('keys', () => {
  const verify = (headers: Record<string, string>) => service.call('POST', '/api/keys/verify', { key: null, headers });

  test('none is 403', async () => {
    expectRefusal(await verify({}), 403, 'key_missing', /X-API-Key/);
  });

  test('malformed is 403', async () => {
    expectRefusal(await verify({ 'x-api-key': 'let me in' }), 403, 'key_malformed', /sk_/);
    expectRefusal(await verify({ authorization: 'Basic dXNlcjpwYXNz' }), 403, 'key_malformed', /sk_/);
  });

  test('unknown is 401', async () => {
    expectRefusal(await verify({ authorization: `Bearer sk_${'a'.repeat(48)}` }), 401, 'key_unknown');
  });

  test('two that differ are 403', async () => {
    const headers = { 'x-api-key': service.env.SIGHTLINE_BOOTSTRAP_KEY!, authorization: `Bearer sk_${'a'.repeat(48)}` };
    expectRefusal(await verify(headers), 403, 'key_ambiguous', /one key/);
  });

  test('either header alone is enough, and both when they agree', async () => {
    const key = service.env.SIGHTLINE_BOOTSTRAP_KEY!;
    const ways: Record<string, string>[] = [
      { 'x-api-key': key },
      { authorization: `Bearer ${key}` },
      { 'x-api-key': key, authorization: `Bearer ${key}` },
    ];
    for (const headers of ways) {
      expect((await verify(headers)).json).toMatchObject({ valid: true, permissions: ['read', 'write', 'admin'] });
      expect((await service.call('GET', '/api/my-videos', { key: null, headers })).status).toBe(200);
    }
  });

  // The keys room tests the exact moment of expiry, where the test controls the clock; `server/test/access-
  // control.test.ts` tests that every route refuses an expired key.
  test('created on the command line beside the running service, they work at once, are listed, and end when revoked', async () => {
    const { env } = service;
    const made = await sightline(['accounts', 'create-key', '--name', 'reader', '--scopes', 'read', '--days', '1'], {
      env,
    });
    expect([made.code, made.stderr]).toEqual([0, expect.stringContaining('shown only once')]);
    const key = made.stdout.trim();
    expect(key).toMatch(/^sk_[A-Za-z0-9]{32,}$/);
    const verified = await service.call('POST', '/api/keys/verify', { key });
    expect(verified.json).toMatchObject({ scope: ['read'], permissions: ['read'] });
    const days = (Date.parse(String(verified.json.expires_at)) - Date.now()) / 86_400_000;
    expect(days).toBeGreaterThan(0.99);
    expect(days).toBeLessThanOrEqual(1);

    expect((await service.call('GET', '/api/my-videos', { key })).status).toBe(200);
    const tooMuch = await service.call('DELETE', `/api/video/${videoId}`, { key });
    expectRefusal(tooMuch, 403, 'scope_missing', /"write".*"read"/);
    const question = await service.call('POST', '/api/router/v2/query/start', {
      key,
      json: { query: 'x', video_id: videoId },
    });
    expectRefusal(question, 403, 'scope_missing', /"write"/);

    const listed = await sightline(['accounts', 'list-keys'], { env });
    expect(listed.stdout).toMatch(new RegExp(`reader.*${key.slice(0, 8)}.*active`));
    expect(listed.stdout).not.toContain(key);

    const revoked = await sightline(['accounts', 'revoke-key', key.slice(0, 8)], { env });
    expect([revoked.code, revoked.stdout]).toEqual([0, expect.stringContaining('Revoked reader')]);
    expectRefusal(await service.call('GET', '/api/my-videos', { key }), 401, 'key_revoked', /create a new one/);
    expect((await sightline(['accounts', 'list-keys'], { env })).stdout).toMatch(/reader.*inactive/);
  });

  test('the program of the service has the commands of the client, too', async () => {
    const env = { SIGHTLINE_URL: service.url, SIGHTLINE_API_KEY: service.key };
    const [own, client] = [await sightline(['videos', '--json'], { env }), await user(['videos', '--json'], { env })];
    expect([own.code, own.stdout]).toEqual([0, client.stdout]);
    expect(own.stdout).toContain(videoId);
    const { stdout: help } = await sightline(['--help']);
    expect(help).toMatch(/of the node, without a key:\n {2}start.*for users, with a key:\n {2}login/s);
  });

  test('that are invalid are refused with a reason', async () => {
    const { env } = service;
    const refused = async (...args: string[]) => {
      const { code, stdout, stderr } = await sightline(['accounts', ...args], { env });
      expect([code, stdout]).toEqual([1, '']);
      return stderr;
    };
    expect(await refused('create-key', '--name', 'x', '--scopes', 'root')).toMatch(/"root"/);
    expect(await refused('create-key', '--name', 'x', '--days', '0')).toMatch(/1 to 365 days/);
    expect(await refused('revoke-key', 'sk_nobody')).toMatch(/no API key/);
  });
});

describe('bodies', () => {
  const post = (body: RequestInit['body'], type: string, path = '/api/router/v2/query/start') =>
    service.call('POST', path, { body, headers: { 'content-type': type } });

  test('that are not JSON are 400', async () => {
    expectRefusal(await post('{"query": ', 'application/json'), 400, 'body_not_json', /JSON/);
    expectRefusal(await post('query=x', 'application/json'), 400, 'body_not_json', /JSON/);
  });

  test('of JSON that is not an object are 400', async () => {
    for (const body of ['[1, 2]', 'null']) {
      expectRefusal(await post(body, 'application/json'), 400, 'request_invalid', /object/);
    }
  });

  test('over a megabyte are 413', async () => {
    const body = JSON.stringify({ query: 'x', video_id: videoId, padding: 'x'.repeat(1 << 20) });
    expectRefusal(await post(body, 'application/json'), 413, 'body_too_large');
  });

  test('of another type are 415', async () => {
    expectRefusal(await post('<query/>', 'application/xml'), 415, 'content_type_unsupported');
    expectRefusal(await post('....', 'video/mp4', '/api/upload-video'), 415, 'content_type_unsupported');
  });

  test('with fields of the wrong type are 400 and name the field', async () => {
    const send = (json: object) => service.call('POST', '/api/router/v2/query/start', { json });
    expectRefusal(await send({ query: 7, video_id: videoId }), 400, 'request_invalid', /`query`/);
    expectRefusal(await send({ video_id: videoId }), 400, 'request_invalid', /`query`/);
    expectRefusal(await send({ query: 'x', video_ids: [videoId, 3] }), 400, 'request_invalid', /`video_ids\[1\]`/);
    expectRefusal(await send({ query: 'x', video_ids: videoId }), 400, 'request_invalid', /`video_ids`/);
    const plan = await send({ query: 'x', video_id: videoId, plan: { version: 1 } });
    expect([plan.status, plan.json.error]).toEqual([400, 'plan_invalid']);
    expect(plan.json.message).toMatch(/^The field `plan\.\w+` is required\.$/);
  });

  test('with unknown fields, and null for optional ones, are accepted', async () => {
    const json = {
      query: 'a cut',
      video_id: videoId,
      video_ids: null,
      plan: null,
      client_info: 'x',
      nested: { a: [1] },
    };
    expect((await service.call('POST', '/api/router/v2/query/start', { json })).status).toBe(200);
  });
});

describe('questions', () => {
  const send = (json: object) => service.call('POST', '/api/router/v2/query/start', { json });

  test('that are empty are 400', async () => {
    expectRefusal(await send({ query: '', video_id: videoId }), 400, 'query_empty', /prompt is empty/);
    expectRefusal(await send({ query: ' \n\t', video_id: videoId }), 400, 'query_empty', /prompt is empty/);
  });

  test('of 100 KB are 400 and state the limit', async () => {
    expectRefusal(await send({ query: 'a car '.repeat(17_000), video_id: videoId }), 400, 'query_too_long', /10000/);
  });

  test('about no video are 400', async () => {
    expectRefusal(await send({ query: 'a cut' }), 400, 'videos_missing', /`video_id`/);
    expectRefusal(await send({ query: 'a cut', video_ids: [] }), 400, 'videos_missing', /`video_ids`/);
  });

  test('with both ways to name videos are 400', async () => {
    const answer = await send({ query: 'a cut', video_id: videoId, video_ids: [videoId] });
    expectRefusal(answer, 400, 'videos_ambiguous', /one of `video_id`, `video_ids` and `library`/);
  });

  test('about too many videos are 400 and state the limit', async () => {
    expectRefusal(await send({ query: 'a', video_ids: Array(1001).fill(videoId) }), 400, 'too_many_videos', /1000/);
  });

  test('are refused alike by all three endpoints', async () => {
    for (const path of ['/api/router/v2/query/start', '/api/router/v2/query/stream', '/api/router/query']) {
      expectRefusal(await service.call('POST', path, { json: { query: '', video_id: videoId } }), 400, 'query_empty');
      expectRefusal(
        await service.call('POST', path, { json: { query: 'a', video_id: NOBODY } }),
        404,
        'video_not_found',
      );
    }
  });
});

describe('unknown ids', () => {
  test.each([
    ['GET', `/api/video/${NOBODY}/status`, 'video_not_found'],
    ['DELETE', `/api/video/${NOBODY}`, 'video_not_found'],
    ['POST', `/api/video/${NOBODY}/signed-url`, 'video_not_found'],
    ['GET', `/api/videos/${NOBODY}/analyses/${NOBODY}`, 'analysis_not_found'],
    ['GET', `/api/videos/${NOBODY}/analyses/${NOBODY}/status`, 'analysis_not_found'],
    ['GET', `/api/batch/${NOBODY}/status`, 'batch_not_found'],
    ['GET', `/api/router/v2/query/events/${NOBODY}`, 'stream_not_found'],
    ['GET', "/api/video/'%20or%201=1/status", 'video_not_found'],
    ['GET', '/api/nothing', 'route_not_found'],
  ])('%s %s is 404 %s', async (method, path, code) => {
    expectRefusal(await service.call(method, path), 404, code);
  });

  test('POST of a bulk request for an unknown batch is 404', async () => {
    const answer = await service.call('POST', `/api/batch/${NOBODY}/analyses/bulk`, { json: { video_ids: [videoId] } });
    expectRefusal(answer, 404, 'batch_not_found');
  });

  test('an id that no database can hold is 400', async () => {
    expectRefusal(await service.call('GET', '/api/video/%00/status'), 400, 'request_invalid');
  });

  test('an analysis under the wrong video is 404', async () => {
    const { json } = await service.call('POST', '/api/router/v2/query/start', {
      json: { query: 'a cut', video_id: videoId },
    });
    const batch = await service.call('GET', `/api/batch/${json.batch_id}/status`);
    const [{ analysis_id }] = batch.json.videos as [{ analysis_id: string }];
    const answer = await service.call('GET', `/api/videos/${NOBODY}/analyses/${analysis_id}`);
    expectRefusal(answer, 404, 'analysis_not_found');
  });

  test('an unsupported method is 405 and lists the supported ones', async () => {
    const answer = await service.call('PUT', `/api/video/${videoId}/status`);
    expectRefusal(answer, 405, 'method_not_allowed', /GET/);
    expect(answer.headers.get('allow')).toMatch(/GET/);
  });

  test('a bulk request for more than 500 is 400', async () => {
    const { json } = await service.call('POST', '/api/router/v2/query/start', {
      json: { query: 'a cut', video_id: videoId },
    });
    const path = `/api/batch/${json.batch_id}/analyses/bulk`;
    const answer = await service.call('POST', path, { json: { video_ids: Array(501).fill(videoId) } });
    expectRefusal(answer, 400, 'request_invalid', /`video_ids`.*500/);
  });
});

describe('signed URLs and streams', () => {
  test('a lifetime outside the limits is 400 and states them', async () => {
    const sign = (json: object) => service.call('POST', `/api/video/${videoId}/signed-url`, { json });
    expectRefusal(await sign({ expires_in: 59 }), 400, 'request_invalid', /`expires_in`.*60/);
    expectRefusal(await sign({ expires_in: 'long' }), 400, 'request_invalid', /`expires_in`/);
    expectRefusal(await sign({ method: 'PUT' }), 400, 'request_invalid', /GET.*HEAD/);
  });

  test('a URL without a token is 400, with a wrong one 403', async () => {
    const media = (query: string) => service.call('GET', `/api/media/${videoId}${query}`, { key: null });
    expectRefusal(await media(''), 400, 'request_invalid', /`token`/);
    expectRefusal(await media('?token=guess'), 403, 'playback_url_invalid');
  });

  test('a URL for HEAD does not fetch the video', async () => {
    const { json } = await service.call('POST', `/api/video/${videoId}/signed-url`, { json: { method: 'HEAD' } });
    expect((await fetch(String(json.url), { method: 'HEAD' })).status).toBe(200);
    expect((await fetch(String(json.url))).status).toBe(403);
  });

  test('a stream position that is not a number is 400', async () => {
    const { json } = await service.call('POST', '/api/router/v2/query/start', {
      json: { query: 'a cut', video_id: videoId },
    });
    const answer = await service.call('GET', `/api/router/v2/query/events/${json.stream_id}?last_id=first`);
    expectRefusal(answer, 400, 'last_id_invalid', /whole number/);
  });
});

describe('every response and page', () => {
  test('the OpenAPI document is complete: each operation states its scope, statuses and fields', async () => {
    const { status, json } = await service.call('GET', '/openapi.json', { key: null });
    expect([status, json.openapi]).toEqual([200, expect.stringMatching(/^3\./)]);
    const paths = Object.keys(json.paths as object);
    expect(paths).toEqual(
      expect.arrayContaining([
        '/api/keys/verify',
        '/api/upload-video',
        '/api/video/{video_id}/status',
        '/api/my-videos',
        '/api/video/{video_id}',
        '/api/video/{video_id}/signed-url',
        '/api/router/v2/query/stream',
        '/api/router/v2/query/start',
        '/api/router/v2/query/events/{stream_id}',
        '/api/router/query',
        '/api/videos/{video_id}/analyses/{analysis_id}/status',
        '/api/videos/{video_id}/analyses/{analysis_id}',
        '/api/batch/{batch_id}/status',
        '/api/batch/{batch_id}/analyses/bulk',
        '/health',
        '/ready',
        '/api/system',
      ]),
    );
  });

  test('pages for people and probes need no key', async () => {
    expect((await service.call('GET', '/health', { key: null })).json).toMatchObject({ status: 'ok' });
    expect((await service.call('GET', '/ready', { key: null })).json).toMatchObject({ status: 'ready' });
    const docs = await fetch(`${service.url}/docs`);
    expect([docs.status, docs.headers.get('content-type')]).toEqual([200, expect.stringContaining('text/html')]);
    expectRefusal(await service.call('GET', '/api/system', { key: null }), 403, 'key_missing');
    expect((await service.call('GET', '/api/system')).json).toMatchObject({ version: expect.stringMatching(/^\d/) });
  });
});
