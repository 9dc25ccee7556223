import { defineProblems } from '#platform/problem';

export const IMPORT_PROBLEMS = {
  import_not_found: { status: 404, sentence: 'There is no import job with this id.' },
  import_forbidden: { status: 403, sentence: 'This import job belongs to someone else.' },
  import_invalid: { status: 400, sentence: 'The request does not say what to import.' },
  import_nothing_found: {
    status: 400,
    sentence: 'Nothing in the bucket fits: see what there is with POST /api/import-jobs/preview.',
  },
  import_cursor_invalid: {
    status: 400,
    sentence: 'The query parameter `cursor` is not one that a page of this job gave.',
  },
  import_not_running: { status: 409, sentence: 'The import is not running, so there is nothing to cancel.' },
  import_running: { status: 409, sentence: 'The import is still running: wait for it or cancel it first.' },
  import_nothing_failed: { status: 409, sentence: 'No row of this import failed, so there is nothing to try again.' },
  import_cancelled: { status: 400, sentence: 'The import was cancelled before this object arrived.' },
  import_deleted: { status: 400, sentence: 'The video was deleted before its object arrived.' },
  import_integration_gone: {
    status: 400,
    sentence: 'The integration of this import was deleted: save it again, and begin a new import.',
  },
  import_bucket_changed: {
    status: 400,
    sentence:
      'The integration of this import leads to another bucket now: begin a new import, or change it back and try this one again.',
  },
  import_failed: {
    status: 500,
    sentence: 'The object could not be imported because of a fault on our side: try it again.',
  },
  sync_owner_left: {
    status: 403,
    sentence: 'Whoever made this scheduled import is not a member any more: delete it, and make one of your own.',
  },
  sync_not_found: { status: 404, sentence: 'There is no scheduled import with this id.' },
} as const;

export const problems = defineProblems(IMPORT_PROBLEMS);
