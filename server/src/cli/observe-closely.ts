import type { Artifacts, Engine, ObservationKind, Plan } from '#engine/index';

/** Observations by the usual detector, as `found` for a plan. */
type Observed = {
  plan: Plan;
  found: Artifacts;
  signal: AbortSignal;
  onProgress?: (fraction: number) => void;
};

/** The observations of larger frames by video and detector: several prompts need the same. */
const finer = new WeakMap<Artifacts, Map<string, Artifacts>>();

/** Adds observations of larger frames where the plan requests small objects: those of the usual detector otherwise. */
export async function observeClosely(
  engine: Pick<Engine, 'selectDetector' | 'observers' | 'observe'>,
  path: string,
  { plan, found, signal, onProgress }: Observed,
): Promise<Artifacts> {
  const detector = await engine.selectDetector(plan, found);
  if (detector === null) return found;
  const known = finer.get(found) ?? new Map<string, Artifacts>();
  finer.set(found, known);
  const earlier = known.get(detector);
  if (earlier) return earlier;
  const observers = (await engine.observers({ detector })).filter(({ kind, family }) => family && found.has(kind));
  const kinds = observers.flatMap((observer): ObservationKind[] => ('version' in observer ? [observer.kind] : []));
  const made = await engine.observe(path, kinds, { signal, detector, ...(onProgress ? { onProgress } : {}) });
  const unchanged = [...found].filter(([kind]) => !observers.some((observer) => observer.kind === kind));
  const artifacts = new Map([...unchanged, ...made]);
  known.set(detector, artifacts);
  return artifacts;
}
