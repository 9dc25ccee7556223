import { parentPort, workerData } from 'node:worker_threads';
import { estimateExposure, measureColorShares, SHARES_PER_BOX } from '../colors.ts';
import { withLamp } from '../lit-lamp.ts';
import type { DetectorRequest, DetectorResponse, DetectorWorkerSettings } from './detector.ts';
import { openNetwork } from './network.ts';

/**
 * Entry point of a detector thread: `session.run` blocks its thread, which must not be the one that decodes. Takes
 * frames from shared memory one after the other.
 */
const { weights, spec, slots, width, height } = workerData as DetectorWorkerSettings;
const port = parentPort!;
const frameBytes = width * height * 3;
const detect = await openNetwork({ ...spec, weights, frame: { width, height } });

port.on('message', async ({ slot }: DetectorRequest) => {
  try {
    const rgb = new Uint8Array(slots, slot * frameBytes, frameBytes);
    const image = { width, height, rgb };
    const detections = (await detect(rgb)).map((box) => withLamp(image, box));
    const exposure = estimateExposure({ rgb });
    const colors = new Float32Array(detections.length * SHARES_PER_BOX);
    detections.forEach((box, index) => {
      colors.set(measureColorShares(image, box, exposure), index * SHARES_PER_BOX);
    });
    port.postMessage({ slot, detections, colors } satisfies DetectorResponse);
  } catch (error) {
    port.postMessage({
      slot,
      failure: error instanceof Error ? error.message : String(error),
    } satisfies DetectorResponse);
  }
});
port.postMessage({ ready: true } satisfies DetectorResponse);
