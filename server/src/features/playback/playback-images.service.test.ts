import { setTimeout as sleep } from 'node:timers/promises';
import { createCanvas, loadImage } from '@napi-rs/canvas';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { encodeObservation } from '#engine/observe/encoding';
import { OBSERVERS } from '#engine/observe/observers';
import { createTranscript } from '#engine/observe/speech/transcriber';
import type { VideoFacts } from '#engine/observe/types';
import { captionedClip, flatClip, flatLevel } from '#test/media/clips';
import { add, addClip, api, library, me, media, pathOf, play, sign, usePlayback } from './playback.fixture.ts';

usePlayback();

describe('images of a video', () => {
  let clip: string;
  let id: string;
  const urlOf = async (kind: string, video = id) => pathOf(await sign(video, { kind }));
  /** Mean level, 0 to 255, of an area of a JPEG. */
  async function levelOf(jpeg: Buffer, area?: [x: number, y: number, width: number, height: number]): Promise<number> {
    const image = await loadImage(jpeg);
    const context = createCanvas(image.width, image.height).getContext('2d');
    context.drawImage(image, 0, 0);
    const { data } = context.getImageData(...(area ?? [0, 0, image.width, image.height]));
    return data.filter((_, i) => i % 4 === 1).reduce((sum, value) => sum + value, 0) / (data.length / 4);
  }
  const times = Array.from({ length: 30 }, (_, i) => i * 0.4);

  beforeAll(async () => {
    clip = await flatClip({ times, endS: 12 });
    id = await addClip(clip);
  });

  test('a poster is a JPEG that is made once, for as many as ask at the same time', async () => {
    const make = vi.spyOn(media, 'frameImage');
    const path = await urlOf('poster');
    const answers = await Promise.all(Array.from({ length: 8 }, () => play(path)));
    const [first] = answers;
    expect(first).toMatchObject({ status: 200, body: expect.any(Buffer) });
    expect(Object.fromEntries(first!.headers)).toMatchObject({
      'content-type': 'image/jpeg',
      'content-length': String(first!.body.length),
      'access-control-allow-origin': '*',
      etag: expect.stringMatching(/^"/),
    });
    expect(answers.every(({ body }) => body.equals(first!.body))).toBe(true);
    expect((await loadImage(first!.body)).width).toBe(64);
    expect((await play(path, { 'if-none-match': first!.headers.get('etag')! })).status).toBe(304);
    const part = await play(path, { range: 'bytes=2-5' });
    expect([part.status, part.body.equals(first!.body.subarray(2, 6))]).toEqual([206, true]);
    expect((await play(path, { range: 'bytes=900000-' })).status).toBe(416);
    expect((await play(path, {}, 'HEAD')).headers.get('content-length')).toBe(String(first!.body.length));
    expect(make).toHaveBeenCalledTimes(1);
    make.mockRestore();
  });

  test('a frame is the one on screen at the time', async () => {
    const path = await urlOf('frame');
    // In the middle of a frame, at its start, just before its end. Flat frames differ by more than coding errors.
    for (const [t, frame] of [
      [0, 0],
      [0.5, 1],
      [2, 5],
      [2.399, 5],
      [2.4, 6],
      [12, 29],
    ] as const) {
      const { status, headers, body } = await play(`${path}&t=${t}`);
      expect([t, status, headers.get('content-type')]).toEqual([t, 200, 'image/jpeg']);
      expect(Math.abs((await levelOf(body, [20, 20, 40, 20])) - flatLevel(frame)), `at ${t}`).toBeLessThan(4);
    }
    expect((await play(path)).body.equals((await play(`${path}&t=0`)).body)).toBe(true);
    expect((await play(`${path}&t=1`, {}, 'HEAD')).headers.get('content-length')).toMatch(/^\d{3,}$/);
    const outside = await play(`${path}&t=12.5`);
    expect([outside.status, JSON.parse(outside.body.toString()).error]).toEqual([400, 'time_outside']);
    for (const t of ['-1', 'x', '']) expect((await play(`${path}&t=${t}`)).status, t).toBe(400);
  });

  test('a storyboard points into a sheet on which each thumbnail is of its own time', async () => {
    const path = await urlOf('storyboard');
    const { headers, body } = await play(path);
    expect(headers.get('content-type')).toBe('text/vtt; charset=utf-8');
    const cue =
      /^(\d\d:\d\d:\d\d\.\d{3}) --> (\d\d:\d\d:\d\d\.\d{3})\n(storyboard\.jpg\?token=\S+)#xywh=(\d+),(\d+),(\d+),(\d+)$/gm;
    const cues = [...body.toString().matchAll(cue)];
    expect(body.toString().startsWith('WEBVTT\n\n')).toBe(true);
    expect(cues.length).toBe(12);
    expect([cues[0]![1], cues[0]![2], cues[11]![2]]).toEqual(['00:00:00.000', '00:00:01.000', '00:00:12.000']);
    const sheet = await play(new URL(cues[0]![3]!, api.base + path).href.slice(api.base.length));
    expect([sheet.status, sheet.headers.get('content-type')]).toEqual([200, 'image/jpeg']);
    for (const [i, [, , , , ...numbers]] of cues.entries()) {
      const [x, y, width, height] = numbers.map(Number) as [number, number, number, number];
      const shown = times.findLastIndex((time) => time <= i + 1e-6);
      const level = await levelOf(sheet.body, [x + 20, y + 16, width - 30, height - 24]);
      expect(Math.abs(level - flatLevel(shown)), `tile ${i}`).toBeLessThan(5);
    }
  });

  test('captions are the subtitles of the file, and none without subtitles', async () => {
    const texts = ['Turn <left>', 'a --> b', '1 & 2'];
    const { status, headers, body } = await play(
      await urlOf('captions', await addClip(await captionedClip(clip, texts))),
    );
    expect([status, headers.get('content-type')]).toEqual([200, 'text/vtt; charset=utf-8']);
    expect(body.toString()).toBe(
      [
        'WEBVTT\n',
        '00:00:00.000 --> 00:00:01.000\nTurn &lt;left&gt;\n',
        '00:00:01.000 --> 00:00:02.000\na --&gt; b\n',
        '00:00:02.000 --> 00:00:03.000\n1 &amp; 2\n',
      ].join('\n'),
    );
    expect((await play(await urlOf('captions'))).body.toString()).toBe('WEBVTT\n\n');
  });

  test('captions are the transcript of what is spoken where the file has no subtitles', async () => {
    const transcribe = async (id: string, text: string, language: string | null = null) => {
      const transcript = createTranscript('made 0123456789ab', { isMultilingual: language !== null });
      transcript.addSegment({ startS: 1, endS: 2.5, text, confidence: 0.9, language });
      const facts: VideoFacts = { durationS: 3, width: 64, height: 36, timeBase: [1, 25], hasAudio: true };
      const bytes = encodeObservation(OBSERVERS.speech, facts, transcript.finish());
      const storageKey = `videos/${id}/observations/speech.bin`;
      await library.storage.write(storageKey, bytes);
      const row = { videoId: id, kind: 'speech', version: 'speech-1.test', status: 'ready', storageKey };
      const values = { ...row, sizeBytes: bytes.length };
      await library.database.db.insertInto('observations').values(values).execute();
    };
    const spoken = await addClip(clip);
    const path = await urlOf('captions', spoken);
    const before = await play(path);
    expect(before.body.toString()).toBe('WEBVTT\n\n');
    await transcribe(spoken, 'Please stop <the> car.');
    const { body, headers } = await play(path);
    expect(body.toString()).toBe('WEBVTT\n\n00:00:01.000 --> 00:00:02.500\nPlease stop &lt;the&gt; car.\n');
    expect(headers.get('etag')).not.toBe(before.headers.get('etag'));

    const german = await addClip(clip);
    await transcribe(german, 'Bitte anhalten.', 'de');
    expect((await play(await urlOf('captions', german))).body.toString()).toBe(
      'WEBVTT\nLanguage: de\n\n00:00:01.000 --> 00:00:02.500\nBitte anhalten.\n',
    );
    expect((await play(await urlOf('captions_srt', german))).body.toString()).toBe(
      '1\n00:00:01,000 --> 00:00:02,500\nBitte anhalten.\n',
    );

    const captioned = await addClip(await captionedClip(clip, ['Subtitles']));
    await transcribe(captioned, 'A transcript.');
    expect((await play(await urlOf('captions', captioned))).body.toString()).toContain('Subtitles');
  });

  test('are deleted with the video', async () => {
    const deleted = await addClip(clip);
    const paths = await Promise.all(['poster', 'frame', 'storyboard', 'captions'].map((kind) => urlOf(kind, deleted)));
    for (const path of paths) expect((await play(path)).status).toBe(200);
    const listStored = async () => {
      const keys: string[] = [];
      for await (const { key } of library.storage.list(`videos/${deleted}/`)) keys.push(key);
      return keys.sort();
    };
    const stored = ['captions-2.vtt', 'poster-1.jpg'].map((name) => `videos/${deleted}/playback/${name}`);
    expect(await listStored()).toEqual(stored);
    await library.videos.remove(me.caller, deleted);
    for (const path of paths) expect((await play(path)).status).toBe(404);
  });

  test('made while the video is deleted do not stay', async () => {
    const going = await addClip(clip);
    const path = await urlOf('poster', going);
    const make = vi.spyOn(media, 'frameImage').mockImplementationOnce(async () => {
      await library.videos.remove(me.caller, going);
      return Buffer.from('a poster');
    });
    expect((await play(path)).status).toBe(404);
    make.mockRestore();
    expect(await library.storage.stat(`videos/${going}/playback/poster-1.jpg`)).toBeNull();
  });

  test('of a damaged video are not found, with a reason', async () => {
    const id = await add(Buffer.from('not a film'));
    for (const kind of ['poster', 'frame']) {
      const { status, body } = await play(await urlOf(kind, id));
      expect([status, JSON.parse(body.toString())]).toMatchObject([404, { error: 'playback_unmakeable' }]);
    }
  });

  test('are not made on for a client that left, while others wait', async () => {
    const id = await addClip(clip);
    const path = await urlOf('poster', id);
    let signal: AbortSignal | undefined;
    const release = Promise.withResolvers<Buffer>();
    const make = vi.spyOn(media, 'frameImage').mockImplementation(async (_, options) => {
      signal = options.signal;
      return release.promise;
    });
    // A request that has looked for a stored poster waits for this one.
    const looks = vi.spyOn(library.storage, 'stat');
    const waiting = () => looks.mock.settledResults.filter(({ type }) => type === 'fulfilled').length;
    const leaving = new AbortController();
    const left = fetch(api.base + path, { signal: leaving.signal }).catch(() => 'left');
    await expect.poll(() => signal).toBeDefined();
    const staying = play(path);
    await expect.poll(waiting).toBe(2);
    leaving.abort();
    expect(await left).toBe('left');
    await sleep(100);
    expect(signal!.aborted).toBe(false);
    release.resolve(Buffer.from('poster'));
    expect((await staying).body.toString()).toBe('poster');
    expect(make).toHaveBeenCalledTimes(1);
    for (const spy of [make, looks]) spy.mockRestore();
  });
});
