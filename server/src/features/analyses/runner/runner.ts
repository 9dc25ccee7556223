import type { Static } from 'typebox';
import {
  type ActionWorkflow,
  type Answer,
  type Artifacts,
  type CaptionMode,
  type Engine,
  type LanguageModelUsage,
  type ObservationKind,
  type OutputSchema,
  openAccount,
  type Pass,
  type Plan,
  usageOf,
} from '#engine/index';
import type { Events } from '#features/events/index';
import type { Folders } from '#features/folders/index';
import type { Video, Videos } from '#features/videos/index';
import type { Zones } from '#features/zones/index';
import type { Database, Transaction } from '#platform/db/index';
import type { JobContext, Jobs } from '#platform/jobs/index';
import type { Log } from '#platform/log';
import { roundedJson } from '#platform/numbers';
import type { Storage } from '#platform/storage/index';
import { withSpan } from '#platform/tracing/index';
import { completedDocument, toReadableEvents } from '../document.ts';
import * as eventIndex from '../event-index/store.ts';
import type { EvidenceStore } from '../evidence/index.ts';
import { assignIncidents, findIncidents } from '../incidents/index.ts';
import type { runAnalysis } from '../jobs.ts';
import type { DetectorChoice, ObservationCache } from '../observations/index.ts';
import { problems } from '../problems.ts';
import { toRecordingClock } from '../recorded-times.ts';
import * as store from '../store.ts';
import type { VisionCalls } from '../vision/index.ts';
import { deferAnalysis, resumeDeferred } from './deferral.ts';
import { failAnalysis, toFinalProblem } from './failure.ts';
import { openLazily } from './lazy-file.ts';
import { createModelChoice } from './model-choice.ts';
import { createPreliminaryReporter, type PreliminaryReporter, resolvePreliminaryEvents } from './preliminary/index.ts';
import { type AnalysisStage, AttemptSuperseded, createProgress, type ProgressReporter } from './progress.ts';
import * as attempts from './store.ts';

/** Longest wait for a video that has not arrived. The wait for another analysis of the video has no limit. */
const MAX_WAIT_MS = 24 * 3600 * 1000;
/** Kinds that are made from the tracks of one detector. */
const OF_DETECTOR: ReadonlySet<ObservationKind> = new Set(['fine_objects', 'poses']);

export type AnalysisRunnerDeps = {
  database: Database;
  storage: Storage;
  engine: Engine;
  videos: Pick<Videos, 'find'>;
  events: Events;
  jobs: Jobs;
  log: Log;
  observations: ObservationCache;
  evidence: EvidenceStore;
  visionCalls: Pick<VisionCalls, 'ledgerOf' | 'usageLedgerOf'>;
  folders: Pick<Folders, 'visionProfiles'>;
  zones: Pick<Zones, 'ofVideo'>;
};

type DescribedVideo = Omit<Parameters<Engine['caption']>[0], 'mode'>;
type DescribeOptions = Parameters<Engine['caption']>[1];

/** State of one attempt. */
type Attempt = {
  fence: attempts.AttemptFence;
  analysis: store.AnalysisRow;
  signal: AbortSignal;
  progress: ProgressReporter;
};

/** The organization and the priority of the work of an analysis. */
const requesterOf = ({ orgId, jobClass }: store.AnalysisRow) => ({ orgId, priority: jobClass });

/** The handler of `runAnalysis`: one attempt at an analysis, from the prompt to the document. */
export function createAnalysisRunner(deps: AnalysisRunnerDeps) {
  const { database, storage, engine, videos, events, jobs, log, observations, evidence, visionCalls, zones } = deps;
  const modelOf = createModelChoice(deps);

  return async function run(payload: Static<typeof runAnalysis.payload>, context: JobContext): Promise<void> {
    const fence = { analysisId: payload.analysisId, jobId: context.jobId, attempt: context.attempt };
    const analysis = await attempts.claim(database.db, fence);
    if (!analysis) return;
    const superseded = new AbortController();
    const onSuperseded = () => superseded.abort(new AttemptSuperseded());
    const progress = createProgress({ database, events, fence, analysis, onSuperseded });
    const signal = AbortSignal.any([context.signal, superseded.signal]);
    const video = await videos.find(analysis.videoId);
    try {
      if (!video) throw problems.video_deleted();
      if (await analyze({ fence, analysis, signal, progress }, video)) return;
      await progress.stop();
      await database.transaction((trx) => deferAnalysis(jobs, trx, fence, analysis, payload.waits));
    } catch (error) {
      await progress.stop();
      if (signal.aborted || error instanceof AttemptSuperseded) await deleteEvidenceIfDeleted(analysis);
      if (superseded.signal.aborted || error instanceof AttemptSuperseded) return;
      const problem = toFinalProblem(error, context);
      if (!problem) throw error;
      log[problem.isFault ? 'error' : 'info']({ err: error, analysisId: analysis.analysisId }, 'analysis failed');
      await database.transaction((trx) => failAnalysis(deps, trx, analysis, fence, video, problem));
    }
  };

  /** True if the analysis has ended; false if it has to wait. */
  async function analyze(attempt: Attempt, video: Video): Promise<boolean> {
    const { analysis, signal, progress } = attempt;
    if (video.status === 'UPLOADING_FAILED') throw problems.video_unusable(video.problem?.message);
    if (video.status !== 'UPLOADED') {
      if (Date.now() - analysis.createdAt.getTime() > MAX_WAIT_MS) throw problems.video_never_arrived();
      return false;
    }

    if (analysis.captionMode) return caption(attempt, video, analysis.captionMode);
    if (analysis.workflow) return segmentActions(attempt, video, analysis.workflow);
    progress.report('planning');
    const account = openAccount(visionCalls.usageLedgerOf(analysis));
    const plan = await withSpan('analysis plan', {}, async () =>
      analysis.plan === null
        ? engine.read(analysis.query, { signal, zones: await zones.ofVideo(video), account })
        : engine.checkPlan(analysis.plan),
    );
    const reading = usageOf(account, engine.languageModel()?.model) ?? analysis.reading;
    const requested = { at: analysis.requestedAt ?? analysis.createdAt, timeZone: analysis.timeZone };
    const placed = engine.placePlan(plan, toRecordingClock(video), requested);
    if (placed.missed) {
      // Nothing is decoded.
      await progress.stop();
      await complete(attempt, video, placed.plan, placed.missed.answer, reading, placed.missed.reason);
      return true;
    }
    return search(attempt, video, placed.plan, reading);
  }

  /** Searches a video for what a plan asks for. Returns the same as `analyze`. */
  async function search(
    attempt: Attempt,
    video: Video,
    plan: Plan,
    reading: LanguageModelUsage | null,
  ): Promise<boolean> {
    const { analysis, signal, progress } = attempt;
    await using file = openLazily(() => storage.local(video.storageKey, signal));
    const preliminary =
      analysis.preliminary && createPreliminaryReporter({ ...deps, fence: attempt.fence, analysis, video, plan });
    const artifacts = await withSpan('analysis observe', { 'sightline.mode': analysis.mode }, () =>
      observe(attempt, video, plan, file.path, preliminary).finally(preliminary?.stop),
    );
    if (!artifacts) return false;

    progress.report('finding');
    const model = await modelOf(analysis, video);
    const noDetector = await whyUnavailable(analysis.detector);
    const found = withSpan('analysis find', {}, () =>
      engine.answer(plan, artifacts, analysis.minConfidence, { noDetector }),
    );
    const answer = await withSpan('analysis vision', {}, () =>
      engine.queryVisionModel(
        {
          plan,
          artifacts,
          answer: found,
          path: file.path,
          minConfidence: analysis.minConfidence,
          verify: analysis.verify,
          ...model,
        },
        { signal, ...requesterOf(analysis), onProgress: (fraction) => progress.report('looking', fraction) },
      ),
    );
    const { minConfidence, outputSchema: schema } = analysis;
    const request = { plan, artifacts, answer, minConfidence, ...model, path: file.path };
    const filled =
      schema === null
        ? answer
        : await withSpan('analysis fields', {}, () =>
            engine.fillFields({ ...request, schema: schema as OutputSchema }, { signal, ...requesterOf(analysis) }),
          );
    signal.throwIfAborted();
    await progress.stop();
    await complete(attempt, video, plan, filled, reading);
    return true;
  }

  /** Captions the whole video. Returns the same as `analyze`. */
  function caption(attempt: Attempt, video: Video, mode: CaptionMode): Promise<boolean> {
    return describe(attempt, video, true, (model, options) => engine.caption({ ...model, mode }, options));
  }

  /** Divides the video into actions. Returns the same as `analyze`. */
  function segmentActions(attempt: Attempt, video: Video, workflow: ActionWorkflow): Promise<boolean> {
    const { minConfidence } = attempt.analysis;
    // Only the times of its frames are needed.
    return describe(attempt, video, false, (model, options) =>
      engine.segmentActions({ ...model, workflow, minConfidence }, options),
    );
  }

  /** Completes an analysis that follows no prompt with what `write` makes of the whole video. */
  async function describe(
    attempt: Attempt,
    video: Video,
    needsObjects: boolean,
    write: (model: DescribedVideo, options: DescribeOptions) => Promise<Answer>,
  ): Promise<boolean> {
    const { analysis, signal, progress } = attempt;
    await using file = openLazily(() => storage.local(video.storageKey, signal));
    const artifacts = await withSpan('analysis observe', {}, () =>
      observeDensely(attempt, video, file.path, needsObjects),
    );
    if (!artifacts) return false;
    progress.report('finding');
    const model = await modelOf(analysis, video);
    const answer = await withSpan('analysis describe', {}, () =>
      write(
        { artifacts, path: file.path, ...model },
        { signal, ...requesterOf(analysis), onProgress: (fraction) => progress.report('looking', fraction) },
      ),
    );
    signal.throwIfAborted();
    await progress.stop();
    await complete(attempt, video, null, answer);
    return true;
  }

  /**
   * Returns the observations that the mode needs: of every frame, or in fast mode of a sparse pass, with a closer look
   * at what it leaves unanswered. Null if another analysis is observing the video.
   */
  async function observe(
    attempt: Attempt,
    video: Video,
    plan: Plan,
    path: () => Promise<string>,
    preliminary: PreliminaryReporter | null,
  ) {
    const { analysis } = attempt;
    // Fields may be filled from detected objects, whatever is searched.
    const isNeeded = engine.needsDetector(plan) || analysis.outputSchema !== null;
    const obtain = (pass: Pass, stage: AnalysisStage, onDemand: readonly ObservationKind[], detector: DetectorChoice) =>
      observations.obtain({
        ...observeOptions(attempt, video, path, stage, isNeeded),
        detector,
        pass,
        onDemand,
        onPartial: preliminary?.offer,
      });
    const requested: DetectorChoice = { name: analysis.detector, isNeeded };
    const onDemand = engine.selectOnDemand(plan);
    const isSelected = engine.selectsDetector && isNeeded && analysis.detector === null;
    /** The detector for what is observed next, by what is known of the video. */
    const detectorAfter = async (found: Artifacts): Promise<DetectorChoice> =>
      isSelected ? { name: await engine.selectDetector(plan, found), isNeeded } : requested;
    const obtainDense = async (stage: AnalysisStage) => {
      // Enlarged frames and poses are examined for the detector that is selected by the first pass.
      const kinds = isSelected ? onDemand.filter((kind) => !OF_DETECTOR.has(kind)) : onDemand;
      const first = await obtain('dense', stage, kinds, requested);
      const detector = first && (await detectorAfter(first));
      if (!detector || (detector.name === requested.name && kinds.length === onDemand.length)) return first;
      return obtain('dense', 'looking_closer', onDemand, detector);
    };
    if (analysis.mode !== 'fast') return obtainDense('observing');
    if (engine.selectFirstPass(plan, video.durationS) === 'dense') return obtainDense('looking_closer');
    const sparse = await obtain('sparse', 'observing', onDemand, requested);
    const look = sparse && engine.selectCloserLook(plan, sparse, analysis.minConfidence);
    if (!look) return sparse;
    preliminary?.offer({ artifacts: sparse, untilS: null });
    const detector = await detectorAfter(sparse);
    if (look !== 'whole') {
      const options = observeOptions(attempt, video, path, 'looking_closer', isNeeded);
      return observations.obtainRanges({ ...options, detector, ranges: look });
    }
    return detector.name === requested.name
      ? obtainDense('looking_closer')
      : obtain('dense', 'looking_closer', onDemand, detector);
  }

  /** Reason why the detector that a request names cannot be used on this node; null if it can, or if none is named. */
  async function whyUnavailable(detector: string | null): Promise<string | null> {
    if (detector === null) return null;
    const status = (await engine.observers({ detector })).find(({ kind }) => kind === 'objects');
    return status && 'unavailable' in status ? status.unavailable : null;
  }

  function observeDensely(attempt: Attempt, video: Video, path: () => Promise<string>, needsObjects: boolean) {
    const options = observeOptions(attempt, video, path, 'observing', needsObjects);
    return observations.obtain({ ...options, pass: 'dense', onDemand: [] });
  }

  function observeOptions(
    { fence, analysis, signal, progress }: Attempt,
    video: Video,
    path: () => Promise<string>,
    stage: AnalysisStage,
    isNeeded: boolean,
  ) {
    return {
      videoId: video.id,
      holder: `${fence.jobId}:${fence.attempt}`,
      path,
      signal,
      detector: { name: analysis.detector, isNeeded },
      requester: requesterOf(analysis),
      onProgress: (fraction: number) => progress.report(stage, fraction),
      onReady: (trx: Transaction) => resumeDeferred(jobs, trx, [video.id]),
    };
  }

  /** Stores the document and status and publishes the domain event in one transaction. */
  async function complete(
    { fence, analysis }: Attempt,
    video: Video,
    plan: unknown,
    answer: Answer,
    reading: LanguageModelUsage | null = null,
    missed: string | null = null,
  ): Promise<void> {
    const { orgId, analysisId, batchId, videoId } = analysis;
    const header = { ...analysis, engineVersion: engine.version };
    const urlOf = (name: string) => evidence.placeholder(analysisId, name);
    const document = roundedJson(completedDocument(header, video, plan, answer, urlOf, reading));
    const storeDocument = async (trx: Transaction) => {
      await eventIndex.lockVideo(trx, videoId);
      if (!(await attempts.complete(trx, fence, document, missed))) throw new AttemptSuperseded();
      await eventIndex.insertOfAnalysis(trx, analysisId);
      await assignIncidents(trx, videoId);
      await events.publish(trx, 'analysis.ended', {
        orgId,
        analysisId,
        batchId,
        videoId,
        status: 'COMPLETED',
        code: null,
        message: null,
        events: toReadableEvents(analysisId, answer.events, video, await findIncidents(trx, [analysisId])),
        candidateCount: answer.candidates.length,
        preliminary: await resolvePreliminaryEvents(trx, analysisId, answer.events),
      });
    };
    await withSpan('analysis store', {}, () => database.transaction(storeDocument));
  }

  /** Deletes the evidence images of a superseded attempt if its video was deleted. */
  async function deleteEvidenceIfDeleted({ analysisId }: store.AnalysisRow): Promise<void> {
    const now = await store.findById(database.db, analysisId);
    if (!now || now.problemCode === 'video_deleted') await evidence.deleteImages(analysisId);
  }
}
