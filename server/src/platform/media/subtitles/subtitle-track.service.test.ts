import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { captionedClip, createTestMedia, sceneClip, subtitledClip, timedText } from '#test/media/clips';
import type { Media } from '../index.ts';

/** Captions as they are shown, the same for all formats. */
const SHOWN = [
  { startS: 1, endS: 2.5, text: 'Turn left at the gate, 3 < 4 & 雪' },
  { startS: 4, endS: 5, text: 'Two\nlines' },
];
const toCaptions = (texts: readonly Uint8Array[]) =>
  SHOWN.map(({ startS, endS }, i) => ({ startS, durationS: endS - startS, data: texts[i]! }));

/** The first four letters in italics (14496-12 `styl`). */
const STYLES = Buffer.from('000000167374796c00010000000400010212ffffffff', 'hex');
const SUBRIP = toCaptions(
  ['<i>Turn left</i> at the <b>gate</b>, 3 < 4 & 雪', 'Two\nlines'].map((text) => Buffer.from(text)),
);
const ASS_HEADER = `[Script Info]
ScriptType: v4.00+

[Events]
Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text
`;

describe('captions', () => {
  let media: Media;
  beforeAll(async () => {
    media = await createTestMedia();
  });
  afterAll(() => media.close());

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

  test('of WebVTT have no entities and no speakers', async () => {
    const data = Buffer.from('<v Ann>1 &lt; 2 &amp;&nbsp;3 &unknown;');
    const track = { codec: 'webvtt', captions: [{ startS: 1, durationS: 1, data }] } as const;
    const captions = await media.captions(await subtitledClip(await sceneClip(), 'matroska', [track]));
    expect(captions.map(({ text }) => text)).toEqual(['1 < 2 &\u00a03 &unknown;']);
  });

  test.each([
    ['mov_text', 'mp4', [timedText(SHOWN[0]!.text, STYLES), timedText(SHOWN[1]!.text)], undefined],
    ['subrip', 'matroska', SUBRIP.map(({ data }) => data), undefined],
    [
      'ass',
      'matroska',
      ['{\\i1}Turn left{\\i0} at the {\\b1}gate{\\b0}, 3 < 4 & 雪', 'Two\\Nlines'].map((text, i) =>
        Buffer.from(`${i},0,Default,,0,0,0,,${text}`),
      ),
      ASS_HEADER,
    ],
    [
      'webvtt',
      'matroska',
      ['<i>Turn left</i> at the <b>gate</b>, 3 &lt; 4 &amp; 雪', 'Two\nlines'].map((text) => Buffer.from(text)),
      undefined,
    ],
  ] as const)('of %s in %s are plain text', async (codec, format, texts, header) => {
    const track = { codec, header, captions: toCaptions(texts) };
    const captions = await media.captions(await subtitledClip(await sceneClip(), format, [track]));
    expect(captions.map(({ text }) => text)).toEqual(SHOWN.map(({ text }) => text));
    for (const [index, { startS, endS }] of captions.entries()) {
      expect(startS).toBeCloseTo(SHOWN[index]!.startS, 2);
      expect(endS).toBeCloseTo(SHOWN[index]!.endS, 2);
    }
  });

  test.each(['mp4', 'matroska'] as const)(
    'are those of the English track, if the file states languages: %s',
    async (format) => {
      const tracks = [
        ['deu', 'Links abbiegen'],
        ['eng', 'Turn left'],
      ].map(([language, text]) => {
        const data = format === 'mp4' ? timedText(text!) : Buffer.from(text!);
        const codec = format === 'mp4' ? ('mov_text' as const) : ('subrip' as const);
        return { codec, language: language!, captions: [{ startS: 1, durationS: 1, data }] };
      });
      const captions = await media.captions(await subtitledClip(await sceneClip(), format, tracks));
      expect(captions.map(({ text }) => text)).toEqual(['Turn left']);
    },
  );
});
