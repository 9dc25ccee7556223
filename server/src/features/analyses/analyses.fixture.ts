import { createHash } from 'node:crypto';
import type { VideoEvent } from '#engine/index';
import type { Caller } from '#platform/http/index';
import { type Env, NO_MEDIA } from '#test/app';
import { createEvent } from '#test/events';
import { openLibrary, PROBE } from '#test/library';
import { testReadings } from '#test/readings';
import type { Overrides } from '../../compose/index.ts';

/** Three events: two with an image, one without evidence frames. */
const EVENTS: readonly VideoEvent[] = [
  createEvent(0, evidenceAt(1, 1.4)),
  createEvent(1, evidenceAt(3)),
  { ...createEvent(2, evidenceAt()), category: 'audio' },
];

function evidenceAt(...frameTimes: number[]): VideoEvent['evidence'] {
  return {
    frames: frameTimes.map((timeS, i) => ({
      role: i === 0 ? 'best' : 'last',
      timeS,
      pts: timeS * 90_000,
      boxes: [{ x: 0.1, y: 0.2, width: 0.3, height: 0.4 }],
    })),
    tracks: [{ id: 7, className: 'car', color: 'red', path: [[1, 0.5, 0.5]] }],
    signals: [{ name: 'brightness', value: 31, threshold: 40, unit: 'of 255' }],
  };
}

export const COVERAGE = [
  { text: 'a red car', status: 'looked_for', by: ['objects'], reason: null, findings: 3 },
  { text: 'a purple elephant', status: 'not_looked_for', by: [], reason: 'no observer finds it', findings: 0 },
] as const;

export type AnalysesWorld = Awaited<ReturnType<typeof openAnalyses>>;

/**
 * The service with an engine whose answers are known, and a running worker. Close it. `media`: with media processes,
 * for videos whose files are real.
 */
export async function openAnalyses(
  env: Env = {},
  { media = false, overrides: more = {} }: { media?: boolean; overrides?: Overrides } = {},
) {
  const engine = {
    version: 'test-1',
    /** Set by a test to let observation fail. */
    failure: null as Error | null,
    /** Events of the next answers. */
    events: EVENTS,
    /** Number of images that were drawn. */
    drawn: 0,
    plan: (query: string) => ({ query }) as never,
    read: async (query: string) => ({ query, corrected: [] }) as never,
    preview: async () => ({ parts: [], vision: { calls: 0, inputTokens: 0, outputTokens: 0, cost: 0 } }),
    visionProfiles: () => [],
    languageModel: () => null,
    checkVisionProfile: (name: string | null) => name,
    detectors: async () => [],
    checkDetector: (name: string | null) => name,
    readings: testReadings((query) => ({ query }) as never),
    interpret: () => 'Understood as: a red car.',
    placePlan: (plan: unknown) => ({ plan: plan as never, missed: null }),
    searchLibrary: () => ({ span: null, picks: null }),
    checkPlan: (plan: unknown) => plan as never,
    observers: async () => [{ kind: 'signals', depth: 'dense', version: '1' }],
    async observe(_path: string, kinds: readonly string[]) {
      if (engine.failure) throw engine.failure;
      return new Map(kinds.map((kind) => [kind, Buffer.from(kind)]));
    },
    selectOnDemand: () => [],
    needsDetector: () => true,
    selectsDetector: true,
    selectDetector: async () => null,
    selectFirstPass: () => 'sparse',
    selectCloserLook: () => null,
    isArtifact: () => true,
    answer: () => ({
      interpretation: 'Understood as: a red car.',
      events: engine.events,
      candidates: [],
      answer: 'Three red cars.',
      summary: 'Found 3 events.',
      coverage: COVERAGE,
    }),
    queryVisionModel: async ({ answer }: { answer: unknown }) => answer,
    fillFields: async ({ answer }: { answer: unknown }) => answer,
    async drawEvidence(_path: string, { timeS }: { timeS: number }) {
      engine.drawn++;
      return Buffer.from(`jpeg at ${timeS}`);
    },
  };
  const overrides = {
    engine: engine as unknown as Overrides['engine'],
    ...(media ? {} : { media: NO_MEDIA }),
    ...more,
  };
  const library = await openLibrary(env, { worker: true, overrides });
  const { analyses, api } = library;
  const { key, caller } = await library.keyOf(library.owner, ['read', 'write']);

  return {
    library,
    engine,
    analyses,
    api,
    key,
    caller,

    /** A video of the owner; `isReady` false leaves it in its upload. */
    async addVideo(more: { scope?: 'user' | 'org'; folderId?: string } = {}, isReady = true): Promise<string> {
      const id = await library.add(caller, more);
      const { storageKey } = (await library.videos.find(id))!;
      await library.storage.write(storageKey, Buffer.from('video'));
      if (isReady) await markReady(id);
      return id;
    },
    markReady,

    /** Starts an analysis without waiting for it. Returns its id. */
    async start(videoId: string, by: Pick<Caller, 'orgId' | 'userId'> = caller, query = 'a red car'): Promise<string> {
      const { scope } = (await library.videos.find(videoId))!;
      const [analysisId] = await library.database.transaction((trx) =>
        analyses.start(trx, {
          orgId: by.orgId,
          ownerId: by.userId,
          batchId: null,
          videos: [{ id: videoId, scope }],
          query,
          mode: 'thinking',
          minConfidence: 0.5,
          plan: null,
          outputSchema: null,
          captionMode: null,
          workflow: null,
          keyId: null,
          verify: 'auto',
          visionProfile: null,
          timeZone: null,
          requestedAt: null,
          detector: null,
          jobClass: 'interactive',
          reading: null,
          preliminary: false,
        }),
      );
      return analysisId!;
    },

    /** Calls a route of an analysis with a key. */
    call: (videoId: string, analysisId: string, route: '' | '/status' | '/generate-thumbnails' = '', as = key) =>
      api.call(
        route === '/generate-thumbnails' ? 'POST' : 'GET',
        `/api/videos/${videoId}/analyses/${analysisId}${route}`,
        {
          key: as,
        },
      ),

    close: library.close,
  };

  /** Each video has its own bytes: a job deletes the file of one that repeats another. */
  function markReady(id: string): Promise<unknown> {
    const sha256 = createHash('sha256').update(id).digest('hex');
    return library.database.transaction((trx) =>
      library.videos.markReady(trx, id, { probe: PROBE, sizeBytes: 5, sha256 }),
    );
  }
}
