import type { SsoConfig } from './sso.ts';
import type { TracingConfig } from './tracing.ts';
import type { Settings } from './variables.ts';

/** Where files are stored. */
export type StorageConfig =
  | { kind: 'file'; dir: string }
  | { kind: 's3'; bucket: string; prefix: string; endpoint: string | null; region: string };

/** The configuration: the settings of the table, with defaults resolved. */
export type Config = Readonly<
  Omit<Settings, 'awsS3Url' | keyof Resolved> & {
    [Key in keyof Resolved]: Resolved[Key];
  }
>;

type Resolved = {
  /** Without a trailing slash. */
  publicUrl: string;
  storage: StorageConfig;
  modelsDir: string;
  /** Null disables mail. */
  mail: { url: string; from: string } | null;
  /** Null disables MQTT. */
  mqttUrl: string | null;
  /** Null disables single sign-on. */
  sso: SsoConfig | null;
  /** Identity of this deployment at other clouds; `keyFile` is the path of a service account's key file. */
  cloudIdentity: (({ kind: 'google'; keyFile: string | null } | { kind: 'aws' }) & { stsUrl: string | null }) | null;
  rtmp: RtmpConfig;
  /** Null disables traces. */
  tracing: TracingConfig | null;
  media: Omit<Settings['media'], 'processes'> & { processes: number };
  /** Null disables the vision-language model. */
  vision: VisionConfig | null;
  /** Null disables the language model that reads prompts. */
  language: LanguageConfig | null;
  /** Limits that all models share; null without a model. */
  modelLimits: ModelLimits | null;
  limits: Settings['limits'] & { jsonBytes: number; queryLength: number; videosPerQuery: number };
};

/** Cameras that push. `node`: `HOST:PORT` at which workers reach what is pushed to this process. */
export type RtmpConfig = {
  /** Null: this process does not listen. */
  listen: { host: string; port: number } | null;
  /** URL that cameras push to; null: they cannot. */
  url: string | null;
  node: string | null;
};

/** A language model with its prices per million tokens. */
export type LanguageConfig = {
  url: string;
  model: string;
  apiKey: string | null;
  inputPrice: number;
  outputPrice: number;
};

/** A vision-language model with its prices per million tokens. */
export type VisionProfileConfig = {
  url: string;
  model: string;
  apiKey: string | null;
  concurrency: number;
  /** Longest time of a request in seconds. */
  timeoutS: number;
  maxImages: number;
  /** Tokens that one request may have; null: no limit is known. */
  contextTokens: number | null;
  /** True if the endpoint accepts clips (`video_url`). */
  videoUrl: boolean;
  inputPrice: number;
  outputPrice: number;
  extra: Record<string, unknown>;
};

/** Vision-language models by the name of their profile, at least the default one. */
export type VisionConfig = {
  profiles: Readonly<Record<string, VisionProfileConfig>>;
  defaultProfile: string;
} & ModelLimits;

/** Limits in tokens and in money. */
export type ModelLimits = { tokenLimits: VisionLimits; moneyLimits: VisionLimits };

/** Limits for one question about one video, a batch, and a month of a key and of an organization. */
export type VisionLimits = Partial<Record<'question' | 'batch' | 'key' | 'month', number>>;
