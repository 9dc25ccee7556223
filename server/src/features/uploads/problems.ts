import { defineProblems } from '#platform/problem';

export const UPLOAD_PROBLEMS = {
  upload_field_invalid: {
    status: 400,
    sentence: 'A field of the form is not valid. The message names the field and its allowed values.',
  },
  upload_form_unreadable: {
    status: 400,
    sentence: 'The form is not readable: it is not complete multipart/form-data.',
  },
  upload_file_missing: { status: 400, sentence: 'With `source` set to `file`, the form must have a part `file`.' },
  upload_file_unexpected: {
    status: 400,
    sentence: 'The form must have one part `file`, and only if `source` is `file`.',
  },
  upload_incomplete: {
    status: 400,
    sentence:
      'The connection or the form ended before the whole file had arrived, so the upload was removed. Upload it again.',
  },
  upload_stalled: { status: 400, sentence: 'No data arrived for a minute, so the upload was ended. Upload it again.' },
  upload_deleted: { status: 404, sentence: 'The video was deleted while it was uploaded.' },
  upload_scope_conflict: {
    status: 400,
    sentence: 'A video has the scope of its folder. Omit `scope`, or choose another folder.',
  },
  upload_not_found: {
    status: 404,
    sentence: 'There is no upload with this id: it has ended or expired, or the id is wrong.',
  },
  upload_forbidden: { status: 403, sentence: 'This upload belongs to someone else.' },
  too_many_uploads: {
    status: 429,
    sentence: 'Your organization has too many open uploads: complete or end some of them.',
  },
  upload_header_invalid: { status: 400, sentence: 'A header of the upload is missing or not valid.' },
  upload_version_unsupported: { status: 412, sentence: 'The header `Tus-Resumable` must be 1.0.0.' },
  upload_offset_conflict: {
    status: 409,
    sentence: 'The chunk does not start at the current offset. Request the offset with HEAD, and continue from there.',
  },
  upload_locked: { status: 423, sentence: 'Another connection is writing to this upload. Try again shortly.' },
  upload_checksum_mismatch: {
    status: 460,
    sentence: 'The chunk does not match its `Upload-Checksum`, so it was not stored. Send it again.',
  },
  upload_digest_mismatch: {
    status: 400,
    sentence:
      'The SHA-256 of the received file differs from the stated one, so the upload was removed. Upload it again.',
  },
  direct_upload_unavailable: {
    status: 409,
    sentence:
      'Direct uploads need S3 storage, and this service stores files on its own disk. Use `POST /api/upload-video`, or resumable uploads by tus at `/api/uploads`.',
  },
  upload_parts_missing: {
    status: 409,
    sentence: 'Parts of the upload are missing or have the wrong size.',
  },
  upload_part_unknown: { status: 400, sentence: 'The upload has no part with this number.' },
  upload_expired: {
    status: 404,
    sentence: 'The upload was not completed in time and has expired. Upload the file again.',
  },
  sidecar_invalid: {
    status: 400,
    sentence: 'The metadata file must be a JSON object or array, or CSV or subtitles with times and measurements.',
  },
  sidecar_too_large: { status: 413, sentence: 'The metadata file is larger than 16 MiB.' },
  subtitles_invalid: {
    status: 400,
    sentence: 'The file must be subtitles in SubRip (SRT) or WebVTT format, with at least one caption.',
  },
  subtitles_too_large: { status: 413, sentence: 'The subtitle file is larger than 4 MiB.' },
  upload_failed: {
    status: 500,
    sentence: 'The video could not be stored because of an internal error. Upload it again.',
  },
} as const;

export const problems = defineProblems(UPLOAD_PROBLEMS);
