import { boolean, integer, text } from './parsers.ts';

export const PRICE = /^\d+(?:\.\d+)?\/\d+(?:\.\d+)?$/;
const PRICE_RULE = 'must be two prices per million tokens, such as 0.20/0.80';
const LIMITS = /^(?:question|batch|key|month)=\d+(?:\.\d+)?(?:,\s*(?:question|batch|key|month)=\d+(?:\.\d+)?)*$/;
const LIMIT_VALUES = 'question=N,batch=N,key=N,month=N';
const LIMIT_RULE = 'must be a list of limits such as question=100000,month=50000000';

/** Variables of the vision-language models, and of the language model that reads prompts. */
export const MODEL_VARIABLES = {
  vision: {
    url: text('SIGHTLINE_VISION_URL', {
      default: null,
      values: 'URL',
      description:
        'Base URL of an OpenAI-compatible endpoint. Its vision-language model answers what the observers cannot detect.',
    }),
    model: text('SIGHTLINE_VISION_MODEL', { default: null, description: 'Name of the vision-language model.' }),
    apiKey: text('SIGHTLINE_VISION_API_KEY', { default: null, description: 'API key for that endpoint.' }),
    concurrency: integer('SIGHTLINE_VISION_CONCURRENCY', {
      default: 8,
      min: 1,
      max: 256,
      description: 'Requests to that endpoint at the same time, from each node. Halved while it answers "too many".',
    }),
    timeoutS: integer('SIGHTLINE_VISION_TIMEOUT', {
      default: 90,
      min: 1,
      max: 3600,
      description: 'Longest time of a request to that endpoint in seconds. Later replies are canceled and reported.',
    }),
    maxImages: integer('SIGHTLINE_VISION_MAX_IMAGES', {
      default: 16,
      min: 4,
      max: 256,
      description: 'Most images in one request to that endpoint.',
    }),
    contextTokens: integer('SIGHTLINE_VISION_CONTEXT_TOKENS', {
      default: null,
      shown: 'no limit',
      min: 4096,
      max: 10_000_000,
      description: 'Context of the model in tokens: requests have fewer images if they would not fit.',
    }),
    videoUrl: boolean('SIGHTLINE_VISION_VIDEO_URL', {
      default: false,
      description:
        'Whether that endpoint accepts clips (`video_url`): frames are then sent as one short MP4, and as images where it refuses.',
    }),
    profiles: text('SIGHTLINE_VISION_PROFILES', {
      default: null,
      values: 'JSON object',
      description:
        'Further models by name: `{"large": {"url": "…", "model": "…", "api_key": "…", "concurrency": 4, "timeout_s": 90, "max_images": 16, "context_tokens": 32768, "video_url": false, "price": "0.20/0.80", "extra": {}}}`. What a profile leaves out is taken from the other variables. `default` is the model of `SIGHTLINE_VISION_URL`.',
    }),
    profile: text('SIGHTLINE_VISION_PROFILE', {
      default: null,
      shown: 'the first one',
      description: 'Name of the profile that queries use unless they, or the folder of the video, name another.',
    }),
    price: text('SIGHTLINE_VISION_PRICE', {
      default: null,
      values: 'INPUT/OUTPUT, such as 0.20/0.80',
      pattern: PRICE,
      rule: PRICE_RULE,
      description: 'Price of a million input and output tokens, for estimates, usage and limits in money.',
    }),
    tokenLimits: text('SIGHTLINE_VISION_TOKEN_LIMITS', {
      default: null,
      shown: 'question=300000',
      values: LIMIT_VALUES,
      pattern: LIMITS,
      rule: LIMIT_RULE,
      description:
        'Tokens that may be spent on one question about one video, on a batch, and in a calendar month (UTC) by one API key and by an organization. The last three include the language model.',
    }),
    moneyLimits: text('SIGHTLINE_VISION_MONEY_LIMITS', {
      default: null,
      values: LIMIT_VALUES,
      pattern: LIMITS,
      rule: LIMIT_RULE,
      description: 'The same limits in the currency of `SIGHTLINE_VISION_PRICE`.',
    }),
    extra: text('SIGHTLINE_VISION_EXTRA', {
      default: null,
      values: 'JSON object',
      description:
        'Additional fields of each request, such as `{"chat_template_kwargs": {"enable_thinking": false}}` for vLLM and llama.cpp.',
    }),
  },
  language: {
    url: text('SIGHTLINE_LANGUAGE_URL', {
      default: null,
      values: 'URL',
      shown: 'the vision endpoint',
      description:
        'Base URL of an OpenAI-compatible endpoint. Its language model rewrites prompts that the rules do not understand.',
    }),
    model: text('SIGHTLINE_LANGUAGE_MODEL', {
      default: null,
      shown: 'the vision model',
      description: 'Name of the language model.',
    }),
    apiKey: text('SIGHTLINE_LANGUAGE_API_KEY', {
      default: null,
      shown: 'that of the vision endpoint, if its URL is used',
      description: 'API key for that endpoint.',
    }),
    price: text('SIGHTLINE_LANGUAGE_PRICE', {
      default: null,
      shown: 'that of the vision model, if it is used',
      values: 'INPUT/OUTPUT, such as 0.20/0.80',
      pattern: PRICE,
      rule: PRICE_RULE,
      description: 'Price of a million input and output tokens of the language model, for usage and limits in money.',
    }),
  },
} as const;
