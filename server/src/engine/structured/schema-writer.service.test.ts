import { afterEach, describe, expect, it } from 'vitest';
import { startVisionModel, type VisionModel, type VisionModelReply } from '#test/servers/vision-model';
import { checkOutputSchema } from './index.ts';
import { createSchemaWriter } from './schema-writer.ts';

let model: VisionModel | null = null;
afterEach(async () => {
  await model?.close();
  model = null;
});

const QUERY = 'how do people cross the road, and in what weather?';
const field = (more: object = {}) => ({ name: 'crossing', type: 'text', values: [], description: 'how', ...more });
const reply = (fields: unknown, scope = 'event') => JSON.stringify({ scope, fields });

async function write(script: VisionModelReply | ((n: number) => VisionModelReply), signal?: AbortSignal) {
  model = await startVisionModel((_, n) => (typeof script === 'function' ? script(n) : script));
  const writer = createSchemaWriter({ url: model.url, model: 'reader', apiKey: 'k-1' }, { timeoutMs: 2_000 });
  return writer.write(QUERY, signal ?? new AbortController().signal);
}

describe('fields of a model', () => {
  it('are those of its answer, none required, and the prompt is sent as data', async () => {
    const weather = field({ name: 'Weather', type: 'enum', values: ['sun', 'rain', 'rain '], description: '' });
    const { schema, reason } = await write({ text: reply([field(), weather], 'video') });
    expect(reason).toBeNull();
    expect(checkOutputSchema(schema)).toEqual(schema);
    expect(schema).toMatchObject({
      scope: 'video',
      fields: [
        { name: 'crossing', type: 'text', values: null, description: 'how', required: false },
        { name: 'weather', type: 'enum', values: ['sun', 'rain'], description: null, required: false },
      ],
    });
    const [request] = model!.requests;
    expect(JSON.parse(request!.texts.at(-1)!)).toEqual({ prompt: QUERY });
    expect(request).toMatchObject({ authorization: 'Bearer k-1', responseFormat: { type: 'json_schema' } });
  });

  it.each([
    [
      'in a fence after thoughts',
      `<think>{"fields": 3}</think>\n\`\`\`json\n${reply([field()])}\n\`\`\``,
      ['crossing text'],
    ],
    ['a bad field is dropped alone', reply([3, { name: '1?' }, {}, field()]), ['crossing text']],
    ['an enum without a choice is a text', reply([field({ type: 'enum', values: ['x'] })]), ['crossing text']],
    ['an unknown type is a text', reply([field({ type: 'date' })]), ['crossing text']],
    ['a name twice is one field', reply([field(), field({ type: 'number' })]), ['crossing number']],
    ['ranges are lists', reply([field({ name: 'When?', type: 'time_range' })]), ['when time_range[]']],
    [
      'at most twelve',
      reply(Array.from({ length: 20 }, (_, i) => field({ name: `f ${i}` }))),
      Array.from({ length: 12 }, (_, i) => `f_${i} text`),
    ],
    [
      'long texts are shortened',
      reply([field({ name: 'n'.repeat(99), description: 'd'.repeat(5_000) })]),
      [`${'n'.repeat(48)} text`],
    ],
  ])('%s', async (_, text, expected) => {
    const { schema } = await write({ text });
    expect(checkOutputSchema(schema)).toEqual(schema);
    const shown = schema!.fields.map(({ name, type, repeated }) => `${name} ${type}${repeated ? '[]' : ''}`);
    expect(shown).toEqual(expected);
  });

  it('are requested in another format where the endpoint refuses a schema', async () => {
    const { schema } = await write((n) => (n < 3 ? { status: 400 } : { text: reply([field()]) }));
    expect(schema!.fields).toHaveLength(1);
    expect(model!.requests.map(({ responseFormat }) => responseFormat)).toEqual([
      expect.objectContaining({ type: 'json_schema' }),
      { type: 'json_object' },
      undefined,
    ]);
  });
});

describe('without fields there is a reason', () => {
  it.each([
    ['none', { text: reply([]) }, /found nothing/],
    ['garbage', { text: 'I would be happy to help!' }, /found nothing/],
    ['an error', { status: 500 }, /gave no fields: .+\.$/],
    ['an answer that is cut off', { text: '{"fields": [', finish: 'length' }, /cut off/],
    ['an endpoint that does not answer', { text: '', delayMs: 5_000 }, /gave no fields/],
  ] as const)('%s', async (_, script, expected) => {
    const { schema, reason } = await write(script);
    expect(schema).toBeNull();
    expect(reason).toMatch(expected);
  });

  it('and a request that is aborted rejects', async () => {
    await expect(write({ text: reply([field()]) }, AbortSignal.abort(new Error('stopped')))).rejects.toThrow('stopped');
  });
});
