import { once } from 'node:events';
import type { Config } from '#platform/config/index';
import { compose, type Roles, type Sightline } from '../compose.ts';
import { VERSION } from '../version.ts';
import { freePort } from './free-port.ts';
import type { Context } from './index.ts';

/** Runs the service until it is told to stop, then closes it in order. */
export async function start({ config, log, interrupted }: Context, roles: Roles): Promise<void> {
  const sightline = await compose(await settled(config), log, { roles });
  try {
    const address = await sightline.start();
    process.stdout.write(await greeting(sightline, address));
    if (!interrupted.aborted) await once(interrupted, 'abort');
    process.stdout.write('\nStopping.\n');
  } finally {
    await sightline.close();
  }
}

/** Which port is taken for any free one is settled before anything is made: links and signed URLs name it. */
async function settled(config: Config): Promise<Config> {
  if (config.port !== 0) return config;
  const port = await freePort();
  return { ...config, port, publicUrl: config.publicUrl.replace(/:0$/, `:${port}`) };
}

/** Where everything is, for the person who just started it. */
async function greeting(sightline: Sightline, address: string | null): Promise<string> {
  const { config, database, media, engine, firstKey, setUpUrl } = sightline;
  const port = address ? new URL(address).port : '';
  const shown = config.host === '127.0.0.1' ? `http://localhost:${port}` : address;
  const objects = (await engine.observers()).find((observer) => observer.kind === 'objects');
  const detector = objects && 'version' in objects ? `ready (${objects.version})` : (objects?.unavailable ?? 'none');
  const { kind, version } = database.engine;
  const lines = [
    ['API', shown ?? 'on other nodes'],
    ['Docs', shown ? `${shown}/docs` : 'on other nodes'],
    ['Data folder', config.dataDir],
    ['Database', `PostgreSQL ${version}, ${kind === 'embedded' ? 'embedded' : 'from DATABASE_URL'}`],
    ['Media', media.engine],
    ['Detector', detector],
  ];
  const where = lines.map(([name, value]) => `  ${name!.padEnd(12)} ${value}`).join('\n');
  const key = firstKey
    ? `\n  Your API key, shown this once:\n\n      ${firstKey}\n\n  More keys: npm run cli -- keys create --name NAME\n\n  To sign in, choose a password within a day, here:\n\n      ${setUpUrl}\n\n  Another link: npm run cli -- accounts link\n`
    : '';
  return `\nSightline ${VERSION} is ready.\n\n${where}\n${key}\nCtrl-C stops it.\n`;
}
