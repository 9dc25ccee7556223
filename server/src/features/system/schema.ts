import { Type } from 'typebox';
import { Nullable } from '#platform/http/index';

export const Health = Type.Object(
  {
    status: Type.Literal('ok', { description: 'The process is up and answers.' }),
    version: Type.String({ description: 'Version of the service.' }),
    uptime_s: Type.Integer({ minimum: 0, description: 'Seconds since this process started.' }),
  },
  { description: 'The process is up.', examples: [{ status: 'ok', version: '0.1.0', uptime_s: 86_400 }] },
);

export const Readiness = Type.Object(
  {
    status: Type.Literal('ready', { description: 'Requests can be served.' }),
    checks: Type.Record(Type.String(), Type.Literal('ok'), { description: 'What was checked just now, by name.' }),
  },
  {
    description: 'Requests can be served.',
    examples: [{ status: 'ready', checks: { database: 'ok', storage: 'ok', disk: 'ok' } }],
  },
);

export const SystemAnswer = Type.Object(
  {
    version: Type.String({ description: 'Version of the service.' }),
    engine: Type.Object(
      {
        version: Type.String({
          description: 'Version of the analysis engine; the same version gives the same answers.',
        }),
        media: Type.String({ description: 'What decodes video on this node.' }),
      },
      { description: 'The analysis engine.' },
    ),
    observers: Type.Array(
      Type.Object({
        kind: Type.String({
          description:
            'What it observes: signals, sound, objects or telemetry in every frame; triage or glance in a sparse look.',
        }),
        available: Type.Boolean({ description: 'Whether it can observe now.' }),
        version: Nullable(Type.String({ description: 'Version that its observations are stored under.' })),
        reason: Nullable(Type.String({ description: 'Why it cannot observe; null when it can.' })),
      }),
      { description: 'What can be observed in a video on this node.' },
    ),
    vision_model: Nullable(
      Type.String({ description: 'Vision-language model that looks at frames; null when none is set up.' }),
    ),
    storage: Type.String({ description: 'Where files live: `file` (local disk) or `s3`.' }),
    limits: Type.Object(
      {
        upload_bytes: Type.Integer({ description: 'Largest video accepted, in bytes.' }),
        json_bytes: Type.Integer({ description: 'Largest JSON or form body accepted, in bytes.' }),
        query_length: Type.Integer({ description: 'Longest prompt accepted, in characters.' }),
        videos_per_query: Type.Integer({ description: 'Most videos one query may name.' }),
        video_seconds: Type.Integer({ description: 'Longest video accepted, in seconds.' }),
        writes_per_minute: Type.Integer({
          description: 'Most writes and queries of one key, or address, in a minute.',
        }),
        writes_per_day: Type.Integer({ description: 'The same in a day.' }),
        reads_per_minute: Type.Integer({ description: 'Most reads of one key, or address, in a minute, per node.' }),
      },
      { description: 'What a request may ask for at most.' },
    ),
  },
  {
    description: 'What this service is and what it can see.',
    examples: [
      {
        version: '0.1.0',
        engine: { version: '1', media: 'node-av' },
        observers: [
          { kind: 'signals', available: true, version: 'signals-1', reason: null },
          { kind: 'objects', available: false, version: null, reason: 'The detector’s weights are not there.' },
        ],
        vision_model: null,
        storage: 'file',
        limits: {
          upload_bytes: 53_687_091_200,
          json_bytes: 1_048_576,
          query_length: 10_000,
          videos_per_query: 1_000,
          video_seconds: 86_400,
          writes_per_minute: 60,
          writes_per_day: 10_000,
          reads_per_minute: 6_000,
        },
      },
    ],
  },
);
