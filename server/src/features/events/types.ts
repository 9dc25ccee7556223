import type { Transaction } from '#platform/db/index';

export interface Events {
  /** Registers a handler, which runs inside the publisher's transaction. Only `compose.ts` calls this. */
  subscribe<T extends keyof DomainEvents>(
    topic: T,
    handler: (trx: Transaction, event: DomainEvents[T]) => Promise<void>,
  ): void;
  publish<T extends keyof DomainEvents>(trx: Transaction, topic: T, event: DomainEvents[T]): Promise<void>;

  openStream(trx: Transaction, stream: { id: string; orgId: string; ownerId: string }): Promise<void>;
  /**
   * Appends one event; its id is the previous one plus one. `event: kind` and `type: kind` are added to `data`. `done`
   * and `error` close the stream: readers end, and later events are ignored. Locks the row of the stream until the
   * transaction ends, so call it last.
   */
  append(trx: Transaction, streamId: string, kind: StreamEventKind, data: Record<string, unknown>): Promise<void>;
  /** Appends several events in one statement; only the last may close the stream. */
  appendAll(trx: Transaction, streamId: string, events: readonly NewEvent[]): Promise<void>;
  /**
   * The events after `afterId`, first stored ones, then new ones, until the stream closes or `signal` aborts. Each
   * event is delivered exactly once.
   */
  follow(streamId: string, afterId: number, signal: AbortSignal): AsyncIterable<AppendedEvent>;
  /** Removes all but the last event of streams that closed before `before`. Returns the number of removed events. */
  purge(before: Date): Promise<number>;
  /** Owner and state of a stream; null if it does not exist. */
  stream(streamId: string): Promise<{ id: string; orgId: string; ownerId: string; closed: boolean } | null>;
}

/** Domain events by topic: published by one room in the transaction of a change, and handled by others in it. */
export type DomainEvents = {
  /** The folder is deleted at the end of this transaction, after its videos were moved out or deleted. */
  'folder.deleted': { folderId: string; orgId: string; videos: 'move_to_root' | 'delete' };
  /** The folder of sample videos was created in this transaction. */
  'samples.wanted': { folderId: string; orgId: string; userId: string };
  /** All videos belong to one organization. */
  'videos.ready': { orgId: string; videos: readonly { videoId: string; sizeBytes: number }[] };
  'video.failed': { videoId: string; orgId: string };
  /** The metadata file of the video was added or replaced. */
  'video.sidecar': { videoId: string; orgId: string };
  /** The subtitle file of the video was added or replaced, or removed. */
  'video.subtitles': { videoId: string; orgId: string; removed: boolean };
  /** The video was moved into another folder, or out of its folder; its scope may have changed. */
  'video.moved': { videoId: string; orgId: string };
  /** The tags of the video changed. */
  'video.tagged': { videoId: string; orgId: string };
  /** The video is hidden from everyone; it can be restored until it is erased. */
  'video.deleted': { videoId: string; orgId: string };
  'video.restored': { videoId: string; orgId: string };
  /** The video and its files were removed for good. */
  'video.erased': { videoId: string; orgId: string };
  /** The integration is deleted at the end of this transaction; a handler that needs it may still throw. */
  'integration.deleted': { integrationId: string; orgId: string };
  /** The integration now points to another bucket or server. */
  'integration.moved': { integrationId: string; orgId: string };
  /**
   * Videos were linked as views of the same scene. The first is the primary view, and offsets count from its first
   * frame. A role matches `VIEW_ROLE` and belongs to one view.
   */
  'views.linked': {
    orgId: string;
    primaryVideoId: string;
    views: { role: string; label: string | null; videoId: string; offsetS: number }[];
  };
  /** An import has no objects left to transfer; a canceled one does not end. Counts are objects of the import. */
  'import.ended': {
    importId: string;
    orgId: string;
    folderId: string | null;
    status: 'completed' | 'partial' | 'failed';
    total: number;
    uploaded: number;
    skipped: number;
    failed: number;
    /** Error code and sentence of a listing that broke off; null otherwise. */
    code: string | null;
    message: string | null;
  };
  /** A segment of a live session was stored. */
  'live.recorded': { sessionId: string; orgId: string; sequence: number };
  /** Events of a live session began or ended. */
  'live.reported': {
    sessionId: string;
    orgId: string;
    folderId: string | null;
    /** The events in their wire form; `ongoing` is true for those that have not ended. */
    events: Record<string, unknown>[];
    /** Ids of those that are reported for the first time. */
    startedIds: readonly string[];
  };
  /** The events of a live session became those of the analyses of its recordings. */
  'live.answered': {
    sessionId: string;
    /** Events of the session by their id, with their analysis and their position in its document. */
    events: readonly { eventId: string; analysisId: string; position: number }[];
  };
  /** A live session and its analysis are over. A failed session has no recording. */
  'live.ended': {
    sessionId: string;
    orgId: string;
    folderId: string | null;
    videoId: string;
    status: 'FINISHED' | 'FAILED';
    /** Error code and sentence of an early end; null otherwise. */
    code: string | null;
    message: string | null;
  };
  /** Events of a saved question are announced. They belong to one analysis. */
  'alert.raised': {
    orgId: string;
    savedQuestionId: string;
    name: string;
    query: string;
    /** Events by their analysis and position; `otherEvents` is the number of further events that each stands for. */
    alerts: readonly { analysisId: string; position: number; otherEvents: number }[];
    /** Webhooks that receive them; null: all that want alerts. */
    webhookIds: readonly string[] | null;
    /** Events of a camera while it is recorded, in place of those of an analysis. */
    live?: {
      cameraId: string;
      cameraName: string;
      sessionId: string;
      /** The video that its recording becomes. */
      videoId: string;
      folderId: string | null;
      /** The events in their wire form. */
      alerts: readonly { event: Record<string, unknown>; otherEvents: number }[];
    };
  };
  /** A camera that is on began to send nothing, or a black or frozen picture; or it recovered. */
  'camera.fault': {
    orgId: string;
    folderId: string | null;
    cameraId: string;
    name: string;
    /** Its newest session. */
    sessionId: string | null;
    faultId: string;
    kind: 'offline' | 'black' | 'frozen';
    message: string | null;
    startedAt: Date;
    /** Null: it lasts. */
    endedAt: Date | null;
  };
  /** The daily digest of a saved question. */
  'digest.created': {
    orgId: string;
    savedQuestionId: string;
    name: string;
    folderId: string | null;
    /** Local date that it is about, `YYYY-MM-DD`, and its time zone. */
    day: string;
    timeZone: string;
    /** At most five sentences. */
    lines: readonly string[];
    eventCount: number;
    videoCount: number;
    /** Clips of the events as one file; null without events, or if they could not be rendered. */
    recapUrl: string | null;
    /** Webhooks that receive it; null: all that want digests. */
    webhookIds: readonly string[] | null;
  };
  /** The usage of an organization has risen to this share of a limit. */
  'quota.reached': { orgId: string; limit: 'videos' | 'bytes'; percent: number; used: number; maximum: number };
  'analysis.progressed': {
    analysisId: string;
    batchId: string | null;
    videoId: string;
    stage: string;
    /** 0 to 100, never falls. */
    progress: number;
    /** Estimated seconds until the analysis ends; null if unknown. */
    etaS: number | null;
    /** Description of the stage for users; null if its name is sufficient. */
    message: string | null;
  };
  /** A running analysis was answered over the part of its video that was seen so far. */
  'analysis.preliminary': {
    analysisId: string;
    batchId: string | null;
    videoId: string;
    /** The seen part and the length of the video, in seconds. */
    seen: { untilS: number | null; durationS: number | null };
    /** New events and changed ones in their wire form. */
    reported: readonly Record<string, unknown>[];
    /** Ids of those that are not found any more. */
    withdrawn: readonly string[];
  };
  /** Published once per analysis. */
  'analysis.ended': {
    orgId: string;
    analysisId: string;
    batchId: string | null;
    videoId: string;
    status: 'COMPLETED' | 'FAILED';
    /** Error code and sentence of a failure; null otherwise. */
    code: string | null;
    message: string | null;
    /** The events of the analysis document in their wire form. */
    events: Record<string, unknown>[];
    /** Number of possible events below the requested confidence. */
    candidateCount: number;
    /** The preliminary events that the answer has, and the ids of those that it has not. */
    preliminary: {
      confirmed: readonly { preliminaryId: string; eventId: string }[];
      withdrawn: readonly string[];
    };
  };
  /** Reviewers changed events, or added some. The rows of the events show the change. */
  'events.reviewed': {
    orgId: string;
    userId: string;
    kind: 'changed' | 'added' | 'undone';
    /** Events by their analysis and their position in its document. */
    events: readonly { analysisId: string; position: number }[];
  };
  /** All analyses of a batch have ended. Counts are analyses; failed ones are also completed. */
  'batch.ended': {
    batchId: string;
    orgId: string;
    query: string;
    status: 'completed' | 'failed' | 'cancelled';
    total: number;
    completed: number;
    failed: number;
  };
  /** The analysis, which has ended, was deleted. */
  'analysis.deleted': { analysisId: string; batchId: string | null; videoId: string; status: 'COMPLETED' | 'FAILED' };
};

export type StreamEventKind =
  | 'batch_created'
  | 'progress'
  | 'finding'
  | 'finding_ended'
  | 'preliminary'
  | 'preliminary_confirmed'
  | 'preliminary_withdrawn'
  | 'preliminary_coverage'
  | 'video_completed'
  | 'done'
  | 'error';

export type NewEvent = { kind: StreamEventKind; data: Record<string, unknown> };

/** `data` is JSON text, ready to send. */
export type AppendedEvent = { id: number; kind: string; data: string };

/** Form of the role of a view. */
export const VIEW_ROLE = /^[a-z0-9_]{1,64}$/;
