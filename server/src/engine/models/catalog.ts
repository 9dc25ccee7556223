/** One file of a model, pinned by its digest. */
export type ModelFile = {
  /** Name in the models folder. */
  name: string;
  bytes: number;
  /** SHA-256, 64 hex digits. */
  sha256: string;
  /** Where its publisher offers it, in order of preference; none if it is not published in this form. */
  urls: readonly string[];
};

/** Purposes of models: `objects` is the detector, `sounds` the recognizer of sounds. */
export const MODEL_TASKS = ['objects', 'sounds'] as const;
export type ModelTask = (typeof MODEL_TASKS)[number];

/** A model that the engine can use. Weights are never part of the product: they are downloaded or provided. */
export type ModelEntry = {
  /** Stable name in the API and on the command line; lower-case letters, digits and `_`. */
  name: string;
  title: string;
  task: ModelTask;
  /** One sentence about what it adds to answers. */
  adds: string;
  /** Inputs and outputs that the engine expects; another file must have the same. */
  contract: string;
  /** Measured computation, as a multiple of that of YOLOX-Nano for one frame. */
  cost: string;
  /** `url`: its text. */
  license: { name: string; url: string };
  /** True for the one model of its task that is downloaded unless the user chooses another. */
  isDefault: boolean;
  files: readonly [ModelFile, ...ModelFile[]];
};

const YOLOX_RELEASE = 'https://github.com/Megvii-BaseDetection/YOLOX/releases/download/0.1.1rc0';
const YOLOX_CONTRACT =
  'images: 1 × 3 × height × width float32, BGR 0 to 255, padded with 114; output: 1 × cells × 85 float32, strides 8, 16 and 32.';
const YOLOX_LICENSE = {
  name: 'Apache-2.0',
  url: 'https://github.com/Megvii-BaseDetection/YOLOX/blob/main/LICENSE',
};

/** All models. Of several models of one task that are there, the first is used. */
export const CATALOG: readonly ModelEntry[] = [
  {
    name: 'yolox_tiny',
    title: 'YOLOX-Tiny',
    task: 'objects',
    adds: 'Finds the same objects with fewer misses, small ones above all, for about six times the computation.',
    contract: YOLOX_CONTRACT,
    cost: '6 for each frame',
    license: YOLOX_LICENSE,
    isDefault: false,
    files: [
      {
        name: 'yolox_tiny.onnx',
        bytes: 20_219_662,
        sha256: '427cc366d34e27ff7a03e2899b5e3671425c262ea2291f88bb942bc1cc70b0f7',
        urls: [`${YOLOX_RELEASE}/yolox_tiny.onnx`],
      },
    ],
  },
  {
    name: 'yolox_nano',
    title: 'YOLOX-Nano',
    task: 'objects',
    adds: 'Finds and tracks people, vehicles, animals and other objects of 80 classes.',
    contract: YOLOX_CONTRACT,
    cost: '1 for each frame, five frames a second',
    license: YOLOX_LICENSE,
    isDefault: true,
    files: [
      {
        name: 'yolox_nano.onnx',
        bytes: 3_659_407,
        sha256: 'c789161ed43c8269fcd4e67c67eeeb4e80c622da2eb296a20bc6007bd18a0b7d',
        urls: [`${YOLOX_RELEASE}/yolox_nano.onnx`],
      },
    ],
  },
  {
    name: 'yamnet',
    title: 'YAMNet',
    task: 'sounds',
    adds: 'Recognizes sounds: sirens, alarms, horns, dogs, engines, music, applause, rain and others.',
    contract:
      'input_1: 1 × 15600 float32, 0.975 s of mono at 16 kHz, -1 to 1; Identity: 1 × 521 float32, scores of the AudioSet classes, 0 to 1.',
    cost: '0.34 for each window of 0.975 s, two windows a second',
    license: { name: 'Apache-2.0', url: 'https://github.com/tensorflow/models/blob/master/LICENSE' },
    isDefault: true,
    files: [
      {
        name: 'yamnet.onnx',
        bytes: 4_097_195,
        sha256: '64e5804724983ec97409fdcdeccede26c09c8a4e145a16922146edf6ddaab9b1',
        urls: [],
      },
    ],
  },
];
