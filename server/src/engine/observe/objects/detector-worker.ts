import { readFileSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { COLORS, countColors, exposureOf } from './colors.ts';
import type { FromWorker, ToWorker, WorkerSettings } from './detector.ts';
import { foldFocus } from './focus.ts';
import { editModel, reshaped } from './model.ts';
import { cellsOf, createInput, fillInput, inputSize, NUMBERS, readOutput } from './yolox.ts';

/**
 * Entry point of a detector thread: `session.run` holds up the thread it runs on, and the thread that decodes must not be it. Takes one picture after
 * another from shared memory.
 */
const { weights, slots, width, height } = workerData as WorkerSettings;
const port = parentPort!;
const picture = { width, height };
const pictureBytes = width * height * 3;
const inputShape = [1, 3, inputSize(picture).height, inputSize(picture).width];
const outputShape = [1, cellsOf(picture), NUMBERS];
const outputNumbers = cellsOf(picture) * NUMBERS;

/** One thread each: whole pictures share out better over the cores than the layers of one do, and sums always add up in one order. */
const model = editModel(readFileSync(weights), reshaped(inputShape, outputShape), foldFocus);
const session = await InferenceSession.create(model, {
  intraOpNumThreads: 1,
  interOpNumThreads: 1,
  executionMode: 'sequential',
});
const input = createInput(picture);
const tensor = new Tensor('float32', input, inputShape);
const [inputName = 'images'] = session.inputNames;
const [outputName = 'output'] = session.outputNames;
/** The first picture's output, into which those of the others are written: one for each is what garbage collection would mostly be about. */
const outputs: Record<string, Tensor | null> = { [outputName]: null };

port.on('message', async ({ slot }: ToWorker) => {
  try {
    const rgb = new Uint8Array(slots, slot * pictureBytes, pictureBytes);
    fillInput(input, rgb, picture);
    const output = (await session.run({ [inputName]: tensor }, outputs))[outputName]!;
    outputs[outputName] = output;
    if (output.size !== outputNumbers)
      throw new Error(`the model's output has ${output.size} numbers, not ${outputNumbers}`);
    const detections = readOutput(output.data as Float32Array, picture);
    const exposure = exposureOf({ rgb });
    const colors = new Float32Array(detections.length * COLORS.length);
    detections.forEach((box, index) => {
      colors.set(countColors({ width, height, rgb }, box, exposure), index * COLORS.length);
    });
    port.postMessage({ slot, detections, colors } satisfies FromWorker);
  } catch (error) {
    port.postMessage({ slot, failure: error instanceof Error ? error.message : String(error) } satisfies FromWorker);
  }
});
port.postMessage({ ready: true } satisfies FromWorker);
