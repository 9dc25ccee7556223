// Captions, read by the libraries that users have.
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, inject, test } from 'vitest';
import { startTestApp } from './app.ts';
import { sceneClip } from './media/clips.ts';
import { temporaryFolder } from './temporary-folder.ts';

const READERS = fileURLToPath(new URL('../src/features/exports/readers.fixture.py', import.meta.url));
const { exportReaders } = inject('programs');
const SRT = `1
00:00:02,000 --> 00:00:03,500
<i>Please</i> stop the fork lift. (beep)

2
00:00:05,000 --> 00:00:06,000
[music]

3
00:00:07,000 --> 00:00:08,250
3 < 4 & "5" 雪
Second line
`;

test.runIf(exportReaders)('captions are read in both formats', async () => {
  const app = await startTestApp();
  try {
    const key = app.sightline.firstKey!;
    const body = new FormData();
    body.set('source', 'file');
    body.set('subtitles_file', new Blob([SRT]), 'talk.en.srt');
    body.set('file', new Blob([new Uint8Array(await readFile(await sceneClip()))]), 'talk.mp4');
    const { json } = await app.api.call('POST', '/api/upload-video', { key, body });
    const folder = await temporaryFolder();
    for (const [name, kind] of Object.entries({ vtt: 'captions', srt: 'captions_srt' })) {
      const signed = await app.api.call('POST', `/api/video/${json.video_id}/signed-url`, { key, json: { kind } });
      const { pathname, search } = new URL(String(signed.json.url));
      await writeFile(join(folder, name), (await app.api.call('GET', `${pathname}${search}`)).text);
    }
    const { stdout } = await promisify(execFile)(exportReaders!, [READERS, folder]);
    const cues = [
      [2, 3.5, 'Please stop the fork lift. (beep)'],
      [5, 6, '[music]'],
      [7, 8.25, '3 < 4 & "5" 雪\nSecond line'],
    ];
    const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
    const read = JSON.parse(stdout) as Record<string, unknown>;
    expect(read.srt).toEqual(cues);
    expect(read.vtt).toEqual(cues.map(([start, end, text]) => [start, end, escaped(String(text))]));
  } finally {
    await app.close();
  }
});
