import type { Zone as NamedZone, ZonePoint } from '#engine/index';

/** What a zone belongs to: one video, or all videos of a folder. */
export type ZoneOwner = { videoId: string; folderId: null } | { videoId: null; folderId: string };

export type ZoneSettings = {
  name: string;
  /** Two points are a line, more are a polygon. */
  points: readonly ZonePoint[];
  note: string | null;
};

export type Zone = ZoneSettings &
  ZoneOwner & {
    id: string;
    orgId: string;
    kind: NamedZone['kind'];
    createdBy: string;
    createdAt: Date;
    changedAt: Date;
  };

export const kindOf = (points: readonly unknown[]): NamedZone['kind'] => (points.length === 2 ? 'line' : 'polygon');
