import type { Analyses } from '#features/analyses/index';
import type { AuditActor } from '#features/audit/index';
import type { Batches } from '#features/batches/index';
import type { LabelCounts, Review } from '#features/review/index';
import type { Videos } from '#features/videos/index';
import type { Caller } from '#platform/http/index';
import { runTask } from '#platform/threads/index';
import { detectFormat } from './formats/index.ts';
import type { LabeledVideo } from './place-labels.ts';
import { problems } from './problems.ts';
import { READ_LABELS } from './read-labels.ts';
import type { LabelImportRequest, LabelImportResult } from './schema.ts';

export interface Labels {
  /**
   * Imports a file of labels, all or none: a file with errors changes nothing and returns them. Throws
   * `labels_video_not_found`, `batch_not_found` (404), `batch_forbidden` (403) or `file_too_complex` (400).
   */
  import(caller: Caller, request: LabelImportRequest, by: AuditActor, signal: AbortSignal): Promise<LabelImportResult>;
}

const NO_CHANGES: LabelCounts = { added: 0, confirmed: 0, unchanged: 0, rejected: 0 };

type LabelsDeps = {
  analyses: Pick<Analyses, 'listBatchAnalyses'>;
  batches: Pick<Batches, 'getMany'>;
  review: Pick<Review, 'importLabels'>;
  videos: Pick<Videos, 'filterVisible' | 'get' | 'getMany'>;
};

export function createLabels({ analyses, batches, review, videos }: LabelsDeps): Labels {
  /** Videos of the batch that exist. */
  async function listVideos(caller: Caller, batchId: string): Promise<LabeledVideo[]> {
    await batches.getMany(caller, [batchId]);
    const rows = await analyses.listBatchAnalyses(batchId);
    const visible = await videos.filterVisible(
      caller,
      rows.map(({ videoId }) => videoId),
    );
    const found = rows.filter(({ videoId }) => visible.has(videoId));
    const existing = await videos.getMany(
      caller,
      found.map(({ videoId }) => videoId),
    );
    return existing.map(({ id, name, durationS, frameRate }, index) => {
      const { status, analysisId } = found[index]!;
      return { id, name, durationS, frameRate, analysisId: status === 'COMPLETED' ? analysisId : null };
    });
  }

  return {
    async import(caller, request, by, signal) {
      const { batchId, content, videoId, labels: wanted } = request;
      const among = await listVideos(caller, batchId);
      const all = videoId ? (among.find(({ id }) => id === videoId) ?? null) : null;
      if (videoId && !all) {
        await videos.get(caller, videoId);
        throw problems.labels_video_not_found();
      }

      const format = request.format ?? detectFormat(content);
      const origin = request.name ?? format;
      const file = { format, content, wanted: wanted ?? null, videos: among, all };
      const { faults, faultCount, skipped, ...placed } = await runTask(READ_LABELS, file, {
        bytes: content.length,
        signal,
      });

      const labels = [...placed.byAnalysis.values()].reduce((sum, each) => sum + each.length, placed.duplicates);
      const result = (status: string, { unchanged, ...counts }: LabelCounts): LabelImportResult => ({
        status,
        format,
        origin,
        labels,
        videos: placed.byAnalysis.size,
        skipped,
        ...counts,
        unchanged: faultCount > 0 ? 0 : unchanged + placed.duplicates,
        errors: faults,
        errorCount: faultCount,
      });
      if (faultCount > 0) return result('invalid', NO_CHANGES);
      const dryRun = request.dryRun ?? false;
      const counts = await review.importLabels(
        caller,
        {
          origin,
          dryRun,
          complete: request.complete ?? false,
          analyses: [...placed.byAnalysis].map(([analysisId, labels]) => ({ analysisId, labels })),
        },
        by,
      );
      return result(dryRun ? 'checked' : 'imported', counts);
    },
  };
}
