import { type Static, Type } from 'typebox';
import { type Domain, Maybe, PatternString, resource, signature, Timestamp } from '#platform/http/index';

export const VideoParams = Type.Object({ video_id: Type.String({ description: 'Identifier of the video.' }) });
export const FileParams = Type.Object({
  video_id: Type.String({ description: 'Identifier of the video, or of a chunk of it.' }),
});

const MethodName = Type.Union([Type.Literal('GET'), Type.Literal('HEAD')], {
  description: 'Method that the URL is valid for. A URL for `GET` also allows `HEAD`.',
});

const MIN_EXPIRY_S = 60;
const MAX_EXPIRY_S = 3600;
export const DEFAULT_EXPIRY_S = 900;

export const MAX_CLIP_S = 300;
const MAX_REQUESTS = 50;

/** Kinds of files behind signed URLs. A token is valid for one of them. */
const PlaybackKind = Type.Union(
  [
    Type.Literal('film'),
    Type.Literal('poster'),
    Type.Literal('frame'),
    Type.Literal('storyboard'),
    Type.Literal('captions'),
    Type.Literal('captions_srt'),
    Type.Literal('clip'),
    Type.Literal('hls'),
  ],
  {
    default: 'film',
    description:
      'Kind of file: `film` (the uploaded video file), `poster` (JPEG), `frame` (JPEG; append `&t=` and a time in seconds to the URL), `storyboard` (WebVTT that refers to one JPEG of thumbnails), `captions` (WebVTT of the subtitles, or of the transcript), `captions_srt` (the same as SubRip), `clip` (MP4 from `start` to `end`) or `hls` (HLS stream that plays in every browser, whatever the codec of the video).',
  },
);
export type PlaybackKind = Static<typeof PlaybackKind>;

const REQUEST_FIELDS = {
  kind: Maybe(PlaybackKind),
  start: Maybe(
    Type.Number({
      minimum: 0,
      description: 'Start of a clip in seconds from the first frame. Frame-accurate.',
    }),
  ),
  end: Maybe(
    Type.Number({
      minimum: 0,
      description: `End of a clip in seconds, at most ${MAX_CLIP_S} after its start. Values past the end of the video mean its end.`,
    }),
  ),
  expires_in: Maybe(
    Type.Integer({
      minimum: MIN_EXPIRY_S,
      maximum: MAX_EXPIRY_S,
      default: DEFAULT_EXPIRY_S,
      description: 'Validity of the URL in seconds.',
    }),
  ),
  method: Maybe(MethodName),
};

export const SignedUrlRequest = resource(
  'SignedUrlRequest',
  Type.Object(REQUEST_FIELDS, {
    description: 'A request for a signed URL. All fields are optional, and so is the body.',
    examples: [{ expires_in: 900, method: 'GET' }],
  }),
);
export type SignedUrlRequest = Domain<typeof SignedUrlRequest>;

const SIGNED = {
  url: Type.String({ description: 'URL that works without a key. Supports `Range` and `HEAD`.' }),
  expires_at: Timestamp({ description: 'Expiry time, ISO 8601, UTC.' }),
  method: MethodName,
};
const EXAMPLE = {
  url: 'http://localhost:8099/api/media/0198f0a0c0de7000800000000000abcd?token=t1x2y3.signature',
  expires_at: '2026-11-21T10:15:00.000Z',
  method: 'GET',
} as const;

export const SignedUrl = resource(
  'SignedUrl',
  Type.Object(SIGNED, { description: 'A URL that gives access without a key until it expires.', examples: [EXAMPLE] }),
);
export type SignedUrl = Domain<typeof SignedUrl>;

export const SignedUrlsRequest = resource(
  'SignedUrlsRequest',
  Type.Object(
    {
      requests: Type.Array(
        Type.Object({
          request_id: Type.String({
            minLength: 1,
            maxLength: 200,
            description: 'Your identifier for this request. Its result is returned under it.',
          }),
          video_id: Type.String({ description: 'Identifier of the video.' }),
          ...REQUEST_FIELDS,
        }),
        { minItems: 1, maxItems: MAX_REQUESTS, description: `The requests, 1 to ${MAX_REQUESTS}.` },
      ),
    },
    {
      description: 'Several requests for signed URLs.',
      examples: [{ requests: [{ request_id: 'a', video_id: '0198f0a0c0de7000800000000000abcd', kind: 'poster' }] }],
    },
  ),
);
export type SignedUrlsRequest = Domain<typeof SignedUrlsRequest>;

export const SignedUrlResult = Type.Union(
  [
    Type.Object({ ok: Type.Literal(true), ...SIGNED }),
    Type.Object({
      ok: Type.Literal(false),
      error: Type.String({ description: 'Error code, listed in the error reference.' }),
      message: Type.String({ description: 'Error message.' }),
      status: Type.Integer({ description: 'HTTP status that this request would have on its own.' }),
    }),
  ],
  { description: 'The signed URL, or the error.' },
);
export type SignedUrlResult = Domain<typeof SignedUrlResult>;

export const SignedUrls = resource(
  'SignedUrls',
  Type.Object(
    { results: Type.Record(Type.String(), SignedUrlResult, { description: 'One result per `request_id`.' }) },
    { description: 'The results of several requests.', examples: [{ results: { a: { ok: true, ...EXAMPLE } } }] },
  ),
);

export const MediaQuery = Type.Object(signature);

export const FrameQuery = Type.Object({
  ...MediaQuery.properties,
  t: Type.Optional(
    Type.Number({
      minimum: 0,
      default: 0,
      description: 'Time of the frame in seconds from the first one. The frame shown at this time is returned.',
    }),
  ),
});

export const ClipQuery = Type.Object({
  ...MediaQuery.properties,
  start: Type.Number({ minimum: 0, description: 'Start of the clip in seconds, part of the signed URL.' }),
  end: Type.Number({ minimum: 0, description: 'End of the clip in seconds, part of the signed URL.' }),
});

export const SegmentParams = Type.Object({
  ...VideoParams.properties,
  segment: PatternString('^(init\\.mp4|\\d{1,6}\\.m4s)$', '`init.mp4` or the name of a segment, such as `0.m4s`', {
    description: 'File name from the playlist.',
  }),
});

/** Example responses. */
export const STORYBOARD_EXAMPLE = `WEBVTT

00:00:00.000 --> 00:00:01.000
storyboard.jpg?token=t1x2y3.signature#xywh=0,0,192,108

00:00:01.000 --> 00:00:02.000
storyboard.jpg?token=t1x2y3.signature#xywh=192,0,192,108
`;
const SRT_EXAMPLE = `1
00:00:01,000 --> 00:00:03,500
Turn left at the gate.
`;
const CAPTIONS_EXAMPLE = `WEBVTT

00:00:01.000 --> 00:00:03.500
Turn left at the gate.
`;
/** Captions by format: operation, name, media type and example. */
export const CAPTION_FILES = [
  ['vtt', 'getCaptions', 'WebVTT', 'text/vtt', CAPTIONS_EXAMPLE],
  ['srt', 'getCaptionsSrt', 'SubRip', 'application/x-subrip', SRT_EXAMPLE],
] as const;
export const PLAYLIST_EXAMPLE = `#EXTM3U
#EXT-X-VERSION:7
#EXT-X-TARGETDURATION:6
#EXT-X-PLAYLIST-TYPE:VOD
#EXT-X-INDEPENDENT-SEGMENTS
#EXT-X-MAP:URI="init.mp4?token=t1x2y3.signature"
#EXTINF:6.000000,
0.m4s?token=t1x2y3.signature
#EXTINF:4.500000,
1.m4s?token=t1x2y3.signature
#EXT-X-ENDLIST
`;
