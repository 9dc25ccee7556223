import { defineProblems } from '#platform/problem';

// 400: credentials or names are the cause, and clients drop the message of a 401. 502: the provider is, and may pass.
export const INTEGRATION_PROBLEMS = {
  integration_not_found: {
    status: 404,
    sentence: 'There is no integration with this id. List yours with GET /api/cloud-integrations.',
  },
  integration_forbidden: {
    status: 403,
    sentence:
      'This integration belongs to someone else. Only its creator or an admin key can change it, and only its organization can use a shared one: save your own.',
  },
  integration_invalid: {
    status: 400,
    sentence: 'The integration cannot be saved with these settings. Change the one that the message names.',
  },
  integration_in_use: {
    status: 409,
    sentence: 'An import with this integration is running. Wait until it ends, or cancel it.',
  },
  integration_missing: {
    status: 400,
    sentence: 'There is no saved integration for this bucket. Save one, or name one with `integration_id`.',
  },
  reader_identity_missing: {
    status: 501,
    sentence:
      'This deployment has no Google service account to which a bucket can grant access. The operator must set SIGHTLINE_CLOUD_IDENTITY to `google` (with GOOGLE_APPLICATION_CREDENTIALS, or on Google Cloud).',
  },
  identity_missing: {
    status: 409,
    sentence:
      'This deployment has no cloud identity that a role can trust. The operator must set SIGHTLINE_CLOUD_IDENTITY to `google` (with GOOGLE_APPLICATION_CREDENTIALS, or on Google Cloud) or to `aws`.',
  },
  identity_unusable: {
    status: 409,
    sentence:
      "This deployment's cloud identity does not work. The operator must check SIGHTLINE_CLOUD_IDENTITY and its credentials.",
  },
  credentials_refused: {
    status: 400,
    sentence: 'The provider rejected the credentials. Replace those of the integration.',
  },
  bucket_access_denied: {
    status: 400,
    sentence:
      'The provider denied access with these credentials. Grant them permission to list the bucket and read its objects.',
  },
  bucket_not_found: {
    status: 400,
    sentence: 'The bucket does not exist. Check its name, and the region or endpoint of the integration.',
  },
  object_not_found: {
    status: 400,
    sentence: 'The bucket has no such object. Check the key; it is case-sensitive.',
  },
  object_replaced: { status: 400, sentence: 'The object was replaced during the transfer. Import it again.' },
  object_damaged: {
    status: 502,
    sentence: "The transferred data does not match the provider's checksum of the object. Import it again.",
  },
  object_interrupted: {
    status: 502,
    sentence: 'The connection closed before the object was complete. Import it again.',
  },
  bucket_busy: { status: 502, sentence: 'The provider limits the request rate. Try again later.' },
  bucket_unavailable: { status: 502, sentence: 'The provider is unavailable. Try again later.' },
  bucket_refused: {
    status: 400,
    sentence: 'The provider rejected the request. Check the bucket, region and endpoint of the integration.',
  },
} as const;

export const problems = defineProblems(INTEGRATION_PROBLEMS);
