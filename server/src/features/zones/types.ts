import type { Zone, ZonePoint } from '#engine/index';

/** The owner of a zone: one video, all videos of a folder, or all recordings of a camera. */
export type ZoneOwner =
  | { videoId: string; folderId: null; cameraId: null }
  | { videoId: null; folderId: string; cameraId: null }
  | { videoId: null; folderId: null; cameraId: string };

export type ZoneSettings = {
  name: string;
  /** Two points are a line, more are a polygon. */
  points: readonly ZonePoint[];
  note: string | null;
};

export type StoredZone = ZoneSettings &
  ZoneOwner & {
    id: string;
    orgId: string;
    kind: Zone['kind'];
    createdBy: string;
    createdAt: Date;
    changedAt: Date;
  };

export const kindOf = (points: readonly unknown[]): Zone['kind'] => (points.length === 2 ? 'line' : 'polygon');
