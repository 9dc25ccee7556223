import { MODEL_VARIABLES } from './model-variables.ts';
import { EXPORTERS, PROTOCOLS, SAMPLERS } from './otel-values.ts';
import { boolean, hours, integer, list, networks, oneOf, text, type Variable } from './parsers.ts';

/** No limit that a deployment reaches, and one that the counters in the database can hold. */
const MAX_REQUESTS = 1_000_000_000;
const MAX_VIDEOS = 2_000_000_000;
const GIB = 2 ** 30;
/** Samplers of OpenTelemetry, and one of this service. */
const HOST_AND_PORT = /^[^\s/]+:\d{1,5}$/;

/**
 * Every environment variable: name, accepted values, default and description. The type `Settings`, parsing and
 * `docs/configuration.md` derive from this table.
 */
export const VARIABLES = {
  host: text('SIGHTLINE_HOST', { default: '127.0.0.1', description: 'Address that the API listens on.' }),
  port: integer('SIGHTLINE_PORT', {
    default: 8_099,
    min: 0,
    max: 65_535,
    description: 'Port that the API listens on. 0 selects a free port.',
  }),
  publicUrl: text('SIGHTLINE_PUBLIC_URL', {
    default: null,
    shown: 'http://localhost:<port>',
    values: 'URL',
    description: 'Address under which clients reach the API. Signed URLs start with it.',
  }),
  dataDir: text('SIGHTLINE_DATA_DIR', {
    default: './data',
    values: 'path',
    description: 'Folder for the embedded database, stored files, model weights and generated secrets.',
  }),
  user: text('SIGHTLINE_USER', {
    default: null,
    shown: 'the user that starts it',
    values: 'name of an account',
    description:
      'Account that the whole service runs as when root starts it, on Linux, and so do the commands of the node. It gets the data folder and the stored files first.',
  }),
  console: boolean('SIGHTLINE_CONSOLE', {
    default: true,
    description: 'Whether the console, the web application at `/`, is served.',
  }),
  databaseUrl: text('DATABASE_URL', {
    default: null,
    shown: 'embedded PostgreSQL 18',
    values: 'postgres:// URL',
    description: 'PostgreSQL database (version 15 or later) to use instead of the embedded one.',
  }),
  databaseConnections: integer('SIGHTLINE_DATABASE_CONNECTIONS', {
    default: null,
    shown: '20, and 10 to the embedded database',
    min: 2,
    max: 500,
    description:
      'Connections that this node opens to the database at most, besides 4 of the job queue and notifications. All nodes together must stay below its `max_connections`.',
  }),
  vectorIndex: {
    use: oneOf('SIGHTLINE_VECTOR_INDEX', ['auto', 'off'], {
      default: 'auto',
      description:
        'Whether searches among frames use an index of pgvector where the database server has it. It takes 1.2 to 2.5 KB for each vector.',
    }),
    memoryMb: integer('SIGHTLINE_VECTOR_INDEX_MEMORY', {
      default: null,
      min: 64,
      max: 1_000_000,
      shown: "the server's `shared_buffers`, at least 1024",
      description:
        'Most memory in MB that the database server may use while it builds that index (`maintenance_work_mem`); it takes what the vectors need, 2 KB for each that differs from those before it. A build of more than fit takes several times as long.',
    }),
  },
  storage: {
    location: text('SIGHTLINE_STORAGE', {
      default: null,
      shown: 'file:<data>/files',
      values: 'file:PATH or s3://BUCKET/PREFIX',
      description: 'Where videos and other files are stored.',
    }),
    endpoint: text('SIGHTLINE_S3_ENDPOINT', {
      default: null,
      shown: 'AWS',
      values: 'URL',
      description: 'Endpoint of an S3-compatible store. Credentials come from the usual AWS variables.',
    }),
    region: text('SIGHTLINE_S3_REGION', { default: 'us-east-1', description: 'Region of the bucket.' }),
  },
  modelsDir: text('SIGHTLINE_MODELS_DIR', {
    default: null,
    shown: '<data>/models',
    values: 'path',
    description:
      'Folder of model files, such as the weights of the object detector. Files that are already there are used.',
  }),
  modelsDownload: boolean('SIGHTLINE_MODELS_DOWNLOAD', {
    default: true,
    description: 'Whether models may be downloaded: the object detector on the first start, others on request.',
  }),
  modelsUrl: text('SIGHTLINE_MODELS_URL', {
    default: null,
    shown: 'the publishers of the models',
    values: 'URL',
    description: 'Folder of a web server with copies of the model files, to download them from there.',
  }),
  detector: text('SIGHTLINE_DETECTOR', {
    default: null,
    shown: 'the first one that is there of yolox_tiny, yolox_nano, yolox_s, dfine_n, ssd_mobilenet_v2',
    values: 'yolox_nano, yolox_nano_640, yolox_tiny, yolox_s, dfine_n or ssd_mobilenet_v2',
    description:
      'Name of the detector of objects. A query can name another one. If its weights are missing, no objects are detected in new videos. yolox_nano_640 is yolox_nano that also sees frames of 640 pixels: without a name it is selected where the requested objects are small.',
  }),
  bootstrapKey: text('SIGHTLINE_BOOTSTRAP_KEY', {
    default: null,
    shown: 'generated and printed once',
    values: 'sk_ and at least 32 letters or digits',
    pattern: /^sk_[A-Za-z0-9]{32,}$/,
    rule: 'is too weak: it must be sk_ and at least 32 letters or digits',
    description: 'The first admin key, for automated deployments.',
  }),
  maxKeyDays: integer('SIGHTLINE_MAX_KEY_DAYS', {
    default: 365,
    min: 1,
    max: 3_650,
    description: 'Longest lifetime of a new API key, in days.',
  }),
  secret: text('SIGHTLINE_SECRET', {
    default: null,
    shown: 'generated and stored in the data folder',
    values: 'at least 32 characters',
    pattern: /^.{32}/s,
    rule: 'must have at least 32 characters',
    description: 'Root secret for signatures and encryption.',
  }),
  sessionS: hours('SIGHTLINE_SESSION_HOURS', {
    default: 168,
    min: 1,
    max: 8_760,
    description: 'How long a user stays signed in, in hours.',
  }),
  attempts: {
    perMinute: integer('SIGHTLINE_SIGN_INS_PER_MINUTE', {
      default: 20,
      min: 1,
      max: MAX_REQUESTS,
      description: 'Sign-in attempts per minute from one address, and on one account, on all nodes together.',
    }),
    perDay: integer('SIGHTLINE_SIGN_INS_PER_DAY', {
      default: 1_000,
      min: 1,
      max: MAX_REQUESTS,
      description: 'Sign-in attempts per day from one address, and on one account, on all nodes together.',
    }),
  },
  mail: {
    url: text('SIGHTLINE_SMTP_URL', {
      default: null,
      shown: 'no mail',
      values: 'smtp:// or smtps:// URL',
      description:
        'Mail server for webhooks to `mailto:` addresses and links to reset passwords, such as smtp://user:password@mail.example.com:587. It is used with STARTTLS where it offers that.',
    }),
    from: text('SIGHTLINE_MAIL_FROM', {
      default: null,
      values: 'mail address',
      description: 'Sender of mail, such as `Sightline <sightline@example.com>`. Needed with a mail server.',
    }),
  },
  mqttUrl: text('SIGHTLINE_MQTT_URL', {
    default: null,
    shown: 'no broker',
    values: 'mqtt:// or mqtts:// URL',
    description:
      'MQTT broker for webhooks to `mqtt:` topics, such as mqtt://user:password@homeassistant.local. Topics start with `sightline/`.',
  }),
  sso: {
    issuer: text('SIGHTLINE_OIDC_ISSUER', {
      default: null,
      shown: 'no single sign-on',
      values: 'https URL',
      description:
        'Issuer of the OpenID Connect provider for single sign-on, such as https://login.example.com. Its redirect URI is <public URL>/api/auth/sso/callback.',
    }),
    clientId: text('SIGHTLINE_OIDC_CLIENT_ID', {
      default: null,
      description: 'Client id of this service at the provider.',
    }),
    clientSecret: text('SIGHTLINE_OIDC_CLIENT_SECRET', {
      default: null,
      description: 'Client secret of this service at the provider.',
    }),
    domains: list('SIGHTLINE_OIDC_DOMAINS', {
      default: null,
      shown: 'by invitation only',
      values: 'domains, comma-separated',
      description: 'Email domains whose users may join the first organization by single sign-on without an invitation.',
    }),
    role: oneOf('SIGHTLINE_OIDC_ROLE', ['member', 'admin'], {
      default: 'member',
      description: 'Role of users who join by single sign-on without an invitation.',
    }),
    trustEmails: boolean('SIGHTLINE_OIDC_TRUST_EMAILS', {
      default: false,
      description:
        'Whether email addresses count as verified if the provider does not state it (`email_verified`). Enable it only for a provider that your organization controls.',
    }),
  },
  previousSecret: text('SIGHTLINE_PREVIOUS_SECRET', {
    default: null,
    description: 'The previous root secret, until `secrets rotate` has encrypted everything with the new one.',
  }),
  cloudIdentity: {
    kind: oneOf('SIGHTLINE_CLOUD_IDENTITY', ['google', 'aws', 'none'], {
      default: null,
      shown: 'google with GOOGLE_APPLICATION_CREDENTIALS, else none',
      description:
        'Identity with which this service assumes roles in other AWS accounts, so that imports need no stored keys: google is a service account, which also reads buckets of Google Cloud Storage that granted it access, for admin keys.',
    }),
    keyFile: text('GOOGLE_APPLICATION_CREDENTIALS', {
      default: null,
      shown: 'the metadata server',
      values: 'path',
      description: 'Key file of a service account, for the identity `google`.',
    }),
    stsUrl: text('AWS_ENDPOINT_URL_STS', {
      default: null,
      shown: 'AWS',
      values: 'URL',
      description: 'Security token service that issues role credentials. The identity is shown to no other server.',
    }),
  },
  awsS3Url: text('AWS_ENDPOINT_URL_S3', {
    default: null,
    shown: 'AWS',
    values: 'URL',
    description: 'S3 endpoint for storage and integrations that do not name one. Read by the AWS SDK.',
  }),
  hubUrl: text('HF_ENDPOINT', {
    default: 'https://huggingface.co',
    values: 'URL',
    description: 'The Hugging Face hub, or a mirror of it.',
  }),
  gcsUrl: text('STORAGE_EMULATOR_HOST', {
    default: 'https://storage.googleapis.com',
    values: 'URL or host',
    description: 'Emulator of Google Cloud Storage to import from instead.',
  }),
  allowedNetworks: networks(
    'SIGHTLINE_ALLOWED_NETWORKS',
    'Private networks that imports, webhooks, livestream sources and downloads may reach.',
  ),
  minFetchBytesPerS: integer('SIGHTLINE_MIN_FETCH_RATE', {
    default: 8_192,
    min: 0,
    max: GIB,
    description:
      'Lowest transfer rate of a URL or a bucket, in bytes per second over half a minute. Slower transfers are aborted.',
  }),
  restoreS: hours('SIGHTLINE_RESTORE_HOURS', {
    default: 24,
    min: 0,
    max: 8_760,
    description: 'How long a deleted video can be restored, in hours. 0 erases its files at once.',
  }),
  trustedProxies: networks(
    'SIGHTLINE_TRUSTED_PROXIES',
    'Networks of the reverse proxies whose X-Forwarded-For header is trusted.',
  ),
  logLevel: oneOf('SIGHTLINE_LOG_LEVEL', ['trace', 'debug', 'info', 'warn', 'error', 'silent'], {
    default: null,
    shown: 'info for `start`, warn for other commands',
    description:
      'Lowest level of log messages, which are JSON lines on stderr. info: what runs where, and each job; debug: each request.',
  }),
  monitoring: {
    port: integer('SIGHTLINE_MONITORING_PORT', {
      default: null,
      shown: 'none',
      min: 0,
      max: 65_535,
      description:
        'Port for monitoring, on API nodes and workers: `/metrics` (OpenMetrics), `/livez` and `/readyz`, without a key.',
    }),
    host: text('SIGHTLINE_MONITORING_HOST', {
      default: '127.0.0.1',
      description: 'Address that the monitoring listens on. Only your monitoring should reach it.',
    }),
  },
  // Other programs of the machine use these variables too: `toTracingConfig` checks them where there is an endpoint.
  tracing: {
    endpoint: text('OTEL_EXPORTER_OTLP_ENDPOINT', {
      default: null,
      shown: 'no traces',
      values: 'URL',
      description:
        'Collector that receives traces by OTLP over HTTP, such as http://localhost:4318. `/v1/traces` is appended.',
    }),
    tracesEndpoint: text('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', {
      default: null,
      values: 'URL',
      description: 'The same for traces alone. Nothing is appended.',
    }),
    protocol: text('OTEL_EXPORTER_OTLP_PROTOCOL', {
      default: 'http/protobuf',
      values: PROTOCOLS.join(', '),
      description: 'Protocol of the collector.',
    }),
    headers: text('OTEL_EXPORTER_OTLP_HEADERS', {
      default: null,
      values: 'NAME=VALUE pairs, comma-separated, percent-encoded',
      description: 'Headers for the collector, such as its key.',
    }),
    tracesHeaders: text('OTEL_EXPORTER_OTLP_TRACES_HEADERS', {
      default: null,
      values: 'NAME=VALUE pairs, comma-separated, percent-encoded',
      description: 'The same for traces alone.',
    }),
    exporter: text('OTEL_TRACES_EXPORTER', {
      default: 'otlp',
      values: EXPORTERS.join(', '),
      description: 'Whether traces are exported where there is an endpoint.',
    }),
    isDisabled: text('OTEL_SDK_DISABLED', {
      default: 'false',
      values: 'true, false',
      description: 'Whether all of OpenTelemetry is off.',
    }),
    serviceName: text('OTEL_SERVICE_NAME', { default: 'sightline', description: 'Name of this service in traces.' }),
    resourceAttributes: text('OTEL_RESOURCE_ATTRIBUTES', {
      default: null,
      values: 'NAME=VALUE pairs, comma-separated, percent-encoded',
      description: 'Further attributes of this process in traces, such as deployment.environment.name=production.',
    }),
    sampler: text('OTEL_TRACES_SAMPLER', {
      default: 'parentbased_ratelimited',
      values: SAMPLERS.join(', '),
      description:
        'Which requests and jobs begin a trace that is exported: a number per second on each node (ratelimited), a share (traceidratio), all, or none. With `parentbased_`, the flag `sampled` of a client is respected for one request a second on each node.',
    }),
    samplerArgument: text('OTEL_TRACES_SAMPLER_ARG', {
      default: null,
      shown: '50 for ratelimited, 1 for traceidratio',
      values: 'number',
      description:
        'Traces per second that are exported at most (ratelimited), or their share from 0 to 1 (traceidratio).',
    }),
  },
  media: {
    processes: integer('SIGHTLINE_MEDIA_PROCESSES', {
      default: null,
      shown: 'one per core',
      min: 1,
      max: 256,
      description: 'How many videos this node decodes at the same time.',
    }),
  },
  ...MODEL_VARIABLES,
  space: {
    videos: integer('SIGHTLINE_MAX_VIDEOS', {
      default: null,
      shown: 'no limit',
      min: 0,
      max: MAX_VIDEOS,
      description: 'Number of videos that an organization may have, unless `quota` sets another limit.',
    }),
    furtherVideos: integer('SIGHTLINE_FURTHER_MAX_VIDEOS', {
      default: 10_000,
      min: 0,
      max: MAX_VIDEOS,
      description: 'The same for each organization besides the first, while SIGHTLINE_MAX_VIDEOS has no value.',
    }),
    bytes: integer('SIGHTLINE_MAX_STORED_BYTES', {
      default: null,
      shown: 'no limit',
      min: 0,
      max: Number.MAX_SAFE_INTEGER,
      description: 'Bytes of videos that an organization may store, unless `quota` sets another limit.',
    }),
    furtherBytes: integer('SIGHTLINE_FURTHER_MAX_STORED_BYTES', {
      default: 100 * GIB,
      min: 0,
      max: Number.MAX_SAFE_INTEGER,
      description:
        'The same for each organization besides the first, while SIGHTLINE_MAX_STORED_BYTES has no value (default: 100 GiB).',
    }),
  },
  savedQuestions: {
    perOrganization: integer('SIGHTLINE_MAX_SAVED_QUESTIONS', {
      default: 50,
      min: 0,
      max: 1_000,
      description:
        'Saved questions that an organization may have. Each one that matches a new video is one more analysis.',
    }),
  },
  live: {
    perOrganization: integer('SIGHTLINE_MAX_LIVE_SESSIONS', {
      default: 16,
      min: 0,
      max: 100_000,
      description: 'Livestreams that an organization may record at the same time.',
    }),
    perWorker: integer('SIGHTLINE_LIVE_PER_WORKER', {
      default: 16,
      min: 0,
      max: 1_000,
      description:
        'Livestreams of one organization that a worker records at the same time. All organizations together get twice as many; further ones wait for another worker.',
    }),
    windowSeconds: integer('SIGHTLINE_LIVE_WINDOW_SECONDS', {
      default: 120,
      min: 10,
      max: 3_600,
      description:
        'Length of the most recent part of a livestream that is analyzed as a whole, in seconds. It bounds what "for 30 seconds" can find.',
    }),
    undecidedBytes: integer('SIGHTLINE_LIVE_UNDECIDED_BYTES', {
      default: 4 * GIB,
      min: 1,
      max: Number.MAX_SAFE_INTEGER,
      description:
        'Largest part of a livestream, recorded around its events, that waits for the answers to its query, in bytes (default: 4 GiB). Beyond it, the oldest part is not retained, and the session states for how long.',
    }),
  },
  rtmp: {
    listen: text('SIGHTLINE_RTMP_LISTEN', {
      default: null,
      pattern: HOST_AND_PORT,
      rule: 'must be HOST:PORT, such as 0.0.0.0:1935',
      values: 'HOST:PORT',
      description:
        'Address that this process listens on for cameras that push by RTMP, such as 0.0.0.0:1935. Without it, no camera can push to it.',
    }),
    url: text('SIGHTLINE_RTMP_URL', {
      default: null,
      pattern: /^rtmps?:\/\/[^\s/?#@]+\/live$/,
      rule: 'must be an rtmp:// or rtmps:// URL that ends with /live',
      values: 'URL',
      shown: 'rtmp://, the host of SIGHTLINE_PUBLIC_URL, the port of SIGHTLINE_RTMP_LISTEN, and /live',
      description:
        'URL that users enter in their cameras, without the key, such as rtmps://video.example/live behind a TLS proxy.',
    }),
    node: text('SIGHTLINE_RTMP_NODE', {
      default: null,
      pattern: HOST_AND_PORT,
      rule: 'must be HOST:PORT, such as 10.0.0.5:1935',
      values: 'HOST:PORT',
      shown: 'SIGHTLINE_RTMP_LISTEN on this machine',
      description:
        'Address at which workers on other machines reach what cameras push to this process. One machine does not need it.',
    }),
  },
  limits: {
    uploadBytes: integer('SIGHTLINE_MAX_UPLOAD_BYTES', {
      default: 50 * GIB,
      min: 1,
      max: Number.MAX_SAFE_INTEGER,
      description: 'Largest accepted video, in bytes (default: 50 GiB).',
    }),
    videoSeconds: integer('SIGHTLINE_MAX_VIDEO_SECONDS', {
      default: 86_400,
      min: 1,
      max: 31_536_000,
      description: 'Longest accepted video, in seconds of presentation time.',
    }),
    writesPerMinute: integer('SIGHTLINE_WRITES_PER_MINUTE', {
      default: 600,
      min: 1,
      max: MAX_REQUESTS,
      description: 'Writes and queries per minute of one key, on all nodes together. Uploads are counted separately.',
    }),
    writesPerDay: integer('SIGHTLINE_WRITES_PER_DAY', {
      default: 864_000,
      min: 1,
      max: MAX_REQUESTS,
      description: 'Writes and queries per day of one key, on all nodes together.',
    }),
    readsPerMinute: integer('SIGHTLINE_READS_PER_MINUTE', {
      default: 6_000,
      min: 1,
      max: MAX_REQUESTS,
      description: 'Reads per minute of one key, and requests of any kind per minute from one address, per node.',
    }),
    uploadsAtOnce: integer('SIGHTLINE_UPLOADS_AT_ONCE', {
      default: 32,
      min: 1,
      max: 10_000,
      description: 'Concurrent uploads of one key on one node. Further uploads wait for up to two minutes.',
    }),
    openUploads: integer('SIGHTLINE_MAX_OPEN_UPLOADS', {
      default: 500,
      min: 1,
      max: 1_000_000,
      description: 'Resumable and direct uploads of an organization that may be open at the same time.',
    }),
    uploadBytesPerMinute: integer('SIGHTLINE_UPLOAD_BYTES_PER_MINUTE', {
      default: 100 * GIB,
      min: 1,
      max: 2 ** 50,
      description: 'Bytes that one key may upload per minute, on all nodes together (default: 100 GiB).',
    }),
    waitingJobs: integer('SIGHTLINE_MAX_WAITING_JOBS', {
      default: 10_000,
      min: 1,
      max: 1_000_000,
      description:
        'Jobs that an organization may have waiting: queries (one for each video), exports, datasets, URL uploads and imports. What it requests beyond them is refused with 429.',
    }),
    streamsPerKey: integer('SIGHTLINE_STREAMS_PER_KEY', {
      default: 200,
      min: 1,
      max: 1_000_000,
      description: 'Open event streams of one key, or of one signed-in user, per node.',
    }),
    streamsPerAddress: integer('SIGHTLINE_STREAMS_PER_ADDRESS', {
      default: 1_000,
      min: 1,
      max: 1_000_000,
      description: 'Open event streams from one address, per node.',
    }),
  },
} as const;

type Parsed<T> = T extends Variable<infer V> ? V : { readonly [K in keyof T]: Parsed<T[K]> };

/** Values of all variables, as parsed. */
export type Settings = Parsed<typeof VARIABLES>;

export type VariableTable = { readonly [key: string]: Variable<unknown> | VariableTable };

/** All variables in the order of the table. */
export function listVariables(table: VariableTable = VARIABLES): Variable<unknown>[] {
  return Object.values(table).flatMap((entry) => (isVariable(entry) ? [entry] : listVariables(entry)));
}

export const isVariable = (entry: Variable<unknown> | VariableTable): entry is Variable<unknown> =>
  typeof entry.parse === 'function';
