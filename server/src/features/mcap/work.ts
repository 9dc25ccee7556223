import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import {
  type Film,
  type FilmPart,
  type Loss,
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
import { camerasOf } from './life.ts';
import { problems } from './problems.ts';
import { misfitOf } from './roles.ts';
import * as store from './store.ts';
import { named, withoutNul } from './texts.ts';
import { type FilmFacts, type FilmRow, type Ingest, type Lost, type Survey, secondsOf } from './types.ts';

export type WorkDeps = {
  database: Database;
  storage: Storage;
  media: Pick<Media, 'probe'>;
  recordings: Recordings;
  videos: Pick<Videos, 'create' | 'amend' | 'markReady' | 'giveUp' | 'find'>;
  /** How many channels are made videos of at once. */
  atOnce: number;
};

/** So many stretches that were lost are told of: a damaged disk loses any number. */
const MOST_LOST = 1_000;

/** The channel of the video that stands for measurements alone; a topic begins with a slash or a letter. */
const TIMELINE = '(telemetry)';

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
    { cameras, telemetry }: { cameras: number; telemetry: RecordingTelemetry | null },
    signal: AbortSignal,
  ): Promise<Lost[]> {
    await using folder = await storage.scratch();
    try {
      const how = { place, channelId, folder: folder.path, partS: ingest.partS, cameras };
      const film = withoutNul(await recordings.film(how, { signal, orgId: ingest.orgId }));
      await keepFilm(ingest, channel, film, telemetry, signal);
      return film.losses.map(({ fromNs, untilNs, reason }) => ({
        channel,
        from_s: fromNs === null ? null : secondsOf(fromNs),
        until_s: untilNs === null ? null : secondsOf(untilNs),
        reason,
      }));
    } catch (error) {
      if (signal.aborted || !(error instanceof Problem) || error.status >= 500) throw error;
      const problem = { code: error.code, message: withoutNul(error.message) };
      const none: FilmRow = { channel, part: 0, videoId: null, status: 'processing', problem, film: null };
      const known = (await store.films(db, ingest.id)).filter((row) => row.channel === channel);
      // What an earlier attempt has made stays; what it began ends with this one.
      for (const row of known.length > 0 ? known : [none]) {
        if (row.status !== 'processing') continue;
        if (row.videoId) await videos.giveUp(row.videoId, problem);
        await store.putFilm(db, ingest.id, { ...row, status: 'failed', problem });
      }
      return [];
    }
  }

  /** The parts of a channel's film become videos. */
  async function keepFilm(
    ingest: Ingest,
    channel: string,
    film: Film,
    telemetry: RecordingTelemetry | null,
    signal: AbortSignal,
  ): Promise<void> {
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
  }

  /** Where no camera became a video, what was measured is kept with a video of its own, so that it can be searched. */
  async function makeTimeline(ingest: Ingest, telemetry: RecordingTelemetry, signal: AbortSignal): Promise<void> {
    const { timeS, originNs } = telemetry;
    const at = (seconds: number) => originNs + BigInt(Math.round(seconds * 1e9));
    await using folder = await storage.scratch();
    const range = { startNs: at(timeS[0]!), endNs: at(timeS.at(-1)!) };
    const how = { folder: folder.path, partS: ingest.partS, ...range };
    const film = await recordings.timeline(how, { signal, orgId: ingest.orgId });
    await keepFilm(ingest, TIMELINE, film, telemetry, signal);
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
    let row: FilmRow = { channel, part: part.part, videoId: null, status: 'processing', problem: null, film: facts };
    try {
      if (part.frames < 2) throw problems.mcap_one_picture();
      row = await begin(ingest, row, name, (await stat(part.path)).size);
      if (row.status !== 'processing') return;
      const videoId = row.videoId!;
      const video = await videos.find(videoId);
      if (video?.status !== 'PREPARE_IN_PROGRESS') throw problems.mcap_video_deleted();
      const stored = await storage.write(video.storageKey, createReadStream(part.path), { signal });
      const beside = telemetry && { telemetry, blank: channel === TIMELINE };
      const sidecar = beside && (await keepSidecar(videoId, beside, part.startNs, signal));
      const probed = await examine({ storage, media }, video.storageKey, stored, signal);
      const ready = await database.transaction(async (trx) => {
        if (sidecar) await videos.amend(trx, videoId, { metadata: { ...video.metadata, sidecar } });
        const ready = await videos.markReady(trx, videoId, probed);
        if (ready) await store.putFilm(trx, ingest.id, { ...row, status: 'completed' });
        return ready;
      });
      if (!ready) throw problems.mcap_video_deleted();
    } catch (error) {
      if (signal.aborted || !(error instanceof Problem) || error.status >= 500) throw error;
      const { code, message } = error;
      if (row.videoId) await videos.giveUp(row.videoId, error);
      await store.putFilm(db, ingest.id, { ...row, status: 'failed', problem: { code, message } });
    }
  }

  /** The film's row with its video, whose record is made where an earlier attempt did not come that far. */
  function begin(ingest: Ingest, film: FilmRow, name: string, reserveBytes: number): Promise<FilmRow> {
    return database.transaction(async (trx) => {
      // Of two attempts at once, as after a worker was frozen for a while, one makes it.
      await store.lock(trx, ingest.id);
      const rows = await store.films(trx, ingest.id);
      const known = rows.find(({ channel, part }) => channel === film.channel && part === film.part);
      if (known?.videoId) return known;
      const { orgId, ownerId, scope, folderId, sourceUri } = ingest;
      const metadata = { recording: { mcap_ingest_id: ingest.id, channel: film.channel, ...film.film } };
      const begun = { ...film, videoId: newId() };
      await videos.create(trx, {
        ...{ id: begun.videoId, orgId, ownerId, scope, folderId, name: name.slice(0, 255), source: 'mcap', sourceUri },
        ...{ metadata, heartbeat: false, reserveBytes },
      });
      await store.putFilm(trx, ingest.id, begun);
      return begun;
    });
  }

  async function keepSidecar(
    videoId: string,
    { telemetry, blank }: { telemetry: RecordingTelemetry; blank: boolean },
    startNs: bigint,
    signal: AbortSignal,
  ) {
    const bytes = Buffer.from(toSidecar(telemetry, startNs, { blank }));
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

  /** Keeps what it holds. Roles that were said before anybody knew, and do not fit, are set aside. */
  async function surveyed(ingestId: string, survey: Survey): Promise<void> {
    await database.transaction(async (trx) => {
      const { roles } = (await store.lock(trx, ingestId))!;
      await store.setSurvey(trx, ingestId, survey);
      const misfit = misfitOf(camerasOf({ survey })!, roles);
      if (misfit) await store.setRolesAside(trx, ingestId, misfit);
    });
  }

  return {
    /** One attempt at a recording that is here. Throws `mcap_no_pictures` (400), what is wrong with the file, or what may pass. */
    async make(ingest: Ingest, signal: AbortSignal): Promise<void> {
      const place = await placeOf(ingest.storageKey!);
      const survey = withoutNul(await recordings.survey(place, { signal, orgId: ingest.orgId }));
      const channels = named(survey.channels);
      const cameras = channels.filter(({ isVideo, messages }) => isVideo && messages !== 0);
      const telemetry = withoutNul(await recordings.telemetry(place, { signal, orgId: ingest.orgId }));
      const lost: Lost[] = survey.losses.slice(0, MOST_LOST).map(({ reason, fromNs, untilNs }) => ({
        channel: null,
        from_s: fromNs === null ? null : secondsOf(fromNs),
        until_s: untilNs === null ? null : secondsOf(untilNs),
        reason,
      }));
      const kept = {
        start_s: survey.startNs === null ? null : secondsOf(survey.startNs),
        end_s: survey.endNs === null ? null : secondsOf(survey.endNs),
        indexed: survey.indexed,
        channels: channels.map(({ name, topic, schema, messages, isVideo }) => ({
          ...{ name, topic, schema, messages, pictures: isVideo },
        })),
        telemetry: telemetry?.sources ?? {},
        notes: telemetry?.notes ?? [],
      };
      await surveyed(ingest.id, { ...kept, lost });
      if (cameras.length === 0 && !telemetry) throw nothingToKeep(survey.losses[0]);

      const shared = { cameras: cameras.length, telemetry };
      const queue = [...cameras];
      const broken = new AbortController();
      const either = AbortSignal.any([signal, broken.signal]);
      const lane = async () => {
        for (let camera = queue.shift(); camera; camera = queue.shift()) {
          const found = await makeChannel(ingest, place, camera, shared, either);
          // What was lost of the file as a whole is told once.
          if (survey.losses.length === 0) lost.push(...found.slice(0, MOST_LOST - lost.length));
        }
      };
      // The next attempt must not meet what is left of this one.
      const lanes = Array.from({ length: atOnce }, () => lane().catch((error) => broken.abort(error)));
      await Promise.all(lanes);
      broken.signal.throwIfAborted();
      const films = (await store.films(db, ingest.id)).filter(({ channel }) => channel !== TIMELINE);
      const hasVideo = films.some(({ status }) => status === 'completed' || status === 'deleted');
      if (telemetry && !hasVideo) await makeTimeline(ingest, telemetry, signal);
      await store.setSurvey(db, ingest.id, { ...kept, lost });
    },
  };
}

const nothingToKeep = (lost: Loss | undefined) =>
  problems.mcap_no_pictures(
    lost && `The recording holds no picture and no measurement that could be read: ${lost.reason}.`,
  );
