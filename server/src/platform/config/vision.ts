import { type Static, Type } from 'typebox';
import { Errors } from 'typebox/schema';
import { invalid } from './invalid.ts';
import { PRICE } from './model-variables.ts';
import type { Config, ModelLimits, VisionLimits, VisionProfileConfig } from './types.ts';
import type { Settings } from './variables.ts';

/** The profile of SIGHTLINE_VISION_URL. */
const OWN_PROFILE = 'default';
const PROFILE_NAME = /^[a-z0-9][a-z0-9_.-]{0,63}$/;

const profileSchema = Type.Object(
  {
    url: Type.String({ minLength: 1 }),
    model: Type.String({ minLength: 1 }),
    api_key: Type.Optional(Type.String()),
    concurrency: Type.Optional(Type.Integer({ minimum: 1, maximum: 256 })),
    timeout_s: Type.Optional(Type.Integer({ minimum: 1, maximum: 3600 })),
    max_images: Type.Optional(Type.Integer({ minimum: 4, maximum: 256 })),
    context_tokens: Type.Optional(Type.Integer({ minimum: 4096 })),
    video_url: Type.Optional(Type.Boolean()),
    price: Type.Optional(Type.String({ pattern: PRICE.source })),
    extra: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  },
  { additionalProperties: false },
);

/** The vision-language models; null without one. */
export function toVisionConfig(settings: Settings['vision']): Config['vision'] {
  const { url, model } = settings;
  if ((url === null) !== (model === null))
    throw invalid('SIGHTLINE_VISION_URL', 'and SIGHTLINE_VISION_MODEL must be given together');
  const profiles: Record<string, VisionProfileConfig> = {
    ...(url !== null && model !== null ? { [OWN_PROFILE]: toProfile(settings, { url, model }) } : {}),
    ...toProfiles(settings),
  };
  const [first] = Object.keys(profiles);
  const defaultProfile = settings.profile ?? first;
  if (defaultProfile === undefined) return null;
  if (!Object.hasOwn(profiles, defaultProfile))
    throw invalid('SIGHTLINE_VISION_PROFILE', `must be one of ${Object.keys(profiles).join(', ') || 'the profiles'}`);
  return { profiles, defaultProfile, ...toModelLimits(settings) };
}

/** Limits that all models share. */
export const toModelLimits = (settings: Settings['vision']): ModelLimits => ({
  tokenLimits: toLimits(settings.tokenLimits),
  moneyLimits: toLimits(settings.moneyLimits),
});

/** Prices of a million input and output tokens; 0 without. */
export function toPrices(price: string | null): { inputPrice: number; outputPrice: number } {
  const [inputPrice = 0, outputPrice = 0] = (price ?? '0/0').split('/').map(Number);
  return { inputPrice, outputPrice };
}

/** Own settings of a profile; the others are those of the variables. */
function toProfile(settings: Settings['vision'], own: Static<typeof profileSchema>): VisionProfileConfig {
  // The key of one endpoint is not sent to another.
  const apiKey = own.api_key ?? (own.url === settings.url ? settings.apiKey : null);
  return {
    url: own.url,
    model: own.model,
    apiKey,
    ...toPrices(own.price ?? settings.price),
    concurrency: own.concurrency ?? settings.concurrency,
    timeoutS: own.timeout_s ?? settings.timeoutS,
    maxImages: own.max_images ?? settings.maxImages,
    contextTokens: own.context_tokens ?? settings.contextTokens,
    videoUrl: own.video_url ?? settings.videoUrl,
    extra: own.extra ?? toExtra(settings.extra),
  };
}

function toProfiles(settings: Settings['vision']): Record<string, VisionProfileConfig> {
  const variable = 'SIGHTLINE_VISION_PROFILES';
  const entries = Object.entries(toObject(variable, settings.profiles)).map(([name, own]) => {
    if (!PROFILE_NAME.test(name)) throw invalid(variable, `has the name "${name}"; names match ${PROFILE_NAME.source}`);
    const [, [error]] = Errors(profileSchema, own);
    if (error) throw invalid(variable, `has an invalid profile "${name}": ${error.instancePath} ${error.message}`);
    return [name, toProfile(settings, own as Static<typeof profileSchema>)] as const;
  });
  return Object.fromEntries(entries);
}

function toLimits(text: string | null): VisionLimits {
  const pairs = (text ?? '').split(',').filter((each) => each.trim() !== '');
  return Object.fromEntries(
    pairs.map((pair) => pair.split('=') as [string, string]).map(([name, value]) => [name.trim(), Number(value)]),
  );
}

const toExtra = (text: string | null) => toObject('SIGHTLINE_VISION_EXTRA', text);

function toObject(variable: string, text: string | null): Record<string, unknown> {
  if (text === null) return {};
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch {
    // Reported below.
  }
  throw invalid(variable, 'must be a JSON object');
}
