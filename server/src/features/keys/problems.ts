import { defineProblems } from '#platform/problem';

export const KEYS_PROBLEMS = {
  key_unknown: { status: 401, sentence: 'This API key is unknown.' },
  key_expired: { status: 401, sentence: 'This API key has expired: create a new one.' },
  key_revoked: { status: 401, sentence: 'This API key was revoked: create a new one.' },
  key_not_found: { status: 404, sentence: 'There is no API key with this id or prefix.' },
  key_forbidden: { status: 403, sentence: 'This API key belongs to someone else.' },
  key_prefix_ambiguous: { status: 409, sentence: 'Several API keys start with this prefix: use the id.' },
  key_shown_once: {
    status: 409,
    sentence:
      'This request already created a key. Its value was shown in the first response and cannot be shown again.',
  },
  key_folder_unknown: { status: 404, sentence: 'There is no folder with this id.' },
  key_folder_forbidden: { status: 403, sentence: 'This folder belongs to someone else.' },
  key_request_invalid: {
    status: 400,
    sentence: 'The key cannot be created: the message names the field to change.',
  },
} as const;

export const problems = defineProblems(KEYS_PROBLEMS);
