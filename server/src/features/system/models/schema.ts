import { Type } from 'typebox';
import { MODEL_TASKS, type ModelTask } from '#engine/index';
import { type Domain, Maybe, Nullable, resource } from '#platform/http/index';

const NAME = Type.String({ maxLength: 64, description: 'Name of the model.', examples: ['yolox_nano'] });

export const ModelParams = Type.Object({ name: NAME });
export const ModelFileParams = Type.Object({
  name: NAME,
  file: Type.String({ maxLength: 128, description: 'Name of the file.', examples: ['yolox_nano.onnx'] }),
});

export const ModelToDownload = resource(
  'ModelToDownload',
  Type.Object({ name: NAME }, { description: 'The model to download.', examples: [{ name: 'yolox_nano' }] }),
);

const EXAMPLE = {
  name: 'yolox_nano',
  title: 'YOLOX-Nano',
  task: 'objects' as const,
  adds: 'Finds and tracks people, vehicles, animals and other objects of 80 classes.',
  questions: ['a red car', 'how many people are there?', 'a truck stops'],
  contract: 'images: 1 × 3 × height × width float32; output: 1 × cells × 85 float32.',
  cost: '1 for each frame, five frames a second',
  trained_on: 'COCO 2017: annotations CC BY 4.0, images of Flickr under the terms of their authors.',
  quality: '25.8 % average precision on COCO, published; measured on labeled clips (bench/RESULTS.md).',
  source: null,
  is_default: true,
  is_fallback: false,
  license: { name: 'Apache-2.0', url: 'https://github.com/Megvii-BaseDetection/YOLOX/blob/main/LICENSE' },
  size_bytes: 3_659_407,
  status: 'downloading' as const,
  verified: null,
  bytes_done: 1_048_576,
  problem: null,
  files: [
    {
      name: 'yolox_nano.onnx',
      size_bytes: 3_659_407,
      sha256: 'c789161ed43c8269fcd4e67c67eeeb4e80c622da2eb296a20bc6007bd18a0b7d',
      installed_sha256: null,
      urls: ['https://github.com/Megvii-BaseDetection/YOLOX/releases/download/0.1.1rc0/yolox_nano.onnx'],
    },
  ],
};

/** Task of a model. */
export const ModelTaskName = Type.Unsafe<ModelTask>(
  Type.String({
    enum: [...MODEL_TASKS],
    description:
      '`objects`: detects objects; `sounds`: recognizes sounds; `speech`: recognizes words; `text`: reads text.',
  }),
);
export const ModelLicense = Type.Object(
  {
    name: Type.String({ description: 'Name of the license.' }),
    url: Type.String({ description: 'Text of the license.' }),
  },
  { description: 'License of the weights.' },
);

const Sha256 = (description: string) => Type.String({ description });

export const Model = resource(
  'Model',
  Type.Object(
    {
      name: Type.String({ description: 'Name of the model.' }),
      title: Type.String({ description: 'Name by which its publisher calls it.' }),
      task: ModelTaskName,
      adds: Type.String({ description: 'What it adds to answers.' }),
      questions: Type.Array(Type.String(), { description: 'Questions that need it, as examples.' }),
      contract: Type.String({ description: 'Inputs and outputs that the engine expects, also of another file.' }),
      cost: Type.String({ description: 'Measured computation, in frames of the default detector.' }),
      trained_on: Type.String({ description: 'What it was trained on, and the terms of that.' }),
      quality: Type.String({ description: 'What was measured of its answers, or what its publisher states.' }),
      source: Nullable(
        Type.String({
          description:
            'Page from which its publisher offers the model, if only in a form that has to be converted first; null if files are downloaded or come with the service.',
        }),
      ),
      is_default: Type.Boolean({
        description: 'True for the model of its task that is downloaded on the first start.',
      }),
      is_fallback: Type.Boolean({
        description:
          'True for a weaker model that comes with the service and is used while no other of its task is there.',
      }),
      license: ModelLicense,
      size_bytes: Type.Integer({ minimum: 0, description: 'Size of all files in bytes.' }),
      status: Type.Union(
        [
          Type.Literal('missing'),
          Type.Literal('downloading'),
          Type.Literal('failed'),
          Type.Literal('canceled'),
          Type.Literal('ready'),
        ],
        {
          description:
            '`ready`: all files are there; `downloading`; `failed` (see `problem`) or `canceled`: the latest download; `missing`.',
        },
      ),
      verified: Nullable(
        Type.Boolean({
          description: 'False if a file is not the published one but was provided; null if files are missing.',
        }),
      ),
      bytes_done: Type.Integer({ minimum: 0, description: 'Bytes that the running download has received.' }),
      problem: Nullable(
        Type.Object(
          {
            code: Type.String({ description: 'Stable code of the error.' }),
            message: Type.String({ description: 'What happened, and what to do.' }),
          },
          { description: 'Reason of a failed download.' },
        ),
      ),
      files: Type.Array(
        Type.Object({
          name: Type.String({ description: 'Name in the models folder.' }),
          size_bytes: Type.Integer({ minimum: 0, description: 'Size of the published file in bytes.' }),
          sha256: Sha256(
            'SHA-256 of the published file, hexadecimal; empty if none is published in this form: the file is then your own, and never verified.',
          ),
          installed_sha256: Nullable(Sha256('SHA-256 of the installed file; null if none is installed.')),
          urls: Type.Array(Type.String(), {
            description: 'Where the file is downloaded from, in order; empty if it is not published in this form.',
          }),
        }),
        { description: 'Files of the model.' },
      ),
    },
    { description: 'A model that the engine can use.', examples: [EXAMPLE] },
  ),
);
export type Model = Domain<typeof Model>;

export const ModelList = resource(
  'ModelList',
  Type.Object(
    {
      downloads_allowed: Type.Boolean({
        description: 'False if the operator has turned downloads off (`SIGHTLINE_MODELS_DOWNLOAD`).',
      }),
      models: Type.Array(Model, { description: 'All models, the default ones first.' }),
    },
    {
      description: 'Models that the engine can use.',
      examples: [{ downloads_allowed: true, models: [EXAMPLE] }],
    },
  ),
);
export type ModelList = Domain<typeof ModelList>;

export const ModelFileQuery = Type.Object({
  sha256: Maybe(
    Type.String({
      pattern: '^[0-9a-fA-F]{64}$',
      description: 'Expected SHA-256 of the file, hexadecimal. Another file is refused.',
    }),
  ),
});
