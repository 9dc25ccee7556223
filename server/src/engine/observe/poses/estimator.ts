import { InferenceSession, Tensor } from 'onnxruntime-node';
import { ONE_THREAD } from '../../models/onnx-session.ts';
import { createInput, fillInput, INPUT_SIDE, squareAround } from './crop-person.ts';
import { decodePose, OUTPUT_LENGTHS } from './decode-output.ts';
import { VALUES_PER_JOINT } from './joints.ts';

type Image = { width: number; height: number; data: Uint8Array };
type CenteredBox = { x: number; y: number; width: number; height: number };

export type PoseEstimator = {
  /** Pose of the person in a box (center and size) of an RGB image, all in fractions of the image. */
  estimate(image: Image, box: CenteredBox): Promise<Float32Array>;
  close(): Promise<void>;
};

const INPUT = 'input';
const OUTPUTS = ['out0', 'out1', 'out2', 'out3'] as const;

/** Opens the model. Throws if the file is not one of this contract. */
export async function openEstimator(weights: string): Promise<PoseEstimator> {
  const session = await InferenceSession.create(weights, ONE_THREAD);
  const input = createInput();
  const feeds = { [INPUT]: new Tensor('float32', input, [1, INPUT_SIDE, INPUT_SIDE, 3]) };
  return {
    async estimate(image, box) {
      const { left, top, side } = squareAround(box, image);
      fillInput(input, image, { left, top, side });
      const results = await session.run(feeds, OUTPUTS);
      const [joints, centers, regressed, offsets] = OUTPUTS.map((name, at) => {
        const { data, size } = results[name]!;
        if (size !== OUTPUT_LENGTHS[at] || !(data instanceof Float32Array))
          throw new Error(`the model's output ${name} has ${size} numbers, not ${OUTPUT_LENGTHS[at]}`);
        return data;
      }) as [Float32Array, Float32Array, Float32Array, Float32Array];
      const pose = decodePose({ joints, centers, regressed, offsets });
      for (let at = 0; at < pose.length; at += VALUES_PER_JOINT) {
        pose[at] = (left + pose[at]! * side) / image.width;
        pose[at + 1] = (top + pose[at + 1]! * side) / image.height;
      }
      return pose;
    },
    close: () => session.release(),
  };
}
