import { existsSync, openAsBlob } from 'node:fs';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { basename, join, parse, relative } from 'node:path';
import { type Sightline as Client, createSightline, SightlineError } from '@sightline/sdk';
import { clock, coverageText, createProgress, table } from '@sightline/sdk/terminal';
import { type Accounts, createAccounts } from '#features/accounts/index';
import { createKeys, type Keys } from '#features/keys/index';
import { openConfiguredDatabase } from '#platform/db/connect';
import { createMedia } from '#platform/media/index';
import { freePort } from '#platform/net/index';
import { ownCommand } from '#platform/own-command';
import { Problem } from '#platform/problem';
import { compose } from '../compose/index.ts';
import { DEMO_PROMPT, renderDemoVideo } from '../demo/scene.ts';
import { VERSION } from '../version.ts';
import { clipPath } from './clip.ts';
import type { Context } from './types.ts';

/** Maximum time that the demo waits for the download of the detector. */
const DETECTOR_MS = 120_000;

type Event = { t: string; label: string; confidence: number; image: string };
type Document = Awaited<ReturnType<Client['document']>>;

/** Part of the reason in `coverage` where the model of a kind was missing, or a weaker one was used. */
const NOT_AVAILABLE: Readonly<Record<string, RegExp>> = {
  objects: /object detector was not available|which misses more than/,
  sounds: /recognizer of sounds was not available/,
  speech: /recognizer of speech was not available/,
};

/**
 * Uploads a video over HTTP (a rendered scene by default), asks a prompt, and prints progress and events. Exits with 1
 * if nothing is found.
 */
export async function demo(context: Context, clip?: string, prompt = DEMO_PROMPT): Promise<void> {
  const given = clip ? clipPath(clip) : null;
  const { config, interrupted } = context;
  const progress = createProgress();
  progress.show('starting', 0);
  const service = await reachService(context);
  try {
    const { client, firstKey, unavailable } = service;
    const folder = join(config.dataDir, 'demo');
    await mkdir(folder, { recursive: true });
    const path = given ?? join(folder, `scene-${VERSION}.mp4`);
    if (!existsSync(path)) {
      progress.show('drawing a scene', 1);
      await drawScene(context, path);
    }
    progress.show('uploading', 3);
    const { video_id } = await client.upload(await openAsBlob(path), { name: basename(path), signal: interrupted });
    await client.ready(video_id, { signal: interrupted });

    const document = await ask(client, video_id, prompt, interrupted, (stage, percent) =>
      progress.show(stage, percent),
    );
    const events = await saveImages(document, join(folder, parse(path).name));
    progress.stop();
    show(prompt, document, events);
    if (events.length === 0) process.exitCode = 1;
    const reasons = document.analysis.coverage.map(({ reason }) => reason ?? '').join('\n');
    const missing = unavailable.filter(({ kind }) => NOT_AVAILABLE[kind]?.test(reasons));
    if (missing.length > 0)
      process.stdout.write(
        `\nMore is found with models that are missing.\n\n${missing.map(({ advice }) => advice).join('\n\n')}\n`,
      );
    if (firstKey) {
      process.stdout.write(
        `\nYour API key. It is not shown again; to use it in a shell, paste this line:\n\n    export KEY=${firstKey}\n`,
      );
    }
    process.stdout.write(`\nNext: start the service with ${ownCommand('start')}\n`);
  } catch (error) {
    if (error instanceof SightlineError) {
      throw new Problem({ status: error.status, code: error.code, message: error.message });
    }
    throw error;
  } finally {
    progress.stop();
    await service.close();
  }
}

type Service = {
  client: Client;
  firstKey: string | null;
  /** Observers that lack their model, with advice; empty if another process runs the service. */
  unavailable: { kind: string; advice: string }[];
  close: () => Promise<void>;
};

/** Returns the service that already runs on this data folder, or starts one on a free port. */
async function reachService({ config, log }: Context): Promise<Service> {
  const port = await freePort();
  const baseUrl = `http://127.0.0.1:${port}`;
  try {
    const own = { ...config, host: '127.0.0.1', port, publicUrl: baseUrl };
    const sightline = await compose(own, log, { roles: { api: true, worker: true } });
    await sightline.start();
    await sightline.system.models.settled(DETECTOR_MS);
    const apiKey = await demoKey(sightline.keys, sightline.accounts);
    const { engine, firstKey, close } = sightline;
    const unavailable = (await engine.observers()).flatMap((each) =>
      'unavailable' in each
        ? [{ kind: each.kind, advice: each.unavailable }]
        : each.fallback
          ? [{ kind: each.kind, advice: each.fallback }]
          : [],
    );
    return { client: createSightline({ baseUrl, apiKey }), firstKey, unavailable, close };
  } catch (error) {
    if (!(error instanceof Problem && error.code === 'data_folder_in_use')) throw error;
  }
  const database = await openConfiguredDatabase(config, log, { mode: 'share', poolSize: 2 });
  const keys = createKeys({ database, log });
  const apiKey = await demoKey(keys, createAccounts({ database }));
  const close = async () => {
    await keys.close();
    await database.close();
  };
  return { client: createSightline({ baseUrl: config.publicUrl, apiKey }), firstKey: null, unavailable: [], close };
}

async function demoKey(keys: Keys, accounts: Accounts): Promise<string> {
  const owner = (await accounts.owner())!;
  return (await keys.create({ ...owner, name: 'demo', expiresInDays: 1 })).key;
}

/** Renders the demo video atomically. The next demo reuses it. */
async function drawScene({ config, log }: Context, path: string): Promise<void> {
  const media = await createMedia({
    ...config.media,
    maxSeconds: config.limits.videoSeconds,
    readable: [config.modelsDir],
    log,
  });
  const partial = `${path}.partial.mp4`;
  try {
    await renderDemoVideo(media, partial);
    await rename(partial, path);
  } finally {
    await media.close();
  }
}

async function ask(
  client: Client,
  videoId: string,
  query: string,
  signal: AbortSignal,
  show: (stage: string, percent: number) => void,
): Promise<Document> {
  let analysisId = '';
  for await (const { kind, data } of client.ask({ query, videoIds: [videoId] }, { signal })) {
    // The upload took the first few percent of the progress bar.
    if (kind === 'progress') show(String(data.stage), 5 + 0.95 * Number(data.progress));
    if (typeof data.analysis_id === 'string') analysisId = data.analysis_id;
  }
  show('done', 100);
  return client.document(videoId, analysisId);
}

/** Downloads the image of each event through its signed URL and saves it. */
async function saveImages(document: Document, prefix: string): Promise<Event[]> {
  const events: Event[] = [];
  for (const [i, event] of document.analysis.events.entries()) {
    const { confidence, annotated_thumbnail_url: url } = event.data;
    const image = url ? `${prefix}-${i + 1}.jpg` : '';
    if (url) await writeFile(image, Buffer.from(await (await fetch(url)).arrayBuffer()));
    const t = `${clock(event.start_s)} to ${clock(event.end_s)}`;
    events.push({ t, label: event.description, confidence, image: shortest(image) });
  }
  return events;
}

/** A path, shortened for display in the current folder. */
function shortest(path: string): string {
  const fromHere = relative(process.cwd(), path);
  return path === '' || fromHere.length > path.length ? path : fromHere;
}

function show(prompt: string, document: Document, events: Event[]): void {
  const { interpretation, answer, coverage, suggestions } = document.analysis;
  const rows = events.map((e) => [e.t, e.label, e.confidence.toFixed(2), e.image]);
  process.stdout.write(`\n"${prompt}"\n\n${interpretation}\n\n${answer}\n\n`);
  if (rows.length > 0) process.stdout.write(`${table(['time', 'event', 'confidence', 'image'], rows)}\n\n`);
  process.stdout.write(`${coverageText(coverage, suggestions)}\n`);
}
