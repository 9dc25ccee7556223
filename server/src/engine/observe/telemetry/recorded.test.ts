import { expect, test } from 'vitest';
import { inspectSidecar } from './inspect-sidecar.ts';
import { readRecordedStart } from './recorded.ts';

const read = (text: string) => readRecordedStart(Buffer.from(text));

const caption = (n: number, at: string, stamp: string) =>
  `${n}\n${at} --> ${at}\n<font size="28">SrtCnt : ${n}, DiffTime : 33ms\n${stamp}\n[iso : 100] [latitude: 41.42] [longitude: 2.23]</font>\n`;

test('the captions of a drone state local time', () => {
  const text = [
    caption(1, '00:00:00,000', '2026-11-27 08:00:10.123'),
    caption(2, '00:00:30,000', '2026-11-27 08:00:40.150'),
  ].join('\n');
  expect(read(text)).toEqual({ time: '2026-11-27T08:00:10.123', offset_min: null });
  expect(read(`\uFEFF${text.replaceAll('\n', '\r\n')}`)).toMatchObject({ time: '2026-11-27T08:00:10.123' });
});

test('of a hyperlapse, the captions give the rate; a later first caption is taken off', () => {
  const text = [
    caption(1, '00:00:02,000', '2026-11-27 08:01:00'),
    caption(2, '00:00:12,000', '2026-11-27 08:06:00'),
  ].join('\n');
  expect(read(text)).toEqual({ time: '2026-11-27T08:00:00.000', offset_min: null, rate: 30 });
});

test.each([
  [
    'a GPS track',
    '<?xml version="1.0"?><gpx version="1.1"><metadata><time>2026-01-01T00:00:00Z</time></metadata><trk><trkseg><trkpt lat="1" lon="2"><ele>3</ele><time>2026-11-27T07:00:10.500Z</time></trkpt></trkseg></trk></gpx>',
    { time: '2026-11-27T07:00:10.500', offset_min: 0 },
  ],
  [
    'a GPS receiver, once it has a fix',
    '$GPRMC,070009.00,V,,,,,,,271126,,,N*7C\r\n$GPGGA,070010.00,4124.8963,N,00209.9963,E,1,05,1.5,280.2,M,-34.0,M,,*75\r\n$GPRMC,070010.25,A,4124.8963,N,00209.9963,E,0.02,31.66,271126,,,A*43\r\n',
    { time: '2026-11-27T07:00:10.250', offset_min: 0 },
  ],
  [
    'the metadata of a camera',
    '<?xml version="1.0"?>\n<NonRealTimeMeta><Duration value="750"/><CreationDate value="2026-11-27T08:00:10+01:00"/></NonRealTimeMeta>',
    { time: '2026-11-27T08:00:10.000', offset_min: 60 },
  ],
  [
    'an element of another camera',
    '<ClipMetadata><Access><CreationDate>2026-11-27T08:00:10-05:30</CreationDate></Access></ClipMetadata>',
    { time: '2026-11-27T08:00:10.000', offset_min: -330 },
  ],
  [
    'the description of an exported phone video',
    '{"title":"a.mp4","photoTakenTime":{"timestamp":"1764230410","formatted":"27 Nov 2025"}}',
    { time: '2025-11-27T08:00:10.000', offset_min: 0 },
  ],
  ['EXIF as JSON', '{"CreateDate":"2026:11:27 08:00:10"}', { time: '2026-11-27T08:00:10.000', offset_min: null }],
  ['milliseconds', '{"start_time":1764230410512}', { time: '2025-11-27T08:00:10.512', offset_min: 0 }],
  ['EXIF', '\0\0Exif\0\0...2026:11:27 08:00:10\0', null],
  ['no date', '{"start_time":12.5,"rows":[]}', null],
  ['a clock that was not set', '<a><CreationDate value="1970-01-01T00:00:00Z"/></a>', null],
  ['no day of the calendar', '<a><CreationDate value="2026-02-30T00:00:00Z"/></a>', null],
  ['text', 'time,speed\n0,1\n', null],
  ['spoken subtitles', '1\n00:00:01,000 --> 00:00:02,000\nHello\n', null],
])('%s', (_, text, expected) => {
  expect(read(text)).toEqual(expected);
});

test.each([
  ['seconds since 1970', 'time,speed\n1764230410.5,1\n1764230411.5,2\n', '2025-11-27T08:00:10.500', 0],
  ['milliseconds', 'timestamp;speed\n1764230410512;1\n', '2025-11-27T08:00:10.512', 0],
  ['UTC', 'time,speed\n2026-11-27T08:00:10Z,1\n', '2026-11-27T08:00:10.000', 0],
  ['an offset', 'time,speed\n2026-11-27T08:00:10+01:00,1\n', '2026-11-27T07:00:10.000', 0],
  ['no zone', 'time,speed\n2026-11-27 08:00:10,1\n', '2026-11-27T08:00:10.000', null],
  ['the first row in time', 'time,speed\n1764230420,1\n1764230410,2\n', '2025-11-27T08:00:10.000', 0],
  ['rows of JSON', '[{"time":"2026-11-27T08:00:10Z","speed":1}]', '2026-11-27T08:00:10.000', 0],
  [
    'the start of the file',
    '{"start_time":1764230400,"data":[{"time":1764230410,"speed":1}]}',
    '2025-11-27T08:00:00.000',
    0,
  ],
])('dates of telemetry in rows: %s', (_, content, time, offsetMin) => {
  const bytes = new TextEncoder().encode(content);
  expect(inspectSidecar(bytes).recorded).toEqual({ time, offset_min: offsetMin });
});

test.each([
  ['seconds of the video', 'time,speed\n0,1\n1,2\n'],
  ['a clock that was not set', 'time,speed\n1980-01-06T00:00:00Z,1\n'],
  ['no time', 'speed,heading\n1764230410,2\n'],
  ['damage', '{"time":'],
])('rows without a date: %s', (_, content) => {
  expect(inspectSidecar(new TextEncoder().encode(content)).recorded).toBeNull();
});

test('a preview image states the local time of its camera', () => {
  const image = Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe1]), Buffer.from('Exif\0\0..2026:11:27 08:00:10\0')]);
  expect(readRecordedStart(image)).toEqual({ time: '2026-11-27T08:00:10.000', offset_min: null });
  expect(readRecordedStart(image.subarray(0, 12))).toBeNull();
});
