import type { FrameCodec } from '#platform/media/index';
import { readAccessUnit } from '#platform/media/index';

/** True if decoding can start at this frame: it depends on no other and has the stream's parameters if required. */
export function isKeyframe(codec: FrameCodec, data: Uint8Array): boolean {
  switch (codec) {
    case 'h264':
      return readAccessUnit(data)?.keyframe ?? false;
    case 'h265':
      return isH265Keyframe(data);
    case 'vp9':
      return isVp9Keyframe(data);
    case 'av1':
      return isAv1Keyframe(data);
    default:
      return true;
  }
}

/** Annex B (ITU-T H.265, 7.4.2.2): a sequence parameter set and a random access picture. */
function isH265Keyframe(data: Uint8Array): boolean {
  const bytes = Buffer.from(data.buffer, data.byteOffset, data.length);
  let described = false;
  for (let at = bytes.indexOf(START_CODE); at >= 0; at = bytes.indexOf(START_CODE, at + 3)) {
    const type = ((bytes[at + 3] ?? 0) >> 1) & 0x3f;
    if (type === 33) described = true;
    // Slices: 16 to 21 are random access points, lower types are not.
    if (type < 32) return described && type >= 16 && type <= 21;
  }
  return false;
}
const START_CODE = Buffer.from([0, 0, 1]);

/** The uncompressed header (VP9 bitstream specification, 6.2), of a superframe's first frame. */
function isVp9Keyframe([first = 0]: Uint8Array): boolean {
  const profile3 = (first & 0b0011_0000) === 0b0011_0000;
  const [shown, type] = profile3 ? [first & 4, first & 2] : [first & 8, first & 4];
  return first >> 6 === 0b10 && shown === 0 && type === 0;
}

/**
 * Open bitstream units (AV1 bitstream specification, 5.3): a sequence header, and a frame header that says key frame.
 */
function isAv1Keyframe(data: Uint8Array): boolean {
  let described = false;
  for (let at = 0; at < data.length; ) {
    const header = data[at]!;
    const type = (header >> 3) & 0xf;
    at += header & 4 ? 2 : 1;
    let size = data.length - at;
    if (header & 2) {
      size = 0;
      for (let shift = 0; shift < 28; shift += 7) {
        const byte = data[at++] ?? 0;
        size |= (byte & 0x7f) << shift;
        if (byte < 0x80) break;
      }
    }
    if (type === SEQUENCE_HEADER) described = true;
    // First bit: show an existing frame. Next two bits: 0 is a key frame.
    if (type === FRAME_HEADER || type === FRAME) return described && (data[at] ?? 0xff) >> 5 === 0;
    at += size;
  }
  return false;
}
const SEQUENCE_HEADER = 1;
const FRAME_HEADER = 3;
const FRAME = 6;
