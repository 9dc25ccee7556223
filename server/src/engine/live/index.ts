import type { Media } from '#platform/media/index';
import { answerScene } from '../answer.ts';
import { createScene } from '../find/index.ts';
import type { Coverage, Finding } from '../index.ts';
import { readyDetector } from '../observe/objects/observer.ts';
import type { VideoFacts } from '../observe/observations.ts';
import type { WeightsFinder } from '../observe/weights.ts';
import type { Plan } from '../plan/index.ts';
import type { Lead } from './chunk.ts';
import type { ChunkArgs, ChunkResult } from './observe.ts';
import type { LiveFinding } from './telling.ts';
import type { Window } from './window.ts';

export { type Chunk, decodeChunk, encodeChunk, type Lead } from './chunk.ts';
export { type LiveFinding, type LiveNews, type Told, tell } from './telling.ts';
export { createWindow, type Window } from './window.ts';

/**
 * The engine on a stream that goes on: pieces are observed one by one, as they would be in one pass over all of them, and a plan is answered over a window of the last ones.
 * What is found is told once, see `tell`.
 */
export type LiveEngine = {
  /**
   * Observes one piece: a file that can be decoded alone. Throws a Problem when it cannot; aborting kills the decoding process. The detector looks every `everyS`
   * seconds; with null, or where there is none, it does not.
   */
  observe(path: string, options: PieceOptions): Promise<ChunkResult>;
  /** Whether the detector has to look for what this plan asks. */
  needsDetector(plan: Plan): boolean;
  /** What the plan finds in the window, in seconds of the stream, and what became of each part of it. */
  answer(plan: Plan, window: Window): { findings: LiveFinding[]; coverage: LiveCoverage[] };
};

/** A row of coverage; `search` is the part of the prompt that it belongs to. */
export type LiveCoverage = Coverage & { search: string };

export type PieceOptions = {
  everyS: number | null;
  /** What the piece before left, and its length in seconds; null where something is missing in between. */
  before: { lead: Lead; durationS: number } | null;
  /** What is known of its tracks, from an earlier piece that has the same ones. */
  video?: VideoFacts;
  signal: AbortSignal;
};

const TASK = new URL('./observe.ts', import.meta.url);
/** A piece is a few seconds long: whoever takes longer than this for it hangs. */
const TIMEOUT_S = 60;

export function createLiveEngine({ media, weights }: { media: Media; weights: WeightsFinder }): LiveEngine {
  return {
    async observe(path, { everyS, before, video, signal }) {
      const ready = everyS === null ? null : await readyDetector({ weights });
      const args: ChunkArgs = {
        path,
        video: video ?? (await factsOf(path, signal)),
        lead: before && laterBy(before.lead, before.durationS),
        detector: ready && 'settings' in ready && everyS !== null ? { ...ready.settings, everyS } : null,
      };
      const how = { signal, timeoutS: TIMEOUT_S, live: true };
      return media.run<ChunkResult>({ module: TASK, name: 'observeChunk', args }, how);
    },

    needsDetector: (plan) =>
      plan.searches.some(({ steps }) => steps.some(({ what }) => what.kind === 'object' || what.kind === 'notable')),

    answer(plan, window) {
      const observations = window.observations();
      if (!observations) return { findings: [], coverage: [] };
      const scene = createScene(observations);
      const startS = window.startS();
      const answers = plan.searches.map((search) => {
        // What is first, last or longest is known when all is over.
        const asked = { ...plan, window: null, searches: [{ ...search, pick: null }] };
        const { findings, coverage } = answerScene(asked, scene);
        const notes = [search.pick ? EACH : [], plan.window ? ALL : []].flat();
        return {
          findings: findings.map((finding) => ({ search: search.text, finding: inStream(finding, startS) })),
          coverage: coverage.map((row) => ({
            ...(notes.length > 0 ? noted(row, notes) : row),
            search: search.text,
          })),
        };
      });
      return {
        findings: answers.flatMap(({ findings }) => findings),
        coverage: answers.flatMap(({ coverage }) => coverage),
      };
    },
  };

  async function factsOf(path: string, signal: AbortSignal): Promise<VideoFacts> {
    const { video, durationS, audio } = await media.probe(path, { signal });
    const { width, height, timeBase } = video;
    return { durationS, width, height, timeBase, hasAudio: audio !== null };
  }
}

const EACH = ['which of all it is, is known when the stream is over: each one is told'];
const ALL = ['the part of the video that was asked for is known when the stream is over: all of it is looked at'];

/** What was looked for within limits; what was not stays what it is. */
function noted(row: Coverage, notes: readonly string[]): Coverage {
  if (row.status === 'not_looked_for') return row;
  return { ...row, status: 'partly', reason: [row.reason ?? [], notes].flat().join('; ') };
}

/** The end of a piece in the time of the next one, which begins when it is over. */
function laterBy({ frames, lookedS }: Lead, seconds: number): Lead {
  return {
    frames: frames.map((frame) => ({ ...frame, timeS: frame.timeS - seconds })).filter(({ timeS }) => timeS < 0),
    lookedS: lookedS === null ? null : lookedS - seconds,
  };
}

function inStream(finding: Finding, startS: number): Finding {
  const { evidence } = finding;
  const at = (timeS: number) => Math.round((timeS + startS) * 1e6) / 1e6;
  return {
    ...finding,
    startS: at(finding.startS),
    endS: at(finding.endS),
    evidence: {
      ...evidence,
      frames: evidence.frames.map((frame) => ({ ...frame, timeS: at(frame.timeS) })),
      tracks: evidence.tracks.map(({ path, ...track }) => ({
        ...track,
        path: path.map(([t, x, y]): [number, number, number] => [at(t), x, y]),
      })),
    },
  };
}
