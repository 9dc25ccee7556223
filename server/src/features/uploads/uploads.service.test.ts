import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { clip, desk, idOf, status, stored, useUploads } from './form.fixture.ts';
import type { FormField } from './uploads.fixture.ts';
import { chooseVideoName, videoNameFromPath, videoNameFromUrl } from './video-names.ts';

useUploads();

describe('a file', () => {
  test('is ready in the response, byte for byte', async () => {
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

  test('may precede the fields of its destination', async () => {
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

  test('limits the text stored from a sidecar', async () => {
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

  test('is put into a folder with its scope', async () => {
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
    const fields: FormField[] = [
      ['source', 'file'],
      ['file', clip, 'once.mp4'],
    ];
    // The boundary differs each time, but not its length, like that of a client that builds its form again.
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

  test('names from paths and URLs lose control characters; chosen names do not change', () => {
    expect(videoNameFromPath('a\u0000b\u202egpj.mp4\n')).toBe('abgpj.mp4');
    for (const nothing of ['', '   ', '..', '.', 'a/', '/']) expect(videoNameFromPath(nothing), nothing).toBe('video');
    expect([...videoNameFromPath(`${'長'.repeat(300)}.mp4`)]).toHaveLength(255);
    expect(chooseVideoName(null, `${'a'.repeat(300)}.mp4`)).toMatch(/a\.mp4$/);
    expect(() => chooseVideoName('a'.repeat(256))).toThrow('at most 255');
    expect(videoNameFromUrl(new URL('https://x.example/a/My%20film.mp4?sig=1'))).toBe('My film.mp4');
    expect(videoNameFromUrl(new URL('https://x.example/%E0%A4%A'))).toBe('%E0%A4%A');
    expect(videoNameFromUrl(new URL('https://x.example/'))).toBe('video');
  });
});

test('a file must match the SHA-256 of its form', async () => {
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
