import { defineProblems } from '#platform/problem';

export const IMPORT_PROBLEMS = {
  import_not_found: { status: 404, sentence: 'There is no import job with this id.' },
  import_forbidden: {
    status: 403,
    sentence: 'This import job belongs to another user. Ask them, or use an admin key.',
  },
  import_invalid: { status: 400, sentence: 'The request does not state what to import.' },
  import_nothing_found: {
    status: 400,
    sentence: 'No object in the bucket matches. See its objects with POST /api/import-jobs/preview.',
  },
  recording_format_unknown: {
    status: 400,
    sentence: 'This service does not import recordings in this format.',
  },
  import_cursor_invalid: {
    status: 400,
    sentence: 'The query parameter `cursor` is not a cursor of this job. Use the `next_cursor` of one of its pages.',
  },
  import_not_running: { status: 409, sentence: 'The import is not running, so it cannot be canceled.' },
  import_running: { status: 409, sentence: 'The import is still running. Wait until it ends, or cancel it first.' },
  import_row_not_failed: { status: 409, sentence: 'A named video is not a failed row of this import.' },
  import_nothing_failed: { status: 409, sentence: 'No row of this import failed, so there is nothing to retry.' },
  import_cancelled: {
    status: 400,
    sentence: 'The import was canceled before this object was transferred. Retry the import to transfer it.',
  },
  import_deleted: { status: 400, sentence: 'The video was deleted before its object was transferred.' },
  import_integration_gone: {
    status: 400,
    sentence: 'The integration of this import was deleted. Save it again and start a new import.',
  },
  import_bucket_changed: {
    status: 400,
    sentence:
      'The integration of this import now opens another bucket. Start a new import, or change the integration back and retry this one.',
  },
  import_failed: {
    status: 500,
    sentence: 'The object could not be imported because of an internal error. Retry the import.',
  },
  sync_owner_left: {
    status: 403,
    sentence:
      'The creator of this scheduled import is no longer a member of the organization. Delete it and create a new one.',
  },
  sync_not_found: { status: 404, sentence: 'There is no scheduled import with this id.' },
} as const;

export const problems = defineProblems(IMPORT_PROBLEMS);
