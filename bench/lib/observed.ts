import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Engine, ObservationKind, Pass, Plan } from '../../server/src/engine/index.ts';

export type Artifacts = Map<ObservationKind, Uint8Array>;

const CACHE = join(tmpdir(), 'sightline-accuracy');

/**
 * Returns the clip's observations, from the cache if the same content was processed by the same observers. `sidecar` is
 * a telemetry file beside the clip; without `kinds`, all observers take part. `detector` is that of a query.
 */
export async function observed(
  engine: Engine,
  path: string,
  {
    fresh,
    pass,
    sidecar = null,
    kinds,
    detector = null,
  }: {
    fresh: boolean;
    pass: Pass;
    sidecar?: Uint8Array | null;
    kinds?: readonly ObservationKind[];
    detector?: string | null;
  },
): Promise<Artifacts> {
  const digest = createHash('sha256')
    .update(await readFile(path))
    .update(sidecar ?? '')
    .digest('hex');
  const artifacts: Artifacts = new Map();
  const missing: { kind: ObservationKind; file: string }[] = [];
  await mkdir(CACHE, { recursive: true });
  for (const observer of await engine.observers({ detector })) {
    if (kinds && !kinds.includes(observer.kind)) continue;
    if ('unavailable' in observer || observer.depth === (pass === 'sparse' ? 'dense' : 'sparse')) continue;
    const file = join(CACHE, `${digest}-${observer.version}`);
    if (!fresh && existsSync(file)) artifacts.set(observer.kind, await readFile(file));
    else missing.push({ kind: observer.kind, file });
  }
  if (missing.length === 0) return artifacts;
  const made = await engine.observe(
    path,
    missing.map(({ kind }) => kind),
    { sources: artifacts, sidecar, detector },
  );
  for (const { kind, file } of missing) {
    const bytes = made.get(kind);
    if (!bytes) continue;
    artifacts.set(kind, bytes);
    await writeFile(`${file}.part`, bytes);
    await rename(`${file}.part`, file);
  }
  return artifacts;
}

/**
 * The observations of every frame that the service takes for a plan: those with larger copies of frames where the usual
 * ones show that the requested objects are small. Returns a function, since the same clip answers many prompts.
 */
export async function observedForPlans(
  engine: Engine,
  path: string,
  options: { fresh: boolean; sidecar?: Uint8Array | null },
): Promise<(plan: Plan) => Promise<Artifacts>> {
  const usual = await observed(engine, path, { ...options, pass: 'dense' });
  const finer = new Map<string, Promise<Artifacts>>();
  return async (plan) => {
    const detector = await engine.selectDetector(plan, usual);
    if (detector === null) return usual;
    const known = finer.get(detector) ?? observed(engine, path, { ...options, pass: 'dense', detector });
    finer.set(detector, known);
    return known;
  };
}
