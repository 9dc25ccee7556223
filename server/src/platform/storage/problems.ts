import { defineProblems } from '../problem.ts';

export const STORAGE_PROBLEMS = {
  file_not_found: { status: 404, sentence: 'The file does not exist in storage.' },
  file_too_large: { status: 413, sentence: 'The file is larger than this service accepts.' },
  storage_full: {
    status: 507,
    sentence:
      'The storage of this service is full, so the file was not stored. Free some space and send the file again.',
  },
  storage_unreachable: { status: 503, sentence: 'The storage cannot be reached. Try again later.' },
} as const;

export const problems = defineProblems(STORAGE_PROBLEMS);
