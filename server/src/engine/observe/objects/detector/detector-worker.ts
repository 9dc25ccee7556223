import { readFileSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { COLORS, estimateExposure, measureColorShares } from '../colors.ts';
import { withLamp } from '../lit-lamp.ts';
import type { DetectorRequest, DetectorResponse, DetectorWorkerSettings } from './detector.ts';
import { foldFocus } from './fold-focus.ts';
import { editModel, reshaped } from './onnx-model.ts';
import { countCells, createInput, decodeOutput, fillInput, toInputSize, VALUES_PER_CELL } from './yolox.ts';

/**
 * Entry point of a detector thread: `session.run` blocks its thread, which must not be the one that decodes. Takes
 * frames from shared memory one after the other.
 */
const { weights, slots, width, height } = workerData as DetectorWorkerSettings;
const port = parentPort!;
const frameSize = { width, height };
const frameBytes = width * height * 3;
const inputShape = [1, 3, toInputSize(frameSize).height, toInputSize(frameSize).width];
const outputShape = [1, countCells(frameSize), VALUES_PER_CELL];
const outputNumbers = countCells(frameSize) * VALUES_PER_CELL;

/**
 * One ONNX thread per worker: whole frames distribute better over the cores than layers, and sums have a fixed order.
 */
const model = editModel(readFileSync(weights), reshaped(inputShape, outputShape), foldFocus);
const session = await InferenceSession.create(model, {
  intraOpNumThreads: 1,
  interOpNumThreads: 1,
  executionMode: 'sequential',
});
const input = createInput(frameSize);
const tensor = new Tensor('float32', input, inputShape);
const [inputName = 'images'] = session.inputNames;
const [outputName = 'output'] = session.outputNames;
/** Output of the first frame, reused for all others: one output per frame would dominate garbage collection. */
const outputs: Record<string, Tensor | null> = { [outputName]: null };

port.on('message', async ({ slot }: DetectorRequest) => {
  try {
    const rgb = new Uint8Array(slots, slot * frameBytes, frameBytes);
    fillInput(input, rgb, frameSize);
    const output = (await session.run({ [inputName]: tensor }, outputs))[outputName]!;
    outputs[outputName] = output;
    if (output.size !== outputNumbers)
      throw new Error(`the model's output has ${output.size} numbers, not ${outputNumbers}`);
    const image = { width, height, rgb };
    const detections = decodeOutput(output.data as Float32Array, frameSize).map((box) => withLamp(image, box));
    const exposure = estimateExposure({ rgb });
    const colors = new Float32Array(detections.length * COLORS.length);
    detections.forEach((box, index) => {
      colors.set(measureColorShares(image, box, exposure), index * COLORS.length);
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
