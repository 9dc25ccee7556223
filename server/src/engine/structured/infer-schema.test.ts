import { expect, test } from 'vitest';
import { checkOutputSchema, inferOutputSchema } from './index.ts';

/** Fields as `name type values`. */
function infer(query: string): string[] {
  const { schema } = inferOutputSchema(query);
  if (schema) expect(checkOutputSchema(schema)).toEqual(schema);
  return (schema?.fields ?? []).map(
    ({ name, type, values, repeated }) =>
      `${name} ${type}${repeated ? '[]' : ''}${values ? ` ${values.join('|')}` : ''}`,
  );
}

test.each([
  ['Is there debris? VERDICT: object/no/uncertain', ['verdict enum object|no|uncertain']],
  [
    'Find people.\nVerdict: yes/no\nConfidence: low|medium|high',
    ['verdict enum yes|no', 'confidence enum low|medium|high'],
  ],
  ['Who is it? answer low|medium|high', ['answer enum low|medium|high']],
  ['kind is one of person, car, dog. Speed: number', ['kind enum person|car|dog', 'speed number']],
  ['visible: true/false; when: MM:SS-MM:SS', ['visible boolean', 'when time_range[]']],
  [
    'Describe it as {"label": "text", "count": 3, "moving": true, "side": "left|right", "tags": ["a"]}',
    ['label text', 'count number', 'moving boolean', 'side enum left|right', 'tags text[]'],
  ],
])('%s', (query, fields) => {
  expect(infer(query)).toEqual(fields);
});

test.each(['a person walks past a parked car', 'how many cars are there?', 'cars, trucks and buses', ''])(
  'a prompt without a form of its answer has a reason: %s',
  (query) => {
    expect(inferOutputSchema(query)).toEqual({
      schema: null,
      reason: expect.stringMatching(/does not state the form/),
    });
  },
);
