/**
 * Checks the OpenAPI document with a public linter (Redocly), including examples against their schemas. Prints faults
 * and exits with 1 if there are any.
 * Part of `npm run check`.
 */
import { resolve } from 'node:path';
import { createConfig, formatProblems, getTotals, lint } from '@redocly/openapi-core';

const config = await createConfig({
  extends: ['recommended-strict'],
  rules: {
    // Some operations have no errors, some redirect, some only name a replacement; `server/test/openapi.test.ts` has
    // stricter rules.
    'operation-2xx-response': 'off',
    'operation-4xx-response': 'off',
    // Clients of the hosted service call `/api/mcap/import-jobs/{id}` and `/api/mcap/{id}/file`.
    'no-ambiguous-paths': 'off',
    'no-invalid-schema-examples': 'error',
    'no-invalid-parameter-examples': 'error',
    'no-unused-components': 'error',
    'operation-description': 'error',
    'operation-singular-tag': 'error',
    'tag-description': 'error',
  },
});
const problems = await lint({ ref: resolve(import.meta.dirname, '../server/openapi.json'), config });
formatProblems(problems, { totals: getTotals(problems), version: '' });
process.exitCode = problems.length === 0 ? 0 : 1;
