import { formatTime } from '#ui/format/format.ts';
import { secondsPerPixel, type View } from '../scale.ts';

export type Tick = { time: number; label: string | null };

/** The notation of times. `offsetS` moves the round times, such as to those of the day. */
export type TimeScale = { offsetS: number; format: (time: number, decimals?: number) => string };
export const FROM_START: TimeScale = { offsetS: 0, format: formatTime };

const STEPS_S = [0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14_400, 21_600, 43_200];
/** Least distance of labels in CSS pixels. */
const LABEL_PX = 84;
/** Ticks between labels, by the step of the labels; multiples of frames have one per frame. */
const MINOR_PARTS = 5;

/** Ticks of a ruler: whole frames at a deep zoom, round times otherwise. Labels are at least 84 pixels apart. */
export function ticks(view: View, frameRate: number, { offsetS, format }: TimeScale = FROM_START): Tick[] {
  const least = secondsPerPixel(view) * LABEL_PX;
  const frames = [1, 2, 5].find((count) => count / frameRate >= least);
  const isFrames = frames !== undefined && frames / frameRate < STEPS_S[0]! * 2;
  const major = isFrames ? frames / frameRate : (STEPS_S.find((step) => step >= least) ?? 86_400);
  const minor = isFrames ? 1 / frameRate : major / MINOR_PARTS;
  const decimals = isFrames ? 3 : major < 1 ? 1 : 0;
  const every = Math.round(major / minor);
  const result: Tick[] = [];
  // Counting avoids adding up rounding errors.
  const last = Math.floor((view.end + offsetS) / minor + 1e-6);
  for (let index = Math.ceil((view.start + offsetS) / minor - 1e-6); index <= last; index++) {
    const time = index * minor - offsetS;
    result.push({ time, label: index % every === 0 ? format(time, decimals) : null });
  }
  return result;
}
