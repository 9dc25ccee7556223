import { defineProblems, type ProblemTable } from '#platform/problem';

export const ANALYSIS_PROBLEMS = {
  analysis_not_found: { status: 404, sentence: 'This video has no analysis with this id.' },
  analysis_forbidden: { status: 403, sentence: 'This analysis belongs to another user.' },
  analysis_gone: { status: 404, sentence: 'The analysis document was deleted together with its video.' },
  incident_videos_differ: { status: 400, sentence: 'An incident is in one video: send events of the same video.' },
  event_not_found: { status: 404, sentence: 'There is no event with this id, or its video was deleted.' },
  analysis_cancelled: { status: 409, sentence: 'The analysis was canceled with its batch.' },
  analysis_failed: {
    status: 500,
    sentence: 'The analysis failed because of an internal error. Start it again.',
  },
  analysis_timeout: {
    status: 500,
    sentence: 'The analysis exceeded its time limit. Analyze a shorter part of the video.',
  },
  causation_not_found: { status: 404, sentence: 'This video has no measured motion of its vehicle.' },
  range_invalid: { status: 400, sentence: 'The end of the range must not be before its start.' },
  field_unknown: { status: 400, sentence: 'There is no such field.' },
  observation_not_found: { status: 404, sentence: 'There is no observation run with this id.' },
  observation_forbidden: { status: 403, sentence: 'This observation run belongs to another user.' },
  observation_videos_invalid: {
    status: 400,
    sentence: 'Send either `video_ids` or `folder_id`.',
  },
  observation_abandoned: {
    status: 500,
    sentence: 'The observation was given up because its workers crashed repeatedly. Start it again.',
  },
  observer_unknown: { status: 400, sentence: 'There is no observer of this name.' },
  observer_missing: { status: 409, sentence: 'The observer cannot be used on this server.' },
  video_deleted: { status: 404, sentence: 'The video was deleted.' },
  video_unusable: { status: 400, sentence: 'The video could not be stored, so it cannot be analyzed.' },
  video_never_arrived: {
    status: 400,
    sentence: 'The video was not analyzed because it did not arrive within 24 hours. Upload it again.',
  },
  evidence_token_invalid: {
    status: 403,
    sentence: 'The URL is not valid. Get a new one from the analysis document.',
  },
  evidence_token_expired: { status: 403, sentence: 'The URL has expired. Get a new one from the analysis document.' },
  evidence_not_found: {
    status: 404,
    sentence: 'The image does not exist. Its analysis or video may have been deleted.',
  },
  evidence_undrawable: {
    status: 404,
    sentence: 'This image cannot be drawn because the video is damaged at this point.',
  },
} as const satisfies ProblemTable;

export const problems = defineProblems(ANALYSIS_PROBLEMS);
