/** Side of a macroblock in pixels. */
const MB = 16;

/** Color of a quarter of the frame: Y, Cb, Cr. */
export type YcbcrColor = readonly [number, number, number];

/** Writes the bit fields of H.264. */
function bits() {
  const out: number[] = [];
  let [byte, filled] = [0, 0];
  const self = {
    u(count: number, value: number) {
      for (let i = count - 1; i >= 0; i--) {
        byte = (byte << 1) | ((value >>> i) & 1);
        if (++filled < 8) continue;
        out.push(byte);
        [byte, filled] = [0, 0];
      }
      return self;
    },
    /** Exp-Golomb codes, unsigned, one after the other. */
    ue(...values: number[]) {
      for (const value of values) self.u(2 * Math.floor(Math.log2(value + 1)) + 1, value + 1);
      return self;
    },
    align() {
      while (filled > 0) self.u(1, 0);
      return self;
    },
    bytes(values: Iterable<number>) {
      for (const value of values) out.push(value);
      return self;
    },
    end: () => self.u(1, 1).align() && out,
  };
  return self;
}

/** A NAL unit with its start code and emulation prevention bytes. */
function unit(refIdc: number, type: number, payload: readonly number[]): Buffer {
  const escaped: number[] = [];
  let zeros = 0;
  for (const byte of payload) {
    if (zeros >= 2 && byte <= 3) {
      escaped.push(3);
      zeros = 0;
    }
    escaped.push(byte);
    zeros = byte === 0 ? zeros + 1 : 0;
  }
  return Buffer.from([0, 0, 0, 1, (refIdc << 5) | type, ...escaped]);
}

/**
 * H.264 whose frames are two field pictures each (PAFF), as cameras and broadcasters send and x264 cannot write. Not
 * compressed (I_PCM). The quarters of the picture, `columns` × `rows` macroblocks of a field, are of the colors
 * given: top left, top right, bottom left, bottom right.
 */
export function encodePaff(
  frames: number,
  quarters: readonly [YcbcrColor, YcbcrColor, YcbcrColor, YcbcrColor],
  [columns, rows]: readonly [number, number] = [8, 4],
): Buffer {
  // Main profile, level 3; 4-bit frame numbers, 8-bit picture order; one reference; not only frames, not adaptive.
  const sps = bits().u(8, 77).u(8, 0).u(8, 30).ue(0, 0, 0, 4, 1).u(1, 0);
  sps
    .ue(columns - 1, rows - 1)
    .u(1, 0)
    .u(1, 0)
    .u(1, 1)
    .u(1, 0)
    .u(1, 0);
  // CAVLC; the deblocking filter is switched per slice.
  const pps = bits().ue(0, 0).u(1, 0).u(1, 0).ue(0, 0, 0).u(1, 0).u(2, 0).ue(0, 0, 0).u(1, 1).u(1, 0).u(1, 0);
  const field = (frame: number, bottom: 0 | 1) => {
    const slice = bits().ue(0, 7, 0).u(4, 0).u(1, 1).u(1, bottom);
    if (!bottom) slice.ue(frame % 2);
    slice.u(8, bottom).u(bottom ? 1 : 2, 0);
    slice.ue(0, 1);
    for (let at = 0; at < columns * rows; at++) {
      const right = at % columns >= columns / 2 ? 1 : 0;
      const lower = at >= (columns * rows) / 2 ? 2 : 0;
      const [y, cb, cr] = quarters[right + lower]!;
      slice.ue(25).align();
      slice.bytes(Array.from({ length: MB * MB * 1.5 }, (_, i) => (i < 256 ? y : i < 320 ? cb : cr)));
    }
    return unit(3, bottom ? 1 : 5, slice.end());
  };
  const pictures = Array.from({ length: frames }, (_, i) => [field(i, 0), field(i, 1)]);
  return Buffer.concat([unit(3, 7, sps.end()), unit(3, 8, pps.end()), ...pictures.flat()]);
}
