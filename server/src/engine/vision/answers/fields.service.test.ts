import { expect, it } from 'vitest';
import { ADVERSARIES, timeoutFor } from '#test/servers/vision-adversaries';
import { fieldsIn, kindOf, type Truth } from '#test/servers/vision-oracle';
import { checkOutputSchema } from '../../structured/index.ts';
import type { CallRequest } from '../index.ts';
import { type Eyes, framesOf } from '../oracle.fixture.ts';
import { clip, useEyes } from '../search.fixture.ts';

const WHOLE = [[0, 20]] as const;
const TRUTH: Truth = {
  'mood: happy': WHOLE,
  'clothing: a red jacket': WHOLE,
  'helmets: 3 helmets': WHOLE,
  'has_bag: yes': WHOLE,
  'waits: 2-5': WHOLE,
};
const { fields: FIELDS } = checkOutputSchema({
  fields: [
    { name: 'mood', type: 'enum', values: ['sad', 'happy'] },
    { name: 'clothing' },
    { name: 'helmets', type: 'number' },
    { name: 'has_bag', type: 'boolean' },
    { name: 'waits', type: 'time_range', repeated: false },
    { name: 'weather', type: 'enum', values: ['rain', 'sun'] },
  ],
});
const VALUES: Record<string, unknown> = {
  mood: 'happy',
  clothing: 'a red jacket',
  helmets: 3,
  has_bag: true,
  waits: expect.stringMatching(/^00:0\d\.\d{3}-00:\d\d\.\d{3}$/),
};
const REQUEST = { from: 0, to: 20, subject: 'person', fields: FIELDS };

let eyes: Eyes;
const openOn = useEyes();

async function open(...options: Parameters<typeof openOn>): Promise<CallRequest> {
  eyes = await openOn(...options);
  return { observations: clip(20), source: framesOf(eyes.oracle, TRUTH) };
}

it('reads all types of fields from an oracle, and again without a call', async () => {
  const call = await open();
  const { results } = await eyes.search.readFields([REQUEST], call);
  const expected = Object.entries(VALUES).map(([name, value]) => [name, { value }]);
  expect(results).toEqual([
    { ...Object.fromEntries(expected), weather: { missing: expect.stringContaining('saw nothing') } },
  ]);
  const before = eyes.model.requests.length;
  await eyes.search.readFields([REQUEST], call);
  expect(eyes.model.requests).toHaveLength(before);
});

it('keeps lists, and refuses a value of no option', async () => {
  const call = await open((request, truth) => {
    if (kindOf(request) !== 'fields') return truth;
    const at = fieldsIn(request).findIndex(({ name }) => name === 'colors') + 1;
    const fields = ['Red', 'blue', 'plaid', 'red'].map((value) => ({ field: at, value }));
    return { text: JSON.stringify({ fields }) };
  });
  const { fields } = checkOutputSchema({
    fields: [{ name: 'colors', type: 'enum', values: ['red', 'blue'], repeated: true }],
  });
  const { results } = await eyes.search.readFields([{ ...REQUEST, fields }], call);
  expect(results).toEqual([{ colors: { value: ['red', 'blue'] } }]);
});

it('takes no value on which two readings disagree', async () => {
  let n = 0;
  const call = await open((request, truth) => {
    if (kindOf(request) !== 'fields') return truth;
    const at = fieldsIn(request).findIndex(({ name }) => name === 'mood') + 1;
    return { text: JSON.stringify({ fields: [{ field: at, value: n++ % 2 === 0 ? 'happy' : 'sad' }] }) };
  });
  const { results } = await eyes.search.readFields([REQUEST], call);
  expect(results[0]!.mood).toEqual({ missing: expect.stringMatching(/contradicted itself: "\w+", then "\w+"/) });
});

it('shows a bounded number of events, and stops at the limit of tokens', async () => {
  const call = await open();
  const many = Array.from({ length: 25 }, () => REQUEST);
  const { results } = await eyes.search.readFields(many, call);
  expect(results).toHaveLength(25);
  expect(results[24]!.mood).toEqual({ missing: expect.stringContaining('20 events') });
  await eyes.close();
  const limited = await open(undefined, { tokensPerQuestion: 6000 });
  const { results: stopped, usage } = await eyes.search.readFields([{ ...REQUEST, subject: 'other' }], limited);
  expect(stopped[0]!.mood).toEqual({ missing: expect.stringContaining('6000 tokens') });
  expect(usage.inputTokens + usage.outputTokens).toBeLessThanOrEqual(6000);
});

it.each(Object.keys(ADVERSARIES))('takes no false value from an adversary: %s', async (name) => {
  const call = await open(ADVERSARIES[name], { timeoutMs: timeoutFor(name) });
  const { results } = await eyes.search.readFields([REQUEST], call);
  for (const [field, result] of Object.entries(results[0]!))
    if ('value' in result) expect(result.value).toEqual(VALUES[field]);
    else expect(result.missing).toMatch(/^look \(eyes\) \w/);
});
