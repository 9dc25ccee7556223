import { defineProblems } from '#platform/problem';

export const REVIEW_PROBLEMS = {
  review_empty: {
    status: 400,
    sentence: 'The request changes nothing. Send `approval` or another field of the event.',
  },
  event_range_invalid: {
    status: 400,
    sentence: 'An event must start at 0 s or later, not before its end, and end within the video.',
  },
  sample_invalid: {
    status: 400,
    sentence:
      'A range must have a length of at most 120 s within the video, and an `event` needs the verdict `missed` and must start in the range.',
  },
  reviewer_not_found: { status: 404, sentence: 'There is no member with this id.' },
  reviewer_forbidden: { status: 403, sentence: 'This user belongs to another organization.' },
  nothing_to_undo: { status: 409, sentence: 'You have no change that can be undone.' },
  review_superseded: {
    status: 409,
    sentence: 'Somebody changed the event after you, so your change cannot be undone. Review the event again.',
  },
} as const;

export const problems = defineProblems(REVIEW_PROBLEMS);
