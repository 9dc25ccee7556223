import { type CallContext, imageTokens, type ModelClient, PER_FRAME, readPerFrame } from '../calls/index.ts';
import { edgePrompt, frameLabel } from '../prompts.ts';
import type { FrameSource } from '../types.ts';
import { markerText } from './controls.ts';
import { drawPlainImage, PLAIN_SIZE, type PlainColor } from './plain-image.ts';

/** Neighbors that differ and some that do not: a server that leaves out or repeats frames gives another answer. */
const COLORS: readonly PlainColor[] = ['red', 'green', 'blue', 'green', 'green', 'yellow', 'red', 'green'];
const MARKER: PlainColor = 'green';
const MAX_TOKENS = 200;

/**
 * Shows a clip of plain images and asks which of them have a color. Returns whether each one was named truly, or a
 * reason why that is not known.
 */
export async function checkClips(
  client: ModelClient,
  encode: NonNullable<FrameSource['clip']>,
  context: CallContext,
): Promise<boolean | string> {
  const jpegs = await Promise.all(COLORS.map((color) => drawPlainImage(color)));
  const images = jpegs.map((jpeg, i) => ({
    label: frameLabel({ timeS: i }, i),
    jpeg,
    tokens: imageTokens(PLAIN_SIZE),
  }));
  const result = await client.call(
    {
      images,
      schema: PER_FRAME,
      maxTokens: MAX_TOKENS,
      clip: { frames: images.length, encode: () => encode(jpegs) },
      text: edgePrompt(markerText(MARKER), images.length),
      read: (reply) => readPerFrame(reply, images.length),
    },
    context,
  );
  if (!('value' in result)) return result.failure;
  return result.value.every((so, i) => so === (COLORS[i] === MARKER));
}
