import type { Client } from 'openapi-fetch';
import type { ActivityEvent, ActivityOptions } from './activity.ts';
import type { operations, paths } from './api.generated.ts';
import type { FollowOptions, StreamEvent } from './events.ts';
import type { CameraOperations } from './resources/cameras.ts';
import type { DatasetEventOperations } from './resources/dataset-events.ts';
import type { DatasetOperations } from './resources/datasets.ts';
import type { ExportOperations } from './resources/exports.ts';
import type { FrameOperations } from './resources/frames.ts';
import type { ObservationOperations } from './resources/observations.ts';
import type { PassageOperations } from './resources/passages.ts';
import type { ReviewOperations } from './resources/review.ts';
import type { SavedQuestionOperations } from './resources/saved-questions.ts';
import type { SubtitleOperations } from './resources/subtitles.ts';
import type { ZoneOperations } from './resources/zones.ts';
import type {
  DecidedIncidents,
  EventReviewRequest,
  EventStatistics,
  EventSummary,
  IncidentDecisionRequest,
  LabelImportRequest,
  LabelImportResult,
  LibrarySelection,
  Model,
  NewEvent,
  OutputSchema,
  QueryPreview,
  QueueList,
  VideoIndex,
  WebhookDelivery,
  WorkerList,
} from './resources.generated.ts';
import type { Settle, SettleOptions } from './settle.ts';
import type { UploadOptions } from './upload.ts';

/** JSON response of an operation with status 200. */
type Answer<Name extends keyof operations> = operations[Name] extends {
  responses: { 200: { content: { 'application/json': infer Json } } };
}
  ? Json
  : never;

export type AnalysisDocument = Answer<'getAnalysis'>;
export type Started = Answer<'startQuery'>;
export type Ingest = Answer<'getMcapIngest'>;

/** Filters and the order of the events of all analyses; all filters must match. */
export type EventQuery = Omit<NonNullable<operations['listEvents']['parameters']['query']>, 'cursor' | 'facets'>;

export type SightlineOptions = {
  /** URL of the service, such as `http://localhost:8099`. */
  baseUrl: string;
  /** Without a key, requests use the session of the browser: its cookie is sent by same-origin requests. */
  apiKey?: string;
  fetch?: typeof globalThis.fetch;
};

/** A prompt and the videos that it is about: some, or those of a library that were recorded when the prompt says. */
export type Question = QuestionSettings &
  (
    | { videoIds: readonly string[]; library?: undefined }
    | { videoIds?: undefined /** Filters of the videos; `{}`: all. */; library: LibrarySelection }
  );

export type QuestionSettings = {
  query: string;
  plan?: unknown;
  /** Query in fast mode: a sparse pass instead of all frames where that is sufficient. */
  fast?: boolean;
  /** Least confidence of an event, 0 to 1; default 0.5. The document lists others as `candidates`. */
  minConfidence?: number;
  /** Which events a configured vision-language model verifies; default `auto`: those in doubt. */
  verify?: 'auto' | 'always' | 'never';
  /** Profile of the vision-language model; default: that of the folder of the video, else of the service. */
  visionProfile?: string;
  /** Name of the model that detects objects (`detectors` of `GET /api/system`); default: that of the service. */
  detector?: string;
  /** Time zone of days and times of day in the query: an IANA name or an offset; default: that of each video. */
  timeZone?: string;
  /** Also yield what is found while a video is still being processed, as `preliminary` events; default false. */
  preliminary?: boolean;
  /** Fields to fill for each event or video; see the own fields in the documentation. */
  outputSchema?: OutputSchema;
};

export type RecordingOptions = Pick<UploadOptions, 'folderId' | 'scope' | 'sha256' | 'signal'> & {
  name: string;
  /** Length in seconds of the segments that the recording is split into. */
  chunkSize?: number;
};

export type CaptionOptions = {
  /** Kind of footage; default `driving`. The others need a vision-language model. */
  mode?: 'driving' | 'construction' | 'robotics';
  /** Captions the video again. */
  refresh?: boolean;
  signal?: AbortSignal;
};

export interface Sightline
  extends CameraOperations,
    DatasetOperations,
    DatasetEventOperations,
    ExportOperations,
    FrameOperations,
    ObservationOperations,
    PassageOperations,
    ReviewOperations,
    SavedQuestionOperations,
    ZoneOperations,
    SubtitleOperations {
  /**
   * All endpoints, typed: `client.api.GET('/api/my-videos')`. Transient failures are retried, each write with one
   * `Idempotency-Key`; other failures throw a `SightlineError`.
   */
  api: Client<paths>;
  /** Uploads a file in chunks and resumes after disconnects; a `Blob` from `openAsBlob` streams from disk. */
  upload(file: Blob, options?: UploadOptions): Promise<{ video_id: string }>;
  /** Waits until a video is ready. Throws a `SightlineError` with the server's message if it failed. */
  ready(videoId: string, options?: { signal?: AbortSignal }): Promise<void>;
  /** Uploads a recording (MCAP) and starts its processing. Wait for its videos with `settled`. */
  uploadRecording(file: Blob, options: RecordingOptions): Promise<{ mcap_ingest_id: string }>;
  /** Starts a query and returns at once. */
  start(question: Question, options?: { signal?: AbortSignal }): Promise<Started>;
  /** Dry run: how a query would be understood, who would search for each part, and its cost. Stores nothing. */
  preview(question: Question, options?: { signal?: AbortSignal }): Promise<QueryPreview>;
  /** Yields the events of a query until `done`. Resumes broken connections without gaps or duplicates. */
  follow(streamId: string, options?: FollowOptions): AsyncGenerator<StreamEvent>;
  /** Yields the events of a livestream session until it ends, as `follow` does. */
  followLive(sessionId: string, options?: FollowOptions): AsyncGenerator<StreamEvent>;
  /** Yields what changes in the library, in queries, imports and live sessions. Reconnects and resumes by itself. */
  activity(options?: ActivityOptions): AsyncGenerator<ActivityEvent>;
  /** `start` and `follow`. The first event is `batch_created`. */
  ask(question: Question, options?: FollowOptions): AsyncGenerator<StreamEvent>;
  /** Yields the events of all analyses that match, page by page; `limit` is the size of a page. */
  events(query?: EventQuery, options?: { signal?: AbortSignal }): AsyncGenerator<EventSummary>;
  /** Numbers of the events that match all filters, by the local hour, day of the week and day of their recording. */
  eventStatistics(query?: EventQuery, options?: { signal?: AbortSignal }): Promise<EventStatistics>;
  /**
   * Decides whether an event shows the same incident as others of its video; null takes such decisions back. Returns
   * the incidents of all.
   */
  decideIncident(
    eventId: string,
    decision: IncidentDecisionRequest,
    options?: { signal?: AbortSignal },
  ): Promise<DecidedIncidents['events']>;
  /**
   * Sets your verdict on events, or corrects them; up to 500 are changed together, all or none. Times are corrected on
   * one event only. Returns the events.
   */
  review(eventIds: readonly string[], change: EventReviewRequest): Promise<EventSummary[]>;
  /** Adds an event that the analysis missed, with your approval. */
  addEvent(videoId: string, analysisId: string, event: NewEvent): Promise<EventSummary>;
  /**
   * Imports a file of labels into the events of a batch: matching events are approved, missed ones are added. A file
   * with errors changes nothing; see `status` and `errors`.
   */
  importLabels(request: LabelImportRequest): Promise<LabelImportResult>;
  /**
   * Captions a whole video and waits for the captions; existing ones are returned at once unless `refresh` is set.
   * Throws a `SightlineError` if the video cannot be captioned.
   */
  captions(videoId: string, options?: CaptionOptions): Promise<VideoIndex>;
  /** Returns the analysis document. */
  document(videoId: string, analysisId: string): Promise<AnalysisDocument>;
  /**
   * Downloads a model to the service and waits until it is there, for administrators. Aborting stops waiting; to end
   * the download, call `POST /api/system/models/{name}/cancel`. Throws a `SightlineError` if it failed.
   */
  downloadModel(name: string, options?: SettleOptions<Model>): Promise<Model>;
  /** Provides a file of a model, for a service without internet access. For administrators. */
  provideModelFile(name: string, fileName: string, file: Blob, options?: { signal?: AbortSignal }): Promise<Model>;
  /** Background jobs of the service by kind, for administrators of its first organization. */
  queues(options?: { signal?: AbortSignal }): Promise<QueueList['queues']>;
  /** Workers of the service with their last heartbeat and what they run, for the same. */
  workers(options?: { signal?: AbortSignal }): Promise<WorkerList['workers']>;
  /** Sends a test message to a webhook and waits for its result, for administrators. Aborting stops waiting. */
  pingWebhook(webhookId: string, options?: SettleOptions<WebhookDelivery>): Promise<WebhookDelivery>;
  /** Deletes an analysis with its events and evidence images; a running one is canceled. */
  deleteAnalysis(videoId: string, analysisId: string): Promise<Answer<'deleteAnalysis'>>;
  /** Calls `ask` with growing pauses up to 2 s until `over` returns true. */
  settled: Settle;
}
