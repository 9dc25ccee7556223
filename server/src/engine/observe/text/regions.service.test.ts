import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, inject, test } from 'vitest';
import type { PixelBox } from './boxes.ts';
import { findRegions, joinAt } from './regions.ts';
import { type GrayPlane, toGrayPlane } from './strokes.ts';

const { ffmpeg } = inject('programs');
const FONT = join(
  dirname(createRequire(import.meta.url).resolve('dejavu-fonts-ttf/package.json')),
  'ttf/DejaVuSans.ttf',
);
const [WIDTH, HEIGHT] = [960, 544];

/** A picture that FFmpeg draws on one color. */
async function draw(color: string, filter: string): Promise<GrayPlane> {
  const source = ['-f', 'lavfi', '-i', `color=c=${color}:s=${WIDTH}x${HEIGHT}`, '-vf', filter, '-frames:v', '1'];
  const raw = ['-f', 'rawvideo', '-pix_fmt', 'rgb24', '-'];
  const options = { encoding: 'buffer', maxBuffer: 1e8 } as const;
  const { stdout } = await promisify(execFile)(ffmpeg!, ['-v', 'error', ...source, ...raw], options);
  return toGrayPlane({ width: WIDTH, height: HEIGHT, data: stdout }, 1);
}

const areaOf = ({ x0, y0, x1, y1 }: PixelBox) => (x1 - x0) * (y1 - y0);

test
  .skipIf(ffmpeg === null)
  .each([
    ...[9, 12, 24, 48, 96, 160].map((size) => ({ size, color: 'white', behind: '0x304050' })),
    { size: 20, color: '0x606060', behind: '0x404040' },
    { size: 24, color: 'red', behind: 'black' },
    { size: 24, color: 'black', behind: 'yellow' },
  ])('text is within one region, with little around it: %j', async ({ size, color, behind }) => {
  const [x, y] = [150, 200];
  const text = `drawtext=fontfile=${FONT}:text=Room 42:fontsize=${size}:fontcolor=${color}:x=${x}:y=${y}`;
  const regions = await draw(behind, text).then(findRegions);
  expect(regions).toHaveLength(1);
  const [region] = regions;
  expect(region!.x0).toBeLessThanOrEqual(x);
  expect(region!.y0).toBeLessThanOrEqual(y);
  expect(region!.x1).toBeGreaterThanOrEqual(x + 3.6 * size);
  expect(region!.y1).toBeGreaterThanOrEqual(y + 0.75 * size);
  expect(areaOf(region!)).toBeLessThan((4.5 * size + 128) * (size + 128));
});

test.skipIf(ffmpeg === null)('edges, single lines and gradients are no text', async () => {
  const line = 'drawbox=x=300:y=0:w=6:h=544:color=white:t=fill';
  expect(findRegions(await draw('0x303030', line))).toEqual([]);
  expect(findRegions(await draw('0x303030', 'drawbox=x=0:y=300:w=960:h=80:color=white:t=fill'))).toEqual([]);
  expect(findRegions(await draw('black', 'geq=lum=X/4:cb=128:cr=128'))).toEqual([]);
});

test.skipIf(ffmpeg === null)('texts far apart are searched one by one, a page as a whole', async () => {
  const at = (x: number, y: number) =>
    `drawtext=fontfile=${FONT}:text=Room 42:fontsize=24:fontcolor=white:x=${x}:y=${y}`;
  const apart = findRegions(await draw('0x304050', `${at(40, 40)},${at(800, 460)}`));
  expect(apart).toHaveLength(2);
  expect(apart.reduce((sum, region) => sum + areaOf(region), 0)).toBeLessThan(0.15 * WIDTH * HEIGHT);
  const page = Array.from({ length: 88 }, (_, n) => at(10 + 118 * (n % 8), 10 + 48 * Math.floor(n / 8))).join();
  const [whole, ...others] = findRegions(await draw('0x304050', page));
  expect(others).toEqual([]);
  expect(areaOf(whole!)).toBeGreaterThan(0.8 * WIDTH * HEIGHT);
});

test('regions that have a line in common are one', () => {
  const [left, right, below] = [
    { x0: 0, y0: 0, x1: 320, y1: 96 },
    { x0: 256, y0: 32, x1: 640, y1: 160 },
    { x0: 0, y0: 320, x1: 64, y1: 352 },
  ];
  const regions = [left, right, below];
  const inOne = { x0: 100, y0: 40, x1: 200, y1: 60 };
  expect(joinAt([inOne], regions)).toEqual(regions);
  const inBoth = { x0: 200, y0: 40, x1: 300, y1: 60 };
  expect(joinAt([inOne, inBoth], regions)).toEqual([below, { x0: 0, y0: 0, x1: 640, y1: 160 }]);
});
