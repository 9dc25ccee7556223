import type {
  ActionWorkflow,
  CallLedger,
  CaptionMode,
  LanguageModelUsage,
  OutputSchema,
  UsageLedger,
  VerifyMode,
} from '#engine/index';
import type { AuditActor } from '#features/audit/index';
import type { DomainEvents } from '#features/events/index';
import type { Video } from '#features/videos/index';
import type { Transaction } from '#platform/db/index';
import type { Caller, IdPage, ServedFile } from '#platform/http/index';
import type { Caption } from '#platform/media/index';
import type * as batches from './batch-store.ts';
import type { EventIndex } from './event-index/index.ts';
import type { StoredVectors } from './frame-vectors/index.ts';
import type { Incidents } from './incidents/index.ts';
import type { StoredIndex } from './index-store.ts';
import type { MadeAnalysis } from './made-elsewhere.ts';
import type { ObservationRuns } from './observation-runs/index.ts';
import type { Passages } from './passages/index.ts';
import type { Reviewing } from './reviewing/index.ts';
import type { ClassifiedEvent, ClassifyOptions } from './runner/index.ts';
import type { EventMatch, SearchedVideos } from './search-store.ts';
import type { AnalysisRow } from './store.ts';
import type { Timeline } from './timeline/service.ts';
import type { AnalysisClass } from './types.ts';
import type { MonthlyVisionUsage, PayingAccount, VisionAccount } from './vision/index.ts';

type StartRequest = {
  orgId: string;
  ownerId: string;
  batchId: string | null;
  videos: readonly Pick<Video, 'id' | 'scope'>[];
  query: string;
  mode: 'fast' | 'thinking';
  /** Possible events below it are candidates. */
  minConfidence: number;
  /** A checked plan; null if the engine plans the query. */
  plan: unknown;
  /** Checked plans by the ids of the videos, where they differ; they precede `plan`. */
  plans?: ReadonlyMap<string, unknown>;
  /** A checked schema of fields; null without one. */
  outputSchema: OutputSchema | null;
  /** API key of the request; null if a user made it. */
  keyId: string | null;
  /** Which events of observers a vision-language model verifies. */
  verify: VerifyMode;
  /** Captions of the whole video for this kind of footage, instead of an answer to the query; null for a query. */
  captionMode: CaptionMode | null;
  workflow: ActionWorkflow | null;
  /** Name of the vision profile that the request states; null: that of the folder, else of the service. */
  visionProfile: string | null;
  /** The class of the jobs: who waits for them. */
  jobClass: AnalysisClass;
  /** Name of the detector that the request states; null: that of the service. */
  detector: string | null;
  /** Use of the language model that read the query; null without one. */
  reading: LanguageModelUsage | null;
  /** Time zone of the person who asks; null: that of each video. */
  timeZone: string | null;
  /** The moment from which "yesterday" counts; null: now. */
  requestedAt: Date | null;
  /** True: events are also reported while the videos are observed. */
  preliminary: boolean;
};

/** A page of analyses without their documents. */
export type AnalysisPage = {
  analyses: (AnalysisRow & { answer: string | null; eventCount: number })[];
  hasMore: boolean;
  nextCursor: string | null;
};

type BatchDocument = Pick<batches.BatchDocument, 'videoId' | 'analysisId' | 'document'>;

export interface Analyses {
  /** Stored observations over time. */
  timeline: Timeline;
  /** Lists of the events of all analyses. */
  eventIndex: EventIndex;
  /** Vectors of frames, for searches by words and images. */
  frameVectors: StoredVectors;
  /** Groups of events of several questions that show the same incident. */
  incidents: Incidents;
  /** Spoken sentences of videos and texts in their frames. */
  passages: Passages;
  /** Observation of videos before anyone asks. */
  observationRuns: ObservationRuns;
  /** Use of models by an organization in the current month. */
  visionUsage(orgId: string): Promise<MonthlyVisionUsage>;
  /** Deletes cached replies of the vision-language model that were stored before a time. Returns their number. */
  purgeVisionReplies(before: Date): Promise<number>;
  /** Changes of events by reviewers. */
  reviewing: Reviewing;
  /** Creates one analysis and job per video in the caller's transaction. Returns the ids in the order of the videos. */
  start(trx: Transaction, request: StartRequest): Promise<string[]>;
  /**
   * Locks videos, so that they are neither moved nor deleted until the end of the transaction. Lock them before
   * anything that their deletion changes.
   */
  lockVideos(trx: Transaction, videoIds: readonly string[]): Promise<void>;
  /** Stores an answer that another room has about a locked video as a completed analysis. Returns its id. */
  insertCompleted(trx: Transaction, made: MadeAnalysis): Promise<string>;
  /** The status of the analysis as JSON text. Throws `analysis_not_found` (404) or `analysis_forbidden` (403). */
  status(caller: Caller, videoId: string, analysisId: string): Promise<string>;
  /**
   * The analysis document as JSON text, with image URLs that are valid for a day. While the analysis runs, the document
   * has no events. Throws `analysis_not_found`, `analysis_gone` (404) or `analysis_forbidden` (403).
   */
  document(caller: Caller, videoId: string, analysisId: string): Promise<string>;
  /**
   * Fills fields for the events of a completed analysis, also for those that people added; its document stays as it is.
   * Empty if it was deleted; null while another job observes the video: try again later. The caller checks access.
   */
  classifyEvents(analysisId: string, schema: OutputSchema, options: ClassifyOptions): Promise<ClassifiedEvent[] | null>;
  /**
   * Events of a folder's videos, or of batches and videos, that contain any of these words, those with the most first.
   * Of videos, only analyses that the caller may read are searched; the calling room checks access to the rest.
   */
  search(caller: Caller, among: SearchedVideos, words: readonly string[], limit: number): Promise<EventMatch[]>;
  /** Returns the words that `search` can find. */
  filterSearchable(words: readonly string[]): Promise<string[]>;
  /** The document of the newest analysis of the video. */
  latest(caller: Caller, videoId: string): Promise<string>;
  /**
   * Analyses of the video that the caller may read, newest first, without their documents. Throws `video_not_found`
   * (404), `video_forbidden` (403) or `cursor_invalid` (400).
   */
  list(caller: Caller, videoId: string, page: IdPage): Promise<AnalysisPage>;
  /**
   * Deletes an analysis with its document, events and evidence images; a running one is canceled first. Throws
   * `analysis_not_found` (404), or `analysis_forbidden` (403) if it belongs to someone else.
   */
  remove(caller: Caller, videoId: string, analysisId: string, by: AuditActor): Promise<void>;
  /** Ends the running analyses of a batch as failed with `analysis_cancelled`. The calling room checks access. */
  cancelBatch(trx: Transaction, batchId: string): Promise<void>;
  /** Existing videos of a batch whose analysis failed, and the settings of their query. */
  listFailedVideos(batchId: string): Promise<batches.FailedVideos>;
  /** The stored transcript of a video as captions; null without one. The calling room checks access. */
  findTranscript(videoId: string): Promise<{ version: string; captions: Caption[]; language: string | null } | null>;
  /** The newest captions of each of these videos that the caller may read; videos without any are left out. */
  findIndexes(caller: Caller, videoIds: readonly string[], mode: CaptionMode): Promise<StoredIndex[]>;
  /** Cache and account of the vision-language model, for calls about a video or a livestream. */
  visionLedgerOf(account: VisionAccount): CallLedger;
  /** Account of models, for calls that no video is about. */
  usageLedgerOf(account: PayingAccount): UsageLedger;
  /** Those of the videos that a query would not decode again. */
  listObserved(videoIds: readonly string[], detector?: string | null): Promise<string[]>;
  /** Analyses of a batch in its order. The calling room checks access to the batch. */
  listBatchAnalyses(batchId: string): Promise<batches.BatchAnalysis[]>;
  /**
   * Documents of a batch's analyses of these videos as JSON text, in the order of the batch and in groups; null for
   * analyses without a document. With `sourceUri` each has the source of its video as `import_source_uri`.
   */
  streamBatchDocuments(
    batchId: string,
    videoIds: readonly string[],
    options?: { sourceUri?: boolean },
  ): AsyncIterable<BatchDocument[]>;
  /**
   * An evidence image by the parts of its signed URL, drawn at the first request. Throws `evidence_token_invalid`,
   * `evidence_token_expired` (403), `evidence_not_found` or `evidence_undrawable` (404).
   */
  openEvidence(analysisId: string, name: string, token: string, signal: AbortSignal): Promise<ServedFile>;

  /** Handlers of domain events of the videos room; `compose.ts` subscribes them. */
  onVideosReady(trx: Transaction, event: DomainEvents['videos.ready']): Promise<void>;
  onVideoDeleted(trx: Transaction, event: DomainEvents['video.deleted']): Promise<void>;
  onVideoMoved(trx: Transaction, event: DomainEvents['video.moved']): Promise<void>;
  onVideoTagged(trx: Transaction, event: DomainEvents['video.tagged']): Promise<void>;
  onVideoSidecar(trx: Transaction, event: DomainEvents['video.sidecar']): Promise<void>;
  onVideoSubtitles(trx: Transaction, event: DomainEvents['video.subtitles']): Promise<void>;
  onVideoRestored(trx: Transaction, event: DomainEvents['video.restored']): Promise<void>;
  onVideoErased(trx: Transaction, event: DomainEvents['video.erased']): Promise<void>;
  /** Registers the job handlers. `concurrency` is the number of analyses that this node runs at once. */
  work(concurrency?: number): void;
}
