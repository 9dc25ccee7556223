import type {
  ConvertedChannel,
  DataLoss,
  RecordingLocation,
  Recordings,
  RecordingTelemetry,
  SurveyedChannel,
} from '#engine/robot-logs/index';
import type { Media } from '#platform/media/index';
import { Problem } from '#platform/problem';
import { listCameras } from '../lifecycle.ts';
import { problems } from '../problems.ts';
import * as store from '../store.ts';
import {
  type ChannelVideo,
  type ChannelVideoFacts,
  type LostRange,
  type McapIngest,
  type Survey,
  toSeconds,
} from '../types.ts';
import { checkRoles } from '../views/index.ts';
import { createVideoAdder, type Measured, TIMELINE, type VideoAdderDeps } from './add-video.ts';
import { removeNul, withUniqueNames } from './channel-names.ts';
import { createEpisodeConverter } from './episodes.ts';

export type ConverterDeps = VideoAdderDeps & {
  recordings: Recordings;
  media: Pick<Media, 'probe' | 'trim'>;
  /** Number of channels that are converted concurrently. */
  atOnce: number;
};

/** Maximum number of reported lost ranges: a damaged recording may have any number. */
const MAX_LOST = 1_000;

/** Validity of the URL by which a media process reads the recording. */
const URL_S = 24 * 3600;

/**
 * Converts the channels of a recording to videos, each independently of the others. A repeated attempt skips existing
 * videos.
 */
export function createConverter(deps: ConverterDeps) {
  const { database, storage, recordings, videos, atOnce } = deps;
  const { db } = database;
  const addVideo = createVideoAdder(deps);
  const makeEpisodes = createEpisodeConverter({ ...deps, addVideo });

  /** Location of a recording for media processes: a URL with ranges, otherwise the local file. */
  async function locateRecording(storageKey: string): Promise<RecordingLocation> {
    const url = await storage.presignedUrl(storageKey, { expiresIn: URL_S });
    if (url) return { url };
    await using file = await storage.local(storageKey);
    return { path: file.path };
  }

  /** Converts a channel to videos, or stores why it has none. Returns the ranges that were lost. */
  async function convertChannel(
    ingest: McapIngest,
    place: RecordingLocation,
    { id: channelId, name: channel }: SurveyedChannel,
    { cameras, ...measured }: { cameras: number } & Measured,
    signal: AbortSignal,
  ): Promise<LostRange[]> {
    await using folder = await storage.scratch();
    try {
      const how = { place, channelId, folder: folder.path, chunkSizeS: ingest.chunkSizeS, cameras };
      const converted = removeNul(await recordings.convertChannel(how, { signal, orgId: ingest.orgId }));
      await addToLibrary(ingest, channel, converted, measured, signal);
      return converted.losses.map(({ fromNs, untilNs, reason }) => ({
        channel,
        from_s: fromNs === null ? null : toSeconds(fromNs),
        until_s: untilNs === null ? null : toSeconds(untilNs),
        reason,
      }));
    } catch (error) {
      if (signal.aborted || !(error instanceof Problem) || error.isFault) throw error;
      const problem = { code: error.code, message: removeNul(error.message) };
      const none: ChannelVideo = { channel, part: 0, videoId: null, status: 'processing', problem, facts: null };
      const existing = (await store.listVideos(db, ingest.id)).filter((row) => row.channel === channel);
      // Videos that an earlier attempt completed remain; unfinished ones fail.
      for (const row of existing.length > 0 ? existing : [none]) {
        if (row.status !== 'processing') continue;
        if (row.videoId) await videos.fail(row.videoId, problem);
        await store.upsertVideo(db, ingest.id, { ...row, status: 'failed', problem });
      }
      return [];
    }
  }

  /** Adds the parts of a converted channel to the library. */
  async function addToLibrary(
    ingest: McapIngest,
    channel: string,
    converted: ConvertedChannel,
    measured: Measured,
    signal: AbortSignal,
  ): Promise<void> {
    for (const part of converted.parts) {
      const facts: ChannelVideoFacts = {
        frame_count: part.frames,
        start_s: toSeconds(part.startNs),
        end_s: toSeconds(part.endNs),
        copied: part.video === 'copied',
        drift_ppm: converted.driftPpm,
        gaps: part.gaps.map(({ startNs, endNs }) => ({ start_s: toSeconds(startNs), end_s: toSeconds(endNs) })),
        notes: converted.notes,
      };
      const { parts } = converted;
      const suffix = parts.length > 1 ? ` (${parts.indexOf(part) + 1} of ${parts.length})` : '';
      await addVideo(ingest, channel, part, facts, `${ingest.filename} ${channel}${suffix}`, measured, signal);
    }
  }

  /** Creates a video without content for the telemetry if no camera became a video. */
  async function makeTimeline(
    ingest: McapIngest,
    { telemetry, trajectory, utcAheadNs }: Measured & { telemetry: RecordingTelemetry },
    signal: AbortSignal,
  ): Promise<void> {
    const { timeS, originNs } = telemetry;
    const at = (seconds: number) => originNs + BigInt(Math.round(seconds * 1e9));
    await using folder = await storage.scratch();
    const range = { startNs: at(timeS[0]!), endNs: at(timeS.at(-1)!) };
    const how = { folder: folder.path, chunkSizeS: ingest.chunkSizeS, ...range };
    const converted = await recordings.createTimeline(how, { signal, orgId: ingest.orgId });
    await addToLibrary(ingest, TIMELINE, converted, { telemetry, trajectory, utcAheadNs }, signal);
  }

  /** Stores the content of a recording, and rejects roles that do not fit its channels. */
  async function storeSurvey(ingestId: string, survey: Survey): Promise<void> {
    await database.transaction(async (trx) => {
      const { roles } = (await store.lock(trx, ingestId))!;
      await store.setSurvey(trx, ingestId, survey);
      const mismatch = checkRoles(listCameras({ survey })!, roles);
      if (mismatch) await store.rejectRoles(trx, ingestId, mismatch);
    });
  }

  return {
    /**
     * Converts a stored recording. Throws `mcap_no_pictures` (400), problems of the file, and temporary errors after
     * which the conversion can be repeated.
     */
    async make(ingest: McapIngest, signal: AbortSignal): Promise<void> {
      if (ingest.episodes) return makeEpisodes(ingest, ingest.episodes, signal);
      const place = await locateRecording(ingest.storageKey!);
      const survey = removeNul(await recordings.survey(place, { signal, orgId: ingest.orgId }));
      const channels = withUniqueNames(survey.channels);
      const cameras = channels.filter(({ isVideo, messages }) => isVideo && messages !== 0);
      const telemetry = removeNul(await recordings.readTelemetry(place, { signal, orgId: ingest.orgId }));
      const utcAheadNs = channels.some(({ statesTime }) => statesTime)
        ? await recordings.readSatelliteTime(place, { signal, orgId: ingest.orgId })
        : null;
      const trajectory = channels.some((channel) => channel.statesMachine)
        ? removeNul(await recordings.readTrajectory(place, { signal, orgId: ingest.orgId }))
        : null;
      const lost: LostRange[] = survey.losses.slice(0, MAX_LOST).map(({ reason, fromNs, untilNs }) => ({
        channel: null,
        from_s: fromNs === null ? null : toSeconds(fromNs),
        until_s: untilNs === null ? null : toSeconds(untilNs),
        reason,
      }));
      const content = {
        start_s: survey.startNs === null ? null : toSeconds(survey.startNs),
        end_s: survey.endNs === null ? null : toSeconds(survey.endNs),
        indexed: survey.indexed,
        channels: channels.map(({ name, topic, schema, messages, isVideo }) => ({
          name,
          topic,
          schema,
          messages,
          pictures: isVideo,
        })),
        telemetry: telemetry?.sources ?? {},
        notes: telemetry?.notes ?? [],
      };
      await storeSurvey(ingest.id, { ...content, lost });
      if (cameras.length === 0 && !telemetry) throw nothingReadable(survey.losses[0]);

      const shared = { cameras: cameras.length, telemetry, trajectory, utcAheadNs };
      const queue = [...cameras];
      const failed = new AbortController();
      const stop = AbortSignal.any([signal, failed.signal]);
      const runWorker = async () => {
        for (let camera = queue.shift(); camera; camera = queue.shift()) {
          const found = await convertChannel(ingest, place, camera, shared, stop);
          // Ranges that are lost for all channels are reported once.
          if (survey.losses.length === 0) lost.push(...found.slice(0, MAX_LOST - lost.length));
        }
      };
      // All workers end before the next attempt starts.
      const workers = Array.from({ length: atOnce }, () => runWorker().catch((error) => failed.abort(error)));
      await Promise.all(workers);
      failed.signal.throwIfAborted();
      const ofCameras = (await store.listVideos(db, ingest.id)).filter(({ channel }) => channel !== TIMELINE);
      const hasVideo = ofCameras.some(({ status }) => status === 'completed' || status === 'deleted');
      if (telemetry && !hasVideo) await makeTimeline(ingest, { telemetry, trajectory, utcAheadNs }, signal);
      await store.setSurvey(db, ingest.id, { ...content, lost });
    },
  };
}

const nothingReadable = (lost: DataLoss | undefined) =>
  problems.mcap_no_pictures(lost && `The recording has no readable images or measurements: ${lost.reason}.`);
