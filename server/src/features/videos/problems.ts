import { defineProblems } from '#platform/problem';

export const VIDEO_PROBLEMS = {
  video_not_found: { status: 404, sentence: 'There is no video with this id.' },
  video_forbidden: { status: 403, sentence: 'This video belongs to someone else.' },
  video_read_only: { status: 403, sentence: 'Sample scope is read-only: upload your own videos to change them.' },
  video_not_restorable: { status: 404, sentence: 'There is no deleted video with this id that could be restored.' },
  video_shared: {
    status: 409,
    sentence:
      'Others see this video, so it cannot go into a personal folder: move it into a folder of the organisation.',
  },
  quota_exceeded: { status: 403, sentence: 'Your organisation has no room for this: delete some videos first.' },
  video_name_invalid: { status: 400, sentence: 'A video needs a `name` that is not only spaces.' },
  video_tag_invalid: { status: 400, sentence: 'Each of `tags` must be more than spaces.' },
  video_metadata_invalid: { status: 400, sentence: 'The `metadata` of a video has at most 64 names.' },
  upload_interrupted: {
    status: 400,
    sentence: 'The upload stopped before the whole file had arrived, so nothing of it was kept; upload it again.',
  },
} as const;

export const problems = defineProblems(VIDEO_PROBLEMS);
