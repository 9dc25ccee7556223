import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { listVariables, loadConfig } from './index.ts';

test('every variable has one entry, with its values, default and description', () => {
  const variables = listVariables();
  expect(new Set(variables.map(({ name }) => name)).size).toBe(variables.length);
  for (const { values, defaultText, description } of variables) {
    for (const column of [values, defaultText, description]) expect(column).not.toBe('');
  }
});

test('defaults depend on the data folder, the port and the cores of the machine', () => {
  const config = loadConfig({ SIGHTLINE_DATA_DIR: 'elsewhere', SIGHTLINE_PORT: '9000' }, 3);
  expect(config).toMatchObject({
    publicUrl: 'http://localhost:9000',
    storage: { kind: 'file', dir: resolve('elsewhere/files') },
    modelsDir: resolve('elsewhere/models'),
    media: { processes: 3 },
  });
});

const VISION = {
  SIGHTLINE_VISION_URL: 'http://eyes',
  SIGHTLINE_VISION_MODEL: 'eyes',
  SIGHTLINE_VISION_API_KEY: 'k-eyes',
};
const FREE = { inputPrice: 0, outputPrice: 0 };

test.each([
  [{ SIGHTLINE_PORT: '65536' }, /SIGHTLINE_PORT must be a whole number from 0 to 65535/],
  [{ SIGHTLINE_MAX_VIDEOS: '-1' }, /SIGHTLINE_MAX_VIDEOS must be a whole number/],
  [{ SIGHTLINE_SECRET: 'short' }, /at least 32 characters/],
  [{ SIGHTLINE_BOOTSTRAP_KEY: 'sk_short' }, /too weak/],
  [{ SIGHTLINE_STORAGE: 'ftp://files' }, /file:PATH or s3:/],
  [{ SIGHTLINE_VISION_URL: 'http://localhost' }, /SIGHTLINE_VISION_MODEL/],
  [{ SIGHTLINE_VISION_PRICE: 'cheap' }, /two prices/],
  [{ SIGHTLINE_VISION_TOKEN_LIMITS: 'day=7' }, /list of limits/],
  [{ ...VISION, SIGHTLINE_VISION_EXTRA: '[]' }, /JSON object/],
  [{ SIGHTLINE_VISION_PROFILES: '{"a": {"url": "http://a"}}' }, /invalid profile "a".*model/],
  [{ SIGHTLINE_VISION_PROFILES: '{"A b": {}}' }, /has the name "A b"/],
  [{ ...VISION, SIGHTLINE_VISION_PROFILE: 'large' }, /must be one of default/],
  [{ SIGHTLINE_LANGUAGE_URL: 'http://localhost' }, /SIGHTLINE_LANGUAGE_MODEL/],
  [{ SIGHTLINE_TRUSTED_PROXIES: '10.0.0.0/8, proxy' }, /"proxy" is not one/],
  [
    { SIGHTLINE_MEDIA_ENGINE: 'ffmpeg' },
    /^SIGHTLINE_MEDIA_ENGINE was removed, .* unset it \(see docs\/ffmpeg\.md\)\.$/,
  ],
  [{ SIGHTLINE_FFMPEG: '/usr/bin/ffmpeg' }, /^SIGHTLINE_FFMPEG was removed, .* unset it \(see docs\/ffmpeg\.md\)\.$/],
])('%j is refused', (env, sentence) => {
  expect(() => loadConfig(env as Record<string, string>, 1)).toThrow(sentence);
});

test('settings in hours are converted to seconds', () => {
  expect(loadConfig({ SIGHTLINE_RESTORE_HOURS: '2' }, 1).restoreS).toBe(7_200);
});

test.each([
  [{}, null],
  [VISION, { url: 'http://eyes', model: 'eyes', apiKey: 'k-eyes', ...FREE }],
  [
    { ...VISION, SIGHTLINE_VISION_PRICE: '0.20/0.80' },
    { url: 'http://eyes', model: 'eyes', apiKey: 'k-eyes', inputPrice: 0.2, outputPrice: 0.8 },
  ],
  [
    { ...VISION, SIGHTLINE_LANGUAGE_MODEL: 'reader' },
    { url: 'http://eyes', model: 'reader', apiKey: 'k-eyes', ...FREE },
  ],
  [
    { ...VISION, SIGHTLINE_LANGUAGE_URL: 'http://words' },
    { url: 'http://words', model: 'eyes', apiKey: null, ...FREE },
  ],
  [
    {
      SIGHTLINE_LANGUAGE_URL: 'http://words',
      SIGHTLINE_LANGUAGE_MODEL: 'reader',
      SIGHTLINE_LANGUAGE_API_KEY: 'k',
      SIGHTLINE_LANGUAGE_PRICE: '1/2',
    },
    { url: 'http://words', model: 'reader', apiKey: 'k', inputPrice: 1, outputPrice: 2 },
  ],
])('the language model of %j', (env, expected) => {
  expect(loadConfig(env, 1).language).toEqual(expected);
});

test('limits of a language model without a vision model', () => {
  const language = { SIGHTLINE_LANGUAGE_URL: 'http://words', SIGHTLINE_LANGUAGE_MODEL: 'reader' };
  const limits = { SIGHTLINE_VISION_TOKEN_LIMITS: 'month=1000' };
  expect(loadConfig({ ...language, ...limits }, 1)).toMatchObject({
    vision: null,
    modelLimits: { tokenLimits: { month: 1000 }, moneyLimits: {} },
  });
  expect(loadConfig(limits, 1).modelLimits).toBeNull();
});

test('limits, prices and further fields of the vision model', () => {
  const env = {
    ...VISION,
    SIGHTLINE_VISION_PRICE: '0.20/0.80',
    SIGHTLINE_VISION_TOKEN_LIMITS: 'question=100000, month=50000000',
    SIGHTLINE_VISION_MONEY_LIMITS: 'key=2.5',
    SIGHTLINE_VISION_EXTRA: '{"chat_template_kwargs": {"enable_thinking": false}}',
  };
  expect(loadConfig(env, 1).vision).toEqual({
    defaultProfile: 'default',
    profiles: {
      default: {
        url: 'http://eyes',
        model: 'eyes',
        apiKey: 'k-eyes',
        concurrency: 8,
        timeoutS: 90,
        maxImages: 16,
        contextTokens: null,
        videoUrl: false,
        inputPrice: 0.2,
        outputPrice: 0.8,
        extra: { chat_template_kwargs: { enable_thinking: false } },
      },
    },
    tokenLimits: { question: 100_000, month: 50_000_000 },
    moneyLimits: { key: 2.5 },
  });
});

test('named profiles of vision models, whose keys are not sent to other endpoints', () => {
  const own = {
    url: 'http://large',
    model: 'large',
    price: '1/2',
    context_tokens: 32_768,
    concurrency: 1,
    timeout_s: 300,
    video_url: false,
  };
  const env = {
    ...VISION,
    SIGHTLINE_VISION_MAX_IMAGES: '8',
    SIGHTLINE_VISION_PROFILE: 'large',
    SIGHTLINE_VISION_VIDEO_URL: 'true',
    SIGHTLINE_VISION_PROFILES: JSON.stringify({ large: own, other: { url: 'http://eyes', model: 'more' } }),
  };
  const { profiles, defaultProfile } = loadConfig(env, 1).vision!;
  expect([defaultProfile, ...Object.keys(profiles)]).toEqual(['large', 'default', 'large', 'other']);
  expect(profiles.large).toEqual({
    url: 'http://large',
    model: 'large',
    apiKey: null,
    concurrency: 1,
    timeoutS: 300,
    maxImages: 8,
    contextTokens: 32_768,
    videoUrl: false,
    inputPrice: 1,
    outputPrice: 2,
    extra: {},
  });
  expect(profiles.other).toMatchObject({ model: 'more', apiKey: 'k-eyes', videoUrl: true });
  expect(loadConfig(env, 1).language).toEqual({
    url: 'http://large',
    model: 'large',
    apiKey: null,
    inputPrice: 1,
    outputPrice: 2,
  });
});
