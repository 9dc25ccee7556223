import type { TaskContext } from '#platform/media/index';
import { encodeTelemetry } from '../encoding.ts';
import type { VideoFacts } from '../observations.ts';
import { observeTelemetry } from './index.ts';

export type TelemetryArgs = { path: string; video: VideoFacts; sidecar: Uint8Array | null };

/** The task of a media process: reads what a recording measured. Apart from the decoding pass, which it does not need. */
export async function telemetry(
  { path, video, sidecar }: TelemetryArgs,
  { decoder }: TaskContext,
): Promise<Uint8Array> {
  return encodeTelemetry(video, await observeTelemetry(path, sidecar, decoder));
}
