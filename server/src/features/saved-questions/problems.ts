import { defineProblems, type ProblemTable } from '#platform/problem';

export const SAVED_QUESTION_PROBLEMS = {
  saved_question_not_found: { status: 404, sentence: 'There is no saved question with this id.' },
  saved_question_forbidden: { status: 403, sentence: 'This saved question belongs to someone else.' },
  saved_question_refused: { status: 400, sentence: 'No part of this prompt can be searched for.' },
  saved_question_limit: {
    status: 409,
    sentence: 'Your organization has the maximum number of saved questions. Delete one first.',
  },
  saved_question_owner_left: {
    status: 409,
    sentence: 'The owner of this saved question has left the organization. Save it again.',
  },
  saved_question_nothing_to_run: {
    status: 409,
    sentence: 'This saved question has already run, or is running, on all of its videos.',
  },
  saved_question_reading_changed: {
    status: 409,
    sentence: 'This is not the reading that is proposed now. Get the saved question again, and decide about that one.',
  },
  saved_question_reading_unusable: {
    status: 409,
    sentence:
      'This version cannot run the stored reading of this question. Accept the reading of this version, or change the words.',
  },
  saved_question_busy: {
    status: 409,
    sentence: 'Other runs of this saved question started at the same moment. Try again.',
  },
  saved_questions_too_long: {
    status: 400,
    sentence: 'The questions of a camera have at most 10,000 characters together. Choose fewer.',
  },
  digest_invalid: {
    status: 400,
    sentence: 'The time zone of the digest is unknown. Use an IANA name, such as `Europe/Berlin`.',
  },
  quiet_hours_invalid: {
    status: 400,
    sentence: 'The field `quiet_hours` needs two different times and the IANA name of a time zone.',
  },
  saved_question_run_failed: {
    status: 500,
    sentence: 'The saved question could not be run because of an internal error. Run it again.',
  },
} as const satisfies ProblemTable;

export const problems = defineProblems(SAVED_QUESTION_PROBLEMS);
