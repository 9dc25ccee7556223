import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import type { CapturedSegment, Media } from '#platform/media/index';
import { Problem } from '#platform/problem';
import type { Storage } from '#platform/storage/index';
import { problems } from '../problems.ts';
import { openSource } from './open-source.ts';
import { parseSourceUrl, redactSourceUrl } from './source-url.ts';
import type { LiveSourceDeps, SourceInput } from './types.ts';

/** Longest test, in milliseconds: a source with a keyframe every ten seconds passes. */
const TIMEOUT_MS = 25_000;
/** A source that sends nothing for this long has stalled. */
const STALL_S = 10;
/** Tests of a node at the same time; each starts a media process. */
const AT_ONCE = 2;
/** Longest side of the snapshot in pixels. */
const SNAPSHOT_SIDE = 960;
/** Problems of credentials: the source was reached and did not let the service in. */
const DENIED = new Set(['media_source_denied', 'live_source_denied']);

export type SourceStep = 'port' | 'sign_in' | 'first_frame' | 'format';

/** A step of a connection test. */
export type SourceStepResult = {
  step: SourceStep;
  ok: boolean;
  /** Milliseconds from the start of the test until the step was passed or failed; null if it is not known. */
  elapsedMs: number | null;
};

/** Format of the video and audio of a source. */
export type SourceFormat = {
  videoCodec: string;
  width: number;
  height: number;
  /** Frames per second; null if unknown. */
  frameRate: number | null;
  /** Null without audio. */
  audioCodec: string | null;
  bitsPerSecond: number;
};

export type SourceTest = {
  /** URL without credentials. */
  sourceUrl: string;
  testedAt: Date;
  /** Steps in order, up to the first one that failed. */
  steps: SourceStepResult[];
  /** The reason of a failure; null if the test passed. */
  problem: { code: string; message: string } | null;
  format: SourceFormat | null;
  /** A frame as JPEG; null if the test failed. */
  snapshot: Buffer | null;
};

export type SourceTesterDeps = LiveSourceDeps & {
  media: Pick<Media, 'capture' | 'probe' | 'frameImage'>;
  storage: Pick<Storage, 'scratch'>;
};

/** Connects to sources as a session does, and reports how far that gets. Nothing is recorded. */
export function createSourceTester(deps: SourceTesterDeps) {
  const { media, storage } = deps;
  let running = 0;

  /** The first segment of an input. Throws the problem of the source. */
  async function captureSegment(input: SourceInput, signal: AbortSignal): Promise<CapturedSegment> {
    const enough = new AbortController();
    let first: CapturedSegment | null = null;
    await media.capture(
      { ...input, startS: 0, previous: null, segmentS: 1, stallS: STALL_S },
      {
        signal,
        stop: enough.signal,
        onSegment: async (segment) => {
          first ??= segment;
          enough.abort();
        },
      },
    );
    if (first) return first;
    throw problems.live_source_missing('The source ended before it sent a frame.');
  }

  async function readSegment({ epoch, data, durationS }: CapturedSegment, signal: AbortSignal) {
    await using folder = await storage.scratch();
    const path = join(folder.path, 'segment.mp4');
    await writeFile(path, Buffer.concat([epoch?.init ?? Buffer.alloc(0), data]));
    const probe = await media.probe(path, { signal });
    const snapshot = await media.frameImage(path, { timeS: 0, maxSide: SNAPSHOT_SIDE, signal });
    const { codec, width, height, frameRate } = probe.video;
    const bitsPerSecond = Math.round((data.length * 8) / durationS);
    const audioCodec = probe.audio?.codec ?? null;
    const format: SourceFormat = { videoCodec: codec, width, height, frameRate, audioCodec, bitsPerSecond };
    return { format, snapshot };
  }

  async function run(source: URL, signal: AbortSignal): Promise<SourceTest> {
    const startedMs = performance.now();
    const testedAt = new Date();
    const steps: SourceStepResult[] = [];
    const elapsed = () => Math.round(performance.now() - startedMs);
    const pass = (step: SourceStep, elapsedMs: number | null = elapsed()) => steps.push({ step, ok: true, elapsedMs });
    const outcome = (step: SourceStep, error: Problem): SourceTest => {
      steps.push({ step, ok: false, elapsedMs: elapsed() });
      const problem = { code: error.code, message: error.message };
      return { sourceUrl: redactSourceUrl(source), testedAt, steps, problem, format: null, snapshot: null };
    };
    /** Null for errors that are not the fault of the source. */
    const toProblem = (error: unknown): Problem | null => {
      if (signal.aborted && signal.reason instanceof Problem) return signal.reason;
      return !signal.aborted && error instanceof Problem && !error.isFault ? error : null;
    };

    let step: SourceStep = 'port';
    try {
      const input = await openSource(deps, source, () => null).next(signal);
      if (!input) throw problems.live_source_missing('The source has ended: it sends nothing.');
      pass('port', source.protocol === 'srt:' ? null : elapsed());
      step = 'first_frame';
      const segment = await captureSegment(input, signal);
      pass('sign_in', null);
      pass('first_frame', input.clockMs === null ? Math.max(0, segment.capturedMs - testedAt.getTime()) : null);
      step = 'format';
      const read = await readSegment(segment, signal);
      pass('format');
      return { sourceUrl: redactSourceUrl(source), testedAt, steps, problem: null, ...read };
    } catch (error) {
      const problem = toProblem(error);
      if (!problem) throw error;
      // Over HTTP, the response to the first request states both that the port is open and that the password is wrong.
      if (step === 'port' && source.protocol.startsWith('http') && !problem.code.startsWith('fetch_')) {
        pass('port', null);
        step = 'first_frame';
      }
      return outcome(DENIED.has(problem.code) ? 'sign_in' : step, problem);
    }
  }

  return {
    /**
     * Tests the source of a URL for at most 25 seconds: port, sign-in, first frame, format. Failures of the source are
     * results. Throws `live_source_invalid` (400), `live_test_busy` (429), or the reason of the signal.
     */
    async test(sourceUrl: string, signal: AbortSignal): Promise<SourceTest> {
      const source = parseSourceUrl(sourceUrl);
      if (running >= AT_ONCE) throw problems.live_test_busy(undefined, { headers: { 'retry-after': '5' } });
      running++;
      const over = new AbortController();
      const timer = setTimeout(() => over.abort(problems.live_test_timeout()), TIMEOUT_MS);
      try {
        return await run(source, AbortSignal.any([signal, over.signal]));
      } finally {
        running--;
        clearTimeout(timer);
        // Closes the connection of a relay.
        over.abort();
      }
    },
  };
}
