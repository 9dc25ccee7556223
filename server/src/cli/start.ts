import { once } from 'node:events';
import { existsSync } from 'node:fs';
import type { Config } from '#platform/config/index';
import { embeddedFolder } from '#platform/db/connect';
import { releaseMemoryWhenIdle } from '#platform/idle-memory';
import { freePort } from '#platform/net/index';
import { ownCommand } from '#platform/own-command';
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
    process.stdout.write(await detectorAdvice(sightline));
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
  const current = console.current();
  const withoutConsole = url && current.state === 'not_installed' ? current.reason : null;
  const lines = [
    ...(url && config.console ? [['Console', withoutConsole ? 'missing, see below' : url]] : []),
    ...(url ? [['API docs', `${url}/docs`]] : []),
    ['Data folder', config.dataDir],
    ['Models', ownCommand('models list')],
    ['Another key', ownCommand('accounts create-key --name NAME')],
    ['Another link', ownCommand('accounts link')],
  ];
  const details = lines.map(([name, value]) => `  ${name!.padEnd(12)} ${value}`).join('\n');
  const advice = withoutConsole ? `\n${withoutConsole} Everything else works without it.\n` : '';
  return `${summary(sightline, url, roles, await engine.models())}\n\n${details}\n${advice}\nPress Ctrl-C to stop.\n`;
}

type Models = Awaited<ReturnType<SightlineService['engine']['models']>>;

/** Where the service listens, with which database, storage, models and workers, and what is missing. */
function summary({ config, database }: SightlineService, url: string | null, roles: Roles, models: Models): string {
  const { storage, media } = config;
  const { kind, version } = database.engine;
  const names = models.flatMap(({ name }) => name ?? []);
  const missing = models.flatMap(({ name, part }) => (name === null ? part : []));
  const parts = [
    `PostgreSQL ${version} (${kind === 'embedded' ? 'embedded' : 'DATABASE_URL'})`,
    `storage ${storage.kind === 'file' ? storage.dir : `s3://${storage.bucket}/${storage.prefix}`}`,
    names.length === 0 ? 'no models' : `models ${names.join(', ')}`,
    roles.worker ? `workers ${media.processes}` : 'no workers',
  ];
  const ready = `Sightline ${VERSION} is ready ${url === null ? 'without an API' : `on ${url}`}`;
  return `${ready}: ${parts.join('; ')}.${missing.length === 0 ? '' : ` Missing: ${missing.join(', ')}.`}`;
}

/** States how to get the object detector, or why its weights do not work; empty if they do. Takes a second. */
async function detectorAdvice({ engine }: SightlineService): Promise<string> {
  const objects = (await engine.observers()).find(({ kind }) => kind === 'objects');
  return objects && 'unavailable' in objects ? `\n${objects.unavailable} Everything else works without it.\n` : '';
}
