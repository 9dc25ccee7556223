import { defineProblems } from '#platform/problem';

export const MCAP_PROBLEMS = {
  mcap_ingest_not_found: { status: 404, sentence: 'There is no MCAP ingest with this id.' },
  mcap_import_not_found: { status: 404, sentence: 'There is no MCAP import job with this id.' },
  mcap_forbidden: { status: 403, sentence: 'This recording belongs to another user. Ask them, or use an admin key.' },
  mcap_url_invalid: {
    status: 403,
    sentence: 'The upload URL is invalid or has expired. Create the ingest again to get a new one.',
  },
  mcap_already_uploaded: { status: 409, sentence: 'The file of this ingest was already uploaded.' },
  mcap_not_uploaded: {
    status: 409,
    sentence: 'The file of this ingest was not uploaded yet. PUT it to `upload_url` first.',
  },
  mcap_expired: {
    status: 410,
    sentence: 'The ingest has expired: its file was not uploaded or not processed within two days. Create it again.',
  },
  mcap_size_mismatch: { status: 400, sentence: 'The file does not have the size that `size_bytes` states.' },
  mcap_digest_mismatch: {
    status: 400,
    sentence: 'The file does not match `sha256`, so it was discarded. Upload it again.',
  },
  mcap_scope_conflict: { status: 400, sentence: 'The folder has another scope than the request.' },
  mcap_channel_unknown: { status: 400, sentence: 'The recording has no image channel with this name.' },
  mcap_role_repeated: { status: 400, sentence: 'Two views cannot have the same role.' },
  mcap_role_invalid: {
    status: 400,
    sentence: 'A role has 1 to 64 lower-case letters, digits and underscores, such as `front_left`.',
  },
  mcap_files_repeated: { status: 400, sentence: 'The request names a file more than once.' },
  mcap_no_pictures: {
    status: 400,
    sentence: 'The recording has no image channel and no known measurements, so there is nothing to convert.',
  },
  mcap_one_picture: { status: 400, sentence: 'The channel has one image; a video needs at least two frames.' },
  mcap_no_films: { status: 400, sentence: 'No image channel could be converted to a video.' },
  mcap_part_missing: { status: 400, sentence: 'A part of the recording could not be read.' },
  mcap_video_deleted: { status: 410, sentence: 'The video was deleted before it was complete.' },
  mcap_failed: { status: 500, sentence: 'The recording could not be processed because of an internal error.' },
  trajectory_missing: {
    status: 404,
    sentence:
      'No trajectory was measured for this video. Videos of MCAP recordings with joint states, poses or odometry have one; export others without (`trajectory_tool=None`).',
  },
} as const;

export const problems = defineProblems(MCAP_PROBLEMS);
