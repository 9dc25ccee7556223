import type { Answer, Engine } from '#engine/index';
import type { Video } from '#features/videos/index';
import type { Transaction } from '#platform/db/index';
import { newId } from '#platform/ids';
import { roundedJson } from '#platform/numbers';
import { completedDocument } from './document.ts';
import * as eventIndex from './event-index/store.ts';
import type { EvidenceStore } from './evidence/index.ts';
import { assignIncidents } from './incidents/index.ts';
import * as store from './store.ts';

/** An answer about a video that another room has, such as that of a livestream about its recording. */
export type MadeAnalysis = {
  ownerId: string;
  /** The caller has locked its row, see `lockVideos`. */
  video: Video;
  query: string;
  plan: unknown;
  minConfidence: number;
  answer: Answer;
};

/** Returns a function that stores an answer as a completed analysis with its events. It returns the id. */
export function createAnalysisStore({
  engine,
  evidence,
}: {
  engine: Pick<Engine, 'version'>;
  evidence: Pick<EvidenceStore, 'placeholder'>;
}) {
  return async (trx: Transaction, { video, plan, answer, ...made }: MadeAnalysis): Promise<string> => {
    const analysisId = newId();
    const common = { ...made, analysisId, videoId: video.id, batchId: null, mode: 'thinking' as const };
    const header = { ...common, createdAt: new Date(), engineVersion: engine.version };
    const document = completedDocument(header, video, plan, answer, (name) => evidence.placeholder(analysisId, name));
    await store.insertCompleted(trx, {
      ...common,
      orgId: video.orgId,
      scope: video.scope === 'org' ? 'org' : 'user',
      plan,
      document: roundedJson(document),
    });
    await eventIndex.insertOfAnalysis(trx, analysisId);
    await assignIncidents(trx, video.id);
    return analysisId;
  };
}
