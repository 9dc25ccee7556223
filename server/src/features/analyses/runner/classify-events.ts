import type { OutputSchema } from '#engine/index';
import { toVideoEvent } from '../document.ts';
import * as store from '../store.ts';
import { resumeDeferred } from './deferral.ts';
import { openLazily } from './lazy-file.ts';
import { createModelChoice } from './model-choice.ts';
import type { AnalysisRunnerDeps } from './runner.ts';

export type ClassifyDeps = Pick<
  AnalysisRunnerDeps,
  'database' | 'storage' | 'engine' | 'videos' | 'jobs' | 'observations' | 'visionCalls' | 'folders'
>;

/** Fields of an event that were filled afterwards, and why others have no value. */
export type ClassifiedEvent = {
  /** Index of the event in its document. */
  position: number;
  values: Record<string, unknown>;
  errors: { field: string; message: string }[];
};

/** Identifies the attempt of the job that classifies: `<job id>:<attempt>`. */
export type ClassifyOptions = { holder: string; signal: AbortSignal };

/** Fills fields for the events of completed analyses; their documents stay as they are. */
export function createEventClassifier(deps: ClassifyDeps) {
  const { database, storage, engine, videos, jobs, observations } = deps;
  const modelOf = createModelChoice(deps);

  /**
   * The values of the fields for each event of an analysis, also of those that people added. Empty if the analysis or
   * its video was deleted; null while another job observes the video: try again later.
   */
  return async function classifyEvents(
    analysisId: string,
    schema: OutputSchema,
    { holder, signal }: ClassifyOptions,
  ): Promise<ClassifiedEvent[] | null> {
    const analysis = await store.findById(database.db, analysisId);
    const video = analysis && (await videos.find(analysis.videoId));
    const shown = video && (await store.findWith(database.db, video.id, analysisId, 'events'));
    if (!analysis || !shown?.text || video?.status !== 'UPLOADED') return [];
    const events = (JSON.parse(shown.text) as Parameters<typeof toVideoEvent>[0][]).map(toVideoEvent);
    if (events.length === 0) return [];
    await using file = openLazily(() => storage.local(video.storageKey, signal));
    const pass = analysis.mode === 'fast' ? ('sparse' as const) : ('dense' as const);
    const requester = { orgId: analysis.orgId, priority: 'batch' } as const;
    const artifacts = await observations.obtain({
      videoId: video.id,
      holder,
      requester,
      pass,
      onDemand: [],
      path: file.path,
      signal,
      detector: { name: analysis.detector, isNeeded: true },
      onProgress: () => {},
      onReady: (trx) => resumeDeferred(jobs, trx, [video.id]),
    });
    if (!artifacts) return null;
    const plan = engine.plan(analysis.query);
    const answer = { ...engine.answer(plan, artifacts, analysis.minConfidence), events };
    const request = { plan, artifacts, answer, schema, minConfidence: analysis.minConfidence, path: file.path };
    const filled = await engine.fillFields(
      { ...request, ...(await modelOf(analysis, video)) },
      { signal, ...requester },
    );
    const fields = filled.events.map(({ structured }, position) => ({
      position,
      values: structured?.values ?? {},
      errors: structured?.errors ?? [],
    }));
    return fields;
  };
}
