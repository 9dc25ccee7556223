/** Status of responses that ask to try again later. */
const TOO_MANY = 429;

/**
 * True if S3 did not respond, or with an error of its own. Tells errors by their form, so that the client is not loaded
 * where files are on the disk: all errors of its requests have `$metadata`, those of responses also `$fault`.
 */
export function isS3Failure(error: unknown): boolean {
  if (!(error instanceof Error) || !('$metadata' in error) || error.name === 'AbortError') return false;
  const { httpStatusCode: status } = error.$metadata as { httpStatusCode?: number };
  return !('$fault' in error) || status === undefined || status >= 500 || status === TOO_MANY;
}
