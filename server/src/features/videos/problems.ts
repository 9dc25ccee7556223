import { defineProblems } from '#platform/problem';

export const VIDEO_PROBLEMS = {
  video_not_found: { status: 404, sentence: 'There is no video with this id.' },
  video_forbidden: { status: 403, sentence: 'This video belongs to someone else.' },
  video_read_only: { status: 403, sentence: 'Sample videos are read-only. Upload your own videos to change them.' },
  video_not_restorable: { status: 404, sentence: 'There is no deleted video with this id that can be restored.' },
  video_held: {
    status: 409,
    sentence: 'This video is on legal hold, so nothing can delete it. An administrator can release it.',
  },
  hold_reason_invalid: { status: 400, sentence: 'The `reason` of a legal hold must not be blank.' },
  video_not_held: { status: 409, sentence: 'This video is not on legal hold.' },
  video_not_uploaded: {
    status: 409,
    sentence: 'Only a video that is uploaded completely can be put on legal hold. Try again when it is.',
  },
  video_shared: {
    status: 409,
    sentence:
      'This video is shared, so it cannot be moved into a personal folder. Move it into a folder of the organization.',
  },
  quota_exceeded: { status: 403, sentence: 'Your organization has reached its quota. Delete some videos first.' },
  video_name_invalid: { status: 400, sentence: 'The `name` of a video must not be blank.' },
  video_tag_invalid: { status: 400, sentence: 'None of the `tags` may be blank.' },
  video_metadata_invalid: { status: 400, sentence: 'The `metadata` of a video can have at most 64 names.' },
  time_zone_invalid: {
    status: 400,
    sentence:
      'The `time_zone` must be the IANA name of a time zone, such as `Europe/Berlin`, or an offset such as `+01:00`.',
  },
  recorded_at_invalid: {
    status: 400,
    sentence: 'The `recorded_at` of a video must be a time of the years 1900 to 2199.',
  },
  clock_points_invalid: {
    status: 400,
    sentence: 'The two `reference_points` must be at different times, and in the same order by both clocks.',
  },
  path_pattern_invalid: { status: 400, sentence: 'The `path_pattern` cannot be used.' },
  upload_interrupted: {
    status: 400,
    sentence:
      'The upload stopped before the whole file had arrived, and the partial file was removed. Upload it again.',
  },
} as const;

export const problems = defineProblems(VIDEO_PROBLEMS);
