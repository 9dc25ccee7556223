import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import {
  type ConvertedVideo,
  type RecordedTrajectory,
  type RecordingTelemetry,
  toSidecar,
} from '#engine/robot-logs/index';
import { inspectFile } from '#features/uploads/index';
import { type RecordingTime, sidecarKey, toReading, type Videos } from '#features/videos/index';
import type { Database } from '#platform/db/index';
import { newId } from '#platform/ids';
import type { Media } from '#platform/media/index';
import { Problem } from '#platform/problem';
import type { Storage } from '#platform/storage/index';
import { problems } from '../problems.ts';
import * as store from '../store.ts';
import type { Trajectories } from '../trajectories/index.ts';
import { type ChannelVideo, type ChannelVideoFacts, type McapIngest, toSeconds } from '../types.ts';

export type VideoAdderDeps = {
  database: Database;
  storage: Storage;
  media: Pick<Media, 'probe'>;
  trajectories: Pick<Trajectories, 'store'>;
  videos: Pick<Videos, 'create' | 'updatePending' | 'markReady' | 'fail' | 'find'>;
};

/** Measurements of a recording, for all of its videos. */
export type Measured = {
  telemetry: RecordingTelemetry | null;
  trajectory: RecordedTrajectory | null;
  /** Nanoseconds by which the time of satellites is ahead of the clock of the recording; null without a receiver. */
  utcAheadNs: bigint | null;
};

/** Channel of a video that only has telemetry; no topic starts with a parenthesis. */
export const TIMELINE = '(telemetry)';

/** Logs that count from the start of the robot instead of 1970, or are damaged, do not say when they were made. */
const [EARLIEST, LATEST] = [Date.UTC(2000, 0), Date.UTC(2200, 0)];

/** When the first frame was recorded, by the log and by a receiver of satellites. */
function toRecording({ startNs }: ConvertedVideo, utcAheadNs: bigint | null): { recording?: RecordingTime } {
  const times = [['log', startNs] as const, ...(utcAheadNs === null ? [] : [['gps', startNs + utcAheadNs] as const])];
  const readings = times.flatMap(([source, ns]) => {
    const ms = Number(ns / 1_000_000n);
    return ms < EARLIEST || ms >= LATEST ? [] : [toReading(source, new Date(ms))];
  });
  return readings.length === 0 ? {} : { recording: { readings } };
}

/** Adds converted videos to the library. A repeated attempt skips existing ones. */
export function createVideoAdder({ database, storage, media, trajectories, videos }: VideoAdderDeps) {
  const { db } = database;

  /** Adds a converted video to the library, like an upload. */
  async function addVideo(
    ingest: McapIngest,
    channel: string,
    part: ConvertedVideo,
    facts: ChannelVideoFacts,
    name: string,
    { telemetry, trajectory, utcAheadNs }: Measured,
    signal: AbortSignal,
  ): Promise<void> {
    let row: ChannelVideo = {
      channel,
      part: part.part,
      videoId: null,
      status: 'processing',
      problem: null,
      facts,
    };
    try {
      if (part.frames < 2) throw problems.mcap_one_picture();
      row = await startVideo(ingest, row, name, (await stat(part.path)).size);
      if (row.status !== 'processing') return;
      const videoId = row.videoId!;
      const video = await videos.find(videoId);
      if (video?.status !== 'PREPARE_IN_PROGRESS') throw problems.mcap_video_deleted();
      const stored = await storage.write(video.storageKey, createReadStream(part.path), { signal });
      const measured = telemetry && { telemetry, blank: channel === TIMELINE };
      const sidecar = measured && (await storeSidecar(videoId, measured, part.startNs, signal));
      if (trajectory) await trajectories.store(videoId, trajectory, part, signal);
      const probed = await inspectFile({ storage, media }, video.storageKey, stored, signal);
      const ready = await database.transaction(async (trx) => {
        if (sidecar) await videos.updatePending(trx, videoId, { metadata: { ...video.metadata, sidecar } });
        const ready = await videos.markReady(trx, videoId, { ...probed, ...toRecording(part, utcAheadNs) });
        if (ready) await store.upsertVideo(trx, ingest.id, { ...row, status: 'completed' });
        return ready;
      });
      if (!ready) throw problems.mcap_video_deleted();
    } catch (error) {
      if (signal.aborted || !(error instanceof Problem) || error.isFault) throw error;
      const { code, message } = error;
      if (row.videoId) await videos.fail(row.videoId, error);
      await store.upsertVideo(db, ingest.id, { ...row, status: 'failed', problem: { code, message } });
    }
  }

  /** Returns the row of a channel's video, and creates it with its video unless an earlier attempt did. */
  function startVideo(
    ingest: McapIngest,
    video: ChannelVideo,
    name: string,
    reserveBytes: number,
  ): Promise<ChannelVideo> {
    return database.transaction(async (trx) => {
      // Two attempts can run concurrently, for example after a worker was frozen: only one creates the video.
      await store.lock(trx, ingest.id);
      const rows = await store.listVideos(trx, ingest.id);
      const existing = rows.find(({ channel, part }) => channel === video.channel && part === video.part);
      if (existing?.videoId) return existing;
      const { orgId, ownerId, scope, folderId, sourceUri } = ingest;
      const metadata = { recording: { mcap_ingest_id: ingest.id, channel: video.channel, ...video.facts } };
      const started = { ...video, videoId: newId() };
      await videos.create(trx, {
        id: started.videoId,
        orgId,
        ownerId,
        scope,
        folderId,
        name: name.slice(0, 255),
        source: 'mcap',
        sourceUri,
        metadata,
        heartbeat: false,
        reserveBytes,
      });
      await store.upsertVideo(trx, ingest.id, started);
      return started;
    });
  }

  async function storeSidecar(
    videoId: string,
    { telemetry, blank }: { telemetry: RecordingTelemetry; blank: boolean },
    startNs: bigint,
    signal: AbortSignal,
  ) {
    const bytes = Buffer.from(toSidecar(telemetry, startNs, { blank }));
    await storage.write(sidecarKey(videoId), bytes, { signal, contentType: 'application/json' });
    const { timeS, columns, notes, originNs, numbers } = telemetry;
    const shiftS = toSeconds(originNs - startNs);
    return {
      filename: 'telemetry.json',
      size_bytes: bytes.length,
      sha256: createHash('sha256').update(bytes).digest('hex'),
      telemetry: {
        samples: timeS.length,
        start_s: timeS[0]! + shiftS,
        end_s: timeS.at(-1)! + shiftS,
        measures: Object.keys(columns),
        channels: numbers.groups.reduce((sum, { fields }) => sum + fields.length, 0),
        // The frames are empty: there was no camera.
        ...(blank && { blank }),
        notes,
      },
    };
  }

  return addVideo;
}

export type AddVideo = ReturnType<typeof createVideoAdder>;
