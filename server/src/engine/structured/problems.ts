import { defineProblems } from '#platform/problem';

export const problems = {
  output_schema_invalid: { status: 400, sentence: 'The field `output_schema` is not a valid schema of fields.' },
} as const;

export const { output_schema_invalid: outputSchemaInvalid } = defineProblems(problems);
