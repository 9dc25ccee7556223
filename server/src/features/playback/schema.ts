import { type Static, Type } from 'typebox';
import { Formed, Maybe } from '#platform/http/index';

export const VideoParams = Type.Object({ video_id: Type.String({ description: 'Identifier of the video.' }) });

const MethodName = Type.Union([Type.Literal('GET'), Type.Literal('HEAD')], {
  description: 'Method that the URL is good for; a URL for `GET` also answers `HEAD`.',
});

const MIN_EXPIRY_S = 60;
const MAX_EXPIRY_S = 3600;
export const DEFAULT_EXPIRY_S = 900;

export const MAX_CLIP_S = 300;
const MAX_REQUESTS = 50;

/** What a signed URL can lead to. A token is good for one of them. */
const Kind = Type.Union(
  [
    Type.Literal('film'),
    Type.Literal('poster'),
    Type.Literal('frame'),
    Type.Literal('storyboard'),
    Type.Literal('clip'),
    Type.Literal('hls'),
  ],
  {
    default: 'film',
    description:
      'What the URL leads to: the `film` as it was uploaded; its `poster` (JPEG); a single `frame` (JPEG; add `&t=` and a time in seconds to the URL); a `storyboard` (WebVTT that points into one JPEG of thumbnails); a `clip` from `start` to `end` (MP4); the film as an `hls` stream, which every browser plays whatever the film was made of.',
  },
);
export type Kind = Static<typeof Kind>;

const WISHES = {
  kind: Maybe(Kind),
  start: Maybe(
    Type.Number({
      minimum: 0,
      description: 'Of a clip: where it begins, in seconds from the first frame; exact to the frame.',
    }),
  ),
  end: Maybe(
    Type.Number({
      minimum: 0,
      description: `Of a clip: where it ends, in seconds; at most ${MAX_CLIP_S} after its start. Past the end of the video is its end.`,
    }),
  ),
  expires_in: Maybe(
    Type.Integer({
      minimum: MIN_EXPIRY_S,
      maximum: MAX_EXPIRY_S,
      default: DEFAULT_EXPIRY_S,
      description: 'How long the URL plays, in seconds.',
    }),
  ),
  method: Maybe(MethodName),
  path: Maybe(Type.String({ description: 'Accepted for existing clients and not used: `kind` says what is wanted.' })),
  share_token: Maybe(Type.String({ description: 'Accepted for existing clients and not used.' })),
  allow_sample: Maybe(Type.Boolean({ description: 'Accepted for existing clients and not used.' })),
  batch_id: Maybe(Type.String({ description: 'Accepted for existing clients and not used.' })),
};

export const SignedUrlRequest = Type.Object(WISHES, {
  description: 'All fields are optional; no body at all is fine.',
  examples: [{ expires_in: 900, method: 'GET' }],
});
export type SignedUrlRequest = Static<typeof SignedUrlRequest>;

const SIGNED = {
  url: Type.String({ description: 'Answers without a key: `Range` and `HEAD` work on it.' }),
  expires_at: Type.String({ format: 'date-time', description: 'When it stops playing, ISO 8601 UTC.' }),
  method: MethodName,
};
const EXAMPLE = {
  url: 'http://localhost:8099/api/media/0198f0a0c0de7000800000000000abcd?token=t1x2y3.signature',
  expires_at: '2026-11-21T10:15:00.000Z',
  method: 'GET',
} as const;

export const SignedUrlAnswer = Type.Object(SIGNED, {
  description: 'A URL that plays the video for a while.',
  examples: [EXAMPLE],
});
export type SignedUrlAnswer = Static<typeof SignedUrlAnswer>;

export const SignedUrlsRequest = Type.Object(
  {
    requests: Type.Array(
      Type.Object({
        request_id: Type.String({
          minLength: 1,
          maxLength: 200,
          description: 'Your own name for this request: its result is found under it.',
        }),
        video_id: Type.String({ description: 'Identifier of the video.' }),
        ...WISHES,
      }),
      { minItems: 1, maxItems: MAX_REQUESTS, description: `What to sign: 1 to ${MAX_REQUESTS} requests.` },
    ),
  },
  { examples: [{ requests: [{ request_id: 'a', video_id: '0198f0a0c0de7000800000000000abcd', kind: 'poster' }] }] },
);
export type SignedUrlsRequest = Static<typeof SignedUrlsRequest>;

const SignedUrlResult = Type.Union(
  [
    Type.Object({ ok: Type.Literal(true), ...SIGNED }),
    Type.Object({
      ok: Type.Literal(false),
      error: Type.String({ description: 'Stable code, listed in the error reference.' }),
      message: Type.String({ description: 'The same as a sentence.' }),
      status: Type.Integer({ description: 'The status that this request would have had on its own.' }),
    }),
  ],
  { description: 'The URL, or why there is none.' },
);
export type SignedUrlResult = Static<typeof SignedUrlResult>;

export const SignedUrlsAnswer = Type.Object(
  { results: Type.Record(Type.String(), SignedUrlResult, { description: 'One result per `request_id`.' }) },
  { description: 'The outcome of each request.', examples: [{ results: { a: { ok: true, ...EXAMPLE } } }] },
);

export const MediaQuery = Type.Object({
  token: Type.String({ maxLength: 200, description: 'The signature, as it stands in the signed URL.' }),
});

export const FrameQuery = Type.Object({
  ...MediaQuery.properties,
  t: Type.Optional(
    Type.Number({
      minimum: 0,
      default: 0,
      description: 'Which frame: the one on screen this many seconds after the first.',
    }),
  ),
});

export const ClipQuery = Type.Object({
  ...MediaQuery.properties,
  start: Type.Number({ minimum: 0, description: 'As it stands in the signed URL, which is good for this clip only.' }),
  end: Type.Number({ minimum: 0, description: 'As it stands in the signed URL.' }),
});

export const SegmentParams = Type.Object({
  ...VideoParams.properties,
  segment: Formed('^(init\\.mp4|\\d{1,6}\\.m4s)$', '`init.mp4` or the name of a segment, such as `0.m4s`', {
    description: 'As the playlist names it.',
  }),
});

/** What a storyboard and a playlist look like. */
export const STORYBOARD = `WEBVTT

00:00:00.000 --> 00:00:01.000
storyboard.jpg?token=t1x2y3.signature#xywh=0,0,192,108

00:00:01.000 --> 00:00:02.000
storyboard.jpg?token=t1x2y3.signature#xywh=192,0,192,108
`;
export const PLAYLIST = `#EXTM3U
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
