import type { LabelTime } from '../types.ts';

/**
 * Reads the name of an image of a video: `{video}/12.340.jpg` is at 12.34 s, `{video}/frame_000123.png` is frame 123.
 * `when` is null if the name ends with no number.
 */
export function parseFrameName(name: string): { videos: string[]; when: LabelTime | null } {
  const parts = name.split(/[\\/]/);
  const file = parts.pop()!;
  const folder = parts.pop();
  const videos = folder ? [folder] : [];
  const [, seconds] = /^(\d{1,9}\.\d{1,6})(?:\.[a-z]{3,4})?$/i.exec(file) ?? [];
  if (seconds) return { videos, when: { timeS: Number(seconds) } };
  const [, frame] = /(\d{1,9})(?:\.[a-z]{3,4})?$/i.exec(file) ?? [];
  return { videos, when: frame === undefined ? null : { frame: Number(frame) } };
}
