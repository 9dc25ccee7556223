import { Type } from 'typebox';
import { Name, PatternString, Timestamp } from '#platform/http/index';
import { RECORDING_MODES } from '../types.ts';

/** Content types of request bodies: existing clients send forms. */
export const FORMS = ['application/x-www-form-urlencoded', 'application/json'];
/** Maximum length of the query of a session in characters. */
export const QUERY_LENGTH = 10_000;

export const SESSION_ID = '019a0b1c2d3e7f008000000000000070';
export const VIDEO_ID = '019a0b1c2d3e7f008000000000000071';

export const NewStreamId = PatternString(
  '^[A-Za-z0-9][A-Za-z0-9._:-]*$',
  'of letters, digits, dots, colons, hyphens and underscores, a letter or digit first',
  { minLength: 1, maxLength: 128 },
);
export const StreamId = Type.String({ minLength: 1, maxLength: 128, description: 'Identifier of the stream.' });
export const SessionId = Type.String({ minLength: 1, maxLength: 64, description: 'Identifier of the session.' });
export const SessionName = Name({ maxLength: 255, description: 'Name, for display.' });
export const SourceUrl = Type.String({
  minLength: 1,
  maxLength: 4_096,
  description:
    'URL of the stream: HLS, MJPEG or a growing file by `http` or `https`, or `rtsp`, `rtsps`, `rtmp`, `rtmps`, `srt`. It may contain a user name and a password, which are stored encrypted and never returned.',
});
/** A number, or its text in a form. */
export const RetentionDays = Type.Union(
  [Type.Integer({ minimum: 1, maximum: 36_500 }), PatternString('^([1-9][0-9]{0,4})?$', 'a whole number of days')],
  {
    description:
      'Number of days after its end when a recording of the stream is deleted: those of its owner and those shared with the organization. Default: never. Only the owner of the stream, who used it first, or an admin can change it.',
  },
);
export const Seconds = (description: string) => Type.Number({ minimum: 0, description });
export const At = (description: string) => Timestamp({ description });

/** Longest time before and after an event that can be retained, in seconds. */
const MAX_ROLL_S = 600;

export const Recording = Type.Union(
  RECORDING_MODES.map((mode) => Type.Literal(mode)),
  {
    description:
      '`continuous`: all is recorded; `events`: all is received and analyzed, and only ranges around events stay.',
  },
);
const BEFORE = 'Seconds that are retained before an event, where `recording` is `events`.';
const AFTER = 'Seconds that are retained after an event, where `recording` is `events`.';
const Roll = (description: string) => Type.Number({ minimum: 0, maximum: MAX_ROLL_S, description });
export const PreRoll = Roll(BEFORE);
export const PostRoll = Roll(AFTER);

/** The same, or their text in a form. */
const FormRoll = (description: string) =>
  Type.Union(
    [
      Type.Number({ minimum: 0, maximum: MAX_ROLL_S }),
      PatternString('^([0-9]{1,2}|[1-5][0-9]{2}|600)?$', 'a number of seconds up to 600'),
    ],
    { description },
  );
export const FormPreRoll = FormRoll(BEFORE);
export const FormPostRoll = FormRoll(AFTER);

/** Where a request does not state them, in seconds. */
export const DEFAULT_PRE_ROLL_S = 5;
export const DEFAULT_POST_ROLL_S = 10;

export const SessionParams = Type.Object({ session_id: SessionId });
export const StreamSessionParams = Type.Object({ stream_id: StreamId, session_id: SessionId });
