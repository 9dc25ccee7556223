import { defineProblems } from '../problem.ts';

export const STORAGE_PROBLEMS = {
  file_not_found: { status: 404, sentence: 'The file is not in storage.' },
  file_too_large: { status: 413, sentence: 'The file is larger than this service accepts.' },
  storage_full: {
    status: 507,
    sentence: 'The storage of this service is full, so the file was not kept. Free some space and send it again.',
  },
  storage_unreachable: { status: 503, sentence: 'The storage cannot be reached.' },
} as const;

export const problems = defineProblems(STORAGE_PROBLEMS);
