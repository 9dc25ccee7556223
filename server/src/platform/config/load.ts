import { resolve } from 'node:path';
import { distance } from 'fastest-levenshtein';
import { invalid } from './invalid.ts';
import { toSsoConfig } from './sso.ts';
import { toTracingConfig } from './tracing.ts';
import type { Config, RtmpConfig, StorageConfig } from './types.ts';
import { isVariable, listVariables, type Settings, VARIABLES, type VariableTable } from './variables.ts';
import { toModelLimits, toPrices, toVisionConfig } from './vision.ts';

/** Limits that no variable changes. */
const FIXED_LIMITS = { jsonBytes: 2 ** 20, queryLength: 10_000, videosPerQuery: 1_000 };

/** Variables of clients (the command line, the demo) that share the prefix. */
const CLIENT_VARIABLES = ['SIGHTLINE_URL', 'SIGHTLINE_API_KEY'];

/** Variables that were removed, with what to do instead. */
const REMOVED_VARIABLES: Readonly<Record<string, string>> = {
  SIGHTLINE_MEDIA_ENGINE: 'was removed, because node-av is the only media engine; unset it (see docs/ffmpeg.md)',
  SIGHTLINE_FFMPEG: 'was removed, because the ffmpeg program is not used any more; unset it (see docs/ffmpeg.md)',
};

/** Reads and checks the environment. Throws a Problem that names the variable, also for unknown `SIGHTLINE_*` names. */
export function loadConfig(env: NodeJS.ProcessEnv, cpus: number): Config {
  refuseUnknown(env);
  return Object.freeze(toConfig(readTable(VARIABLES, env) as Settings, cpus));
}

function readTable(table: VariableTable, env: NodeJS.ProcessEnv): Record<string, unknown> {
  const entries = Object.entries(table).map(([key, entry]) => [
    key,
    isVariable(entry) ? entry.parse(env[entry.name]?.trim() || null) : readTable(entry, env),
  ]);
  return Object.fromEntries(entries);
}

/** Resolves defaults that depend on other variables, and values that several variables define together. */
function toConfig({ awsS3Url: _, ...settings }: Settings, cpus: number): Config {
  const dataDir = resolve(settings.dataDir);
  const vision = toVisionConfig(settings.vision);
  const language = toLanguageConfig(settings.language, vision);
  const publicUrl = (settings.publicUrl ?? `http://localhost:${settings.port}`).replace(/\/+$/, '');
  return {
    ...settings,
    dataDir,
    publicUrl,
    rtmp: toRtmpConfig(settings.rtmp, publicUrl),
    storage: toStorageConfig(settings.storage, dataDir),
    modelsDir: resolve(settings.modelsDir ?? resolve(dataDir, 'models')),
    mail: toMailConfig(settings.mail),
    mqttUrl: checkScheme('SIGHTLINE_MQTT_URL', settings.mqttUrl, ['mqtt:', 'mqtts:']),
    sso: toSsoConfig(settings.sso),
    tracing: toTracingConfig(settings.tracing),
    cloudIdentity: toCloudIdentity(settings.cloudIdentity),
    // Google's own clients accept the host with and without a scheme.
    gcsUrl: settings.gcsUrl.replace(/^(?!https?:)/, 'http://'),
    media: { ...settings.media, processes: settings.media.processes ?? Math.max(1, cpus) },
    vision,
    language,
    modelLimits: vision || language ? toModelLimits(settings.vision) : null,
    limits: { ...settings.limits, ...FIXED_LIMITS },
  };
}

/** The place that `file:PATH` or `s3://BUCKET/PREFIX` names. */
export function toStorageConfig({ location, endpoint, region }: Settings['storage'], dataDir: string): StorageConfig {
  const value = location ?? `file:${resolve(dataDir, 'files')}`;
  if (value.startsWith('file:'))
    return { kind: 'file', dir: resolve(value.slice('file:'.length).replace(/^\/\/(?=\/)/, '')) };
  const match = /^s3:\/\/([^/]+)\/?(.*)$/.exec(value);
  if (!match) throw invalid('SIGHTLINE_STORAGE', 'must be file:PATH or s3://BUCKET/PREFIX');
  return { kind: 's3', bucket: match[1]!, prefix: match[2]!.replace(/\/+$/, ''), endpoint, region };
}

function toRtmpConfig({ listen, url, node }: Settings['rtmp'], publicUrl: string): RtmpConfig {
  if (listen === null) return { listen, url, node: null };
  const [, host = '', port = ''] = /^(.*):(\d+)$/.exec(listen) ?? [];
  const bare = host.replace(/^\[|\]$/g, '');
  const local = ['0.0.0.0', '::'].includes(bare) ? '127.0.0.1' : host;
  return {
    listen: { host: bare, port: Number(port) },
    url: url ?? `rtmp://${URL.parse(publicUrl)?.hostname ?? local}:${port}/live`,
    node: node ?? `${local}:${port}`,
  };
}

function toMailConfig({ url, from }: Settings['mail']): Config['mail'] {
  checkScheme('SIGHTLINE_SMTP_URL', url, ['smtp:', 'smtps:']);
  if (!url && !from) return null;
  if (!url || !from) throw invalid('SIGHTLINE_SMTP_URL', 'and SIGHTLINE_MAIL_FROM must be given together');
  if (!/^[^<>\r\n]*<?[^\s<>@]+@[^\s<>@]+>?$/.test(from)) throw invalid('SIGHTLINE_MAIL_FROM', 'must be a mail address');
  return { url, from };
}

function checkScheme(name: string, url: string | null, schemes: readonly string[]): string | null {
  if (url !== null && !schemes.includes(URL.parse(url)?.protocol ?? '')) {
    throw invalid(name, `must be a URL that starts with ${schemes.map((each) => `${each}//`).join(' or ')}`);
  }
  return url;
}

function toCloudIdentity({ kind, keyFile, stsUrl }: Settings['cloudIdentity']): Config['cloudIdentity'] {
  switch (kind ?? (keyFile ? 'google' : 'none')) {
    case 'google':
      return { kind: 'google', keyFile, stsUrl };
    case 'aws':
      return { kind: 'aws', stsUrl };
    default:
      return null;
  }
}

/** The default vision endpoint, unless another one is given; its key is not sent to another URL. */
function toLanguageConfig(
  { url, model, apiKey, price }: Settings['language'],
  vision: Config['vision'],
): Config['language'] {
  const profile = vision && vision.profiles[vision.defaultProfile]!;
  const prices = toPrices(price);
  if (!url && !model) {
    if (!profile) return null;
    const { inputPrice, outputPrice } = price === null ? profile : prices;
    return { url: profile.url, model: profile.model, apiKey: profile.apiKey, inputPrice, outputPrice };
  }
  const name = model ?? profile?.model;
  if (url && name) return { url, model: name, apiKey, ...prices };
  if (profile && name) return { url: profile.url, model: name, apiKey: apiKey ?? profile.apiKey, ...prices };
  throw invalid('SIGHTLINE_LANGUAGE_URL', 'and SIGHTLINE_LANGUAGE_MODEL must be given together');
}

function refuseUnknown(env: NodeJS.ProcessEnv): void {
  const known = [...listVariables().map(({ name }) => name), ...CLIENT_VARIABLES];
  for (const name of Object.keys(env)) {
    if (!name.startsWith('SIGHTLINE_') || known.includes(name)) continue;
    if (name in REMOVED_VARIABLES) throw invalid(name, REMOVED_VARIABLES[name]!);
    const nearest = known.reduce((a, b) => (distance(name, b) < distance(name, a) ? b : a));
    throw invalid(name, `is not a variable of Sightline; did you mean ${nearest}?`);
  }
}
