import { Type } from 'typebox';
import { type Domain, Nullable, resource } from '#platform/http/index';
import type { SandboxReport } from '#platform/media/index';
import { ModelLicense, ModelTaskName } from './models/schema.ts';

export const Health = resource(
  'Health',
  Type.Object(
    {
      status: Type.Literal('ok', { description: 'Always `ok`: the process is running.' }),
      version: Type.String({ description: 'Version of the service.' }),
      uptime_s: Type.Integer({ minimum: 0, description: 'Seconds since this process started.' }),
    },
    { description: 'The process is running.', examples: [{ status: 'ok', version: '0.1.0', uptime_s: 86_400 }] },
  ),
);
export type Health = Domain<typeof Health>;

export const Readiness = resource(
  'Readiness',
  Type.Object(
    {
      status: Type.Literal('ready', { description: 'Always `ready`.' }),
      checks: Type.Record(Type.String(), Type.Literal('ok'), {
        description: 'Dependencies that were checked, by name.',
      }),
    },
    {
      description: 'The service can handle requests.',
      examples: [{ status: 'ready', checks: { database: 'ok', storage: 'ok', disk: 'ok' } }],
    },
  ),
);
export type Readiness = Domain<typeof Readiness>;

export const SystemInfo = resource(
  'SystemInfo',
  Type.Object(
    {
      version: Type.String({ description: 'Version of the service.' }),
      engine: Type.Object(
        {
          version: Type.String({
            description: 'Version of the analysis engine. The same version gives the same results.',
          }),
          media: Type.String({ description: 'Media engine that decodes video on this node.' }),
        },
        { description: 'The analysis engine.' },
      ),
      observers: Type.Array(
        Type.Object({
          kind: Type.String({
            description:
              'Kind of observer: `signals`, `sound`, `objects` and `telemetry` process every frame, `sounds` and `speech` the audio of videos that are queried for them, other kinds a sparse sample.',
          }),
          available: Type.Boolean({ description: 'True if the observer can run.' }),
          version: Nullable(Type.String({ description: 'Version of the observer and of its stored observations.' })),
          reason: Nullable(
            Type.String({
              description: 'Reason why it cannot run, or why it uses a weaker model, and what to do; null otherwise.',
            }),
          ),
        }),
        { description: 'Observers of this node.' },
      ),
      models: Type.Array(
        Type.Object({
          name: Type.String({ description: 'Name of the model.' }),
          title: Type.String({ description: 'Name by which its publisher calls it.' }),
          task: ModelTaskName,
          license: ModelLicense,
        }),
        { description: 'Models that the observers can use, with their licenses.' },
      ),
      detectors: Type.Array(
        Type.Object({
          name: Type.String({
            description:
              'Name for `detector` of queries: that of a model, or `yolox_nano_640`, which is `yolox_nano` with a larger copy of each frame.',
          }),
          title: Type.String({ description: 'Name by which its publisher calls it.' }),
          available: Type.Boolean({ description: 'True if its weights are there and work.' }),
          is_default: Type.Boolean({ description: 'True if queries use it that name no other.' }),
          reason: Nullable(Type.String({ description: 'Reason why it cannot be used; null if it can.' })),
        }),
        { description: 'Models that detect objects, as this node has them.' },
      ),
      vision_model: Nullable(
        Type.String({ description: 'Vision-language model that examines frames; null if none is configured.' }),
      ),
      vision: Nullable(
        Type.Object(
          {
            model: Type.String({ description: 'Name of the model.' }),
            state: Type.String({ description: '`unknown` until this node has called it, then `ok` or `failing`.' }),
            reason: Nullable(Type.String({ description: 'Reason of the last failure; null after a success.' })),
          },
          { description: 'Default vision-language model, as this node knows it; null if none is configured.' },
        ),
      ),
      vision_profiles: Type.Array(
        Type.Object({
          name: Type.String({ description: 'Name of the profile, for `vision_profile` of queries and folders.' }),
          model: Type.String({ description: 'Name of the model.' }),
          is_default: Type.Boolean({ description: 'True if queries use it that name no other.' }),
          state: Type.String({ description: '`unknown` until this node has called it, then `ok` or `failing`.' }),
          reason: Nullable(Type.String({ description: 'Reason of the last failure; null after a success.' })),
          concurrency: Type.Integer({ description: 'Maximum number of requests at the same time, from each node.' }),
          max_images: Type.Integer({ description: 'Maximum number of images in a request.' }),
          context_tokens: Nullable(
            Type.Integer({ description: 'Tokens that a request may have; null: no known limit.' }),
          ),
          video_url: Type.Boolean({
            description: 'True if frames are sent as clips (`video_url`) where it accepts them.',
          }),
          clips: Type.Object(
            {
              state: Type.String({
                description:
                  '`off`: not configured; `untried` until this node has sent a clip; then `accepted`, or `refused`: frames are sent as images.',
              }),
              reason: Nullable(Type.String({ description: 'Reason why images are sent; null without one.' })),
            },
            { description: 'Use of clips, as this node knows it.' },
          ),
          input_price: Type.Number({ description: 'Price of a million input tokens.' }),
          output_price: Type.Number({ description: 'Price of a million output tokens.' }),
        }),
        { description: 'Profiles of vision-language models, as this node knows them.' },
      ),
      language_model: Nullable(
        Type.Object(
          {
            model: Type.String({ description: 'Name of the model.' }),
            state: Type.String({
              description:
                '`unknown` until this node has checked it with control prompts whose readings are known; then `ok`, `failing` (its endpoint), or `doubted`: it read too many of them wrongly and is not used.',
            }),
            reason: Nullable(Type.String({ description: 'Why it fails or is not used; null otherwise.' })),
          },
          { description: 'Language model that reads prompts, as this node knows it; null if none is configured.' },
        ),
      ),
      runs_as: Type.Object(
        {
          user: Nullable(Type.String({ description: 'Name of the account; null if it has none.' })),
          is_root: Type.Boolean({ description: 'True if this node runs as root: `SIGHTLINE_USER` changes it.' }),
        },
        { description: 'User of the operating system that this node runs as, besides its media processes.' },
      ),
      sandbox: Type.Object(
        {
          level: Type.Unsafe<SandboxReport['level']>(
            Type.String({
              enum: ['isolated', 'user', 'limits', 'none'],
              description:
                '`isolated`: a media process reaches no network, no files but those of its task, no other process and no system call that it does not need. `user`: what its own user may not do. `limits`: limits on resources and no privileges. `none`: nothing is enforced by the system.',
            }),
          ),
          has_own_user: Type.Boolean({ description: 'True if media processes run as users of their own.' }),
          missing: Type.Array(
            Type.Object({
              protection: Type.String({ description: 'Protection that this system does not offer.' }),
              remedy: Type.String({ description: 'What to do to get it.' }),
            }),
            { description: 'Protections that media processes lack on this node.' },
          ),
        },
        { description: 'Containment of the processes that read files of users, on this node.' },
      ),
      storage: Type.String({ description: 'Storage of files: `file` (local disk) or `s3`.' }),
      vector_search: Type.Object(
        {
          method: Type.Unsafe<'exact' | 'pgvector'>(
            Type.String({
              enum: ['exact', 'pgvector'],
              description:
                '`pgvector`: the database searches by an index. `exact`: nodes compare all vectors, which they keep in memory.',
            }),
          ),
          version: Nullable(Type.String({ description: 'Version of pgvector in the database; null without it.' })),
          stored: Nullable(
            Type.Integer({
              description:
                'Number of stored vectors of all organizations; null unless the caller belongs to the first organization of the service.',
            }),
          ),
          indexed: Nullable(
            Type.Integer({ description: 'Number of those that are in the index; null as for `stored`.' }),
          ),
          memory: Type.Integer({ description: 'Number of vectors that the exact scan keeps in the memory of a node.' }),
          reason: Nullable(
            Type.String({
              description:
                'Why an index is not used, or that the vectors no longer fit in memory, with what to do; null otherwise, and as for `stored`.',
            }),
          ),
        },
        { description: 'How frames and objects are searched by words and images.' },
      ),
      incidents: Type.Object(
        {
          pending: Nullable(
            Type.Integer({
              minimum: 0,
              description:
                'Number of events of earlier versions, of all organizations, whose incident is not computed yet; null unless the caller belongs to the first organization of the service.',
            }),
          ),
        },
        { description: 'Grouping of events that show the same incident.' },
      ),
      limits: Type.Object(
        {
          upload_bytes: Type.Integer({ description: 'Maximum size of a video in bytes.' }),
          json_bytes: Type.Integer({ description: 'Maximum size of a JSON or form body in bytes.' }),
          query_length: Type.Integer({ description: 'Maximum length of a prompt in characters.' }),
          videos_per_query: Type.Integer({ description: 'Maximum number of videos of a query.' }),
          video_seconds: Type.Integer({ description: 'Maximum duration of a video in seconds.' }),
          writes_per_minute: Type.Integer({
            description: 'Maximum number of writes and queries per minute of one key or address.',
          }),
          writes_per_day: Type.Integer({ description: 'The same per day.' }),
          reads_per_minute: Type.Integer({
            description: 'Maximum number of reads per minute of one key or address, on one node.',
          }),
          open_uploads: Type.Integer({
            description: 'Maximum number of open resumable and direct uploads of an organization.',
          }),
          waiting_jobs: Type.Integer({ description: 'Maximum number of waiting jobs of an organization.' }),
        },
        { description: 'Limits of requests.' },
      ),
    },
    {
      description: 'The service, its observers and its limits.',
      examples: [
        {
          version: '0.1.0',
          engine: { version: '1', media: 'node-av' },
          observers: [
            { kind: 'signals', available: true, version: 'signals-1', reason: null },
            { kind: 'objects', available: false, version: null, reason: 'The detector’s weights are missing.' },
          ],
          models: [
            {
              name: 'yolox_nano',
              title: 'YOLOX-Nano',
              task: 'objects' as const,
              license: { name: 'Apache-2.0', url: 'https://github.com/Megvii-BaseDetection/YOLOX/blob/main/LICENSE' },
            },
          ],
          detectors: [{ name: 'yolox_nano', title: 'YOLOX-Nano', available: true, is_default: true, reason: null }],
          vision_model: null,
          vision: null,
          vision_profiles: [],
          language_model: null,
          runs_as: { user: 'sightline', is_root: false },
          sandbox: { level: 'isolated', has_own_user: true, missing: [] },
          storage: 'file',
          vector_search: {
            method: 'pgvector' as const,
            version: '0.8.5',
            stored: 1_200_000,
            indexed: 1_200_000,
            memory: 2_097_152,
            reason: null,
          },
          incidents: { pending: 0 },
          limits: {
            upload_bytes: 53_687_091_200,
            json_bytes: 1_048_576,
            query_length: 10_000,
            videos_per_query: 1_000,
            video_seconds: 86_400,
            writes_per_minute: 60,
            writes_per_day: 10_000,
            reads_per_minute: 6_000,
            open_uploads: 500,
            waiting_jobs: 10_000,
          },
        },
      ],
    },
  ),
);
export type SystemInfo = Domain<typeof SystemInfo>;
