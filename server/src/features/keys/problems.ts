import { defineProblems } from '#platform/problem';

export const KEYS_PROBLEMS = {
  key_unknown: { status: 401, sentence: 'This API key is not known here.' },
  key_expired: { status: 401, sentence: 'This API key has expired: create a new one.' },
  key_revoked: { status: 401, sentence: 'This API key was revoked: create a new one.' },
  key_not_found: { status: 404, sentence: 'There is no API key with this id or prefix.' },
  key_prefix_ambiguous: { status: 409, sentence: 'Several API keys start with this prefix: use the id.' },
  key_shown_once: {
    status: 409,
    sentence: 'This request made a key the first time; its value was in that answer and is not kept.',
  },
  key_folder_unknown: { status: 404, sentence: 'There is no folder with this id that the key could be limited to.' },
  key_request_invalid: {
    status: 400,
    sentence: 'A key cannot be made like this: the message says what of the request to change.',
  },
} as const;

export const problems = defineProblems(KEYS_PROBLEMS);
