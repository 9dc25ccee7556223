import { once } from 'node:events';
import { existsSync } from 'node:fs';
import type { Config } from '#platform/config/index';
import { embeddedFolder } from '#platform/db/connect';
import { releaseMemoryWhenIdle } from '#platform/idle-memory';
import type { SandboxReport } from '#platform/media/index';
import { freePort } from '#platform/net/index';
import { ownCommand } from '#platform/own-command';
import { runsAs } from '#platform/process-user/index';
import { compose, type Roles, type SightlineService } from '../compose/index.ts';
import { VERSION } from '../version.ts';
import type { Context } from './types.ts';

/** Maximum time that the greeting waits for the download of the detector, which it names. */
const DETECTOR_MS = 10_000;

/** Runs the service until it is interrupted, then closes it. */
export async function start({ config, log, interrupted }: Context, roles: Roles): Promise<void> {
  if (createsDatabase(config)) process.stdout.write(FIRST_START);
  const stopReleasing = releaseMemoryWhenIdle();
  const sightline = await compose(await settled(config), log, { roles });
  try {
    // Printed before anything can fail, such as a port in use: the key is not shown again.
    process.stdout.write(firstAccess(sightline));
    const address = await sightline.start();
    process.stdout.write(await greeting(sightline, address, roles));
    if (!interrupted.aborted) await once(interrupted, 'abort');
    process.stdout.write('\nStopping.\n');
  } finally {
    stopReleasing();
    await sightline.close();
  }
}

const FIRST_START =
  'First start: creating the database and fetching the object detector. This takes about half a minute, later starts a few seconds.\n';

/** True if this start creates the embedded database. */
const createsDatabase = ({ databaseUrl, dataDir }: Config) => !databaseUrl && !existsSync(embeddedFolder(dataDir));

/** Selects the free port for port 0 first, because links and signed URLs contain it. */
async function settled(config: Config): Promise<Config> {
  if (config.port !== 0) return config;
  const port = await freePort();
  return { ...config, port, publicUrl: config.publicUrl.replace(/:0$/, `:${port}`) };
}

/** The first API key and the owner's password link. Empty unless this start created them. */
function firstAccess({ firstKey, setUpUrl }: SightlineService): string {
  if (!firstKey) return '';
  return `
Your API key. It is not shown again; to use it in a shell, paste this line:

    export KEY=${firstKey}

To sign in with a browser, choose a password here. The link works once, for a day:

    ${setUpUrl}

`;
}

/** One line that states what runs and what is missing, then addresses and commands for the operator. */
async function greeting(sightline: SightlineService, address: string | null, roles: Roles): Promise<string> {
  const { config, console, engine, system } = sightline;
  const url = address && config.host === '127.0.0.1' ? `http://localhost:${new URL(address).port}` : address;
  await system.models.settled(DETECTOR_MS);
  const missing: Missing[] = [];
  const current = console.current();
  if (url && current.state === 'not_installed') missing.push({ part: 'console', reason: current.reason });
  const names: string[] = [];
  const advice: string[] = [];
  for (const model of await engine.models()) {
    if ('name' in model) {
      names.push(model.name);
      if (model.fallback) advice.push(`${model.fallback} Until then, ${model.name} is used, which finds less.`);
    }
    // The list of models says how to get the others.
    else missing.push({ part: model.part, reason: model.task === 'objects' ? model.unavailable : null });
  }
  const { sandbox } = sightline.media;
  const byRemedy = Map.groupBy(sandbox.missing, ({ remedy }) => remedy);
  for (const [remedy, lacking] of byRemedy) {
    const names = lacking.map(({ protection }) => protection).join(', ');
    missing.push({ part: `${names} of media processes`, reason: remedy });
  }
  const lines = [
    ...(url && config.console && current.state !== 'not_installed' ? [['Console', url]] : []),
    ...(url ? [['API docs', `${url}/docs`]] : []),
    ['Data folder', config.dataDir],
    ['Models', ownCommand('models list')],
    ['Another key', ownCommand('accounts create-key --name NAME')],
    ['Another link', ownCommand('accounts link')],
  ];
  const details = lines.map(([name, value]) => `  ${name!.padEnd(12)} ${value}`).join('\n');
  advice.push(...missing.flatMap(({ reason }) => (reason ? `${reason} Everything else works without it.` : [])));
  const vectors = await sightline.analyses.frameVectors.state();
  if (vectors.reason) advice.push(vectors.reason);
  const notes = advice.map((each) => `\n${each}\n`).join('');
  return `${summary(sightline, { url, roles, names, missing, sandbox })}\n\n${details}\n${notes}\nPress Ctrl-C to stop.\n`;
}

/** Words for the containment of media processes, in the line that states what runs. */
const MEDIA_PROCESSES: Record<SandboxReport['level'], string> = {
  isolated: 'media processes isolated',
  user: 'media processes as other users',
  limits: 'media processes limited',
  none: 'media processes not contained',
};

/** A part that the service does not have; the reason, if it is to be printed. */
type Missing = { part: string; reason: string | null };

/** Where the service listens, with which database, storage, models and workers, and what is missing. */
function summary(
  { config: { storage, media }, database }: SightlineService,
  {
    url,
    roles,
    names,
    missing,
    sandbox,
  }: {
    url: string | null;
    roles: Roles;
    names: string[];
    missing: Missing[];
    sandbox: Pick<SandboxReport, 'level'>;
  },
): string {
  const { kind, version } = database.engine;
  const { user, isRoot } = runsAs();
  const parts = [
    `PostgreSQL ${version} (${kind === 'embedded' ? 'embedded' : 'DATABASE_URL'})`,
    `storage ${storage.kind === 'file' ? storage.dir : `s3://${storage.bucket}/${storage.prefix}`}`,
    names.length === 0 ? 'no models' : `models ${names.join(', ')}`,
    isRoot ? 'as root' : `as ${user ?? 'an ordinary user'}`,
    MEDIA_PROCESSES[sandbox.level],
    roles.worker ? `workers ${media.processes}` : 'no workers',
  ];
  const ready = `Sightline ${VERSION} is ready ${url === null ? 'without an API' : `on ${url}`}: ${parts.join('; ')}.`;
  return missing.length === 0 ? ready : `${ready} Missing: ${missing.map(({ part }) => part).join(', ')}.`;
}
