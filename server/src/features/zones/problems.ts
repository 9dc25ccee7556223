import { defineProblems, type ProblemTable } from '#platform/problem';

export const ZONE_PROBLEMS = {
  zone_not_found: { status: 404, sentence: 'There is no zone with this id.' },
  zone_forbidden: { status: 403, sentence: 'This zone belongs to another organization.' },
  zone_read_only: { status: 403, sentence: 'The zones of this folder cannot be changed.' },
  zone_exists: { status: 409, sentence: 'There is a zone with this name already.' },
  zone_limit: { status: 409, sentence: 'A video, folder or camera has at most 50 zones. Delete one first.' },
  zone_owner_invalid: {
    status: 400,
    sentence: 'A zone belongs to one video, folder or camera: state one of `video_id`, `folder_id` and `camera_id`.',
  },
  zone_name_invalid: {
    status: 400,
    sentence:
      'The name of a zone consists of words: letters and digits, separated by single spaces, hyphens or apostrophes.',
  },
  zone_points_invalid: { status: 400, sentence: 'These points are no polygon or line.' },
} as const satisfies ProblemTable;

export const problems = defineProblems(ZONE_PROBLEMS);
