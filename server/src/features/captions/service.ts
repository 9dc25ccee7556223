import type { CaptionMode, Engine } from '#engine/index';
import type { Analyses, StoredIndex } from '#features/analyses/index';
import type { Batches } from '#features/batches/index';
import type { Videos } from '#features/videos/index';
import type { Views } from '#features/views/index';
import type { Caller } from '#platform/http/index';
import { captionsToWebVtt } from '#platform/media/index';
import type { ProblemMaker } from '#platform/problem';
import { problems } from './problems.ts';
import type { VideoIndex } from './schema.ts';

/** Shown as the prompt of the analysis. */
const QUERY = 'Captions of the whole video';

type Results = Record<string, VideoIndex>;
/** Kind of footage from a request. */
type Mode = CaptionMode | null | undefined;
const DEFAULT_MODE = 'driving';

export interface Captions {
  /**
   * Starts captions of these videos, or of the primary views of their sets; existing ones are returned at once, unless
   * `refresh` captions them again. Videos that cannot be captioned have a failed result.
   */
  start(
    caller: Caller,
    videoIds: readonly string[],
    mode: Mode,
    refresh: boolean,
  ): Promise<{ results: Results; runId: string | null; batchId: string | null }>;
  /** Results of those of the videos that are captioned or have failed. */
  results(caller: Caller, videoIds: readonly string[], mode: Mode): Promise<Results>;
  /** The videos that `start` would caption. */
  resolve(
    caller: Caller,
    videoIds: readonly string[],
    mode: Mode,
  ): Promise<{ viewTargets: Record<string, string>; results: Results }>;
  /** The captions of a video. Throws `index_not_found`, `video_not_found` (404) or `video_forbidden` (403). */
  get(caller: Caller, videoId: string, mode: Mode): Promise<VideoIndex>;
  /** The captions of a video as WebVTT. Throws the same. */
  webVtt(caller: Caller, videoId: string, mode: Mode): Promise<string>;
}

export type CaptionsDeps = {
  analyses: Pick<Analyses, 'findIndexes'>;
  batches: Pick<Batches, 'start'>;
  engine: Pick<Engine, 'visionProfiles'>;
  videos: Pick<Videos, 'get' | 'filterVisible'>;
  views: Pick<Views, 'primaries'>;
};

export function createCaptions({ analyses, batches, engine, videos, views }: CaptionsDeps): Captions {
  /** The video to caption for each visible id; the others have failed results. */
  async function resolve(caller: Caller, videoIds: readonly string[], requested: Mode) {
    const ids = [...new Set(videoIds)];
    const mode = requested ?? DEFAULT_MODE;
    if (mode !== DEFAULT_MODE && engine.visionProfiles().length === 0) {
      const refused = failure(problems.index_mode_not_offered);
      return { mode, targets: new Map<string, string>(), results: Object.fromEntries(ids.map((id) => [id, refused])) };
    }
    const visible = await videos.filterVisible(caller, ids);
    const hidden = { status: 'failed' as const, error: NOT_VISIBLE, errorCode: 'video_not_found' };
    const results: Results = Object.fromEntries(ids.filter((id) => !visible.has(id)).map((id) => [id, hidden]));
    const primaries = await views.primaries(caller, [...visible]);
    return { mode, targets: new Map([...visible].map((id) => [id, primaries.get(id) ?? id])), results };
  }

  /** Adds the results of the indexes that have ended. Returns the videos without one, and their running indexes. */
  function addEnded(targets: ReadonlyMap<string, string>, found: readonly StoredIndex[], results: Results) {
    const indexes = new Map(found.map((index) => [index.videoId, index]));
    const waiting: { target: string; running: StoredIndex | null }[] = [];
    for (const [videoId, target] of targets) {
      const index = indexes.get(target);
      if (!index || index.status === 'PROCESSING') waiting.push({ target, running: index ?? null });
      else results[videoId] = { ...toResult(index), ...(target === videoId ? {} : { indexVideoId: target }) };
    }
    return waiting;
  }

  return {
    async start(caller, videoIds, requested, refresh) {
      const { mode, targets, results } = await resolve(caller, videoIds, requested);
      const found = await analyses.findIndexes(caller, [...new Set(targets.values())], mode);
      // A failed index is tried again.
      const current = found.filter(({ status }) => status === 'PROCESSING' || (status === 'COMPLETED' && !refresh));
      const waiting = addEnded(targets, current, results);
      const missing = [...new Set(waiting.flatMap(({ target, running }) => (running ? [] : target)))];
      const config = { analysis_kind: 'index', caption_mode: mode };
      const started =
        missing.length === 0
          ? null
          : await batches.start(
              caller,
              { query: QUERY, videoIds: missing },
              { mode: 'thinking', captionMode: mode, config },
            );
      const batchId = started?.batchId ?? null;
      return { results, runId: batchId ?? waiting[0]?.running?.batchId ?? null, batchId };
    },

    async results(caller, videoIds, requested) {
      const { mode, targets, results } = await resolve(caller, videoIds, requested);
      addEnded(targets, await analyses.findIndexes(caller, [...new Set(targets.values())], mode), results);
      return results;
    },

    async resolve(caller, videoIds, mode) {
      const { targets, results } = await resolve(caller, videoIds, mode);
      return { viewTargets: Object.fromEntries(targets), results };
    },

    async get(caller, videoId, mode) {
      return toResult(await completed(caller, videoId, mode));
    },

    async webVtt(caller, videoId, mode) {
      const { captions } = await completed(caller, videoId, mode);
      return captionsToWebVtt(captions);
    },
  };

  async function completed(caller: Caller, videoId: string, mode: Mode): Promise<StoredIndex> {
    await videos.get(caller, videoId);
    const [index] = await analyses.findIndexes(caller, [videoId], mode ?? DEFAULT_MODE);
    if (index?.status !== 'COMPLETED') throw problems.index_not_found();
    return index;
  }
}

const NOT_VISIBLE = 'There is no video with this id, or you have no access to it.';

function failure(problem: ProblemMaker): VideoIndex {
  const { message, code } = problem();
  return { status: 'failed', error: message, errorCode: code };
}

function toResult({ status, captions, batchId, analysisId, warnings, problem }: StoredIndex): VideoIndex {
  const ids = { analysisId, ...(batchId === null ? {} : { batchId }) };
  if (status === 'FAILED') return { ...ids, status: 'failed', error: problem!.message, errorCode: problem!.code };
  const groundedCaption = captions.map(({ startS, endS, text }) => ({ tStart: startS, tEnd: endS, caption: text }));
  return { ...ids, status: 'completed', groundedCaption, warnings };
}
