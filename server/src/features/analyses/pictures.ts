import type { Engine, Finding } from '#engine/index';
import type { Log } from '#platform/log';
import type { Pictures } from './document.ts';
import type { Evidence } from './evidence.ts';

/** Events that get pictures, the most certain first: a document with more is read by machines. */
const MAX_ILLUSTRATED = 100;
/** Pictures drawn at once; each takes a media process. */
const DRAWN_AT_ONCE = 2;

/**
 * Draws the findings' evidence and stores it. A picture that cannot be drawn is left out: it does not take its event with it.
 * Names are made of the finding's place, so a second attempt overwrites the first one's pictures with the same.
 */
export async function drawEvidence(
  deps: { engine: Engine; evidence: Evidence; log: Log },
  analysisId: string,
  findings: readonly Finding[],
  options: { path: () => Promise<string>; signal: AbortSignal; onProgress: (fraction: number) => void },
): Promise<Pictures> {
  const { engine, evidence, log } = deps;
  const { path, signal, onProgress } = options;
  const pictures = new Map<Finding, readonly string[]>();
  const queue = [...findings.entries()].sort(([, a], [, b]) => b.confidence - a.confidence).slice(0, MAX_ILLUSTRATED);
  const total = queue.length;

  async function drawNext(): Promise<void> {
    for (let next = queue.shift(); next; next = queue.shift()) {
      const [index, finding] = next;
      try {
        const drawn = await engine.illustrate(await path(), finding, signal);
        const names = drawn.map((_, i) => `${String(index).padStart(3, '0')}-${i}`);
        for (const [i, name] of names.entries()) await evidence.store(analysisId, name, drawn[i]!, signal);
        pictures.set(finding, names);
      } catch (error) {
        signal.throwIfAborted();
        log.warn({ err: error, analysisId, index }, 'cannot draw an evidence picture');
      }
      onProgress((total - queue.length) / total);
    }
  }
  await Promise.all(Array.from({ length: DRAWN_AT_ONCE }, drawNext));
  return pictures;
}
