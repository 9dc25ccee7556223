import { clock, createProgress, table } from '@sightline/sdk/terminal';
import { type Answer, createEngine, type ObservationKind } from '#engine/index';
import { createMedia } from '#platform/media/index';
import { clipPath } from './clip.ts';
import type { Context } from './types.ts';

/** Analyses a file in this process, without server, database or storage. */
export async function analyzeLocally(
  { config, log, interrupted: signal }: Context,
  clip: string,
  prompt: string,
  options: { json?: boolean },
): Promise<void> {
  const path = clipPath(clip);
  const media = await createMedia({ ...config.media, maxSeconds: config.limits.videoSeconds, log });
  const progress = createProgress();
  try {
    await media.probe(path, { signal });
    const { modelsDir, modelsDownload, vision } = config;
    const engine = createEngine({ media, modelsDir, modelsDownload, vision, log });
    const kinds = (await engine.observers()).flatMap((observer): ObservationKind[] =>
      'version' in observer && observer.depth !== 'sparse' ? [observer.kind] : [],
    );
    const onProgress = (fraction: number) => progress.show('observing', 100 * fraction);
    const artifacts = await engine.observe(path, kinds, { signal, onProgress });
    const plan = engine.plan(prompt);
    const answer = await engine.queryVisionModel(
      { plan, artifacts, answer: engine.answer(plan, artifacts), path: async () => path },
      { signal, onProgress: (fraction) => progress.show('looking', 100 * fraction) },
    );
    progress.stop();
    process.stdout.write(`${options.json ? JSON.stringify(answer, null, 2) : describe(answer)}\n`);
  } finally {
    progress.stop();
    await media.close();
  }
}

function describe({ interpretation, answer, summary, events: findings, coverage }: Answer): string {
  const events = findings.map((f) => [
    `${clock(f.startS)} to ${clock(f.endS)}`,
    f.label,
    f.severity,
    f.confidence.toFixed(2),
    f.explanation,
  ]);
  const looked = coverage.map((c) => [c.text, c.status.replaceAll('_', ' '), c.by.join(', '), c.reason ?? '']);
  const parts = [interpretation, answer ?? summary];
  if (events.length > 0) parts.push(table(['time', 'event', 'severity', 'confidence', 'why'], events));
  if (looked.length > 0) parts.push(table(['part of the prompt', 'status', 'detected by', 'notes'], looked));
  return parts.join('\n\n');
}
