/** One file of a model, pinned by its digest. */
export type ModelFile = {
  /** Name in the models folder. */
  name: string;
  bytes: number;
  /** SHA-256, 64 hex digits. */
  sha256: string;
  /** Where its publisher offers it, in order of preference. */
  urls: readonly string[];
};

/** Purpose of a model: `objects` is the detector. */
export type ModelTask = 'objects';

/** A model that the engine can use. Weights are never part of the product: they are downloaded or provided. */
export type ModelEntry = {
  /** Stable name in the API and on the command line; lower-case letters, digits and `_`. */
  name: string;
  title: string;
  task: ModelTask;
  /** One sentence about what it adds to answers. */
  adds: string;
  license: { name: string; url: string };
  /** True for the one model of its task that is downloaded unless the user chooses another. */
  isDefault: boolean;
  files: readonly [ModelFile, ...ModelFile[]];
};

const YOLOX_RELEASE = 'https://github.com/Megvii-BaseDetection/YOLOX/releases/download/0.1.1rc0';
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
];
