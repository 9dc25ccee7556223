/** A shape of a track at a frame. */
export type TrackedShape = { frame: number; isVisible: boolean };

/** The frames in which an object is visible: from each visible shape to the next one that is not, or to the last. */
export function toVisibleRanges(shapes: readonly TrackedShape[]): { startFrame: number; endFrame: number }[] {
  const ranges: { startFrame: number; endFrame: number }[] = [];
  let isOpen = false;
  for (const { frame, isVisible } of shapes.toSorted((a, b) => a.frame - b.frame)) {
    const last = ranges.at(-1);
    if (isOpen && last) last.endFrame = isVisible ? frame + 1 : frame;
    else if (isVisible) ranges.push({ startFrame: frame, endFrame: frame + 1 });
    isOpen = isVisible;
  }
  return ranges;
}
