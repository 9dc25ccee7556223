import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import {
  type FilmPart,
  type Place,
  type Recordings,
  type RecordingTelemetry,
  type SurveyedChannel,
  toSidecar,
} from '#engine/recording/index';
import { examine } from '#features/uploads/index';
import { sidecarKey, type Videos } from '#features/videos/index';
import type { Database } from '#platform/db/index';
import { newId } from '#platform/ids';
import type { Media } from '#platform/media/index';
import { Problem } from '#platform/problem';
import type { Storage } from '#platform/storage/index';
import { problems } from './problems.ts';
import * as store from './store.ts';
import { type FilmFacts, type Ingest, type Lost, secondsOf } from './types.ts';

export type WorkDeps = {
  database: Database;
  storage: Storage;
  media: Pick<Media, 'probe'>;
  recordings: Recordings;
  videos: Pick<Videos, 'create' | 'amend' | 'markReady' | 'giveUp' | 'find'>;
  /** How many channels are made videos of at once. */
  atOnce: number;
};

/** A URL of the recording, for a process that reads it, holds this long. */
const URL_S = 24 * 3600;

/**
 * Makes videos of a recording's channels: each on its own, so that one that fails fails alone. Once more after a crash it goes on with those that are not
 * there yet.
 */
export function createWork({ database, storage, media, recordings, videos, atOnce }: WorkDeps) {
  const { db } = database;

  /** What the processes read: the file itself where there is one, else a URL that answers ranges. */
  async function placeOf(storageKey: string): Promise<Place> {
    const url = await storage.presignedUrl(storageKey, { expiresIn: URL_S });
    if (url) return { url };
    await using file = await storage.local(storageKey);
    return { path: file.path };
  }

  /** One channel: its videos, or why it has none. Returns what of it was lost. */
  async function makeChannel(
    ingest: Ingest,
    place: Place,
    { id: channelId, name: channel }: SurveyedChannel,
    telemetry: RecordingTelemetry | null,
    signal: AbortSignal,
  ): Promise<Lost[]> {
    await using folder = await storage.scratch();
    try {
      const film = await recordings.film({ place, channelId, folder: folder.path, partS: ingest.partS }, { signal });
      for (const part of film.parts) {
        const facts: FilmFacts = {
          frame_count: part.frames,
          start_s: secondsOf(part.startNs),
          end_s: secondsOf(part.endNs),
          copied: part.video === 'copied',
          drift_ppm: film.driftPpm,
          gaps: part.gaps.map(({ startNs, endNs }) => ({ start_s: secondsOf(startNs), end_s: secondsOf(endNs) })),
          notes: film.notes,
        };
        const of = film.parts.length > 1 ? ` (${film.parts.indexOf(part) + 1} of ${film.parts.length})` : '';
        await keep(ingest, channel, part, facts, `${ingest.filename} ${channel}${of}`, telemetry, signal);
      }
      return film.losses.map(({ fromNs, untilNs, reason }) => ({
        channel,
        from_s: fromNs === null ? null : secondsOf(fromNs),
        until_s: untilNs === null ? null : secondsOf(untilNs),
        reason,
      }));
    } catch (error) {
      if (signal.aborted || !(error instanceof Problem) || error.status >= 500) throw error;
      const { code, message } = error;
      const row = {
        channel,
        part: 0,
        videoId: null,
        status: 'failed' as const,
        problem: { code, message },
        film: null,
      };
      await store.putFilm(db, ingest.id, row);
      return [];
    }
  }

  /** A film becomes a video of the library, as an upload does. */
  async function keep(
    ingest: Ingest,
    channel: string,
    part: FilmPart,
    facts: FilmFacts,
    name: string,
    telemetry: RecordingTelemetry | null,
    signal: AbortSignal,
  ): Promise<void> {
    const known = (await store.films(db, ingest.id)).find((row) => row.channel === channel && row.part === part.part);
    if (known?.status === 'completed') return;
    const row = { channel, part: part.part, videoId: known?.videoId ?? newId(), problem: null, film: facts };
    const { orgId, ownerId, scope, folderId, sourceUri } = ingest;
    if (!known?.videoId) {
      await database.transaction(async (trx) => {
        const owner = { orgId, ownerId, scope, folderId };
        const metadata = { recording: { mcap_ingest_id: ingest.id, channel, ...facts } };
        await videos.create(trx, {
          ...{ id: row.videoId, ...owner, name: name.slice(0, 255), source: 'mcap', sourceUri, metadata },
          ...{ heartbeat: false, reserveBytes: (await stat(part.path)).size },
        });
        await store.putFilm(trx, ingest.id, { ...row, status: 'processing' });
      });
    }
    const video = await videos.find(row.videoId);
    try {
      if (video?.status !== 'PREPARE_IN_PROGRESS') throw problems.mcap_video_deleted();
      const stored = await storage.write(video.storageKey, createReadStream(part.path), { signal });
      const sidecar = telemetry && (await keepSidecar(row.videoId, telemetry, part.startNs, signal));
      const probed = await examine({ storage, media }, video.storageKey, stored, signal);
      const ready = await database.transaction(async (trx) => {
        if (sidecar) await videos.amend(trx, row.videoId, { metadata: { ...video.metadata, sidecar } });
        const ready = await videos.markReady(trx, row.videoId, probed);
        if (ready) await store.putFilm(trx, ingest.id, { ...row, status: 'completed' });
        return ready;
      });
      if (!ready) throw problems.mcap_video_deleted();
    } catch (error) {
      if (signal.aborted || !(error instanceof Problem) || error.status >= 500) throw error;
      const { code, message } = error;
      await videos.giveUp(row.videoId, error);
      await store.putFilm(db, ingest.id, { ...row, status: 'failed', problem: { code, message } });
    }
  }

  async function keepSidecar(videoId: string, telemetry: RecordingTelemetry, startNs: bigint, signal: AbortSignal) {
    const bytes = Buffer.from(toSidecar(telemetry, startNs));
    await storage.write(sidecarKey(videoId), bytes, { signal, contentType: 'application/json' });
    const { timeS, columns, notes, originNs } = telemetry;
    const shiftS = secondsOf(originNs - startNs);
    return {
      filename: 'telemetry.json',
      size_bytes: bytes.length,
      sha256: createHash('sha256').update(bytes).digest('hex'),
      telemetry: {
        samples: timeS.length,
        start_s: timeS[0]! + shiftS,
        end_s: timeS.at(-1)! + shiftS,
        measures: Object.keys(columns),
        notes,
      },
    };
  }

  return {
    /** One attempt at a recording that is here. Throws `mcap_no_pictures` (400), what is wrong with the file, or what may pass. */
    async make(ingest: Ingest, signal: AbortSignal): Promise<void> {
      const place = await placeOf(ingest.storageKey!);
      const survey = await recordings.survey(place, signal);
      const cameras = survey.channels.filter(({ isVideo, messages }) => isVideo && messages !== 0);
      const telemetry = await recordings.telemetry(place, { signal });
      const lost: Lost[] = survey.losses.map(({ reason, fromNs, untilNs }) => ({
        channel: null,
        from_s: fromNs === null ? null : secondsOf(fromNs),
        until_s: untilNs === null ? null : secondsOf(untilNs),
        reason,
      }));
      const kept = {
        start_s: survey.startNs === null ? null : secondsOf(survey.startNs),
        end_s: survey.endNs === null ? null : secondsOf(survey.endNs),
        indexed: survey.indexed,
        channels: survey.channels.map(({ name, topic, schema, messages, isVideo }) => ({
          ...{ name, topic, schema, messages, pictures: isVideo },
        })),
        telemetry: telemetry?.sources ?? {},
        notes: telemetry?.notes ?? [],
      };
      await store.setSurvey(db, ingest.id, { ...kept, lost });
      if (cameras.length === 0) throw problems.mcap_no_pictures();

      const queue = [...cameras];
      const worker = async () => {
        for (let camera = queue.shift(); camera; camera = queue.shift()) {
          const found = await makeChannel(ingest, place, camera, telemetry, signal);
          // What was lost of the file as a whole is told once.
          if (survey.losses.length === 0) lost.push(...found);
        }
      };
      await Promise.all(Array.from({ length: atOnce }, worker));
      await store.setSurvey(db, ingest.id, { ...kept, lost });
    },
  };
}
