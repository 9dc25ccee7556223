/** Length of the initialization section: all boxes before the first `moof`. */
export function initSectionLength(bytes: Buffer): number {
  let at = 0;
  while (at + 8 <= bytes.length) {
    const length = bytes.readUInt32BE(at);
    if (bytes.toString('latin1', at + 4, at + 8) === 'moof' || length < 8) break;
    at += length;
  }
  return Math.min(at, bytes.length);
}
