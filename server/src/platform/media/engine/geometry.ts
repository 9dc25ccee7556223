/** Rotation and mirroring of a coded frame by the container's display matrix. */
export type Orientation = {
  /** Swaps rows and columns, before the flips. */
  transpose: boolean;
  flipX: boolean;
  flipY: boolean;
  /** Clockwise rotation in degrees: 0, 90, 180 or 270. */
  rotation: number;
};

export type Size = { width: number; height: number };

export const UPRIGHT: Orientation = { transpose: false, flipX: false, flipY: false, rotation: 0 };

/** Nearest right-angled orientation of a display matrix: x' = a·x + c·y, y' = b·x + d·y, with y pointing down. */
export function toOrientation(a: number, b: number, c: number, d: number): Orientation {
  if (a === 0 && b === 0) return UPRIGHT;
  const rotation = (Math.round(Math.atan2(b, a) / (Math.PI / 2)) * 90 + 360) % 360;
  const transpose = Math.abs(b) > Math.abs(a);
  return transpose
    ? { transpose, flipX: c < 0, flipY: b < 0, rotation }
    : { transpose, flipX: a < 0, flipY: d < 0, rotation };
}

/** Display size of a coded frame. Non-square pixels enlarge one side and never shrink the other, as in browsers. */
export function displaySize(coded: Size, pixelAspect: number, orientation: Orientation): Size {
  // An extreme ratio is a damaged header.
  const aspect = pixelAspect > 1 / 8 && pixelAspect < 8 ? pixelAspect : 1;
  const width = aspect > 1 ? Math.round(coded.width * aspect) : coded.width;
  const height = aspect < 1 ? Math.round(coded.height / aspect) : coded.height;
  return orientation.transpose ? { width: height, height: width } : { width, height };
}

/** The largest size with `size`'s aspect ratio within `box`, at least one pixel. */
export function fitWithin(size: Size, box: Size): Size {
  const scale = Math.min(box.width / size.width, box.height / size.height);
  return {
    width: Math.min(box.width, Math.max(1, Math.round(size.width * scale))),
    height: Math.min(box.height, Math.max(1, Math.round(size.height * scale))),
  };
}

/**
 * Copies a coded frame, rotated upright, to (`left`, `top`) of a target with rows of `targetStride` bytes. `source` has
 * `size` pixels of `channels` bytes in rows of `sourceStride` bytes.
 */
export function copyUpright(
  source: Uint8Array,
  size: Size,
  sourceStride: number,
  channels: number,
  orientation: Orientation,
  target: Uint8Array,
  targetStride: number,
  left = 0,
  top = 0,
): void {
  const { width, height } = size;
  const { transpose, flipX, flipY } = orientation;
  const origin = top * targetStride + left * channels;
  if (!transpose && !flipX) {
    for (let y = 0; y < height; y++) {
      const row = source.subarray(y * sourceStride, y * sourceStride + width * channels);
      target.set(row, origin + (flipY ? height - 1 - y : y) * targetStride);
    }
    return;
  }
  // Steps in the target for one pixel to the right and one row down in the source.
  const alongX = transpose ? (flipY ? -targetStride : targetStride) : flipX ? -channels : channels;
  const alongY = transpose ? (flipX ? -channels : channels) : flipY ? -targetStride : targetStride;
  const shown = transpose ? { width: height, height: width } : size;
  const start = origin + (flipX ? (shown.width - 1) * channels : 0) + (flipY ? (shown.height - 1) * targetStride : 0);
  for (let y = 0; y < height; y++) {
    let from = y * sourceStride;
    let to = start + y * alongY;
    for (let x = 0; x < width; x++) {
      for (let k = 0; k < channels; k++) target[to + k] = source[from + k]!;
      from += channels;
      to += alongX;
    }
  }
}

/** Scales a size down so that no side is longer than `maxSide`. Never enlarges. */
export function limitSize(shown: Size, maxSide: number): Size {
  return Math.max(shown.width, shown.height) <= maxSide ? shown : fitWithin(shown, { width: maxSide, height: maxSide });
}
