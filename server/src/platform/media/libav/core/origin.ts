import { mediaProblem } from '../../problems.ts';
import { decodeFrames } from './decode-frames.ts';
import { getTimestamp, openDecoder, openInput } from './input.ts';

/**
 * Timestamp of the first decodable frame in presentation order, the zero point of all times. Decodes without skipping
 * frames, so that the result does not depend on the options of a pass.
 */
export async function findOrigin(path: string): Promise<number> {
  using input = await openInput(path);
  const context = openDecoder(input.video);
  try {
    for (const frame of decodeFrames(input, context)) return getTimestamp(frame) ?? 0;
    throw mediaProblem.media_damaged();
  } finally {
    context.freeContext();
  }
}
