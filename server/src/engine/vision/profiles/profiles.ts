import type { EndpointHealth } from '../calls/index.ts';
import type { VisionProfile } from '../types.ts';
import { createVisionSearch, TOKENS_PER_QUESTION, type VisionSearch } from '../vision-search.ts';

/** Vision-language models by the name of their profile. */
export type VisionModels = {
  profiles: Readonly<Record<string, VisionProfile>>;
  defaultProfile: string;
  tokenLimits?: { question?: number };
  moneyLimits?: { question?: number };
};

/** A profile as this process knows it. */
export type ProfileHealth = EndpointHealth &
  Pick<
    VisionProfile,
    'model' | 'concurrency' | 'maxImages' | 'contextTokens' | 'videoUrl' | 'inputPrice' | 'outputPrice'
  > & {
    name: string;
    isDefault: boolean;
  };

export interface VisionProfiles {
  /** Tokens that one question about one video may take. */
  readonly tokensPerQuestion: number;
  has(name: string): boolean;
  /** The profile of this name; the default one without a name, or if a stored name is not configured any more. */
  get(name?: string | null): { profile: VisionProfile; search: VisionSearch } | null;
  health(): ProfileHealth[];
}

/** `models` is null without any; `get` then returns null. */
export function createVisionProfiles(models: VisionModels | null): VisionProfiles {
  const tokensPerQuestion = models?.tokenLimits?.question ?? TOKENS_PER_QUESTION;
  const moneyPerQuestion = models?.moneyLimits?.question;
  const known = new Map(
    Object.entries(models?.profiles ?? {}).map(([name, profile]) => [
      name,
      {
        profile,
        search: createVisionSearch(profile, {
          tokensPerQuestion,
          ...(moneyPerQuestion === undefined ? {} : { moneyPerQuestion }),
        }),
      },
    ]),
  );
  return {
    tokensPerQuestion,
    has: (name) => known.has(name),
    get: (name) => (models === null ? null : (known.get(name ?? '') ?? known.get(models.defaultProfile)!)),
    health: () =>
      [...known].map(([name, { profile, search }]) => {
        const { model, concurrency, maxImages, contextTokens, videoUrl, inputPrice, outputPrice } = profile;
        const limits = { model, concurrency, maxImages, contextTokens, videoUrl, inputPrice, outputPrice };
        return { name, isDefault: name === models?.defaultProfile, ...limits, ...search.health() };
      }),
  };
}
