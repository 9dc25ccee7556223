import { defineProblems } from '../problem.ts';

export const SECRET_PROBLEMS = {
  secret_key_lost: {
    status: 409,
    sentence: 'These credentials were encrypted with a root secret that this service does not have. Replace them.',
  },
  secret_damaged: { status: 500, sentence: 'These encrypted credentials were altered in the database. Replace them.' },
} as const;

export const problems = defineProblems(SECRET_PROBLEMS);
