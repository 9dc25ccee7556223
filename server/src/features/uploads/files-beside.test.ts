import { expect, test } from 'vitest';
import { readFilesBeside } from './files-beside.ts';

const SPOKEN = '1\n00:00:00,000 --> 00:00:01,000\nGood morning.\n';
/** A drone writes what it measures as subtitles. */
const MEASURED = [0, 1, 2]
  .map((s) => `${s + 1}\n00:00:0${s},000 --> 00:00:0${s + 1},000\n[latitude: 47.${s}] [longitude: 8.5]\n`)
  .join('\n');
const ROWS = '[{"t": 0, "speed_kmh": 1}, {"t": 1, "speed_kmh": 2}]';

/** Names of the telemetry and the subtitles that are read beside `drive/a.mp4`. */
async function read(files: Record<string, string>) {
  const open = async (path: string) => (path in files ? Buffer.from(files[path]!) : null);
  const { sidecar, subtitles } = await readFilesBeside('drive/a.mp4', open);
  return [sidecar?.summary.filename ?? null, subtitles?.summary.filename ?? null];
}

test.each<[string, Record<string, string>, (string | null)[]]>([
  ['nothing', { 'drive/b.json': ROWS, 'a.json': ROWS }, [null, null]],
  ['rows', { 'drive/a.json': ROWS }, ['a.json', null]],
  ['measured subtitles', { 'drive/a.srt': MEASURED }, ['a.srt', null]],
  ['spoken subtitles', { 'drive/a.srt': SPOKEN }, [null, 'a.srt']],
  ['rows and subtitles', { 'drive/a.json': ROWS, 'drive/a.srt': SPOKEN }, ['a.json', 'a.srt']],
  [
    'rows before measured subtitles',
    { 'drive/a.csv': 't,speed_kmh\n0,1\n1,2\n', 'drive/a.srt': MEASURED },
    ['a.csv', null],
  ],
  [
    'both kinds of subtitles',
    { 'drive/a.srt': MEASURED, 'drive/a.vtt': `WEBVTT\n\n${SPOKEN.replaceAll(',', '.')}` },
    ['a.srt', 'a.vtt'],
  ],
])('%s beside a video', async (_name, files, expected) => {
  expect(await read(files)).toEqual(expected);
});

test('files that are neither are refused', async () => {
  await expect(read({ 'drive/a.json': 'no JSON' })).rejects.toMatchObject({ code: 'sidecar_invalid' });
  await expect(read({ 'drive/a.srt': 'no subtitles' })).rejects.toMatchObject({ code: 'subtitles_invalid' });
});
