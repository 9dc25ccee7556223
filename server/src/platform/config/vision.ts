import { invalid } from './invalid.ts';
import type { Config, VisionConfig, VisionLimits } from './types.ts';
import type { Settings } from './variables.ts';

/** The vision-language model; null without one. */
export function toVisionConfig(settings: Settings['vision']): Config['vision'] {
  const { url, model, apiKey, concurrency, maxImages, price } = settings;
  if (!url && !model) return null;
  if (!url || !model) throw invalid('SIGHTLINE_VISION_URL', 'and SIGHTLINE_VISION_MODEL must be given together');
  const [inputPrice = 0, outputPrice = 0] = (price ?? '0/0').split('/').map(Number);
  return {
    ...{ url, model, apiKey, concurrency, maxImages, inputPrice, outputPrice },
    extra: toExtra(settings.extra),
    tokenLimits: toLimits(settings.tokenLimits),
    moneyLimits: toLimits(settings.moneyLimits),
  };
}

function toLimits(text: string | null): VisionLimits {
  const pairs = (text ?? '').split(',').filter((each) => each.trim() !== '');
  return Object.fromEntries(
    pairs.map((pair) => pair.split('=') as [string, string]).map(([name, value]) => [name.trim(), Number(value)]),
  );
}

function toExtra(text: string | null): VisionConfig['extra'] {
  if (text === null) return {};
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as VisionConfig['extra'];
  } catch {
    // Reported below.
  }
  throw invalid('SIGHTLINE_VISION_EXTRA', 'must be a JSON object');
}
