/** Properties of an H.264 access unit (ITU-T H.264, Annex B) that are needed to copy it into a file. */
export type AccessUnit = {
  /** True if decoding can start here. */
  keyframe: boolean;
  /** Parameter sets with start codes; null if it has none. */
  parameters: Buffer | null;
  /** True if it has B slices, so that decoding order may differ from presentation order. */
  reordered: boolean;
};

const START = Buffer.from([0, 0, 1]);
const [SLICE, IDR, SPS, PPS] = [1, 5, 7, 8];

/** Parses an access unit; null if the bytes are not H.264 with start codes. */
export function readAccessUnit(bytes: Uint8Array): AccessUnit | null {
  const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const unit: AccessUnit = { keyframe: false, parameters: null, reordered: false };
  const parameters: Buffer[] = [];
  let at = data.indexOf(START);
  if (at < 0 || at > 1) return null;
  while (at >= 0) {
    const begin = at + START.length;
    const type = data[begin]! & 0x1f;
    // Parameter sets precede the slices, so the rest need not be searched.
    const next = type === SLICE || type === IDR ? -1 : data.indexOf(START, begin);
    if (type === SPS || type === PPS) {
      let end = next < 0 ? data.length : next;
      while (data[end - 1] === 0) end--;
      parameters.push(Buffer.from([0, 0, 0, 1]), data.subarray(begin, end));
    } else if (type === IDR) unit.keyframe = true;
    else if (type === SLICE) unit.reordered = sliceType(data.subarray(begin + 1, begin + 17)) === 1;
    at = next;
  }
  if (parameters.length > 0) unit.parameters = Buffer.concat(parameters);
  return unit;
}

/** `slice_type` modulo 5, the second Exp-Golomb number of a slice header: 1 is B. */
function sliceType(header: Buffer): number {
  let bit = 0;
  const next = () => {
    const value = ((header[bit >> 3] ?? 0xff) >> (7 - (bit & 7))) & 1;
    bit++;
    return value;
  };
  const number = () => {
    let zeros = 0;
    while (zeros < 31 && next() === 0) zeros++;
    let value = 1;
    for (let i = 0; i < zeros; i++) value = value * 2 + next();
    return value - 1;
  };
  number();
  return number() % 5;
}
