import { defineProblems } from '#platform/problem';

export const UPLOAD_PROBLEMS = {
  upload_field_invalid: {
    status: 400,
    sentence: 'A field of the form is not valid: the message says which, and what it takes.',
  },
  upload_form_unreadable: {
    status: 400,
    sentence: 'The form cannot be read: it is not complete multipart/form-data.',
  },
  upload_file_missing: { status: 400, sentence: 'With `source` set to `file`, the form must have a part `file`.' },
  upload_file_unexpected: {
    status: 400,
    sentence: 'The form must have one part `file`, and only if `source` is `file`.',
  },
  upload_incomplete: {
    status: 400,
    sentence: 'The connection or the form ended before the whole file had arrived, so nothing of it was kept.',
  },
  upload_stalled: { status: 400, sentence: 'Nothing arrived for a minute, so the upload was given up.' },
  upload_deleted: { status: 404, sentence: 'The video was deleted while it was on its way.' },
  upload_scope_conflict: {
    status: 400,
    sentence: 'A video has the scope of the folder it lies in: leave `scope` out, or choose another folder.',
  },
  upload_not_found: { status: 404, sentence: 'There is no such upload: it has ended, expired or never was.' },
  upload_forbidden: { status: 403, sentence: 'This upload belongs to someone else.' },
  upload_header_invalid: { status: 400, sentence: 'A header of the upload is missing or not valid.' },
  upload_version_unsupported: { status: 412, sentence: 'The header `Tus-Resumable` must be 1.0.0.' },
  upload_offset_conflict: {
    status: 409,
    sentence: 'The piece does not begin where the upload ends: ask with HEAD where that is, and go on from there.',
  },
  upload_locked: { status: 423, sentence: 'Another connection is writing to this upload: try again shortly.' },
  upload_checksum_mismatch: {
    status: 460,
    sentence: 'The piece did not arrive as its `Upload-Checksum` says, so it was not kept: send it again.',
  },
  upload_digest_mismatch: {
    status: 400,
    sentence: 'The SHA-256 of what arrived is not the one that was announced, so nothing was kept: upload it again.',
  },
  direct_upload_unavailable: {
    status: 409,
    sentence:
      'This service keeps its files on its own disk, so nothing can be uploaded past it: use `POST /api/upload-video`, or the tus protocol at `/api/uploads`, which resumes too.',
  },
  upload_parts_missing: {
    status: 409,
    sentence: 'Parts of the upload are missing, or not of the size they should have.',
  },
  upload_part_unknown: { status: 400, sentence: 'The upload has no such part.' },
  upload_expired: { status: 404, sentence: 'The upload did not end within its time, so it was given up.' },
  sidecar_invalid: { status: 400, sentence: 'The part `metadata_file` must be a JSON object or array.' },
  sidecar_too_large: { status: 413, sentence: 'The part `metadata_file` is larger than 16 MiB.' },
  upload_failed: {
    status: 500,
    sentence: 'The video could not be stored because of a fault on our side; upload it again.',
  },
} as const;

export const problems = defineProblems(UPLOAD_PROBLEMS);
