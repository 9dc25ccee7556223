import { table } from '@sightline/sdk/terminal';
import { CLIP_STEP_S, type ProbeReport, probeProfile } from '#engine/index';
import { createLog } from '#platform/log';
import { createMedia } from '#platform/media/index';
import { Problem } from '#platform/problem';
import type { Context } from './types.ts';

/**
 * Tries the endpoints of the configured vision profiles, or of one, and prints what works. Exits with 1 if a model
 * cannot be used. Throws `vision_profile_unknown` (400) if there is no such profile.
 */
export async function probeProfiles(
  { config, interrupted: signal }: Context,
  name: string | undefined,
  { json = false }: { json?: boolean },
): Promise<void> {
  const profiles = Object.entries(config.vision?.profiles ?? {}).filter(
    ([each]) => name === undefined || each === name,
  );
  if (profiles.length === 0)
    throw new Problem({
      status: 400,
      code: 'vision_profile_unknown',
      message:
        name === undefined
          ? 'No vision-language model is configured. Set SIGHTLINE_VISION_URL and SIGHTLINE_VISION_MODEL.'
          : `There is no vision profile "${name}" (SIGHTLINE_VISION_PROFILES).`,
    });
  await using media = await openMedia(config);
  const encodeClip = media?.encodeClip;
  for (const [each, profile] of profiles) {
    const report = await probeProfile(profile, { signal, ...(encodeClip ? { encodeClip } : {}) });
    if (!report.isUsable) process.exitCode = 1;
    const { model, isUsable, checks } = report;
    const printed = json
      ? JSON.stringify({
          profile: each,
          model,
          usable: isUsable,
          checks: checks.map(({ name, isPassed, isRequired, detail }) => ({
            name,
            passed: isPassed,
            required: isRequired,
            detail,
          })),
        })
      : describe(each, report);
    process.stdout.write(`${printed}\n`);
  }
}

/** The encoder of clips; null if node-av does not load on this machine. */
async function openMedia(config: Context['config']) {
  const log = createLog('error');
  const settings = { ...config.media, processes: 1, maxSeconds: config.limits.videoSeconds, log };
  const media = await createMedia(settings).catch(() => null);
  return (
    media && {
      encodeClip: (images: readonly Buffer[]) => media.pictureClip(images, { stepS: CLIP_STEP_S }),
      [Symbol.asyncDispose]: () => media.close(),
    }
  );
}

function describe(name: string, { model, isUsable, checks }: ProbeReport): string {
  const rows = checks.map(({ name: check, isPassed, isRequired, detail }) => [
    isPassed ? 'ok' : isRequired ? 'FAILED' : 'limited',
    check,
    detail,
  ]);
  const verdict = isUsable ? 'can be used' : 'cannot be used';
  return `${name} (${model}) ${verdict}.\n\n${table(['result', 'check', 'detail'], rows)}\n`;
}
