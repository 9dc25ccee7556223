import { describe, expect, test } from 'vitest';
import { startCpuTimer } from '#test/cpu-time';
import { formatCaptions } from './formats.ts';
import { toLanguage } from './language.ts';
import { readSubtitleFile } from './subtitle-file.ts';

const read = (text: string | Uint8Array) => readSubtitleFile(typeof text === 'string' ? Buffer.from(text) : text);
const captionsOf = (text: string) => {
  const file = read(text);
  return 'captions' in file ? file.captions : file.unusable;
};

describe('SubRip', () => {
  test('has captions with markup, lines and any line ends', () => {
    const text =
      '\ufeff1\r\n00:00:01,000 --> 00:00:02,500\r\n<i>{\\an8}Turn</i>\r\nleft\r\n\r\n2\r\n01:00:00,5 --> 01:00:01,250 X1:0\r\n3 < 4\r\n';
    expect(read(text)).toEqual({
      format: 'srt',
      language: null,
      captions: [
        { startS: 1, endS: 2.5, text: 'Turn\nleft' },
        { startS: 3600.5, endS: 3601.25, text: '3 < 4' },
      ],
    });
  });

  test('may lack empty lines, and its captions may be in any order', () => {
    const text = '2\n00:00:05,000 --> 00:00:06,000\nSecond\n1\n00:00:01,000 --> 00:00:02,000\nFirst\n10 of 12';
    expect(captionsOf(text)).toEqual([
      { startS: 1, endS: 2, text: 'First\n10 of 12' },
      { startS: 5, endS: 6, text: 'Second' },
    ]);
  });
});

test('WebVTT has a language, notes and styles that are skipped, entities and speakers', () => {
  const text = `WEBVTT - a talk
Kind: captions
Language: eng

STYLE
::cue { color: red }

NOTE 1 --> 2 is no time

intro
00:01.000 --> 00:02.000 align:start
<v Ann>1 &lt; 2</v>
`;
  expect(read(text)).toEqual({
    format: 'vtt',
    language: 'en',
    captions: [{ startS: 1, endS: 2, text: '1 < 2' }],
  });
});

test.each(['constructor', 'toString', 'valueOf', 'hasOwnProperty', 'unknown'])(
  '&%s; in WebVTT stays as it is',
  (name) => {
    expect(captionsOf(`WEBVTT\n\n00:01.000 --> 00:02.000\n1 &lt; 2 &${name};\n`)).toMatchObject([
      { text: `1 < 2 &${name};` },
    ]);
  },
);

test('UTF-16 with a byte order mark is read', () => {
  const text = '\ufeff1\n00:00:01,000 --> 00:00:02,000\nGrüße\n';
  expect(read(Buffer.from(text, 'utf16le'))).toMatchObject({ captions: [{ text: 'Grüße' }] });
  expect(read(Buffer.from(text, 'utf16le').swap16())).toMatchObject({ captions: [{ text: 'Grüße' }] });
});

test.each([
  ['no text', Buffer.from([0xc3, 0x28, 0xff]), 'it is not UTF-8 text'],
  ['another file', 'a,b\n1,2\n', 'it has no caption with a start, an end and a text'],
  ['captions without a duration', '1\n00:00:02,000 --> 00:00:02,000\nNever\n', 'it has no caption'],
  ['too many captions', '00:00:01.000 --> 00:00:02.000\nx\n\n'.repeat(50_001), 'it has more than 50,000 captions'],
])('%s is refused with a reason', (_name, content, reason) => {
  expect(read(content)).toEqual({ unusable: expect.stringContaining(reason) });
});

test('long texts are cut, control characters removed, and crafted ones are read in linear time', () => {
  const timing = '00:00:01.000 --> 00:00:02.000\n';
  expect(captionsOf(`${timing}${'word '.repeat(100_000)}`)[0]).toMatchObject({
    text: expect.stringMatching(/^.{1999,2000}$/),
  });
  expect(captionsOf(`${timing}a\u0000\u001bb\n`)).toMatchObject([{ text: 'ab' }]);
  const spentMs = startCpuTimer();
  for (const hostile of ['<a', '{\\', '&a', '0:', '00:00:0'])
    read(`${timing}${hostile.repeat(2_000_000 / hostile.length)}\n${`${hostile}\n`.repeat(100_000)}`);
  expect(spentMs()).toBeLessThan(5_000);
});

test('captions survive both formats', () => {
  const captions = [
    { startS: 0, endS: 1.5, text: 'a <b> & "c"' },
    { startS: 3_599.999, endS: 3_601, text: 'Two\nlines' },
  ];
  for (const format of ['vtt', 'srt'] as const)
    expect(captionsOf(formatCaptions(captions, format))).toEqual(
      format === 'vtt' ? captions : [{ ...captions[0]!, text: 'a  & "c"' }, captions[1]!],
    );
});

test.each([
  ['eng', 'en'],
  ['deu', 'de'],
  ['pt-br', 'pt-BR'],
  ['und', null],
  ['', null],
  ['english', null],
  ['sl-rozaj-rozaj', null],
])('the language %j is %j', (tag, language) => {
  expect(toLanguage(tag)).toBe(language);
});
