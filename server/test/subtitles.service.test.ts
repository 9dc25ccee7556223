// Subtitles of a video as its transcript, across rooms, on the complete app.
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from './app.ts';
import { captionedClip, sceneClip } from './media/clips.ts';

let app: TestApp;
let key: string;
beforeAll(async () => {
  app = await startTestApp();
  const owner = (await app.sightline.accounts.owner())!;
  key = (await app.sightline.keys.create({ ...owner, name: 'subtitles' })).key;
});
afterAll(() => app?.close());

const call = (method: string, path: string, json?: object) => app.api.call(method, path, { key, json });

async function upload(path: string, files: Record<string, [name: string, text: string]> = {}): Promise<string> {
  const body = new FormData();
  body.set('source', 'file');
  for (const [part, [name, text]] of Object.entries(files)) body.set(part, new Blob([text]), name);
  body.set('file', new Blob([new Uint8Array(await readFile(path))]), 'talk.mp4');
  const { status, json } = await app.api.call('POST', '/api/upload-video', { key, body });
  expect(status, JSON.stringify(json)).toBe(200);
  return String(json.video_id);
}

const putSubtitles = (id: string, body: string | Uint8Array<ArrayBuffer>, query = '') =>
  app.api.call('PUT', `/api/video/${id}/subtitles${query}`, { key, body, headers: { 'content-type': 'text/plain' } });

type Document = {
  analysis: {
    events: { start_s: number; description: string }[];
    coverage: { by: string[]; status: string; reason: string | null }[];
  };
};
async function ask(videoId: string, query: string) {
  const stream = await call('POST', '/api/router/v2/query/stream', { query, video_id: videoId });
  const analysisId = /"analysis_id":"(\w+)"/.exec(stream.text)![1]!;
  const { text } = await call('GET', `/api/videos/${videoId}/analyses/${analysisId}`);
  return (JSON.parse(text) as Document).analysis;
}

async function captions(id: string, kind: 'captions' | 'captions_srt' = 'captions'): Promise<string> {
  const { json } = await call('POST', `/api/video/${id}/signed-url`, { kind });
  const { pathname, search } = new URL(String(json.url));
  const { status, text } = await app.api.call('GET', `${pathname}${search}`);
  expect(status).toBe(200);
  return text;
}

const SRT = `1
00:00:02,000 --> 00:00:03,500
<i>Please</i> stop the fork lift. (beep)

2
00:00:05,000 --> 00:00:06,000
[music]
`;

describe('subtitles', () => {
  test('in the file answer what is spoken, and are its captions', async () => {
    const id = await upload(await captionedClip(await sceneClip(), ['Good morning.', 'Please stop here.', '[music]']));
    const { events, coverage } = await ask(id, 'someone says stop');
    expect(events).toMatchObject([{ description: '"Please stop here."', start_s: 1 }]);
    expect(coverage).toMatchObject([{ status: 'looked_for', by: ['subtitles (mov_text track)'], reason: null }]);
    expect(await captions(id)).toContain('00:00:01.000 --> 00:00:02.000\nPlease stop here.\n');
    expect(await captions(id, 'captions_srt')).toMatch(/^1\n00:00:00,000 --> 00:00:01,000\nGood morning\.\n\n2\n/);
  });

  test('may come with the video, are replaced and removed, and those in the file are used again', async () => {
    const clip = await captionedClip(await sceneClip(), ['Nobody moves.']);
    const id = await upload(clip, { subtitles_file: ['talk.en.srt', SRT] });
    const { metadata } = (await call('GET', `/api/video/${id}/status`)).json as { metadata: Record<string, unknown> };
    expect(metadata.subtitles).toMatchObject({
      filename: 'talk.en.srt',
      format: 'srt',
      language: 'en',
      captions: 2,
      start_s: 2,
      end_s: 6,
    });
    const first = await ask(id, 'someone says "stop the forklift"');
    expect(first.events).toMatchObject([{ description: '"Please stop the fork lift."' }]);
    expect(first.events[0]!.start_s).toBeCloseTo(2, 0);
    expect(first.coverage).toMatchObject([{ by: ['subtitles (file, en)'], reason: null }]);
    expect(await captions(id)).toContain('00:00:02.000 --> 00:00:03.500\nPlease stop the fork lift. (beep)\n');

    const german = 'WEBVTT\n\n00:03.000 --> 00:04.000\nBitte nicht drängeln!\n';
    const put = await putSubtitles(id, german, '?filename=rede.vtt&language=deu');
    expect(put.json.metadata).toMatchObject({ subtitles: { filename: 'rede.vtt', format: 'vtt', language: 'de' } });
    const replaced = await ask(id, 'what do they say');
    expect(replaced.events).toMatchObject([{ description: '"Bitte nicht drängeln!"', start_s: 3 }]);
    expect(replaced.coverage).toMatchObject([{ status: 'partly', by: ['subtitles (file, de)'] }]);
    expect(await captions(id, 'captions_srt')).toBe('1\n00:00:03,000 --> 00:00:04,000\nBitte nicht drängeln!\n');

    const removed = await call('DELETE', `/api/video/${id}/subtitles`);
    expect(removed.status).toBe(200);
    expect(removed.json.metadata).not.toHaveProperty('subtitles');
    expect((await ask(id, 'what do they say')).events).toMatchObject([{ description: '"Nobody moves."', start_s: 0 }]);
    expect(await captions(id)).toContain('Nobody moves.');
    expect((await call('DELETE', `/api/video/${id}/subtitles`)).status).toBe(200);
  });

  test('that are added are searched before anybody asks, those of an upload and those of a video', async () => {
    const search = async (words: string) =>
      (await call('GET', `/api/passages?q=${encodeURIComponent(words)}`)).json.passages as { video_id: string }[];
    const late = await upload(await sceneClip());
    const put = await putSubtitles(late, 'WEBVTT\n\n00:01.000 --> 00:02.000\nMind the scaffolding.\n');
    expect(put.status, put.text).toBe(200);
    const spoken = SRT.replace('fork lift', 'excavator');
    const early = await upload(await sceneClip(), { subtitles_file: ['talk.srt', spoken] });
    await expect.poll(() => search('scaffolding')).toMatchObject([{ video_id: late, text: 'Mind the scaffolding.' }]);
    await expect.poll(() => search('excavator')).toMatchObject([{ video_id: early, start_s: 2 }]);
  });

  test('of requests at the same time are those of one of them, and gone if one removes them last', async () => {
    const id = await upload(await sceneClip());
    const fileOf = (n: number) => `WEBVTT\n\n00:0${n}.000 --> 00:0${n + 1}.000\nSentence ${n}.\n`;
    for (let round = 0; round < 5; round++) {
      const puts = [1, 2, 3, 4].map((n) => putSubtitles(id, fileOf(n), `?filename=${n}.vtt`));
      const removal = call('DELETE', `/api/video/${id}/subtitles`);
      for (const { status, text } of await Promise.all([...puts, removal])) expect(status, text).toBe(200);
      const { metadata } = (await call('GET', `/api/video/${id}/status`)).json as { metadata: Record<string, unknown> };
      const stored = metadata.subtitles as { filename: string } | undefined;
      const shown = await captions(id);
      if (stored) expect(shown).toContain(`Sentence ${stored.filename[0]}.`);
      else expect(shown).not.toContain('Sentence');
    }
  });

  test('that cannot be read are refused, and change nothing', async () => {
    const id = await upload(await sceneClip());
    const none = await putSubtitles(id, 'a film by nobody');
    expect([none.status, none.json.error]).toEqual([400, 'subtitles_invalid']);
    const language = await putSubtitles(id, SRT, '?language=x');
    expect([language.status, language.json.error]).toEqual([400, 'subtitles_invalid']);
    expect((await putSubtitles(id, ' '.repeat(4 * 2 ** 20 + 1))).status).toBe(413);
    expect((await app.api.call('PUT', `/api/video/${id}/subtitles`, { key })).status).toBe(400);
    expect((await putSubtitles('0'.repeat(32), SRT)).status).toBe(404);
    expect((await call('GET', `/api/video/${id}/status`)).json.metadata).not.toHaveProperty('subtitles');
    expect(await captions(id)).toBe('WEBVTT\n\n');
    expect(await captions(id, 'captions_srt')).toBe('');

    const form = new FormData();
    form.set('source', 'file');
    form.set('subtitles_file', new Blob(['nothing']), 'talk.srt');
    form.set('file', new Blob([new Uint8Array(await readFile(await sceneClip()))]), 'talk.mp4');
    const refused = await app.api.call('POST', '/api/upload-video', { key, body: form });
    expect([refused.status, refused.json.error]).toEqual([400, 'subtitles_invalid']);
  });

  test('of a drone are measurements, not speech', async () => {
    const position = (at: number) => `[latitude: 41.4${at}] [longitude: 2.23] [altitude: 12.${at}]`;
    const id = await upload(await captionedClip(await sceneClip(), [0, 1, 2, 3].map(position)));
    const { coverage } = await ask(id, 'someone says latitude');
    expect(coverage[0]!.by.join()).not.toContain('subtitles');
  });
});
