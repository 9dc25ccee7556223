import { defineProblems } from '#platform/problem';

export const MCAP_PROBLEMS = {
  mcap_ingest_not_found: { status: 404, sentence: 'There is no MCAP ingest with this id.' },
  mcap_import_not_found: { status: 404, sentence: 'There is no MCAP import job with this id.' },
  mcap_forbidden: { status: 403, sentence: 'This recording belongs to someone else.' },
  mcap_url_invalid: {
    status: 403,
    sentence: 'The upload URL is not valid, or has expired: create the ingest again to get a new one.',
  },
  mcap_already_uploaded: { status: 409, sentence: 'The file of this ingest has been uploaded already.' },
  mcap_not_uploaded: {
    status: 409,
    sentence: 'The file of this ingest is not here yet: PUT it to `upload_url` first.',
  },
  mcap_expired: {
    status: 410,
    sentence:
      'The file of this ingest did not come, or nobody had it processed, for two days, so it was given up: create the ingest again.',
  },
  mcap_size_mismatch: { status: 400, sentence: 'The file does not have the size that was announced.' },
  mcap_digest_mismatch: {
    status: 400,
    sentence: 'The file is not the one whose `sha256` was announced, so it was not kept.',
  },
  mcap_scope_conflict: { status: 400, sentence: 'The folder has another scope than the one that was asked for.' },
  mcap_channel_unknown: { status: 400, sentence: 'The recording has no such channel of pictures.' },
  mcap_role_repeated: { status: 400, sentence: 'Each view needs a role of its own.' },
  mcap_role_invalid: {
    status: 400,
    sentence: 'A role is 1 to 64 lower-case letters, digits and underscores, such as `front_left`.',
  },
  mcap_files_repeated: { status: 400, sentence: 'Each file may be named once.' },
  mcap_no_pictures: {
    status: 400,
    sentence:
      'The recording has no channel of pictures and measures nothing that is known, so nothing of it can be kept.',
  },
  mcap_one_picture: { status: 400, sentence: 'The channel holds one picture, and a video takes at least two.' },
  mcap_no_films: { status: 400, sentence: 'None of the channels of pictures could be made a video of.' },
  mcap_part_missing: { status: 400, sentence: 'A part of the recording could not be read.' },
  mcap_video_deleted: { status: 410, sentence: 'The video was deleted while it was being made.' },
  mcap_failed: { status: 500, sentence: 'The recording could not be processed; something went wrong on our side.' },
} as const;

export const problems = defineProblems(MCAP_PROBLEMS);
