import { defineProblems, type ProblemTable } from '#platform/problem';

export const CAMERA_PROBLEMS = {
  camera_not_found: { status: 404, sentence: 'There is no camera with this id.' },
  camera_forbidden: { status: 403, sentence: 'This camera belongs to someone else.' },
  camera_scope_conflict: { status: 400, sentence: 'The scope of the folder differs from the requested scope.' },
  camera_without_questions: {
    status: 400,
    sentence: 'Nothing states which events of the camera to record: choose saved questions, or record it continuously.',
  },
  camera_limit: {
    status: 409,
    sentence: 'Your organization has the maximum number of cameras. Delete one first.',
  },
  camera_url_expired: { status: 403, sentence: 'This URL has expired: request a new one.' },
  camera_url_invalid: { status: 403, sentence: 'The signature of this URL is invalid: request a new one.' },
  camera_without_snapshot: { status: 404, sentence: 'There is no image of this camera yet.' },
  camera_source_ended: { status: 400, sentence: 'The source ended by itself.' },
} as const satisfies ProblemTable;

export const problems = defineProblems(CAMERA_PROBLEMS);
