import { defineProblems } from '#platform/problem';

// What a provider refuses is 400: it lies with the credentials or names that were given, and existing clients lose the message of a 401 or 5xx.
export const INTEGRATION_PROBLEMS = {
  integration_not_found: { status: 404, sentence: 'There is no integration with this id.' },
  integration_forbidden: { status: 403, sentence: 'Only who made this integration, or an admin key, may change it.' },
  integration_invalid: { status: 400, sentence: 'The integration is not complete.' },
  integration_in_use: {
    status: 409,
    sentence: 'An import with this integration is running: wait for it or cancel it, then delete the integration.',
  },
  integration_missing: {
    status: 400,
    sentence: 'There is no saved integration for this bucket: save one, or name one with `integration_id`.',
  },
  identity_missing: {
    status: 409,
    sentence:
      'This deployment has no identity that roles could trust: its operator sets SIGHTLINE_CLOUD_IDENTITY to `google` (with GOOGLE_APPLICATION_CREDENTIALS, or on Google Cloud) or to `aws`.',
  },
  identity_unusable: { status: 409, sentence: "This deployment's own cloud identity cannot be used." },
  credentials_refused: { status: 400, sentence: 'The provider refuses the credentials.' },
  bucket_access_denied: { status: 400, sentence: 'The provider does not allow this with these credentials.' },
  bucket_not_found: { status: 400, sentence: 'There is no such bucket.' },
  object_not_found: { status: 400, sentence: 'There is no such object in the bucket.' },
  object_replaced: { status: 400, sentence: 'The object was replaced while it was transferred.' },
  object_damaged: {
    status: 400,
    sentence: 'What arrived does not have the checksum that the provider gives for the object.',
  },
  object_interrupted: { status: 400, sentence: 'The connection broke off before the whole object had arrived.' },
  bucket_busy: { status: 400, sentence: 'The provider asks to slow down.' },
  bucket_unavailable: { status: 400, sentence: 'The provider cannot answer now.' },
  bucket_refused: { status: 400, sentence: 'The provider refuses the request.' },
} as const;

export const problems = defineProblems(INTEGRATION_PROBLEMS);
