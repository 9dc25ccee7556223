import { describe, expect, test } from 'vitest';
import { newId } from '#platform/ids';
import { clip, desk, useUploads } from './form.fixture.ts';
import type { FormField } from './uploads.fixture.ts';

useUploads();

describe('a form that is not right', () => {
  const cases: [string, FormField[], number, string, RegExp][] = [
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
      Array.from({ length: 120 }, (_, i): FormField => [`f${i}`, 'x']),
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
    const fields: FormField[] = [
      ['source', 'file'],
      ['file', clip, 'a.mp4'],
    ];
    expect((await desk.upload(fields, key)).json.error).toBe('scope_missing');
    expect((await desk.upload(fields, `sk_${'x'.repeat(48)}`)).status).toBe(401);
  });
});
