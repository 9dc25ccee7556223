import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '#platform/ids';
import { sceneClip } from '#test/clips';
import { givenName, nameOfPath, nameOfUrl } from './names.ts';
import { type Desk, type Field, openDesk } from './uploads.fixture.ts';

let desk: Desk;
let clip: Buffer;
beforeAll(async () => {
  clip = await readFile(await sceneClip());
  desk = await openDesk();
});
afterAll(() => desk?.close());

const stored = (id: string) => readFile(join(desk.library.filesDir, 'contents', id, 'source'));
const status = async (id: unknown) =>
  (await desk.api.call('GET', `/api/video/${id}/status`, { key: desk.me.key })).json;
const idOf = (answer: { json: Record<string, unknown> }) => answer.json.video_id as string;

describe('a file', () => {
  test('is ready when the upload answers, byte for byte', async () => {
    const answer = await desk.upload([
      ['source', 'file'],
      ['firebase_collection_name', 'videos'],
      ['scope', 'user'],
      ['file', clip, 'junction.mp4'],
    ]);
    expect(answer).toMatchObject({
      status: 200,
      json: {
        status: 'uploaded',
        video_name: 'junction.mp4',
        visual_analysis: { status: { status: 'UPLOADED' } },
        metadata: {
          visual_analysis: { status: { status: 'UPLOADED' } },
          sha256: createHash('sha256').update(clip).digest('hex'),
          size_bytes: clip.length,
          source: 'file',
        },
      },
    });
    const id = idOf(answer);
    expect(await status(id)).toEqual(answer.json);
    expect((await stored(id)).equals(clip)).toBe(true);
    const { durationS, width, height } = (await desk.library.videos.find(id))!;
    expect(durationS).toBeCloseTo(16, 0);
    expect(width).toBeGreaterThan(0);
    expect(height).toBeGreaterThan(0);
  });

  test('may come before the fields that say where it goes', async () => {
    const folder = await desk.library.folders.create(desk.me.caller, { name: 'Late', scope: 'org' });
    const answer = await desk.upload([
      ['file', clip, 'first.mp4'],
      ['unknown', clip.subarray(0, 100), 'ignored.bin'],
      ['folder_id', folder.id],
      ['metadata_file', '{"fields":[{"name":"speed","type":"number","unit":"mph"}],"rows":[1,2]}', 'metadata.json'],
      ['custom_name', 'Renamed.mp4'],
      ['source', 'file'],
    ]);
    expect(answer).toMatchObject({
      status: 200,
      json: {
        video_name: 'Renamed.mp4',
        folder_id: folder.id,
        folder_name: 'Late',
        scope: 'org',
        metadata: {
          sidecar: { filename: 'metadata.json', fields: [{ name: 'speed', type: 'number', unit: 'mph' }] },
        },
      },
    });
    expect((await desk.library.folders.require(desk.me.caller, folder.id)).videoCount).toBe(1);
    const sidecar = await desk.library.storage.readAll(`videos/${idOf(answer)}/sidecar`);
    expect(JSON.parse(sidecar.toString()).rows).toEqual([1, 2]);
  });

  test.each([
    ['drive.json', '[{"t":0,"speed_kmh":50},{"t":1,"speed_kmh":36}]', ['speedMps', 'accelerationMps2']],
    ['drive.csv', 'time_s,lat,lon\n0,48.1,11.5\n1,48.2,11.5\n', ['latitude', 'longitude']],
    [
      'flight.srt',
      '1\n00:00:00,000 --> 00:00:01,000\nGPS(11.5,48.1,17) H.S 3.0m/s\n',
      ['speedMps', 'latitude', 'longitude'],
    ],
  ])('says what it understood of %s', async (name, content, measured) => {
    const answer = await desk.upload([
      ['source', 'file'],
      ['metadata_file', content, name],
      ['file', clip, 'a.mp4'],
    ]);
    expect(answer).toMatchObject({
      status: 200,
      json: { metadata: { sidecar: { telemetry: { start_s: 0, measures: expect.arrayContaining(measured) } } } },
    });
  });

  test('keeps of what a sidecar says no more than can be shown', async () => {
    const note = 'x'.repeat(1_000_000);
    const content = {
      fields: [{ name: 'half \ud800', unit: 'u\0' }],
      recording: { source: 'r\0', notes: [note, 'n\0'] },
      data: [{ t: 0, speed_kmh: 50 }],
    };
    const answer = await desk.upload([
      ['source', 'file'],
      ['metadata_file', JSON.stringify(content), 'drive.json'],
      ['file', clip, 'a.mp4'],
    ]);
    expect(answer).toMatchObject({
      status: 200,
      json: { metadata: { sidecar: { fields: [{ name: 'half \ufffd', unit: 'u' }], telemetry: { samples: 1 } } } },
    });
    expect(answer.text.length).toBeLessThan(10_000);
  });

  test('goes to a folder, with its scope', async () => {
    const folder = await desk.library.folders.create(desk.me.caller, { name: 'Shared', scope: 'org' });
    const answer = await desk.upload([
      ['source', 'file'],
      ['folder_id', folder.id],
      ['chunk_size', '1048576'],
      ['file', clip, 'a.mp4'],
    ]);
    expect(answer.json).toMatchObject({ scope: 'org', folder_id: folder.id });
    const own = await desk.upload([
      ['source', 'file'],
      ['folder_id', ''],
      ['scope', ''],
      ['file', clip, 'b.mp4'],
    ]);
    expect(own.json).toMatchObject({ scope: 'user', folder_id: null });
  });

  test('sent again with the same Idempotency-Key is the same video', async () => {
    const fields: Field[] = [
      ['source', 'file'],
      ['file', clip, 'once.mp4'],
    ];
    // The boundary differs each time, but not in length: like a client that builds its form anew.
    const [first, second] = await Promise.all(
      [0, 1].map(() => desk.upload(fields, desk.me.key, { 'idempotency-key': 'the-same' })),
    );
    expect(first!.status).toBe(200);
    expect(idOf(second!)).toBe(idOf(first!));
    const third = await desk.upload(fields, desk.me.key, { 'idempotency-key': 'the-same' });
    expect(idOf(third)).toBe(idOf(first!));
    const named = await desk.library.videos.list(desk.me.caller, { limit: 100 });
    expect(named.videos.filter(({ name }) => name === 'once.mp4')).toHaveLength(1);
  });

  test.each([
    ['../../etc/passwd', '../../etc/passwd'],
    ['Gate 3/4, 21/11/2026', 'Gate 3/4, 21/11/2026'],
    ['C:\\films\\night.mp4', 'C:\\films\\night.mp4'],
    ['Überfall – 雪.mp4', 'Überfall – 雪.mp4'],
    ['a"b;c.mp4', 'a"b;c.mp4'],
  ])('called %s is shown as %s', async (given, shown) => {
    const answer = await desk.upload([
      ['source', 'file'],
      ['custom_name', given],
      ['file', clip, 'x.mp4'],
    ]);
    expect(answer.json.video_name).toBe(shown);
    expect(
      (
        await desk.upload([
          ['source', 'file'],
          ['file', clip, 'Überfall – 雪.mp4'],
        ])
      ).json.video_name,
    ).toBe('Überfall – 雪.mp4');
  });

  test('names of paths and URLs lose what cannot be shown; given names are kept', () => {
    expect(nameOfPath('a\u0000b\u202egpj.mp4\n')).toBe('abgpj.mp4');
    for (const nothing of ['', '   ', '..', '.', 'a/', '/']) expect(nameOfPath(nothing), nothing).toBe('video');
    expect([...nameOfPath(`${'長'.repeat(300)}.mp4`)]).toHaveLength(255);
    expect(givenName(null, `${'a'.repeat(300)}.mp4`)).toMatch(/a\.mp4$/);
    expect(() => givenName('a'.repeat(256))).toThrow('at most 255');
    expect(nameOfUrl(new URL('https://x.example/a/My%20film.mp4?sig=1'))).toBe('My film.mp4');
    expect(nameOfUrl(new URL('https://x.example/%E0%A4%A'))).toBe('%E0%A4%A');
    expect(nameOfUrl(new URL('https://x.example/'))).toBe('video');
  });
});

test('a file is held to the SHA-256 that its form announces', async () => {
  const send = (sha256: string) =>
    desk.upload([
      ['source', 'file'],
      ['file', clip, 'announced.mp4'],
      ['sha256', sha256],
    ]);
  const before = await desk.remains();
  expect(await send('0'.repeat(64))).toMatchObject({ status: 400, json: { error: 'upload_digest_mismatch' } });
  expect(await send('beef')).toMatchObject({ status: 400, json: { error: 'upload_field_invalid' } });
  expect(await desk.remains()).toEqual(before);
  const right = await send(createHash('sha256').update(clip).digest('hex').toUpperCase());
  expect(right).toMatchObject({ status: 200, json: { status: 'uploaded' } });
});

describe('a form that is not right', () => {
  const cases: [string, Field[], number, string, RegExp][] = [
    ['no source', [['file', 'x', 'a.mp4']], 400, 'upload_field_invalid', /`source` is required/],
    ['another source', [['source', 'youtube']], 400, 'upload_field_invalid', /one of file, video_url/],
    ['no file', [['source', 'file']], 400, 'upload_file_missing', /part `file`/],
    [
      'a file that is a field',
      [
        ['source', 'file'],
        ['file', 'text'],
      ],
      400,
      'upload_file_missing',
      /part `file`/,
    ],
    ['no URL', [['source', 'video_url']], 400, 'upload_field_invalid', /`video_url` is required/],
    [
      'file and URL',
      [
        ['source', 'video_url'],
        ['file', 'x', 'a.mp4'],
      ],
      400,
      'upload_file_unexpected',
      /one part `file`/,
    ],
    [
      'URL after a file',
      [
        ['file', 'x', 'a.mp4'],
        ['source', 'video_url'],
      ],
      400,
      'upload_file_unexpected',
      /one part/,
    ],
    [
      'two files',
      [
        ['source', 'file'],
        ['file', 'x', 'a'],
        ['file', 'y', 'b'],
      ],
      400,
      'upload_file_unexpected',
      /one part/,
    ],
    [
      'another scope',
      [
        ['source', 'file'],
        ['scope', 'all'],
        ['file', 'x', 'a'],
      ],
      400,
      'upload_field_invalid',
      /user, org/,
    ],
    [
      'bad chunk size',
      [
        ['source', 'file'],
        ['chunk_size', '0'],
        ['file', 'x', 'a'],
      ],
      400,
      'upload_field_invalid',
      /chunk_size/,
    ],
    [
      'unknown folder',
      [
        ['source', 'file'],
        ['folder_id', newId()],
        ['file', 'x', 'a'],
      ],
      404,
      'folder_not_found',
      /folder/,
    ],
    ['a long field', [['source', 'f'.repeat(70_000)]], 400, 'upload_field_invalid', /too long/],
    [
      'a sidecar that is no JSON',
      [
        ['source', 'file'],
        ['metadata_file', '{', 'm.json'],
        ['file', 'x', 'a'],
      ],
      400,
      'sidecar_invalid',
      /not valid JSON/,
    ],
    [
      'a sidecar that is a word',
      [
        ['source', 'file'],
        ['metadata_file', '"x"', 'm.json'],
        ['file', 'x', 'a'],
      ],
      400,
      'sidecar_invalid',
      /object or array/,
    ],
    [
      'nameless fields',
      [
        ['source', 'file'],
        ['metadata_file', '{"fields":[{}]}', 'm.json'],
        ['file', 'x', 'a'],
      ],
      400,
      'sidecar_invalid',
      /fields\[0\]\.name/,
    ],
    [
      'a huge sidecar',
      [
        ['source', 'file'],
        ['metadata_file', ' '.repeat(17 * 2 ** 20), 'm.json'],
      ],
      413,
      'sidecar_too_large',
      /16 MiB/,
    ],
    [
      'too many fields',
      Array.from({ length: 120 }, (_, i): Field => [`f${i}`, 'x']),
      400,
      'upload_form_unreadable',
      /too many/,
    ],
  ];
  test.each(cases)('with %s is refused, and nothing stays', async (_what, fields, status, error, message) => {
    const before = await desk.remains();
    expect(await desk.upload(fields)).toMatchObject({
      status,
      json: { error, message: expect.stringMatching(message) },
    });
    expect(await desk.remains()).toEqual(before);
  });

  test('a video in a shared folder cannot be personal', async () => {
    const folder = await desk.library.folders.create(desk.me.caller, { name: 'Only shared', scope: 'org' });
    const answer = await desk.upload([
      ['source', 'file'],
      ['scope', 'user'],
      ['folder_id', folder.id],
      ['file', clip, 'a.mp4'],
    ]);
    expect(answer).toMatchObject({ status: 400, json: { error: 'upload_scope_conflict' } });
  });

  test("someone else's folder is refused", async () => {
    const stranger = await desk.library.keyOf(await desk.library.addUser(), ['read', 'write']);
    const folder = await desk.library.folders.create(stranger.caller, { name: 'Theirs' });
    const answer = await desk.upload([
      ['source', 'file'],
      ['folder_id', folder.id],
      ['file', clip, 'a.mp4'],
    ]);
    expect(answer).toMatchObject({ status: 403, json: { error: 'folder_forbidden' } });
  });

  test.each([
    ['no multipart at all', 'multipart/form-data; boundary=x', 'hello', 400, 'upload_incomplete'],
    ['no boundary', 'multipart/form-data', 'hello', 400, 'upload_form_unreadable'],
    ['an empty body', 'multipart/form-data; boundary=x', '', 400, 'upload_field_invalid'],
    ['another type', 'text/plain', 'hello', 415, 'content_type_unsupported'],
    ['bytes alone', 'video/mp4', 'hello', 415, 'content_type_unsupported'],
    ['JSON that is none', 'application/json', '{', 400, 'body_not_json'],
    ['a form of nothing', 'application/x-www-form-urlencoded', '', 400, 'upload_field_invalid'],
    [
      'an object as a field',
      'multipart/form-data; boundary=x',
      '--x\r\nContent-Disposition: form-data; name="__proto__"\r\n\r\nx\r\n--x--\r\n',
      400,
      'upload_form_unreadable',
    ],
    [
      'a broken JSON field',
      'multipart/form-data; boundary=x',
      '--x\r\nContent-Disposition: form-data; name="source"\r\nContent-Type: application/json\r\n\r\n{\r\n--x--\r\n',
      400,
      'upload_form_unreadable',
    ],
  ])('%s', async (_what, type, body, status, error) => {
    const answer = await desk.api.call('POST', '/api/upload-video', {
      key: desk.me.key,
      headers: { 'content-type': type },
      body,
    });
    expect(answer).toMatchObject({ status, json: { error } });
  });

  test('keys that may not write are refused before the body is read', async () => {
    const { key } = await desk.library.keyOf(desk.library.owner, ['read']);
    const fields: Field[] = [
      ['source', 'file'],
      ['file', clip, 'a.mp4'],
    ];
    expect((await desk.upload(fields, key)).json.error).toBe('scope_missing');
    expect((await desk.upload(fields, `sk_${'x'.repeat(48)}`)).status).toBe(401);
  });
});
