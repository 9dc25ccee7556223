import { type Static, Type } from 'typebox';
import { Maybe } from '#platform/http/index';

export const VideoParams = Type.Object({ video_id: Type.String({ description: 'Identifier of the video.' }) });

export const MethodName = Type.Union([Type.Literal('GET'), Type.Literal('HEAD')], {
  description: 'Method that the URL is good for; a URL for `GET` also answers `HEAD`.',
});

export const MIN_EXPIRY_S = 60;
export const MAX_EXPIRY_S = 3600;
export const DEFAULT_EXPIRY_S = 900;

export const SignedUrlRequest = Type.Object(
  {
    expires_in: Maybe(
      Type.Integer({
        minimum: MIN_EXPIRY_S,
        maximum: MAX_EXPIRY_S,
        default: DEFAULT_EXPIRY_S,
        description: 'How long the URL plays, in seconds.',
      }),
    ),
    method: Maybe(MethodName),
    path: Maybe(Type.String({ description: 'Accepted for existing clients; the URL is always that of the film.' })),
    share_token: Maybe(Type.String({ description: 'Accepted for existing clients and not used.' })),
    allow_sample: Maybe(Type.Boolean({ description: 'Accepted for existing clients and not used.' })),
    batch_id: Maybe(Type.String({ description: 'Accepted for existing clients and not used.' })),
  },
  { description: 'All fields are optional; no body at all is fine.', examples: [{ expires_in: 900, method: 'GET' }] },
);
export type SignedUrlRequest = Static<typeof SignedUrlRequest>;

export const SignedUrlAnswer = Type.Object(
  {
    url: Type.String({ description: 'Plays the video without a key: `Range` and `HEAD` work on it.' }),
    expires_at: Type.String({ format: 'date-time', description: 'When it stops playing, ISO 8601 UTC.' }),
    method: MethodName,
  },
  {
    description: 'A URL that plays the video for a while.',
    examples: [
      {
        url: 'http://localhost:8099/api/media/0198f0a0c0de7000800000000000abcd?token=t1x2y3.signature',
        expires_at: '2026-11-21T10:15:00.000Z',
        method: 'GET',
      },
    ],
  },
);

export const MediaQuery = Type.Object({
  token: Type.String({ maxLength: 200, description: 'The signature, as it stands in the signed URL.' }),
});
