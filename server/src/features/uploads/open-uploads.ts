import type { Video } from '#features/videos/index';
import { canManage, reaches } from '#platform/access/index';
import { type Caller, httpProblems } from '#platform/http/index';
import { storageProblems } from '#platform/storage/index';
import { problems } from './problems.ts';

/** Rules that resumable and direct uploads share. */

/** Lifetime of an upload from its creation. S3 storage retains incomplete parts for one day longer. */
export const UPLOAD_LIFETIME_S = 3 * 24 * 3600;

/**
 * Throws `upload_not_found` (404) if the upload has failed, `upload_forbidden` (403) if it belongs to someone else,
 * or `key_limited` (403) if the key does not cover its folder.
 */
export function requireOwnUpload(caller: Caller, video: Video): void {
  if (video.status === 'UPLOADING_FAILED') throw problems.upload_not_found();
  if (!canManage(caller, video)) throw problems.upload_forbidden();
  if (!reaches(caller, video.folderId)) throw httpProblems.key_limited();
}

export const uploadTooLarge = (maxBytes: number) =>
  storageProblems.file_too_large(`The upload is larger than the limit of ${maxBytes} bytes.`);
