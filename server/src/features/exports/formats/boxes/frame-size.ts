import type { ExportedEvent } from '../../types.ts';

/** Size of videos that state none; boxes are fractions of it. */
const UNKNOWN = { width: 1920, height: 1080 };

/** Size of the frames of an event in pixels. */
export const sizeOf = ({ width, height }: ExportedEvent) => (width && height ? { width, height } : UNKNOWN);

const twoDecimals = (value: number) => Math.round(value * 100) / 100;

/** A box in pixels: left, top, width, height. */
export function toPixels(
  box: { x: number; y: number; width: number; height: number },
  { width, height }: { width: number; height: number },
): [left: number, top: number, width: number, height: number] {
  const [left, top] = [twoDecimals(box.x * width), twoDecimals(box.y * height)];
  return [left, top, twoDecimals(box.width * width), twoDecimals(box.height * height)];
}

/** Name of an evidence frame as an image: the id of the video, and the time in seconds. */
export const toFrameName = ({ videoId }: ExportedEvent, timeS: number) => `${videoId}/${timeS.toFixed(3)}.jpg`;
