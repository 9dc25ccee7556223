import { defineProblems } from '#platform/problem';

export const LIVE_PROBLEMS = {
  live_session_not_found: { status: 404, sentence: 'There is no live session with this id.' },
  live_forbidden: { status: 403, sentence: 'This live session belongs to another user.' },
  live_stream_forbidden: {
    status: 403,
    sentence:
      'This stream belongs to another user: only its owner or an admin can change the retention of its recordings.',
  },
  live_scope_conflict: { status: 400, sentence: 'The scope of the folder differs from the requested scope.' },
  live_source_invalid: {
    status: 400,
    sentence: 'This source is not supported: send an http, https, rtsp, rtsps, rtmp, rtmps or srt URL.',
  },
  live_source_denied: { status: 400, sentence: 'The source did not accept the user name and the password.' },
  live_source_refused: { status: 400, sentence: 'The source refused to send its stream.' },
  live_push_absent: { status: 400, sentence: 'No encoder publishes to this camera.' },
  live_too_many: {
    status: 429,
    sentence: 'The organization has reached its limit of active livestreams: end one, or wait until one ends.',
  },
  live_session_over: { status: 409, sentence: 'The session has ended: query its recording instead.' },
  live_query_too_long: { status: 400, sentence: 'The query is too long together with the current one.' },
  live_picture_unknown: { status: 404, sentence: 'No event of this session has this image.' },
  live_url_expired: { status: 403, sentence: 'This URL has expired: request a new one.' },
  live_url_invalid: { status: 403, sentence: 'The signature of this URL is invalid: request a new one.' },
  live_gone: { status: 404, sentence: 'The recording of this session was deleted.' },
  live_segment_unknown: { status: 404, sentence: 'The playlist of this session does not contain this segment.' },
  live_test_busy: {
    status: 429,
    sentence: 'Too many connection tests run at the moment: wait some seconds, and test again.',
  },
  live_test_timeout: { status: 504, sentence: 'The source sent no complete part of its video in time.' },
  live_source_lost: { status: 400, sentence: 'The source sent no data for too long, so the session was ended.' },
  live_source_missing: { status: 400, sentence: 'The source sent no video frames, so nothing was recorded.' },
  live_too_long: { status: 400, sentence: 'The session reached its maximum duration and was ended.' },
  live_recording_without_query: {
    status: 400,
    sentence: 'Nothing states which events to record: add a query, or record the stream continuously.',
  },
  live_analysis_behind: {
    status: 503,
    sentence: 'The recording is complete once its query is answered. Nothing more is discarded until then.',
  },
  live_interrupted: {
    status: 500,
    sentence: 'This service was interrupted and could not record the stream; the source may have continued to send it.',
  },
  live_database_full: {
    status: 507,
    sentence: 'The disk of the database is full, so the stream cannot be recorded: free some space.',
  },
  live_failed: { status: 500, sentence: 'The session failed because of an internal error: start a new one.' },
} as const;

export const problems = defineProblems(LIVE_PROBLEMS);
