/** A box in one frame, in fractions of its width and height, origin top left. */
export type Box = { x: number; y: number; width: number; height: number; confidence: number };
/** Boxes of one object over time, in seconds, sorted. `color` is the number of a timeline color, from 1. */
export type BoxTrack = { id: string; label: string; color: number; points: readonly (Box & { time: number })[] };
export type ShownBox = Box & { id: string; label: string; color: number };

const mix = (from: number, to: number, share: number) => from + (to - from) * share;

/** The box of a track at a time, between its neighbors; null outside it and in gaps of more than `gapS` seconds. */
export function boxAt({ points }: Pick<BoxTrack, 'points'>, time: number, gapS: number): Box | null {
  let [low, high] = [0, points.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (points[middle]!.time <= time) low = middle + 1;
    else high = middle;
  }
  const [before, after] = [points[low - 1], points[low]];
  if (!before || !after || after.time - before.time > gapS) {
    // A single frame is shown from a little before until a little after it, because seeks land beside it.
    const nearest = [before, after].find((point) => point && Math.abs(point.time - time) <= NEAR_S);
    return nearest ?? null;
  }
  const share = (time - before.time) / (after.time - before.time);
  return {
    // 0 between two detections.
    confidence: before.confidence || after.confidence,
    x: mix(before.x, after.x, share),
    y: mix(before.y, after.y, share),
    width: mix(before.width, after.width, share),
    height: mix(before.height, after.height, share),
  };
}

const NEAR_S = 0.06;
const GAP_S = 1.2;

/** All boxes of a time. */
export function boxesAt(tracks: readonly BoxTrack[], time: number, gapS = GAP_S): ShownBox[] {
  return tracks.flatMap((track) => {
    const box = boxAt(track, time, gapS);
    return box ? [{ ...box, id: track.id, label: track.label, color: track.color }] : [];
  });
}

/** The area in CSS pixels that a frame of `width` × `height` fills in a stage, centered. */
export function containedArea(
  stage: { width: number; height: number },
  frame: { width: number; height: number },
): Omit<Box, 'confidence'> {
  const scale = Math.min(stage.width / frame.width, stage.height / frame.height);
  if (!Number.isFinite(scale)) return { x: 0, y: 0, width: stage.width, height: stage.height };
  const [width, height] = [frame.width * scale, frame.height * scale];
  return { x: (stage.width - width) / 2, y: (stage.height - height) / 2, width, height };
}
