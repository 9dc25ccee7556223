/** A written file: the events of one video. */
export type ExportedSession = { videoId: string; eventCount: number; sizeBytes: number; sha256: string };

/** A video or a selected event that could not be included. */
export type ExportGap = {
  videoId: string | null;
  eventId: string | null;
  reason: 'video_deleted' | 'video_not_ready' | 'video_forbidden' | 'event_deleted';
};

export type DatasetExportState = 'queued' | 'building' | 'completed' | 'completed_with_gaps' | 'failed';

export type DatasetExport = {
  id: string;
  orgId: string;
  ownerId: string;
  /** True if it has what an admin may read. */
  asAdmin: boolean;
  /** Folder that the key of the request was limited to. */
  folderId: string | null;
  /** The dataset that the events were selected in, as the client said. */
  datasetId: string | null;
  videoIds: string[];
  /** The selected events; none: all events of the videos. */
  eventIds: string[];
  status: DatasetExportState;
  /** Number of videos that are done. */
  built: number;
  sessions: ExportedSession[];
  gaps: ExportGap[];
  createdAt: Date;
  completedAt: Date | null;
  expiresAt: Date;
};
