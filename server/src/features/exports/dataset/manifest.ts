import { extname } from 'node:path';
import type { Videos } from '#features/videos/index';
import type { DatasetExport, ExportGap } from './types.ts';
import { findSource } from './worker.ts';

/** A file of an export. `path` is relative, with `/`; `url` works for a day without a key. */
export type ManifestFile = {
  path: string;
  role: 'annotations' | 'source';
  url: string;
  bytes: number | null;
  sha256: string | null;
};

export type DatasetExportManifest = Pick<DatasetExport, 'status' | 'datasetId' | 'createdAt'> & {
  exportId: string;
  files: ManifestFile[];
  gaps: ExportGap[];
};

/**
 * The files of an export with new URLs: for each video its events, and the video itself. Videos that its owner may no
 * longer read are left out.
 */
export async function toManifest(
  row: DatasetExport,
  urls: {
    videos: Pick<Videos, 'find'>;
    annotationsUrl: (videoId: string) => string;
    originalUrl: (videoId: string) => string;
  },
): Promise<DatasetExportManifest> {
  const files: ManifestFile[] = [];
  const gaps = [...row.gaps];
  for (const { videoId, sizeBytes, sha256 } of row.sessions) {
    const source = await findSource(urls.videos, row, videoId);
    if ('reason' in source) {
      gaps.push({ videoId, eventId: null, reason: source.reason });
      continue;
    }
    const { video } = source;
    const folder = `sessions/${videoId}`;
    files.push(
      {
        path: `${folder}/${videoId}.annotations.mcap`,
        role: 'annotations',
        url: urls.annotationsUrl(videoId),
        bytes: sizeBytes,
        sha256,
      },
      {
        path: `${folder}/${toFilename(video.name)}`,
        role: 'source',
        url: urls.originalUrl(videoId),
        bytes: video.sizeBytes,
        sha256: video.sha256,
      },
    );
  }
  const status = gaps.length > 0 ? 'completed_with_gaps' : row.status;
  return { exportId: row.id, status, datasetId: row.datasetId, createdAt: row.createdAt, files, gaps };
}

/** A name that every file system takes: without reserved characters and leading dots, of at most 220 bytes. */
function toFilename(name: string): string {
  const safe = name.replace(/[\p{Cc}\p{Cf}<>:"/\\|?*\uFFFD]/gu, '_').replace(/^\.+|[. ]+$/g, '_');
  const extension = extname(safe).slice(0, 10);
  const stem = Buffer.from(safe.slice(0, safe.length - extension.length)).subarray(0, 200);
  return `${stem.toString().replace(/\uFFFD+$/, '')}${extension}`;
}
