import { type CodecContext, Frame, Packet } from 'node-av/lib';
import { LIMITS } from '../../limits.ts';
import type { LibavInput } from './input.ts';

/**
 * Decodes frames in presentation order, starting at the current position of the file. Yields the same frame object each
 * time, valid until the next step. Ends after many packets without a frame.
 */
export function* decodeFrames(input: LibavInput, context: CodecContext): Generator<Frame> {
  const packet = new Packet();
  const frame = new Frame();
  packet.alloc();
  frame.alloc();
  let fruitless = 0;
  try {
    while (input.format.readFrameSync(packet) >= 0) {
      const ours = packet.streamIndex === input.video.index;
      if (ours) context.sendPacketSync(packet);
      packet.unref();
      if (!ours) continue;
      if (++fruitless > LIMITS.packetsToFirstFrame) return;
      while (context.receiveFrameSync(frame) >= 0) {
        fruitless = 0;
        yield frame;
        frame.unref();
      }
    }
    context.sendPacketSync(null);
    while (context.receiveFrameSync(frame) >= 0) {
      yield frame;
      frame.unref();
    }
  } finally {
    packet.free();
    frame.free();
  }
}
