import type { ActionWorkflow, CaptionMode, Engine, Plan } from '#engine/index';
import type { BatchAnalysis } from '#features/analyses/index';
import type { AppendedEvent } from '#features/events/index';
import type { Transaction } from '#platform/db/index';
import type { Caller, IdPage, Person } from '#platform/http/index';
import type { BatchMetadata } from './metadata.ts';
import type { QueryPreview } from './query-schema.ts';
import type { QueryRequest, StartedBatch } from './schema.ts';
import type * as store from './store.ts';
import type { StreamEvents } from './stream-events.ts';
import type { BatchSummary } from './summary.ts';

export type QueryMode = 'fast' | 'thinking';

/** The user whose query it is, and the key of the request; null if the service or a session starts it. */
export type QueryCaller = Person & Pick<Caller, 'keyId'>;

/** A page of batches; their analyses are empty. */
export type BatchPage = { batches: BatchWithAnalyses[]; hasMore: boolean; nextCursor: string | null };
export type BatchWithAnalyses = store.Batch & {
  analyses: BatchAnalysis[];
  /** Events of its analyses, at most 10,000. */
  eventCount: number;
};

/** Options of a query besides its body. */
export type StartOptions = {
  mode: QueryMode;
  /** Further parameters of older clients, returned in the `config` of the batch. */
  config?: Record<string, unknown>;
  /** The client's own id for the batch; a repeat by the same user returns the existing batch. */
  clientId?: string | null;
  /** Captions of the whole videos for this kind of footage, instead of answers to the query. */
  /** Nobody waits for it in particular. */
  isBackground?: boolean;
  captionMode?: CaptionMode | null;
  /** The moment from which "yesterday" counts; null: now. */
  requestedAt?: Date | null;
  /** The actions of the whole videos, instead of answers to the query. Needs a vision-language model. */
  workflow?: ActionWorkflow | null;
  /** A stored reading of the query, which gets the zones of each video. */
  reading?: unknown;
  /** Checked plans by the ids of the videos, where they differ. */
  plans?: ReadonlyMap<string, Plan> | null;
  /** Called with the response in the transaction that creates the batch. */
  saveReference?: (started: StartedBatch, trx: Transaction) => Promise<void>;
};

/** Its handlers of domain events are subscribed by `compose.ts`. */
export interface Batches extends StreamEvents {
  /**
   * Creates a batch with one analysis per video, its event stream and its jobs in one transaction, in which videos of a
   * library are chosen. Throws the problems of the folders room for the folder of a library, `query_empty`,
   * `query_too_long`, `videos_missing`, `videos_ambiguous`, `too_many_videos`, `plan_invalid`, `output_schema_invalid`,
   * `vision_profile_unknown`, `detector_unknown` (400), `video_not_found` (404) or `video_forbidden` (403).
   */
  start(caller: QueryCaller, body: QueryRequest, options: StartOptions): Promise<StartedBatch>;
  /**
   * Dry run: how a query would be understood, who would search for each part, and what it would cost. Stores nothing.
   * Throws as `start` does, but accepts a query without videos; it may then name the zones of a folder that the caller
   * may read.
   */
  preview(caller: Caller, body: QueryRequest, mode: QueryMode, folderId?: string | null): Promise<QueryPreview>;
  /**
   * Reads a query into a plan that is stored with it, and is later the `reading` of its batches: zones that it names
   * need not be those of the folder. A language model is charged to the caller.
   */
  readToStore(caller: Pick<Caller, 'orgId' | 'keyId'>, query: string, folderId: string | null): Promise<Plan>;
  /**
   * The fields that a prompt requests; null with a reason if there are none. A model that finds them is charged to the
   * caller. Throws `query_empty` or `query_too_long` (400).
   */
  inferOutputSchema(caller: Caller, query: string, signal: AbortSignal): ReturnType<Engine['inferOutputSchema']>;
  /**
   * Returns the events of the stream after `afterId`, until it ends or the signal aborts. Throws `stream_not_found`
   * (404) or `stream_forbidden` (403).
   */
  follow(caller: Caller, streamId: string, afterId: number, signal: AbortSignal): Promise<AsyncIterable<AppendedEvent>>;
  /** Batches that the caller may read, newest first, without their analyses. Throws `cursor_invalid` (400). */
  list(caller: Caller, filter: store.BatchFilter & IdPage): Promise<BatchPage>;
  /**
   * Ends the running analyses of the batch as failed, and the batch as `cancelled`. Returns the batch; one that has
   * ended is returned as it is. Throws `batch_not_found` (404) or `batch_forbidden` (403).
   */
  cancel(caller: Caller, batchId: string): Promise<BatchWithAnalyses>;
  /**
   * Starts a new batch with the query of this one, on its videos whose analysis failed. Throws `nothing_to_retry`
   * (409), `batch_not_found` (404) or `batch_forbidden` (403).
   */
  retry(caller: Caller, batchId: string, options?: Pick<StartOptions, 'saveReference'>): Promise<StartedBatch>;
  /** Returns the batch, with its analyses if requested. Throws `batch_not_found` (404) or `batch_forbidden` (403). */
  get(caller: Caller, batchId: string, includeVideos: boolean): Promise<BatchWithAnalyses>;
  /**
   * Returns the batches in the order of `ids`. Throws `batch_not_found` (404) or `batch_forbidden` (403) for the first
   * invalid id.
   */
  getMany(caller: Caller, ids: readonly string[]): Promise<store.Batch[]>;
  /** Metadata of a batch as beside its results. Null if it does not exist. The calling room checks access. */
  summary(batchId: string): Promise<BatchSummary | null>;
  /**
   * Streams the bulk response as JSON text; documents are passed through as stored. Throws `batch_not_found` (404) or
   * `batch_forbidden` (403).
   */
  bulk(
    caller: Caller,
    batchId: string,
    videoIds: readonly string[],
    includeSourceUri: boolean,
  ): Promise<AsyncIterable<string>>;
  /** Returns the existing documents of its analyses as JSON text, in chunks. Throws as `get` does. */
  documents(caller: Caller, batchId: string): Promise<AsyncIterable<string[]>>;
  /**
   * Merges metadata into a batch of the caller; existing names are replaced. Returns all of it.
   * Throws `metadata_invalid`, `metadata_too_large` (400), `batch_not_found` (404) or `batch_forbidden` (403).
   */
  annotate(caller: Caller, batchId: string, metadataText: string): Promise<BatchMetadata>;
}
