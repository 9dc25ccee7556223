import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { captionedClip, createTestMedia, sceneClip } from '#test/media/clips';
import { testedEngines } from '#test/programs';
import { temporaryFolder } from '#test/temporary-folder';
import { command } from '../engines.fixture.ts';
import type { Media } from '../index.ts';

/** Texts as subtitles have them; what is shown is the same for all formats. */
const SUBRIP = `1
00:00:01,000 --> 00:00:02,500
<i>Turn left</i> at the <b>gate</b>, 3 < 4 & 雪

2
00:00:04,000 --> 00:00:05,000
Two
lines
`;
const SHOWN = [
  { startS: 1, endS: 2.5, text: 'Turn left at the gate, 3 < 4 & 雪' },
  { startS: 4, endS: 5, text: 'Two\nlines' },
];

const WEB_VTT = `WEBVTT

00:01.000 --> 00:02.000
<v Ann>1 &lt; 2 &amp;&nbsp;3 &unknown;
`;

describe.each(testedEngines())('captions by the %s engine', (engine) => {
  let media: Media;
  let folder: string;
  beforeAll(async () => {
    [media, folder] = await Promise.all([createTestMedia(engine), temporaryFolder()]);
  });
  afterAll(() => media.close());

  /** The scene with `subtitles` as a track of the codec. */
  async function subtitled(codec: string, extension: string, subtitles = SUBRIP): Promise<string> {
    const [source, path] = [
      join(folder, `${codec}.${subtitles === SUBRIP ? 'srt' : 'vtt'}`),
      join(folder, `${codec}.${extension}`),
    ];
    await writeFile(source, subtitles);
    const inputs = ['-i', await sceneClip(), '-i', source, '-map', '0:v', '-map', '1:s'];
    await command(inject('programs').ffmpeg!, ['-v', 'error', '-y', ...inputs, '-c:v', 'copy', '-c:s', codec, path]);
    return path;
  }

  test('of a file without subtitles are none', async () => {
    expect(await media.captions(await sceneClip())).toEqual([]);
  });

  test('of an MP4 follow the times of its packets, without those that show nothing', async () => {
    const captions = await media.captions(
      await captionedClip(await sceneClip(), ['First', '', ' Third \r\n\r\nline ']),
    );
    expect(captions).toEqual([
      { startS: 0, endS: 1, text: 'First' },
      { startS: 2, endS: 3, text: 'Third\nline' },
    ]);
  });

  test.runIf(inject('programs').ffmpeg)('of WebVTT have no entities and no speakers', async () => {
    const captions = await media.captions(await subtitled('copy', 'mkv', WEB_VTT));
    expect(captions.map(({ text }) => text)).toEqual(['1 < 2 &\u00a03 &unknown;']);
  });

  test.runIf(inject('programs').ffmpeg).each([
    ['mov_text', 'mp4'],
    ['subrip', 'mkv'],
    ['ass', 'mkv'],
    ['webvtt', 'mkv'],
  ])('of %s in %s are plain text', async (codec, extension) => {
    const captions = await media.captions(await subtitled(codec, extension));
    expect(captions.map(({ text }) => text)).toEqual(SHOWN.map(({ text }) => text));
    for (const [index, { startS, endS }] of captions.entries()) {
      expect(startS).toBeCloseTo(SHOWN[index]!.startS, 2);
      expect(endS).toBeCloseTo(SHOWN[index]!.endS, 2);
    }
  });

  test.runIf(inject('programs').ffmpeg)('are those of the English track, if the file states languages', async () => {
    const [german, english] = ['deu', 'eng'].map((language) => join(folder, `${language}.srt`)) as [string, string];
    await writeFile(german, SUBRIP.replace('Turn left', 'Links abbiegen'));
    await writeFile(english, SUBRIP);
    const inputs = ['-i', await sceneClip(), '-i', german, '-i', english, '-map', '0:v', '-map', '1:s', '-map', '2:s'];
    const languages = ['-metadata:s:s:0', 'language=deu', '-metadata:s:s:1', 'language=eng'];
    for (const extension of ['mp4', 'mkv']) {
      const path = join(folder, `languages.${extension}`);
      const codecs = ['-c:v', 'copy', '-c:s', extension === 'mp4' ? 'mov_text' : 'subrip'];
      await command(inject('programs').ffmpeg!, ['-v', 'error', '-y', ...inputs, ...codecs, ...languages, path]);
      expect((await media.captions(path))[0]!.text).toMatch(/^Turn left/);
    }
  });
});
