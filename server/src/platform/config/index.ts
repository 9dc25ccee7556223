import { resolve } from 'node:path';
import { distance } from 'fastest-levenshtein';
import ipaddr from 'ipaddr.js';
import { invalid } from './invalid.ts';
import { parseSso, type SsoConfig } from './sso.ts';

export type { SsoConfig } from './sso.ts';

/**
 * Configuration: environment variables, read once, validated, frozen. Nothing else reads `process.env`.
 * `docs/configuration.md` is generated from `VARIABLES`.
 */
export type Config = Readonly<{
  host: string;
  port: number;
  /** Address that clients reach the API under, without a trailing slash. */
  publicUrl: string;
  dataDir: string;
  /** A PostgreSQL to use instead of the embedded one. */
  databaseUrl: string | null;
  storage:
    | { kind: 'file'; dir: string }
    | { kind: 's3'; bucket: string; prefix: string; endpoint: string | null; region: string };
  modelsDir: string;
  /** Whether the detector's weights may be downloaded on first need. */
  modelsDownload: boolean;
  bootstrapKey: string | null;
  /** Longest life of a new key, in days. */
  maxKeyDays: number;
  /** Root secret; null means: made once and kept in the data folder. */
  secret: string | null;
  /** How long a session lasts, in seconds. */
  sessionS: number;
  /** Attempts to sign in: from one address, and on one account. */
  attempts: { perMinute: number; perDay: number };
  /** The provider of single sign-on (OpenID Connect); null means none. */
  sso: SsoConfig | null;
  /** The root secret before the present one: what was sealed with it can still be opened. */
  previousSecret: string | null;
  /** What this deployment is to others' clouds: roles are assumed as that. A path names a service account's key file. */
  cloudIdentity: (({ kind: 'google'; keyFile: string | null } | { kind: 'aws' }) & { stsUrl: string | null }) | null;
  /** The Hugging Face hub, or a mirror of it. */
  hubUrl: string;
  /** Google Cloud Storage, or an emulator of it. */
  gcsUrl: string;
  /** CIDR networks that imports, webhooks and live sources may reach although they are private. */
  allowedNetworks: readonly string[];
  /** The slowest that the server of a URL, or of a bucket, may send a file, in bytes a second. */
  minFetchBytesPerS: number;
  /** How long a deleted video can be restored before its files go, in seconds. */
  restoreS: number;
  /** Networks of proxies that are believed where a request came from. */
  trustedProxies: readonly string[];
  logLevel: string;
  media: { engine: 'auto' | 'node-av' | 'ffmpeg'; processes: number; ffmpegPath: string };
  /** An OpenAI-compatible endpoint whose model looks at frames; null means no model is asked. */
  vision: { url: string; model: string; apiKey: string | null } | null;
  /** What an organisation may have unless it has limits of its own; null: as much as it likes. */
  space: { videos: number | null; bytes: number | null };
  /** Livestreams: how many an organisation may follow at once, and how many of those one worker. */
  live: { perOrganisation: number; perWorker: number; windowSeconds: number };
  limits: {
    uploadBytes: number;
    jsonBytes: number;
    queryLength: number;
    videosPerQuery: number;
    videoSeconds: number;
    /** Of one key; the reads of one address, too. */
    writesPerMinute: number;
    writesPerDay: number;
    readsPerMinute: number;
    uploadsAtOnce: number;
    uploadBytesPerMinute: number;
    /** Event streams that are open on one node. */
    streamsPerKey: number;
    streamsPerAddress: number;
  };
}>;

type Variable = { name: string; fallback: string; what: string };

/** Every variable there is: the name, what happens without it, and what it does. */
export const VARIABLES: readonly Variable[] = [
  { name: 'SIGHTLINE_HOST', fallback: '127.0.0.1', what: 'Address the API listens on.' },
  { name: 'SIGHTLINE_PORT', fallback: '8099', what: 'Port the API listens on; 0 takes a free one.' },
  {
    name: 'SIGHTLINE_PUBLIC_URL',
    fallback: 'http://localhost:<port>',
    what: 'Address clients reach the API under; signed URLs start with it.',
  },
  {
    name: 'SIGHTLINE_DATA_DIR',
    fallback: './data',
    what: 'Folder for all that the embedded default keeps: database, files, models, generated secrets.',
  },
  {
    name: 'DATABASE_URL',
    fallback: 'embedded PostgreSQL 18',
    what: 'A PostgreSQL (15 or later) to use instead of the embedded one.',
  },
  {
    name: 'SIGHTLINE_STORAGE',
    fallback: 'file:<data>/files',
    what: 'Where files live: file:PATH or s3://BUCKET/PREFIX.',
  },
  {
    name: 'SIGHTLINE_S3_ENDPOINT',
    fallback: 'AWS',
    what: 'Endpoint of an S3-compatible store; credentials come from the usual AWS variables.',
  },
  { name: 'SIGHTLINE_S3_REGION', fallback: 'us-east-1', what: 'Region of the bucket.' },
  {
    name: 'SIGHTLINE_MODELS_DIR',
    fallback: '<data>/models',
    what: "Folder of the detector's weights; a file there is used as it is.",
  },
  {
    name: 'SIGHTLINE_MODELS_DOWNLOAD',
    fallback: 'true',
    what: "Whether the detector's weights may be downloaded on first need.",
  },
  {
    name: 'SIGHTLINE_BOOTSTRAP_KEY',
    fallback: 'made and printed once',
    what: 'The first admin key, for automation: sk_ and at least 32 more characters.',
  },
  { name: 'SIGHTLINE_MAX_KEY_DAYS', fallback: '365', what: 'Longest life of a new API key, in days.' },
  {
    name: 'SIGHTLINE_SECRET',
    fallback: 'made and kept in the data folder',
    what: 'Root secret for signatures and sealing: at least 32 characters.',
  },
  { name: 'SIGHTLINE_SESSION_HOURS', fallback: '168', what: 'How long someone stays signed in, in hours.' },
  {
    name: 'SIGHTLINE_OIDC_ISSUER',
    fallback: 'no single sign-on',
    what: 'Issuer of the OpenID Connect provider that people sign in with, such as https://login.example.com; its redirect URI is <public URL>/api/auth/sso/callback.',
  },
  { name: 'SIGHTLINE_OIDC_CLIENT_ID', fallback: 'none', what: 'Client id of this service at the provider.' },
  { name: 'SIGHTLINE_OIDC_CLIENT_SECRET', fallback: 'none', what: 'Client secret of this service at the provider.' },
  {
    name: 'SIGHTLINE_OIDC_DOMAINS',
    fallback: 'by invitation only',
    what: 'Comma-separated domains of e-mail addresses that may join the first organisation by single sign-on without an invitation.',
  },
  { name: 'SIGHTLINE_OIDC_ROLE', fallback: 'member', what: 'What they become: member or admin.' },
  {
    name: 'SIGHTLINE_OIDC_TRUST_EMAILS',
    fallback: 'false',
    what: "Whether the provider's e-mail addresses count as verified where it does not say so (`email_verified`): for a provider of your own staff alone.",
  },
  {
    name: 'SIGHTLINE_PREVIOUS_SECRET',
    fallback: 'none',
    what: 'The root secret before it was changed, until `secrets rotate` has sealed everything with the new one.',
  },
  {
    name: 'SIGHTLINE_CLOUD_IDENTITY',
    fallback: 'google with GOOGLE_APPLICATION_CREDENTIALS, else none',
    what: 'As what roles of other AWS accounts are assumed, so that imports need no stored keys: google (a service account), aws, or none.',
  },
  {
    name: 'GOOGLE_APPLICATION_CREDENTIALS',
    fallback: 'the metadata server',
    what: "Path of a service account's key file, for the identity `google`.",
  },
  {
    name: 'AWS_ENDPOINT_URL_STS',
    fallback: 'AWS',
    what: 'The security token service that roles are assumed at, where it is not that of AWS. Nobody else is ever shown the identity.',
  },
  {
    name: 'AWS_ENDPOINT_URL_S3',
    fallback: 'AWS',
    what: 'The S3 that storage and integrations are read from where they name no other.',
  },
  { name: 'HF_ENDPOINT', fallback: 'https://huggingface.co', what: 'The Hugging Face hub, or a mirror of it.' },
  {
    name: 'STORAGE_EMULATOR_HOST',
    fallback: 'https://storage.googleapis.com',
    what: 'An emulator of Google Cloud Storage to import from in its place.',
  },
  {
    name: 'SIGHTLINE_ALLOWED_NETWORKS',
    fallback: 'none',
    what: 'Comma-separated CIDR networks that fetches may reach although they are private.',
  },
  {
    name: 'SIGHTLINE_MIN_FETCH_RATE',
    fallback: '8192',
    what: 'Slowest rate, in bytes a second over half a minute, at which a URL or a bucket may send a file before its transfer is ended.',
  },
  {
    name: 'SIGHTLINE_RESTORE_HOURS',
    fallback: '24',
    what: 'How long a deleted video can be restored before its files go; 0 erases at once.',
  },
  {
    name: 'SIGHTLINE_TRUSTED_PROXIES',
    fallback: 'none',
    what: 'Comma-separated CIDR networks of the proxies in front, whose X-Forwarded-For says the address of a client.',
  },
  { name: 'SIGHTLINE_LOG_LEVEL', fallback: 'warn', what: 'trace, debug, info, warn, error or silent.' },
  { name: 'SIGHTLINE_MEDIA_ENGINE', fallback: 'auto', what: 'auto, node-av or ffmpeg (the command line).' },
  {
    name: 'SIGHTLINE_MEDIA_PROCESSES',
    fallback: 'one per core',
    what: 'How many videos are decoded at once on this node.',
  },
  {
    name: 'SIGHTLINE_FFMPEG',
    fallback: 'ffmpeg',
    what: 'Path of the ffmpeg program for the command-line engine; ffprobe is expected beside it.',
  },
  {
    name: 'SIGHTLINE_VISION_URL',
    fallback: 'none',
    what: 'Base URL of an OpenAI-compatible endpoint whose vision-language model is asked about what no observer knows.',
  },
  { name: 'SIGHTLINE_VISION_MODEL', fallback: 'none', what: 'Name of the model to ask there.' },
  { name: 'SIGHTLINE_VISION_API_KEY', fallback: 'none', what: 'Key to send there.' },
  { name: 'SIGHTLINE_MAX_UPLOAD_BYTES', fallback: '53687091200', what: 'Largest video accepted, in bytes (50 GiB).' },
  {
    name: 'SIGHTLINE_MAX_VIDEO_SECONDS',
    fallback: '86400',
    what: 'Longest video accepted, in seconds of presentation time.',
  },
  {
    name: 'SIGHTLINE_MAX_VIDEOS',
    fallback: 'no limit',
    what: 'How many videos an organisation may have, unless `quota` gives it another limit.',
  },
  {
    name: 'SIGHTLINE_MAX_STORED_BYTES',
    fallback: 'no limit',
    what: 'How many bytes of videos an organisation may store, unless `quota` gives it another limit.',
  },
  {
    name: 'SIGHTLINE_MAX_LIVE_SESSIONS',
    fallback: '16',
    what: 'How many livestreams an organisation may follow at once.',
  },
  {
    name: 'SIGHTLINE_LIVE_PER_WORKER',
    fallback: '16',
    what: 'How many livestreams of one organisation a worker follows at once, and of all together up to twice as many; more wait for another worker.',
  },
  {
    name: 'SIGHTLINE_LIVE_WINDOW_SECONDS',
    fallback: '120',
    what: 'How many of the last seconds of a livestream are looked at together at least: the longest "for 30 seconds" that can be found.',
  },
  {
    name: 'SIGHTLINE_WRITES_PER_MINUTE',
    fallback: '600',
    what: 'Writes and queries that one key may make in a minute, on all nodes together. Uploads are counted apart.',
  },
  {
    name: 'SIGHTLINE_WRITES_PER_DAY',
    fallback: '864000',
    what: 'Writes and queries that one key may make in a day, on all nodes together.',
  },
  {
    name: 'SIGHTLINE_READS_PER_MINUTE',
    fallback: '6000',
    what: 'Reads that one key, and requests of any kind that one address, may make in a minute, per node.',
  },
  {
    name: 'SIGHTLINE_UPLOADS_AT_ONCE',
    fallback: '32',
    what: 'Uploads that one key may send to a node at once; more wait for their turn, up to two minutes.',
  },
  {
    name: 'SIGHTLINE_UPLOAD_BYTES_PER_MINUTE',
    fallback: '107374182400',
    what: 'Bytes that one key may upload in a minute, on all nodes together (100 GiB).',
  },
  {
    name: 'SIGHTLINE_STREAMS_PER_KEY',
    fallback: '200',
    what: 'Event streams that one key, or one signed-in person, may have open, per node.',
  },
  {
    name: 'SIGHTLINE_STREAMS_PER_ADDRESS',
    fallback: '1000',
    what: 'Event streams that one address may have open, per node.',
  },
  {
    name: 'SIGHTLINE_SIGN_INS_PER_MINUTE',
    fallback: '20',
    what: 'Attempts to sign in from one address, and on one account, in a minute, on all nodes together.',
  },
  { name: 'SIGHTLINE_SIGN_INS_PER_DAY', fallback: '1000', what: 'The same in a day.' },
];

/** No limit that anyone would meet, and one that the database's counters hold. */
const MOST_REQUESTS = 1_000_000_000;
const MOST_VIDEOS = 2_000_000_000;

/** Reads and checks the environment. Throws a Problem that names the variable; unknown `SIGHTLINE_*` names are errors too. */
export function loadConfig(env: NodeJS.ProcessEnv, cpus: number): Config {
  refuseUnknown(env);
  const text = (name: string) => env[name]?.trim() || null;
  const integer = (name: string, fallback: number, min: number, max: number) => {
    const value = Number(text(name) ?? fallback);
    if (!Number.isSafeInteger(value) || value < min || value > max)
      throw invalid(name, `must be a whole number from ${min} to ${max}`);
    return value;
  };
  const oneOf = <T extends string>(name: string, fallback: T, allowed: readonly T[]): T => {
    const value = (text(name) ?? fallback) as T;
    if (!allowed.includes(value)) throw invalid(name, `must be one of ${allowed.join(', ')}`);
    return value;
  };

  const networks = (name: string) => {
    const given = (text(name) ?? '').split(',').map((network) => network.trim());
    const networks = given.filter(Boolean);
    const wrong = networks.find((network) => !ipaddr.isValid(network) && !ipaddr.isValidCIDR(network));
    if (wrong) throw invalid(name, `must be networks such as 10.0.0.0/8, separated by commas; "${wrong}" is none`);
    return networks;
  };

  const port = integer('SIGHTLINE_PORT', 8099, 0, 65_535);
  const dataDir = resolve(text('SIGHTLINE_DATA_DIR') ?? 'data');
  const bootstrapKey = text('SIGHTLINE_BOOTSTRAP_KEY');
  if (bootstrapKey && !/^sk_[A-Za-z0-9]{32,}$/.test(bootstrapKey)) {
    throw invalid('SIGHTLINE_BOOTSTRAP_KEY', 'is too weak: it must be sk_ and at least 32 letters or digits');
  }
  const secret = text('SIGHTLINE_SECRET');
  if (secret && secret.length < 32) throw invalid('SIGHTLINE_SECRET', 'must have at least 32 characters');
  const previousSecret = text('SIGHTLINE_PREVIOUS_SECRET');
  const keyFile = text('GOOGLE_APPLICATION_CREDENTIALS');
  const identity = oneOf('SIGHTLINE_CLOUD_IDENTITY', keyFile ? 'google' : 'none', ['google', 'aws', 'none']);
  const stsUrl = text('AWS_ENDPOINT_URL_STS');
  const visionUrl = text('SIGHTLINE_VISION_URL');
  const visionModel = text('SIGHTLINE_VISION_MODEL');
  if (Boolean(visionUrl) !== Boolean(visionModel))
    throw invalid('SIGHTLINE_VISION_URL', 'and SIGHTLINE_VISION_MODEL must be given together');

  return Object.freeze({
    host: text('SIGHTLINE_HOST') ?? '127.0.0.1',
    port,
    publicUrl: (text('SIGHTLINE_PUBLIC_URL') ?? `http://localhost:${port}`).replace(/\/+$/, ''),
    dataDir,
    databaseUrl: text('DATABASE_URL'),
    storage: parseStorage(text('SIGHTLINE_STORAGE') ?? `file:${resolve(dataDir, 'files')}`, {
      endpoint: text('SIGHTLINE_S3_ENDPOINT'),
      region: text('SIGHTLINE_S3_REGION') ?? 'us-east-1',
    }),
    modelsDir: resolve(text('SIGHTLINE_MODELS_DIR') ?? resolve(dataDir, 'models')),
    modelsDownload: oneOf('SIGHTLINE_MODELS_DOWNLOAD', 'true', ['true', 'false']) === 'true',
    bootstrapKey,
    maxKeyDays: integer('SIGHTLINE_MAX_KEY_DAYS', 365, 1, 3_650),
    secret,
    sessionS: integer('SIGHTLINE_SESSION_HOURS', 168, 1, 8_760) * 3600,
    attempts: {
      perMinute: integer('SIGHTLINE_SIGN_INS_PER_MINUTE', 20, 1, MOST_REQUESTS),
      perDay: integer('SIGHTLINE_SIGN_INS_PER_DAY', 1_000, 1, MOST_REQUESTS),
    },
    sso: parseSso(text, oneOf),
    previousSecret,
    cloudIdentity:
      identity === 'google'
        ? { kind: identity, keyFile, stsUrl }
        : identity === 'aws'
          ? { kind: identity, stsUrl }
          : null,
    hubUrl: text('HF_ENDPOINT') ?? 'https://huggingface.co',
    // Google's own clients take it with and without a scheme.
    gcsUrl: (text('STORAGE_EMULATOR_HOST') ?? 'https://storage.googleapis.com').replace(/^(?!https?:)/, 'http://'),
    allowedNetworks: networks('SIGHTLINE_ALLOWED_NETWORKS'),
    minFetchBytesPerS: integer('SIGHTLINE_MIN_FETCH_RATE', 8_192, 0, 2 ** 30),
    trustedProxies: networks('SIGHTLINE_TRUSTED_PROXIES'),
    restoreS: integer('SIGHTLINE_RESTORE_HOURS', 24, 0, 8_760) * 3600,
    logLevel: oneOf('SIGHTLINE_LOG_LEVEL', 'warn', ['trace', 'debug', 'info', 'warn', 'error', 'silent']),
    media: {
      engine: oneOf('SIGHTLINE_MEDIA_ENGINE', 'auto', ['auto', 'node-av', 'ffmpeg']),
      processes: integer('SIGHTLINE_MEDIA_PROCESSES', Math.max(1, cpus), 1, 256),
      ffmpegPath: text('SIGHTLINE_FFMPEG') ?? 'ffmpeg',
    },
    vision:
      visionUrl && visionModel
        ? { url: visionUrl, model: visionModel, apiKey: text('SIGHTLINE_VISION_API_KEY') }
        : null,
    space: {
      videos: text('SIGHTLINE_MAX_VIDEOS') ? integer('SIGHTLINE_MAX_VIDEOS', 0, 0, MOST_VIDEOS) : null,
      bytes: text('SIGHTLINE_MAX_STORED_BYTES')
        ? integer('SIGHTLINE_MAX_STORED_BYTES', 0, 0, Number.MAX_SAFE_INTEGER)
        : null,
    },
    live: {
      perOrganisation: integer('SIGHTLINE_MAX_LIVE_SESSIONS', 16, 0, 100_000),
      perWorker: integer('SIGHTLINE_LIVE_PER_WORKER', 16, 0, 1_000),
      windowSeconds: integer('SIGHTLINE_LIVE_WINDOW_SECONDS', 120, 10, 3_600),
    },
    limits: {
      uploadBytes: integer('SIGHTLINE_MAX_UPLOAD_BYTES', 50 * 2 ** 30, 1, Number.MAX_SAFE_INTEGER),
      jsonBytes: 1 << 20,
      queryLength: 10_000,
      videosPerQuery: 1_000,
      videoSeconds: integer('SIGHTLINE_MAX_VIDEO_SECONDS', 86_400, 1, 31_536_000),
      writesPerMinute: integer('SIGHTLINE_WRITES_PER_MINUTE', 600, 1, MOST_REQUESTS),
      writesPerDay: integer('SIGHTLINE_WRITES_PER_DAY', 864_000, 1, MOST_REQUESTS),
      readsPerMinute: integer('SIGHTLINE_READS_PER_MINUTE', 6_000, 1, MOST_REQUESTS),
      uploadsAtOnce: integer('SIGHTLINE_UPLOADS_AT_ONCE', 32, 1, 10_000),
      uploadBytesPerMinute: integer('SIGHTLINE_UPLOAD_BYTES_PER_MINUTE', 100 * 2 ** 30, 1, 2 ** 50),
      streamsPerKey: integer('SIGHTLINE_STREAMS_PER_KEY', 200, 1, 1_000_000),
      streamsPerAddress: integer('SIGHTLINE_STREAMS_PER_ADDRESS', 1_000, 1, 1_000_000),
    },
  });
}

function parseStorage(value: string, s3: { endpoint: string | null; region: string }): Config['storage'] {
  if (value.startsWith('file:'))
    return { kind: 'file', dir: resolve(value.slice('file:'.length).replace(/^\/\/(?=\/)/, '')) };
  const match = /^s3:\/\/([^/]+)\/?(.*)$/.exec(value);
  if (!match) throw invalid('SIGHTLINE_STORAGE', 'must be file:PATH or s3://BUCKET/PREFIX');
  return { kind: 's3', bucket: match[1]!, prefix: match[2]!.replace(/\/+$/, ''), ...s3 };
}

function refuseUnknown(env: NodeJS.ProcessEnv): void {
  // What clients read (the command line, the demo) shares the prefix.
  const known = [...VARIABLES.map((v) => v.name), 'SIGHTLINE_URL', 'SIGHTLINE_API_KEY'];
  for (const name of Object.keys(env)) {
    if (!name.startsWith('SIGHTLINE_') || known.includes(name)) continue;
    const nearest = known.reduce((a, b) => (distance(name, b) < distance(name, a) ? b : a));
    throw invalid(name, `is not a variable of Sightline; did you mean ${nearest}?`);
  }
}
