import type { Transaction } from '#platform/db/index';

/**
 * What happened. Two things: *news*, told to other rooms inside the transaction that made it (rooms call down; news goes up), and
 * *streams*, append-only logs that clients follow over SSE and resume after any event on any node.
 */
export { createEvents } from './service.ts';

export interface Events {
  /** Registers a room's interest; the handler runs inside the publisher's transaction. Only `compose.ts` calls this. */
  subscribe<T extends keyof News>(topic: T, handler: (trx: Transaction, news: News[T]) => Promise<void>): void;
  publish<T extends keyof News>(trx: Transaction, topic: T, news: News[T]): Promise<void>;

  openStream(trx: Transaction, stream: { id: string; orgId: string; ownerId: string }): Promise<void>;
  /**
   * Appends one event: its id is the stream's last plus one. `data` gets `event: kind` added, so that readers of either kind find it. After `done` or `error` the
   * stream is closed: readers end, and it takes nothing more. Appending holds the stream's row until the transaction ends: do it last.
   */
  append(trx: Transaction, streamId: string, kind: StreamEventKind, data: Record<string, unknown>): Promise<void>;
  /** The same for several events, in one statement; only the last may close the stream. */
  appendAll(trx: Transaction, streamId: string, events: readonly NewEvent[]): Promise<void>;
  /**
   * The stream's events after `afterId`, those stored first, then as they come, until the stream closes or `signal` aborts.
   * Nothing is missed and nothing comes twice.
   */
  follow(streamId: string, afterId: number, signal: AbortSignal): AsyncIterable<StreamEvent>;
  /**
   * Leaves of the streams that closed before `before` the last event alone: who comes that late is told how it ended. Returns how many
   * events went.
   */
  purge(before: Date): Promise<number>;
  /** Who owns the stream; null when there is none. */
  stream(streamId: string): Promise<{ id: string; orgId: string; ownerId: string; closed: boolean } | null>;
}

/** How the roles of views are spelt. */
export const VIEW_ROLE = /^[a-z0-9_]{1,64}$/;

/** News that rooms tell each other. */
export type News = {
  /** The folder goes at the end of this transaction; its videos leave it before that. */
  'folder.deleted': { folderId: string; orgId: string; videos: 'move_to_root' | 'delete' };
  /** The folder of samples was made at the beginning of this transaction. */
  'samples.wanted': { folderId: string; orgId: string; userId: string };
  /** Of one organisation. */
  'videos.ready': { orgId: string; videos: readonly { videoId: string; sizeBytes: number }[] };
  'video.failed': { videoId: string; orgId: string };
  /** What was recorded beside it is another file now. */
  'video.sidecar': { videoId: string; orgId: string };
  /** It is gone for everyone, and may be restored until it is erased. */
  'video.deleted': { videoId: string; orgId: string };
  'video.restored': { videoId: string; orgId: string };
  /** Nothing of it is left. */
  'video.erased': { videoId: string; orgId: string };
  /** The integration goes at the end of this transaction; who needs it still throws. */
  'integration.deleted': { integrationId: string; orgId: string };
  /** It leads to another bucket, or to another server, from now on. */
  'integration.moved': { integrationId: string; orgId: string };
  /**
   * Videos show one happening from several sides; the first is the primary, and offsets count from its first frame. Each role is spelt as `VIEW_ROLE`,
   * and of one view alone.
   */
  'views.linked': {
    orgId: string;
    primaryVideoId: string;
    views: { role: string; label: string | null; videoId: string; offsetS: number }[];
  };
  /** A segment of a live session is there. */
  'live.recorded': { sessionId: string; orgId: string; sequence: number };
  'analysis.progressed': {
    analysisId: string;
    batchId: string | null;
    videoId: string;
    stage: string;
    /** 0 to 100, never falls. */
    progress: number;
    /** Seconds until the analysis ends, where that can be told. */
    etaS: number | null;
  };
  /** Told once per analysis. */
  'analysis.ended': {
    analysisId: string;
    batchId: string | null;
    videoId: string;
    status: 'COMPLETED' | 'FAILED';
    message: string | null;
    /** The document's events in their readable form. */
    events: Record<string, unknown>[];
  };
};

export type StreamEventKind =
  | 'batch_created'
  | 'progress'
  | 'finding'
  | 'finding_ended'
  | 'video_completed'
  | 'done'
  | 'error';

export type NewEvent = { kind: StreamEventKind; data: Record<string, unknown> };

/** `data` is JSON text, ready to send. */
export type StreamEvent = { id: number; kind: string; data: string };
