import type { ExportedEvent } from '../../types.ts';

/** A rate of `frames` in `seconds`, both integers: 30000 in 1001 is 29.97. */
export type FrameRate = { frames: number; seconds: number };

const FALLBACK = 25;
/** Largest distance of a measured rate from the one that it stands for. */
const TOLERANCE = 0.005;

/** The exact rate of a video from its measured one: integers, the rates of NTSC, or thousandths. */
export function rateOf({ frameRate }: Pick<ExportedEvent, 'frameRate'>): FrameRate {
  const measured = frameRate ?? FALLBACK;
  const whole = Math.round(measured);
  if (whole > 0 && Math.abs(measured - whole) < TOLERANCE) return { frames: whole, seconds: 1 };
  const ntsc = Math.ceil(measured);
  if (Math.abs(measured - ntsc / 1.001) < TOLERANCE) return { frames: ntsc * 1000, seconds: 1001 };
  return { frames: Math.max(1, Math.round(measured * 1000)), seconds: 1000 };
}

/** Index of the frame on screen at a time, allowing for times that were rounded down. */
export const toFrame = (timeS: number, { frames, seconds }: FrameRate): number =>
  Math.floor((timeS * frames) / seconds + 0.05);

/** Frames of an event, at least one: the first, and their number. */
export function toFrames({ startS, endS }: Pick<ExportedEvent, 'startS' | 'endS'>, rate: FrameRate) {
  const start = toFrame(startS, rate);
  return { start, count: Math.max(1, toFrame(endS, rate) - start) };
}

/** Frames that a timecode counts in a second. */
export const nominal = ({ frames, seconds }: FrameRate): number => Math.max(1, Math.round(frames / seconds));

/** `hh:mm:ss:ff` of a frame, without dropped numbers. */
export function timecode(frame: number, rate: FrameRate): string {
  const perSecond = nominal(rate);
  const whole = Math.floor(frame / perSecond);
  const parts = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60, frame % perSecond];
  return parts.map((part) => String(part).padStart(2, '0')).join(':');
}
