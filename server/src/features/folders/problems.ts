import { defineProblems } from '#platform/problem';

export const FOLDERS_PROBLEMS = {
  folder_not_found: { status: 404, sentence: 'There is no folder with this id.' },
  folder_forbidden: { status: 403, sentence: 'This folder belongs to someone else.' },
  folder_read_only: {
    status: 403,
    sentence: 'Sample scope is read-only: upload your own videos, or use another folder.',
  },
  folder_exists: { status: 409, sentence: 'A folder of this name exists already in this scope.' },
  folder_not_empty: {
    status: 409,
    sentence: 'The folder holds videos: say with `videos=move_to_root` or `videos=delete` what becomes of them.',
  },
  folder_name_invalid: { status: 400, sentence: 'A folder needs a name of 1 to 255 characters.' },
} as const;

export const problems = defineProblems(FOLDERS_PROBLEMS);
