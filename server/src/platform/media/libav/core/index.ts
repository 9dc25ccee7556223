export { check } from './check.ts';
export { decodeFrames } from './decode-frames.ts';
export { displayFrames, isInterlaced } from './display-frames.ts';
export {
  addStream,
  allocateFrame,
  openEncoder,
  openH264Encoder,
  receivePackets,
  TICKS_PER_SECOND,
  writePacket,
  writeReadyPackets,
} from './encoder.ts';
export {
  AV_NOPTS,
  claimedDuration,
  getTimestamp,
  isPaletted,
  type LibavInput,
  openDecoder,
  openInput,
} from './input.ts';
export { findOrigin } from './origin.ts';
export { createConverter } from './pixel-converter.ts';
