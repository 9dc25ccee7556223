const START = Buffer.from([0, 0, 1]);

/** NAL unit types of parameter sets and of coded slices, per codec. Parameter sets precede all slices. */
const UNITS = {
  h264: {
    typeOf: (header: number) => header & 0x1f,
    sets: [7, 8],
    isPicture: (type: number) => type >= 1 && type <= 5,
  },
  hevc: {
    typeOf: (header: number) => (header >> 1) & 0x3f,
    sets: [32, 33, 34],
    isPicture: (type: number) => type < 32,
  },
};

/**
 * Parameter sets at the start of a packet (ITU-T H.264 and H.265, Annex B); null without them or without start codes.
 */
export function readParameterSets(data: Buffer, codec: keyof typeof UNITS): Buffer | null {
  const { typeOf, sets, isPicture } = UNITS[codec];
  const found: Buffer[] = [];
  let at = data.indexOf(START);
  if (at < 0 || at > 1) return null;
  while (at >= 0) {
    const begin = at + START.length;
    const type = typeOf(data[begin] ?? 0);
    if (isPicture(type)) break;
    const next = data.indexOf(START, begin);
    if (sets.includes(type)) {
      let end = next < 0 ? data.length : next;
      while (data[end - 1] === 0) end--;
      found.push(Buffer.from([0, 0, 0, 1]), data.subarray(begin, end));
    }
    at = next;
  }
  return found.length > 0 ? Buffer.concat(found) : null;
}
