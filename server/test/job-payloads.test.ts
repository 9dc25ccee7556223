import { expect, test } from 'vitest';
import { JOB_DEFINITIONS } from '../src/compose/infrastructure.ts';

test.each(JOB_DEFINITIONS)('$name ignores fields of later versions', ({ payload }) => {
  expect(JSON.stringify(payload)).not.toContain('"additionalProperties":false');
});
