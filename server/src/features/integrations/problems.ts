import { defineProblems } from '#platform/problem';

// What a provider refuses is 400: it lies with the credentials or names that were given, and existing clients lose the message of a 401 or 5xx.
export const INTEGRATION_PROBLEMS = {
  integration_not_found: {
    status: 404,
    sentence: 'There is no integration with this id that you may use: list those with GET /api/cloud-integrations.',
  },
  integration_forbidden: {
    status: 403,
    sentence: 'Only who made this integration, or an admin key, may change it: ask them, or save one of your own.',
  },
  integration_invalid: {
    status: 400,
    sentence: 'The integration cannot be saved like this: the message says what of it to change.',
  },
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
  identity_unusable: {
    status: 409,
    sentence:
      "This deployment's own cloud identity cannot be used: its operator has to look at SIGHTLINE_CLOUD_IDENTITY and the credentials that it stands for.",
  },
  credentials_refused: { status: 400, sentence: 'The provider refuses the credentials: give the integration others.' },
  bucket_access_denied: {
    status: 400,
    sentence: 'The provider does not allow this with these credentials: let them list the bucket and read its objects.',
  },
  bucket_not_found: {
    status: 400,
    sentence: 'There is no such bucket: look at its name, and at the region or address of the integration.',
  },
  object_not_found: {
    status: 400,
    sentence: 'There is no such object in the bucket: look at its key, upper and lower case too.',
  },
  object_replaced: { status: 400, sentence: 'The object was replaced while it was transferred: import it again.' },
  object_damaged: {
    status: 400,
    sentence: 'What arrived does not have the checksum that the provider gives for the object: import it again.',
  },
  object_interrupted: {
    status: 400,
    sentence: 'The connection broke off before the whole object had arrived: import it again.',
  },
  bucket_busy: { status: 400, sentence: 'The provider asks to slow down: try again later.' },
  bucket_unavailable: { status: 400, sentence: 'The provider cannot answer now: try again later.' },
  bucket_refused: {
    status: 400,
    sentence: 'The provider refuses the request: look at the bucket, region and address of the integration.',
  },
} as const;

export const problems = defineProblems(INTEGRATION_PROBLEMS);
