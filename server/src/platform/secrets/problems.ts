import { defineProblems } from '../problem.ts';

export const SECRET_PROBLEMS = {
  secret_key_lost: {
    status: 409,
    sentence: 'These credentials were sealed with a root secret that this service does not have: give them again.',
  },
  secret_damaged: { status: 500, sentence: 'These sealed credentials were altered in the database: give them again.' },
} as const;

export const problems = defineProblems(SECRET_PROBLEMS);
