/**
 * Holds the API's description against the rules of a public linter (Redocly), examples against their schemas among them. Prints what is wrong and exits with 1.
 * Part of `npm run check`.
 */
import { resolve } from 'node:path';
import { createConfig, formatProblems, getTotals, lint } from '@redocly/openapi-core';

const config = await createConfig({
  extends: ['recommended-strict'],
  rules: {
    // Some operations cannot be refused, some lead elsewhere, some only say what replaced them; `server/test/openapi.test.ts` knows better.
    'operation-2xx-response': 'off',
    'operation-4xx-response': 'off',
    // `/api/mcap/import-jobs/{id}` and `/api/mcap/{id}/file` are what clients of the hosted service ask for.
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
