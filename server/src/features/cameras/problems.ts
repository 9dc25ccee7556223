import { defineProblems, type ProblemTable } from '#platform/problem';

export const CAMERA_PROBLEMS = {
  camera_not_found: { status: 404, sentence: 'There is no camera with this id.' },
  camera_forbidden: { status: 403, sentence: 'This camera belongs to someone else.' },
  camera_scope_conflict: { status: 400, sentence: 'The scope of the folder differs from the requested scope.' },
  camera_without_questions: {
    status: 400,
    sentence: 'Nothing states which events of the camera to record: choose saved questions, or record it continuously.',
  },
  camera_source_conflict: {
    status: 400,
    sentence: 'A camera has either a source_url, or the source "push". That cannot be changed later.',
  },
  camera_not_push: { status: 400, sentence: 'This camera has an address; only cameras that push have a key.' },
  camera_push_untested: {
    status: 400,
    sentence: 'The service does not connect to this camera: it pushes. Its state shows whether frames arrive.',
  },
  camera_key_shown_once: {
    status: 409,
    sentence: 'The key was shown in the first response to this request. Create a new one.',
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
