// An engine whose pace a test controls, and people who send requests.
import { once } from 'node:events';
import { join } from 'node:path';
import { inject } from 'vitest';
import type { Engine } from '#engine/index';
import { type Caller, httpProblems } from '#platform/http/index';
import { Problem } from '#platform/problem';
import { type Env, NO_MEDIA, startTestNode } from '#test/app';
import { createEvent } from '#test/events';
import { testReadings } from '#test/readings';
import { OBSERVATIONS, shareObservations } from '#test/shared-observations';
import type { Overrides } from '../../compose/index.ts';

const person = (key: string, userId: string, orgId: string, ...scopes: Caller['scopes'][number][]): Caller => ({
  keyId: key,
  userId,
  orgId,
  email: `${userId}@example.com`,
  scopes,
  expiresAt: new Date(Date.now() + 1e9),
});

/** Callers by API key. */
export const people: Record<string, Caller> = {
  alice: person('alice', 'u-alice', 'o-one', 'read', 'write'),
  carol: person('carol', 'u-carol', 'o-one', 'read', 'write'),
  bob: person('bob', 'u-bob', 'o-two', 'read', 'write'),
  reader: person('reader', 'u-alice', 'o-one', 'read'),
  admin: person('admin', 'u-carol', 'o-one', 'admin'),
};

export type TestEngine = Engine & {
  /** Number of observed videos. */
  observed: number;
  /** Number of drawn frames. */
  drawn: number;
  /** While set, `draw` waits for it. */
  drawingGate: Promise<unknown> | null;
  /** While set, `observe` waits for it (or for its signal). */
  gate: Promise<unknown> | null;
  /** Thrown by `observe` and `draw`. */
  failure: Error | null;
};

const noModel = async () => ({ unavailable: 'no weights' });

/** Finds as many events as the first number in the prompt states, two seconds apart. */
export function createTestEngine(): TestEngine {
  const engine: TestEngine = {
    observed: 0,
    drawn: 0,
    drawingGate: null,
    gate: null,
    failure: null,
    version: 'test-1',
    embedder: { text: noModel, texts: noModel, image: noModel, frame: noModel },
    readFrameVectors: () => ({ timeS: new Float64Array(), scales: new Float32Array(), vectors: new Int8Array() }),
    readObjectViews: () => {
      throw new Error('no objects are observed here');
    },
    readPassages: () => [],
    readPictureClock: () => null,
    readSatelliteStart: () => null,
    plan: (query) => ({ query, count: Number(/\d+/.exec(query)?.[0] ?? 1), corrected: [] }) as never,
    read: async (query) => engine.plan(query),
    readings: testReadings((query) => engine.plan(query)),
    interpret: ({ query }) => `Understood as: ${query}.`,
    placePlan: (plan) => ({ plan, missed: null }),
    searchLibrary: () => ({ span: null, picks: null }),
    preview: async () => ({
      parts: [{ text: 'a car', status: 'looked_for', by: ['signals'], reason: null }],
      vision: { calls: 0, inputTokens: 0, outputTokens: 0, cost: 0 },
    }),
    visionProfiles: () => [],
    languageModel: () => null,
    probeReader: async () => {},
    checkVisionProfile: (name) => name,
    detectors: async () => [],
    models: async () => [],
    checkDetector: (name) => name,
    checkPlan(value) {
      if (typeof (value as { count?: unknown })?.count === 'number') return value as never;
      throw new Problem({ status: 400, code: 'plan_invalid', message: 'The field `plan.count` must be a number.' });
    },
    observers: async () => [
      { kind: 'signals', depth: 'dense', version: '1' },
      { kind: 'glance', depth: 'sparse', version: '1' },
      { kind: 'objects', depth: 'dense', unavailable: 'no weights' },
    ],
    async observe(_path, kinds, { signal, onProgress } = {}) {
      engine.observed++;
      for (const fraction of [0.25, 0.5, 0.75]) onProgress?.(fraction);
      if (engine.gate) await Promise.race([engine.gate, signal && once(signal, 'abort')]);
      signal?.throwIfAborted();
      if (engine.failure) throw engine.failure;
      return new Map(kinds.map((kind) => [kind, Buffer.from(kind)]));
    },
    selectOnDemand: () => [],
    needsDetector: () => true,
    selectsDetector: true,
    selectDetector: async () => null,
    selectFirstPass: () => 'sparse',
    selectCloserLook: () => null,
    isArtifact: (bytes, kind) => Buffer.from(bytes).equals(Buffer.from(kind)),
    answerSoFar(plan, { artifacts, untilS }, minConfidence) {
      const { events } = engine.answer(plan, artifacts, minConfidence);
      return untilS === null ? events : events.filter(({ startS }) => startS < untilS);
    },
    answer(plan, _artifacts, minConfidence = 0.5) {
      const { count } = plan as unknown as { count: number };
      const found = Array.from({ length: count }, (_, i) => createEvent(i));
      return {
        interpretation: `Understood as: ${plan.query}.`,
        events: found.filter(({ confidence }) => confidence >= minConfidence),
        candidates: found.filter(({ confidence }) => confidence < minConfidence),
        answer: null,
        summary: `Found ${count}.`,
        coverage: [{ text: 'a car', status: 'looked_for', by: ['signals'], reason: null, findings: count }],
      };
    },
    tryModel: async () => null,
    queryVisionModel: async ({ answer }) => answer,
    textRanker: null,
    segmentActions: async ({ artifacts }) => engine.answer(engine.plan('2 actions'), artifacts),
    caption: async ({ artifacts }) => engine.answer(engine.plan('2 captions'), artifacts),
    checkOutputSchema: (value) => value as never,
    inferOutputSchema: async () => ({ schema: null, reason: 'A test engine infers nothing.' }),
    fillFields: async ({ answer }) => answer,
    async drawEvidence(_path, { timeS }) {
      engine.drawn++;
      if (engine.drawingGate) await engine.drawingGate;
      if (engine.failure) throw engine.failure;
      return Buffer.from(`jpeg at ${timeS}`);
    },
  };
  return engine;
}

export type TestNode = Awaited<ReturnType<typeof createNode>>;

/** A node that knows `people`. Without an engine it has a real one, and media processes; observations are shared. */
export async function createNode(env: Env, { engine, worker = true }: { engine?: TestEngine; worker?: boolean } = {}) {
  const { sightline, api, close } = await startTestNode(env, {
    roles: { api: true, worker },
    overrides: {
      ...(engine
        ? { engine: engine as unknown as Overrides['engine'], media: NO_MEDIA }
        : { wrapEngine: (own) => shareObservations(own, join(inject('folder'), OBSERVATIONS)) }),
      async authenticate(key): Promise<Caller> {
        const person = people[key];
        if (!person) throw httpProblems.key_malformed();
        return person;
      },
    },
  });
  return { ...sightline, api, close };
}
