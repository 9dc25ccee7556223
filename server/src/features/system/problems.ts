import { defineProblems } from '#platform/problem';

export const SYSTEM_PROBLEMS = {
  not_ready: { status: 503, sentence: 'The service cannot handle requests now.' },
  model_not_found: { status: 404, sentence: 'There is no model of this name.' },
  model_file_not_found: { status: 404, sentence: 'This model has no file of this name.' },
  model_download_off: {
    status: 409,
    sentence:
      'Downloads of models are turned off by the operator (SIGHTLINE_MODELS_DOWNLOAD). Upload the file instead.',
  },
  model_not_published: {
    status: 409,
    sentence:
      'This model is not published for download. Upload its file instead; docs/models.md describes how to get it.',
  },
  model_unusable: { status: 400, sentence: 'The engine cannot use this file.' },
  model_digest_mismatch: { status: 400, sentence: 'The file does not have the SHA-256 that the request states.' },
  model_folder_read_only: {
    status: 409,
    sentence:
      'The models folder of this service cannot be written (SIGHTLINE_MODELS_DIR). Its operator must change that.',
  },
  model_abandoned: {
    status: 500,
    sentence: 'The download was given up because the service was interrupted too often. Start it again.',
  },
  operator_needed: {
    status: 403,
    sentence:
      'This changes what all organizations of this service use. Only administrators of its first organization may do that.',
  },
} as const;

export const problems = defineProblems(SYSTEM_PROBLEMS);
