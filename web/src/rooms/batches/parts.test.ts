import { expect, test } from 'vitest';
import { openParts, partResults } from './parts.ts';

type Row = Parameters<typeof partResults>[0][number]['analysis']['coverage'][number];
const row = (text: string, changes: Partial<Row> = {}): Row => ({
  text,
  status: 'looked_for',
  by: ['objects (yolox_nano fd7193b8405b)'],
  reason: null,
  findings: 0,
  ...changes,
});
const NO_SOUND = 'the video has no audio track';
const skipped = (reason: string): Partial<Row> => ({ status: 'not_looked_for', by: [], reason });
const results = (...videos: Row[][]) => partResults(videos.map((coverage) => ({ analysis: { coverage } })));

test('parts count their events and videos, and say what was found, not found and not searched', () => {
  const parts = results(
    [
      row('a red car', { findings: 2 }),
      row('a fox'),
      row('a siren', skipped(NO_SOUND)),
      row('a spy', skipped('"a spy": unknown')),
    ],
    [row('a red car', { findings: 1 }), row('a fox'), row('a siren'), row('a spy', skipped('"a spy": unknown'))],
    [
      row('a red car'),
      row('a fox', { reason: 'small ones are missed' }),
      row('a siren', skipped(NO_SOUND)),
      row('a spy', skipped('"a spy": unknown')),
    ],
  );
  expect(
    parts.map(({ text, state, events, eventVideos, searchedVideos }) => [
      text,
      state,
      events,
      eventVideos,
      searchedVideos,
    ]),
  ).toEqual([
    ['a red car', 'found', 3, 2, 3],
    ['a fox', 'nothing', 0, 0, 3],
    ['a siren', 'nothing', 0, 0, 1],
    ['a spy', 'skipped', 0, 0, 0],
  ]);
  expect(parts.map(({ skipped: reasons }) => reasons)).toEqual([
    [],
    [],
    [{ text: NO_SOUND, videos: 2 }],
    [{ text: 'unknown', videos: 3 }],
  ]);
  expect(parts[1]!.limits).toEqual([{ text: 'small ones are missed', videos: 1 }]);
  expect(parts[0]!.by).toEqual(['objects (yolox_nano)']);
});

test('a question without answers has no results', () => {
  expect(results()).toEqual([]);
  const parts = openParts(
    [
      { text: 'a car', status: 'looked_for', reason: null },
      { text: 'a spy', status: 'not_looked_for', reason: '"a spy": unknown' },
    ] as Parameters<typeof openParts>[0],
    4,
  );
  expect(parts.map(({ text, state, skipped: reasons }) => [text, state, reasons])).toEqual([
    ['a car', 'open', []],
    ['a spy', 'skipped', [{ text: 'unknown', videos: 4 }]],
  ]);
});
