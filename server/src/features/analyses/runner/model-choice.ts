import type { Folders } from '#features/folders/index';
import type { Video } from '#features/videos/index';
import type { AnalysisRow } from '../store.ts';
import type { VisionCalls } from '../vision/index.ts';

type ModelChoiceDeps = { folders: Pick<Folders, 'visionProfiles'>; visionCalls: Pick<VisionCalls, 'ledgerOf'> };

/** Profile and account of the vision-language model of an analysis. A profile of its request wins over the folder's. */
export const createModelChoice =
  ({ folders, visionCalls }: ModelChoiceDeps) =>
  async (analysis: AnalysisRow, { folderId }: Video) => {
    const ofFolder = folderId === null ? null : (await folders.visionProfiles([folderId])).get(folderId);
    return { profile: analysis.visionProfile ?? ofFolder ?? null, ledger: visionCalls.ledgerOf(analysis) };
  };
