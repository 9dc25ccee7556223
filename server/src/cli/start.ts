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

/** Maximum time that the greeting waits for the download of the detector, whose state it prints. */
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
    process.stdout.write(await greeting(sightline, address));
    if (!interrupted.aborted) await once(interrupted, 'abort');
    process.stdout.write('\nStopping.\n');
  } finally {
    stopReleasing();
    await sightline.close();
  }
}

const FIRST_START =
  '\nFirst start: creating the database and fetching the object detector. This takes about half a minute, later starts a few seconds.\n';

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

/** Addresses and settings of the running service, for the operator. */
async function greeting(sightline: SightlineService, address: string | null): Promise<string> {
  const { config, console, database, engine, system } = sightline;
  const shown = address && config.host === '127.0.0.1' ? `http://localhost:${new URL(address).port}` : address;
  await system.models.settled(DETECTOR_MS);
  const objects = (await engine.observers()).find((observer) => observer.kind === 'objects');
  const missing = objects && 'unavailable' in objects ? objects.unavailable : null;
  const { kind, version } = database.engine;
  const current = console.current();
  const withoutConsole = address && current.state === 'not_installed' ? current.reason : null;
  const lines = [
    ...(config.console ? [['Console', withoutConsole ? 'missing, see below' : (shown ?? 'on other nodes')]] : []),
    ['API', shown ?? 'on other nodes'],
    ['API docs', shown ? `${shown}/docs` : 'on other nodes'],
    ['Data folder', config.dataDir],
    ['Database', `PostgreSQL ${version}, ${kind === 'embedded' ? 'embedded' : 'from DATABASE_URL'}`],
    ['Detector', objects && 'version' in objects ? `ready (${objects.version})` : 'missing, see below'],
    ['Another key', ownCommand('accounts create-key --name NAME')],
    ['Another link', ownCommand('accounts link')],
  ];
  const where = lines.map(([name, value]) => `  ${name!.padEnd(12)} ${value}`).join('\n');
  const advice = [missing, withoutConsole]
    .filter((each) => each !== null)
    .map((each) => `\n${each} Everything else works without it.\n`)
    .join('');
  return `\nSightline ${VERSION} is ready.\n\n${where}\n${advice}\nPress Ctrl-C to stop.\n`;
}
