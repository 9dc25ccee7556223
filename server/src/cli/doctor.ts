import { createEngine, createModelConverter, createModelFolder } from '#engine/index';
import type { Config } from '#platform/config/index';
import type { Log } from '#platform/log';
import { createMedia } from '#platform/media/index';
import { checkDatabase } from './doctor/database-checks.ts';
import { checkCodecs, checkObservers, checkSandbox } from './doctor/engine-checks.ts';
import type { Finding } from './doctor/finding.ts';
import { checkMachine } from './doctor/machine-checks.ts';
import { checkBucket } from './doctor/storage-checks.ts';
import type { Context } from './types.ts';

const MARKS = { ok: 'ok     ', warning: 'warning', failed: 'FAILED ' };

/** Checks what the service needs of this machine and its servers, changes nothing, and prints each with a remedy. */
export async function doctor({ config, log, interrupted }: Context, { json = false } = {}): Promise<void> {
  const findings = await examine(config, log, interrupted);
  if (json) process.stdout.write(`${JSON.stringify(findings, null, 2)}\n`);
  else for (const finding of findings) process.stdout.write(toLine(finding));
  if (findings.some(({ state }) => state === 'failed')) process.exitCode = 1;
}

/** All checks, one after the other: some measure what others would disturb. */
export async function examine(config: Config, log: Log, signal: AbortSignal): Promise<Finding[]> {
  const findings = [
    ...(await checkMachine(config)),
    ...(await checkDatabase(config, log, signal)),
    ...(await checkBucket(config)),
  ];
  const { storage } = config;
  // Without its folders, media processes have no place for temporary files.
  if (findings.some(({ check, state }) => check.endsWith('folder') && state === 'failed')) return findings;
  const media = await createMedia({
    ...config.media,
    processes: 1,
    maxSeconds: config.limits.videoSeconds,
    readable: [config.modelsDir],
    ownFolders: [config.dataDir, ...(storage.kind === 'file' ? [storage.dir] : [])],
    sandbox: { maxFileBytes: config.limits.uploadBytes },
    log,
  });
  try {
    const models = createModelFolder(config.modelsDir, createModelConverter({ log }));
    const { vision, language, detector } = config;
    const engine = createEngine({ media, models, detector, vision, language, log });
    findings.push(...checkSandbox(media), ...(await checkCodecs(media, config.dataDir, signal)));
    findings.push(...(await checkObservers(engine)));
  } finally {
    await media.close();
  }
  return findings;
}

const toLine = ({ check, state, value, remedy }: Finding): string =>
  `${MARKS[state]}  ${check}: ${value}\n${remedy === null ? '' : `         ${remedy}\n`}`;
