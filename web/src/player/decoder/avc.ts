const SLICES = [1, 2, 3, 4, 5];

/** Size in bytes of the length before each unit of an H.264 packet, from the file's decoder configuration. */
export function lengthSizeOf(description: AllowSharedBufferSource | undefined): number | null {
  if (!description) return null;
  const bytes = ArrayBuffer.isView(description)
    ? new Uint8Array(description.buffer, description.byteOffset, description.byteLength)
    : new Uint8Array(description);
  return bytes.length > 4 ? (bytes[4]! & 3) + 1 : null;
}

/** Whether no other frame depends on this H.264 packet, so that decoders may leave it out. */
export function isDisposable(packet: Uint8Array, lengthSize: number): boolean {
  let slices = 0;
  for (let at = 0; at + lengthSize < packet.length; ) {
    let length = 0;
    for (let index = 0; index < lengthSize; index++) length = length * 256 + packet[at + index]!;
    const header = packet[at + lengthSize]!;
    if (SLICES.includes(header & 31)) {
      if (header & 0x60) return false;
      slices++;
    }
    at += lengthSize + length;
  }
  return slices > 0;
}
