import { defineProblems, type ProblemTable } from '#platform/problem';

export const EXPORT_PROBLEMS = {
  export_not_found: { status: 404, sentence: 'There is no export with this id. Exports are deleted after a week.' },
  export_forbidden: { status: 403, sentence: 'This export belongs to another user.' },
  export_video_missing: {
    status: 400,
    sentence: 'The times of this format are those of one video. Send one id in `video_ids`, or use another format.',
  },
  export_too_large: {
    status: 409,
    sentence: 'Too many events match for a format with images or clips. Narrow the filters, or use another format.',
  },
  export_events_elsewhere: {
    status: 400,
    sentence: 'An event in `event_ids` belongs to a video that is not in `video_ids`. Send the video, too.',
  },
  export_empty: {
    status: 409,
    sentence: 'No event matches, or their videos were deleted, so there is nothing to show.',
  },
  export_failed: { status: 500, sentence: 'The export failed because of an internal error. Start it again.' },
  export_token_invalid: {
    status: 403,
    sentence: 'The URL is not valid or has expired. Get a new one from the export.',
  },
} as const satisfies ProblemTable;

export const problems = defineProblems(EXPORT_PROBLEMS);
