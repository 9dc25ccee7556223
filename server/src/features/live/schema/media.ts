import { Type } from 'typebox';
import { resource, signature } from '#platform/http/index';
import { At, Seconds, SessionId } from './fields.ts';

/** Limits and default of the lifetime of a signed manifest URL, in seconds. */
export const EXPIRY_S = { min: 60, max: 3_600, default: 900 };

const Preview = (description: string) => Type.Optional(Type.Boolean({ description }));

export const SignQuery = Type.Object({
  expires_in: Type.Optional(
    Type.Integer({
      minimum: EXPIRY_S.min,
      maximum: EXPIRY_S.max,
      description: `Lifetime of the URL in seconds, ${EXPIRY_S.min} to ${EXPIRY_S.max}; default: ${EXPIRY_S.default}.`,
    }),
  ),
  start_s: Type.Optional(
    Seconds(
      'Where playback starts, in seconds from the first frame of the session: the playlist then lists the chunk there and up to an hour after it. Default: the last five minutes of a running session, or the whole recording.',
    ),
  ),
  preview: Preview(
    'True: the playlist of a running session lists only the last chunks and no parts, which costs less where many sessions play at once; frames are some seconds later.',
  ),
});

export const SignedManifest = resource(
  'SignedManifest',
  Type.Object(
    {
      url: Type.String({ description: 'Short-lived signed URL of the HLS manifest; needs no key.' }),
      expires_at: At('Expiry of the URL. Playback that has already started continues.'),
      method: Type.Literal('GET', { description: 'Always `GET`.' }),
    },
    {
      description: 'A signed URL for the HLS manifest of a live session.',
      examples: [
        {
          url: 'https://video.example/api/live/media/019a0b1c2d3e7f008000000000000070/index.m3u8?token=sx1k2a.Zm9v',
          expires_at: '2026-11-21T09:45:00.000Z',
          method: 'GET' as const,
        },
      ],
    },
  ),
);

export const MediaQuery = Type.Object(signature);
export const PlaylistQuery = Type.Object({
  ...signature,
  start_s: Type.Optional(Seconds('Start of the listed part in seconds from the first frame, as given in the URL.')),
  preview: Preview('True: a short playlist without parts, as given in the URL.'),
});
const Index = (description: string) => Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000_000, description }));
/** Players add the parameters of blocking requests themselves (RFC 8216bis, 6.2.5.2). */
export const MediaPlaylistQuery = Type.Object({
  ...PlaylistQuery.properties,
  _HLS_msn: Index('Waits for the segment with this number, for some seconds.'),
  _HLS_part: Index('Waits for this part of that segment.'),
});
export const PartParams = Type.Object({
  session_id: SessionId,
  part: Type.String({
    maxLength: 40,
    description: '`init-<number>.mp4`, `<number>.m4s` or `<number>.<part>.m4s`, as given in the playlist.',
  }),
});
export const EvidenceParams = Type.Object({
  session_id: SessionId,
  picture: Type.String({ maxLength: 80, description: '`<event>-<number>.jpg`, as given in the URL in the event.' }),
});

export const MANIFEST = `#EXTM3U
#EXT-X-VERSION:7
#EXT-X-STREAM-INF:BANDWIDTH=2097152,CODECS="avc1.64001f",RESOLUTION=1280x720
stream.m3u8?token=sy0a1b.YmFy
`;
export const PLAYLIST = `#EXTM3U
#EXT-X-VERSION:7
#EXT-X-TARGETDURATION:2
#EXT-X-MEDIA-SEQUENCE:0
#EXT-X-DISCONTINUITY-SEQUENCE:0
#EXT-X-MAP:URI="init-0.mp4?token=sy0a1b.YmFy"
#EXT-X-PROGRAM-DATE-TIME:2026-11-21T09:30:01.250Z
#EXTINF:2.000000,0.000
0.m4s?token=sy0a1b.YmFy
`;
