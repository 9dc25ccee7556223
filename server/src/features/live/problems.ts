import { defineProblems } from '#platform/problem';

export const LIVE_PROBLEMS = {
  live_session_not_found: { status: 404, sentence: 'There is no live session with this id.' },
  live_forbidden: { status: 403, sentence: 'This live session belongs to someone else.' },
  live_stream_forbidden: {
    status: 403,
    sentence: 'This stream is someone else’s: only its owner or an admin changes how long its recordings are kept.',
  },
  live_scope_conflict: { status: 400, sentence: 'The folder has another scope than the one that was asked for.' },
  live_source_invalid: {
    status: 400,
    sentence: 'This is not a source that can be followed: give an http, https, rtsp, rtsps, rtmp, rtmps or srt URL.',
  },
  live_source_refused: { status: 400, sentence: 'The source does not send its stream.' },
  live_too_many: {
    status: 429,
    sentence: 'The organisation follows as many livestreams as it may: end one, or wait for one to end.',
  },
  live_session_over: { status: 409, sentence: 'The session does not go on any more: ask its recording instead.' },
  live_query_too_long: { status: 400, sentence: 'The query is too long together with what is looked for already.' },
  live_picture_unknown: { status: 404, sentence: 'No event of this session has such a picture.' },
  live_url_expired: { status: 403, sentence: 'This URL has expired: ask for a new one.' },
  live_url_invalid: { status: 403, sentence: 'This URL is not one that was given out here, or it was altered.' },
  live_gone: { status: 404, sentence: 'The recording of this session was deleted.' },
  live_segment_unknown: { status: 404, sentence: 'The playlist of this session has no such segment.' },
  live_source_lost: { status: 400, sentence: 'The source sent nothing for too long, so the session was ended.' },
  live_source_missing: { status: 400, sentence: 'The source sent no pictures, so there is nothing to follow.' },
  live_too_long: { status: 400, sentence: 'The session reached the longest that it may last, so it was ended.' },
  live_interrupted: {
    status: 500,
    sentence: 'This service was interrupted and did not record the session; the source may have sent its stream.',
  },
  live_database_full: {
    status: 507,
    sentence: 'The disk of the database is full, so the stream cannot be recorded: free some space.',
  },
  live_failed: { status: 500, sentence: 'The session failed because of a fault on our side: start it again.' },
} as const;

export const problems = defineProblems(LIVE_PROBLEMS);
