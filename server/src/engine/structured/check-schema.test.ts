import { expect, test } from 'vitest';
import type { Problem } from '#platform/problem';
import { checkOutputSchema } from './index.ts';

const field = (fields: object) => ({ fields: [{ name: 'a', ...fields }] });

test('fills in the defaults', () => {
  expect(checkOutputSchema({ fields: [{ name: ' Verdict ' }, { name: 'when', type: 'time_range' }] })).toEqual({
    label: 'structured_output',
    scope: 'event',
    version: 1,
    fields: [
      { name: 'verdict', type: 'text', description: null, values: null, repeated: false, required: true },
      { name: 'when', type: 'time_range', description: null, values: null, repeated: true, required: true },
    ],
  });
});

test.each([
  [null, '', 'must be an object'],
  [{}, '.fields', 'must be a list of 1 to 12 fields'],
  [
    { fields: Array.from({ length: 13 }, (_, i) => ({ name: `f${i}` })) },
    '.fields',
    'must be a list of 1 to 12 fields',
  ],
  [{ scope: 'frame', ...field({}) }, '.scope', 'must be one of event, video'],
  [{ version: 1.5, ...field({}) }, '.version', 'must be an integer'],
  [field({ name: '1a' }), '.fields[0].name', 'must be 1 to 48 letters, digits and underscores, with a letter first'],
  [field({ type: 'date' }), '.fields[0].type', 'must be one of enum, text, number, boolean, time_range'],
  [field({ type: 'enum', values: ['x'] }), '.fields[0].values', 'must be a list of 2 to 64 distinct texts'],
  [field({ type: 'enum' }), '.fields[0].values', 'must be a list of 2 to 64 distinct texts'],
  [field({ description: 'x'.repeat(1001) }), '.fields[0].description', 'must be text of at most 1000 characters'],
  [field({ required: 'yes' }), '.fields[0].required', 'must be true or false'],
  [{ fields: [{ name: 'a' }, { name: 'A' }] }, '.fields[1].name', 'repeats the name "a"'],
])('refuses %j', (schema, path, message) => {
  const param = `output_schema${path}`;
  expect(refusal(schema)).toMatchObject({
    code: 'output_schema_invalid',
    message: `The field \`${param}\` ${message}.`,
    errors: [{ param, message }],
  });
});

test('lists all faults', () => {
  const problem = refusal({ scope: 'x', fields: [{ name: '' }, { name: 'b', type: 'enum', values: ['1', '1'] }] });
  expect(problem.errors.map(({ param }) => param)).toEqual([
    'output_schema.scope',
    'output_schema.fields[0].name',
    'output_schema.fields[1].values',
  ]);
  expect(problem.message).toMatch(/ 2 more: see `errors`\.$/);
});

function refusal(schema: unknown): Problem {
  try {
    checkOutputSchema(schema);
  } catch (error) {
    return error as Problem;
  }
  throw new Error('was accepted');
}
