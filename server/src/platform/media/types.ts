import type { Log } from '../log.ts';
import type { CaptureRequest, Probe, TrimRequest } from './engine/index.ts';
import type { CaptureOptions } from './live/index.ts';
import type {
  MediaTask,
  MediaTaskOptions,
  PoolLoad,
  SandboxReport,
  SandboxSettings,
  TaskPriority,
} from './process/index.ts';
import type { RtmpListener, RtmpListenerOptions } from './rtmp/index.ts';
import type { Caption } from './subtitles/index.ts';
import type { ContactSheetLayout, FrameRectangle, LabeledBox, SegmentPlan, TrimmedFile } from './tasks/index.ts';

/**
 * Video operations, each run in a media process. A crash of the process fails the call with `media_crashed` (400). One
 * that the system kills is retried; the call fails with `media_killed` (503) if that happens again and again.
 */
export interface Media {
  /**
   * Detects the container of a local file from its bytes, reads its headers and decodes its first frames. Throws a
   * Problem (400): `media_unreadable`, `media_no_video`, `media_still_image`, `media_playlist`, `media_dimensions`,
   * `media_too_long`, `media_empty`, `media_damaged` or `media_unsupported`. `maxSeconds` defaults to the service's
   * limit.
   */
  probe(path: string, options?: { signal?: AbortSignal; maxSeconds?: number }): Promise<Probe>;
  /** The frame shown at `timeS` (the last one at or before it) as JPEG, with labeled boxes drawn on it. */
  frameImage(path: string, options: FrameImageOptions): Promise<Buffer>;
  /** One JPEG with the frames at several times, scaled to tiles in rows. */
  contactSheet(path: string, options: ContactSheetLayout & MediaRequester): Promise<Buffer>;
  /**
   * Joins JPEG pictures of one size to an MP4 (H.264) with one frame for each of them, `stepS` seconds apart. Throws
   * `media_damaged` if one cannot be decoded.
   */
  pictureClip(pictures: readonly Uint8Array[], options: { stepS: number } & MediaRequester): Promise<Buffer>;
  /** The captions of the first track of subtitles that are text, by start; none without such a track. */
  captions(path: string, options?: { signal?: AbortSignal }): Promise<Caption[]>;
  /** Writes a range of a video to a temporary file, deleted on disposal. */
  trim(path: string, options: TrimOptions): Promise<TrimmedFile>;
  /**
   * Records a live stream in a process of its own and passes each segment to `onSegment`. Resolves when the stream has
   * ended or was stopped. Throws `media_source_failed`, `media_source_denied`, `media_source_broken`, `media_no_video`,
   * `media_crashed` (400), `media_killed` (503), and errors of the source's bytes and of `onSegment`.
   */
  capture(request: CaptureRequest, options: CaptureOptions): Promise<void>;
  /**
   * Listens for encoders that publish by RTMP, and for those who play that. Rejects with the error of the socket if the
   * address cannot be used.
   */
  receiveRtmp(options: RtmpListenerOptions): Promise<RtmpListener>;
  /** Computes segment boundaries for streaming, without decoding the video. */
  planSegments(path: string, options?: { signal?: AbortSignal }): Promise<SegmentPlan>;
  /**
   * Runs an exported function of a module in a pooled media process (one per core). `args` and the result must be
   * structured-cloneable. Aborting kills the process.
   */
  run<Result>(task: MediaTask, options?: MediaTaskOptions): Promise<Result>;
  /** Processes and waiting tasks of each pool on this node. */
  load(): PoolLoad[];
  /** Containment of media processes on this system. */
  readonly sandbox: SandboxReport;
  close(): Promise<void>;
}

/** The organization and the priority of an image or a rendition. Without a priority, somebody waits for it. */
export type MediaRequester = { signal?: AbortSignal; orgId?: string; priority?: TaskPriority };

/** `copy`: copies the packets if there are keyframes at both ends of the range, and encodes otherwise. */
export type TrimOptions = Omit<TrimRequest, 'video'> & { video: TrimRequest['video'] | 'copy' } & MediaRequester;

export type FrameImageOptions = MediaRequester & {
  timeS: number;
  /**
   * Maximum distance in seconds between the frame and `timeS`, for frames that are known to exist. A larger one means
   * that the video is damaged in between, and throws `media_damaged`. Unlimited when absent.
   */
  withinS?: number;
  /** Longest side in pixels. Smaller frames are not enlarged. */
  maxSide?: number;
  boxes?: readonly LabeledBox[];
  /** The part of the frame to draw, in fractions of its width and height; all of it by default. */
  crop?: FrameRectangle;
};

export type MediaSettings = {
  /** Number of videos decoded in parallel. */
  processes: number;
  /** Longest video accepted, in seconds. */
  maxSeconds: number;
  /** Folder for temporary files, which must exist while this is open. Defaults to the system's. */
  tempDir?: string;
  /** Files and folders that every process may read, such as those of models. */
  readable?: readonly string[];
  /** Folders of the service: under root, their files become readable for the group of media processes when needed. */
  ownFolders?: readonly string[];
  /** Limits, and levels of the sandbox that are not to be used. */
  sandbox?: Omit<SandboxSettings, 'readable'>;
  /** Time without tasks after which a process ends; two minutes when absent. */
  idleMs?: number;
  log: Log;
};
