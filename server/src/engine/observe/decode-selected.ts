import type { Decoder, FrameRequest } from '#platform/media/index';

/** Seconds without a selected frame from which on the decoder skips them: most videos have a keyframe more often. */
const SKIP_S = 20;
/** Seconds after the last frame of a range at which it ends: less than two frames are apart. */
const AFTER_S = 0.01;

/** Decodes the frames at ascending times, in seconds, for all requests. Long parts between them are skipped. */
export async function decodeSelected(
  decoder: Decoder,
  path: string,
  times: readonly number[],
  requests: readonly Omit<FrameRequest, 'atS'>[],
): Promise<void> {
  for (const atS of splitAtGaps(times)) {
    await decoder.decode(path, {
      frames: requests.map((request) => ({ ...request, atS })),
      range: { fromS: atS[0]!, untilS: atS.at(-1)! + AFTER_S },
      skipDeblocking: 'all',
    });
  }
}

/** Divides ascending times where the decoder skips what is between them. */
function splitAtGaps(times: readonly number[]): number[][] {
  const parts: number[][] = [];
  for (const [at, timeS] of times.entries()) {
    if (at === 0 || timeS - times[at - 1]! >= SKIP_S) parts.push([]);
    parts.at(-1)!.push(timeS);
  }
  return parts;
}
