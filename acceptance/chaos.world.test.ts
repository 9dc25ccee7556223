import { randomInt } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { loopedClip, sceneClip } from '../server/test/media/clips.ts';
import { pick, seeded } from '../server/test/random.ts';
import { audit } from './chaos/audit.ts';
import { createClient } from './chaos/client.ts';
import type { SandboxState } from './chaos/containment.ts';
import { type Fleet, type NodeRole, startFleet, VICTIMS } from './chaos/fleet.ts';
import { addOrganization, rowsOf, startQuery, upload, waitForRows } from './chaos/organizations.ts';
import { BUCKET, type Sources, startSources, variantOf } from './chaos/sources.ts';
import { newLedger, operationsOf, work } from './chaos/workload.ts';
import { DARK } from './harness/answers.ts';
import { makeFolder } from './harness/service.ts';

/**
 * Kills random processes of a running service while videos arrive in every way, prompts are analyzed and a livestream
 * is recorded. Clients repeat what was not acknowledged under the same Idempotency-Key. Afterwards nothing acknowledged
 * may be lost, and nothing may be duplicated, stuck or left behind; media processes are contained as the service
 * states, after whatever was killed. `npm run chaos` runs many rounds;
 * SIGHTLINE_CHAOS_SEED repeats the random choices of a failed run.
 */
const ROUNDS = inject('chaosRounds');
const KILLS = 3;
/** Videos of a batch, their length, and the longest wait for an answer or a range. */
const BATCH = 6;
const LONG_S = 300;
const WAIT_MS = 180_000;
const SOUND = { stuck: [], lost: [], doubled: [], failed: [], orphanFiles: [] };
const { s3Server, ffmpeg } = inject('programs');
const TOPOLOGIES: [string, NodeRole[]][] = [
  ['one process', ['start']],
  ['two API nodes and two workers', ['api', 'worker', 'api', 'worker']],
];

describe.runIf(s3Server && ffmpeg)('chaos', () => {
  let clip: Buffer;
  let sources: Sources;
  beforeAll(async () => {
    clip = await readFile(await sceneClip());
    sources = await startSources(clip);
  });
  afterAll(() => sources?.stop());

  test.each(TOPOLOGIES)(
    '%s: random processes are killed, and everything acknowledged is there, once',
    {
      timeout: 60_000 + ROUNDS * 240_000,
    },
    async (topology, roles) => {
      const seed = Number(process.env.SIGHTLINE_CHAOS_SEED ?? randomInt(2 ** 31));
      const random = seeded(seed);
      const folder = await makeFolder();
      const fleet = await startFleet(`${folder.path}/data`, roles, {
        SIGHTLINE_MEDIA_PROCESSES: '1',
        SIGHTLINE_MODELS_DIR: `${folder.path}/no models`,
        SIGHTLINE_ALLOWED_NETWORKS: '127.0.0.0/8',
        ...sources.env,
      });
      let orphans = ['the fleet was not stopped'];
      try {
        const client = createClient(fleet.urls, random);
        const { json: system } = await client.acknowledged('GET', '/api/system');
        const sandbox = system.sandbox as SandboxState;
        const containment = fleet.watchContainment(sandbox);
        const ledger = newLedger();
        const integrationId = await saveIntegration(client, sources);
        let last = 0;
        const numbers = () => ++last;
        for (let round = 1; round <= ROUNDS; round++) {
          const working = work({ client, clip, sources, ledger, integrationId, random }, numbers);
          const killed = await killSome(fleet, random, working);
          await working;
          const findings = await audit(fleet.dataDir, client, fleet.urls, ledger);
          const { sent, repeated } = client.attempts;
          console.info(
            `${topology}, seed ${seed}, round ${round}: killed ${killed.join(', ')}; ${operationsOf(ledger)} operations in all, ` +
              `${sent} requests (${repeated} repeated), ${fleet.restarts()} restarts, ` +
              `${containment.checked()} media processes at the level ${sandbox.level}`,
          );
          expect(containment.violations(), `level ${sandbox.level}, seed ${seed}, round ${round}`).toEqual([]);
          expect(findings, `seed ${seed}, round ${round}, killed ${killed.join(', ')}`).toEqual(SOUND);
        }
        expect(containment.checked()).toBeGreaterThan(0);
      } catch (error) {
        const path = join(tmpdir(), `sightline-chaos-${seed}.log`);
        await writeFile(path, fleet.log());
        throw new Error(`Failed with seed ${seed}; the log of the nodes is in ${path}. ${error}`, { cause: error });
      } finally {
        orphans = await fleet.stop();
        await folder.remove();
      }
      expect(orphans).toEqual([]);
    },
  );
});

test('questions are answered while a batch is decoded and processes are killed, and the batch continues where it was', {
  timeout: 900_000,
}, async () => {
  const seed = Number(process.env.SIGHTLINE_CHAOS_SEED ?? randomInt(2 ** 31));
  const random = seeded(seed);
  const folder = await makeFolder();
  const fleet = await startFleet(`${folder.path}/data`, ['start', 'worker'], {
    SIGHTLINE_MEDIA_PROCESSES: '1',
    SIGHTLINE_MODELS_DIR: `${folder.path}/no models`,
    SIGHTLINE_MODELS_DOWNLOAD: 'false',
    SIGHTLINE_LOG_LEVEL: 'info',
  });
  const { dataDir } = fleet;
  const [batchEnded, rangesStored] = [
    `select status from batches where id = $1 and status <> 'processing'`,
    'select position from observation_ranges where position >= 1 limit 1',
  ];
  try {
    const clip = await readFile(await sceneClip());
    const owner = createClient(fleet.urls, random);
    const other = createClient(fleet.urls, random, 180_000, await addOrganization(dataDir));
    const long = await readFile(await loopedClip(await sceneClip(), LONG_S));
    const videos: string[] = [];
    for (let at = 0; at < BATCH; at++) videos.push(await upload(owner, variantOf(long, at), `long ${at}.mp4`));
    const batch = await startQuery(owner, DARK, videos);
    const killed: string[] = [];
    for (const [at, victim] of (['media', 'node', 'tree', 'media'] as const).entries()) {
      await waitForRows(dataDir, rangesStored, [], WAIT_MS);
      if (await fleet.kill(victim, random)) killed.push(victim);
      for (const [client, name] of [[other, 'other'] as const, [owner, 'own'] as const]) {
        const video = await upload(client, variantOf(clip, at), `${name} ${at}.mp4`);
        const question = await startQuery(client, DARK, [video]);
        const [ended] = await waitForRows<{ status: string }>(dataDir, batchEnded, [question], WAIT_MS);
        const early = await rowsOf(dataDir, batchEnded, [batch]);
        expect({ name, killed, ...ended, early }).toEqual({ name, killed, status: 'completed', early: [] });
      }
    }
    const [ended] = await waitForRows<{ status: string }>(dataDir, batchEnded, [batch], 4 * WAIT_MS);
    expect(ended).toEqual({ status: 'completed' });
    const events = `select distinct jsonb_path_query_array(events::jsonb, '$[*].start_s') as starts from analyses where batch_id = $1`;
    const answers = await waitForRows<{ starts: number[] }>(dataDir, events, [batch], WAIT_MS);
    expect(answers).toHaveLength(1);
    expect(answers[0]!.starts.length).toBeGreaterThan(1);
    expect(await rowsOf(dataDir, 'select video_id from observation_ranges')).toEqual([]);
    expect(fleet.log().includes('a pass continues after its stored ranges')).toBe(true);
    console.info(`seed ${seed}: killed ${killed.join(', ')}, ${fleet.restarts()} restarts`);
  } catch (error) {
    const path = join(tmpdir(), `sightline-chaos-${seed}.log`);
    await writeFile(path, fleet.log());
    throw new Error(`Failed with seed ${seed}; the log of the nodes is in ${path}. ${error}`, { cause: error });
  } finally {
    await fleet.stop();
    await folder.remove();
  }
});

/** Kills random victims at random moments while `working` runs. Returns the victims. */
async function killSome(fleet: Fleet, random: () => number, working: Promise<unknown>): Promise<string[]> {
  const killed: string[] = [];
  let over = false;
  working.then(
    () => (over = true),
    () => (over = true),
  );
  while (killed.length < KILLS && !over) {
    await sleep(300 + random() * 3_000);
    const victim = pick(random, VICTIMS);
    if (await fleet.kill(victim, random)) killed.push(victim);
  }
  return killed;
}

async function saveIntegration(client: ReturnType<typeof createClient>, { s3Url }: Sources): Promise<string> {
  const json = {
    name: 'Fleet',
    access_key_id: 'AKIATEST',
    secret_access_key: 'secret',
    bucket: BUCKET,
    endpoint_url: s3Url,
  };
  return String((await client.acknowledged('POST', '/api/cloud-integrations/s3', { json })).json.id);
}
