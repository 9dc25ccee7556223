export const RESOURCES = ['video', 'upload', 'analysis', 'batch', 'import_job', 'mcap_ingest', 'live_session'] as const;

/** A recorded change. Its access fields are those of the resource after the change, or before its deletion. */
export type Change = {
  /** Position in the stream of the organization. Positions have no gaps. */
  id: number;
  orgId: string;
  resource: (typeof RESOURCES)[number];
  resourceId: string;
  change: string;
  ownerId: string | null;
  scope: 'user' | 'org' | 'sample';
  folderId: string | null;
  /** Of `moved`: the access fields before the change. */
  previousScope: 'user' | 'org' | 'sample' | null;
  previousFolderId: string | null;
  /** JSON text. */
  data: string;
  createdAt: Date;
};

/** End of a stream, and the position up to which changes were removed. */
export type Head = { lastId: number; purgedId: number };
