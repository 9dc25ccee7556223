import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { LabeledText } from './labels.ts';

/** Heights of capitals in pixels. */
const HEIGHTS = [12, 16, 20, 24, 32, 48] as const;
const TEXTS: readonly (readonly string[])[] = [
  ['STOP', 'NO PARKING', 'ABC 123', 'Please wait', '42'],
  ['EXIT', 'ERROR 404', 'Room 215', '12:45:30', 'Battery low'],
];
const BACKGROUNDS = ['road/udacity_solidWhiteRight.mp4', 'road/bgs_topdown_road_outlines.avi'] as const;
/** Colors of letters and of what is behind them; null: the footage. */
const COLORS = [
  ['white', null],
  ['black', 'yellow'],
  ['white', 'red'],
  ['yellow', 'black@0.5'],
  ['0x202020', 'white'],
] as const;
/** Height of a capital of DejaVu Sans, of the size of the font. */
const CAPITAL = 0.729;
const FONT = join(
  dirname(createRequire(import.meta.url).resolve('dejavu-fonts-ttf/package.json')),
  'ttf/DejaVuSans.ttf',
);

export type MadeClip = { path: string; texts: LabeledText[] };

/** Writes text of known size on moving footage of 960 × 540: five texts in each clip of two seconds. */
export async function makeClips(dir: string, data: string): Promise<MadeClip[]> {
  const clips: MadeClip[] = [];
  for (const height of HEIGHTS) {
    for (const [at, texts] of TEXTS.entries()) {
      const path = join(dir, `${height}-${at}.mp4`);
      const drawn = texts.map((text, row) => {
        const [color, box] = COLORS[(row + at) % COLORS.length]!;
        const behind = box === null ? '' : `:box=1:boxborderw=${Math.round(height / 3)}:boxcolor=${box}`;
        const place = `x=${60 + 90 * (row % 3)}:y=${30 + 100 * row}`;
        const written = text.replaceAll(':', '\\\\:');
        return `drawtext=fontfile=${FONT}:text=${written}:fontsize=${Math.round(height / CAPITAL)}:fontcolor=${color}${behind}:${place}`;
      });
      const filter = ['scale=960:540', ...drawn].join(',');
      const output = ['-t', '2', '-vf', filter, '-an', '-c:v', 'libx264', '-preset', 'veryfast', '-pix_fmt', 'yuv420p'];
      await promisify(execFile)('ffmpeg', ['-v', 'error', '-y', '-i', join(data, BACKGROUNDS[at]!), ...output, path]);
      clips.push({ path, texts: texts.map((text) => [text, height] as const) });
    }
  }
  return clips;
}
