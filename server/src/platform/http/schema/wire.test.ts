import { Type } from 'typebox';
import { expect, expectTypeOf, test } from 'vitest';
import { Maybe, Nullable, Timestamp } from './fields.ts';
import { resource } from './resource.ts';
import { type Domain, fromWire, toWire } from './wire.ts';

const Track = resource('Track', Type.Object({ track_id: Type.String(), started_at: Timestamp() }));
const Clip = resource(
  'Clip',
  Type.Object({
    video_id: Type.String(),
    duration_s: Nullable(Type.Number()),
    ended_at: Nullable(Timestamp()),
    best_track: Nullable(Track),
    all_tracks: Type.Array(Track),
    source: Type.Union([
      Type.Object({ kind: Type.Literal('file'), file_name: Type.String() }),
      Type.Object({ kind: Type.Literal('stream'), stream_url: Type.String() }),
    ]),
    metadata: Type.Record(Type.String(), Type.Unknown()),
    raw_config: Type.Object({}, { additionalProperties: true }),
    folder_id: Maybe(Type.String()),
  }),
);

const at = new Date('2026-11-21T09:30:00.000Z');
const clip: Domain<typeof Clip> = {
  videoId: 'v',
  durationS: 1.5,
  endedAt: null,
  bestTrack: { trackId: 't', startedAt: at },
  allTracks: [{ trackId: 't', startedAt: at }],
  source: { kind: 'stream', streamUrl: 'rtsp://x' },
  metadata: { frame_rate: 25, nested: { a_b: at } },
  rawConfig: { any_key: 1 },
};
const wire = {
  video_id: 'v',
  duration_s: 1.5,
  ended_at: null,
  best_track: { track_id: 't', started_at: at.toISOString() },
  all_tracks: [{ track_id: 't', started_at: at.toISOString() }],
  source: { kind: 'stream' as const, stream_url: 'rtsp://x' },
  metadata: { frame_rate: 25, nested: { a_b: at } },
  raw_config: { any_key: 1 },
};

test('a domain object becomes the resource that its schema declares, and back', () => {
  expect(toWire(Clip, clip)).toEqual(wire);
  expect(fromWire(Clip, wire)).toEqual(clip);
});

test('undeclared fields and undefined values are left out', () => {
  const more = { ...clip, folderId: undefined, storageKey: 'secret', bestTrack: null };
  expect(toWire(Clip, more)).toEqual({ ...wire, best_track: null });
});

test('lists that nobody changes are accepted', () => {
  const tracks: readonly { trackId: string; startedAt: Date }[] = clip.allTracks;
  expect(toWire(Clip, { ...clip, allTracks: tracks })).toEqual(wire);
});

test('the compiler refuses an object that lacks a field or has a wrong type', () => {
  expectTypeOf<Domain<typeof Track>>().toEqualTypeOf<{ trackId: string; startedAt: Date }>();
  // @ts-expect-error: `startedAt` is missing.
  toWire(Track, { trackId: 't' });
  // @ts-expect-error: a time is a date.
  toWire(Track, { trackId: 't', startedAt: at.toISOString() });
  // @ts-expect-error: an identifier is a text.
  toWire(Track, { trackId: 7, startedAt: at });
});
