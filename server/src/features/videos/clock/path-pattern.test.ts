import { expect, test } from 'vitest';
import { findPatternFault, readPath } from './path-pattern.ts';

const NOW = new Date('2026-11-29T12:00:00Z');
const read = (pattern: string, ...paths: string[]) => readPath(pattern, paths, NOW);

test.each([
  ['{yyyy}-{mm}-{dd}/{HH}', 's3://footage/gate/2026-11-27/08/clip.mp4', '2026-11-27T08:00:00.000', 3_600],
  ['{yyyy}-{mm}-{dd}/{HH}.{MM}', 's3://footage/2026-11-27/08.15-08.30.dav', '2026-11-27T08:15:00.000', 60],
  ['{yyyy}-{mm}-{dd}/{HH}/*/{MM}.{SS}', 's3://x/2026-11-27/08/gate/00.10.mp4', '2026-11-27T08:00:10.000', undefined],
  ['{dd}.{mm}.{yyyy} {HH}h{MM}', 'Hof 27.11.2026 08h15.avi', '2026-11-27T08:15:00.000', 60],
  [
    '{yyyy}/{mm}/{dd}/{HH}{MM}{SS}',
    's3://2025/01/01/000000/2026/11/27/080010.ts',
    '2026-11-27T08:00:10.000',
    undefined,
  ],
])('%s in %s', (pattern, path, time, withinS) => {
  expect(findPatternFault(pattern)).toBeNull();
  expect(read(pattern, path)).toEqual({ source: 'rule', time, offsetMin: null, ...(withinS ? { withinS } : {}) });
});

test('the name is read if the address does not match', () => {
  expect(read('{yyyy}{mm}{dd}-{HH}', 's3://a/b.mp4', '20261127-08.mp4')).toMatchObject({
    time: '2026-11-27T08:00:00.000',
  });
});

test.each([
  ['{yyyy}-{mm}-{dd}/{HH}', 's3://x/2026-11-31/08/a.mp4'],
  ['{yyyy}-{mm}-{dd}/{HH}', 's3://x/2026-12-27/08/a.mp4'],
  ['{yyyy}-{mm}-{dd}/{HH}', 's3://x/2026-11-27/081/a.mp4'],
  ['({yyyy})[{mm}]{dd}.{HH}', 's3://x/2026-11-27x08'],
])('%s says nothing about %s', (pattern, path) => {
  expect(read(pattern, path)).toBeNull();
});

test.each([
  ['{yyyy}-{mm}-{dd}', '`{HH}` is missing'],
  ['{yyyy}-{mm}-{dd} {HH}{SS}', '`{MM}` is missing'],
  ['{yyyy}-{mm}-{dd} {HH} {hh}', '`{hh}` is unknown; the parts are {yyyy}, {mm}, {dd}, {HH}, {MM} and {SS}'],
  ['{yyyy}-{mm}-{dd} {HH} {dd}', 'a part is there twice'],
  ['*{yyyy}*{mm}*{dd}*{HH}', 'more than 3 stars'],
])('%s cannot be used', (pattern, fault) => {
  expect(findPatternFault(pattern)).toBe(fault);
});
