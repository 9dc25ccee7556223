// The published Python SDK of the hosted service, unmodified, in three generations, against the product as users start
// it.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, cp, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, inject, test } from 'vitest';
import { sceneClip } from '../server/test/media/clips.ts';
import { SDKS } from '../server/test/programs.ts';
import { startHlsOrigin } from '../server/test/servers/live-sources.ts';
import {
  startVisionModel,
  type VisionModelReply,
  type VisionModelRequest,
} from '../server/test/servers/vision-model.ts';
import { createTimedOracle, type Truth } from '../server/test/servers/vision-oracle.ts';
import { startClouds } from './harness/clouds.ts';
import { REPOSITORY } from './harness/command.ts';
import { makeFolder, startService } from './harness/service.ts';

const TIMEOUT_MS = 600_000;
const PAGE = join(REPOSITORY, 'docs/compatibility.md');
const { nomadicml, s3Server, gcsServer, ffmpeg } = inject('programs');

/** One case of a method, as the driver reports it. */
type Case = { method: string; case: string; outcome: string; detail: string | null; message: string | null };

test.runIf(nomadicml && s3Server && gcsServer && ffmpeg)(
  'the Python SDK works unmodified, and its methods are all in the table',
  { timeout: TIMEOUT_MS },
  async () => {
    const { newest, newer, older } = nomadicml!;
    const [withModel, ...generations] = await Promise.all([runWithModel(newest), run(newest), run(newer), run(older)]);
    for (const cases of [withModel, ...generations])
      expect(cases.filter(({ outcome }) => outcome === 'fails')).toEqual([]);
    for (const cases of generations) expect(cases.length).toBeGreaterThan(50);
    const page = pageOf(generations, withModel);
    if (process.env.UPDATE_DOCS === '1') await writeFile(PAGE, page);
    expect(await readFile(PAGE, 'utf8'), 'UPDATE_DOCS=1 npm test -- acceptance/clients rewrites it').toBe(page);
  },
);

/**
 * Those tests of the newest SDK that need neither the internet nor a prepared account. The others that call a server
 * upload footage from Google Cloud Storage, or expect text to be read off it.
 */
const SDK_TESTS = ['test_integration.py::test_auth', 'test_chunk_boundary_integration.py'];

test.runIf(nomadicml && ffmpeg)('the tests that the newest SDK brings pass', { timeout: TIMEOUT_MS }, async () => {
  const folder = await makeFolder();
  const service = await startService(`${folder.path}/data`, {
    env: { SIGHTLINE_MODELS_DIR: `${folder.path}/data/models` },
  });
  try {
    const where = spawnSync(nomadicml!.newest, ['-c', 'import nomadic; print(nomadic.__path__[0])'], {
      encoding: 'utf8',
    });
    const tests = join(where.stdout.trim(), '../tests');
    // A copy: pytest writes beside the tests.
    await cp(tests, `${folder.path}/tests`, { recursive: true });
    const args = ['-m', 'pytest', '-q', '-p', 'no:cacheprovider', ...SDK_TESTS.map((name) => `tests/${name}`)];
    const env = { ...process.env, NOMADICML_API_KEY: service.key, VITE_BACKEND_DOMAIN: service.url };
    const child = spawn(nomadicml!.newest, args, { cwd: folder.path, env, stdio: ['ignore', 'pipe', 'pipe'] });
    const [output, complaint, [code]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, 'exit'),
    ]);
    expect(code, output + complaint).toBe(0);
    expect(output).toMatch(/\b2 passed\b/);
  } finally {
    await service.stop();
    await folder.remove();
  }
});

/** Starts a separate service for each generation and runs all cases against it. */
async function run(python: string): Promise<Case[]> {
  const folder = await makeFolder();
  const clip = join(folder.path, 'scene.mp4');
  await copyFile(await sceneClip(), clip);
  const site = createServer(async (_, response) => response.end(await readFile(clip)));
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  const clipUrl = `http://127.0.0.1:${(site.address() as AddressInfo).port}/scene.mp4`;
  const clouds = await startClouds(folder.path, await readFile(clip));
  // The same scene in a loop at its own speed.
  const input = ['-re', '-stream_loop', '-1', '-i', clip];
  const camera = await startHlsOrigin(ffmpeg!, { input, codec: ['-c', 'copy'] });
  const env = {
    SIGHTLINE_MODELS_DIR: `${folder.path}/data/models`,
    SIGHTLINE_ALLOWED_NETWORKS: '127.0.0.0/8',
    ...clouds.env,
  };
  const service = await startService(`${folder.path}/data`, { env });
  try {
    const made = await service.call('POST', '/api/keys', { json: { name: 'reader', scopes: ['read'] } });
    const reported = JSON.stringify({ ...clouds.settings, camera: camera.url });
    return await drive(python, 'nomadicml_drive.py', [
      service.url,
      service.key,
      String(made.json.key),
      clip,
      clipUrl,
      reported,
    ]);
  } finally {
    site.close();
    site.closeAllConnections();
    await service.stop();
    await clouds.stop();
    await camera.stop();
    await folder.remove();
  }
}

async function drive(python: string, driver: string, args: string[]): Promise<Case[]> {
  const path = join(REPOSITORY, 'acceptance/clients', driver);
  const child = spawn(python, [path, ...args], { stdio: ['ignore', 'pipe', 'pipe'], timeout: TIMEOUT_MS });
  const [output, complaint, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  expect(code, complaint).toBe(0);
  return output
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Case);
}

/** Knowledge of the model about the scene; the values of fields are those that the cases request. */
const WHOLE: Truth[string] = [[0, 16]];
const TRUTH: Truth = {
  'raise the lamp': [[0, 5.4]],
  'hold the lamp': [[5.6, 11.4]],
  'a pothole': [[8, 10]],
  pothole: [[8, 10]],
  'weather: sunny': WHOLE,
  'mood: happy': WHOLE,
  'outcome: success': WHOLE,
  'reasoning: it moves': WHOLE,
  'component: pedestrian': WHOLE,
  'location: ahead': WHOLE,
};

/** Runs the cases that need a model that sees, against a service with one. */
async function runWithModel(python: string): Promise<Case[]> {
  const folder = await makeFolder();
  const clip = join(folder.path, 'scene.mp4');
  await copyFile(await sceneClip(), clip);
  const oracle = await createTimedOracle(TRUTH);
  const model = await startVisionModel((request, n) => answerInText(request) ?? oracle.script(request, n));
  const service = await startService(`${folder.path}/data`, {
    env: {
      SIGHTLINE_MODELS_DIR: `${folder.path}/data/models`,
      SIGHTLINE_VISION_URL: model.url,
      SIGHTLINE_VISION_MODEL: 'eyes',
      SIGHTLINE_VISION_API_KEY: 'k-1',
    },
  });
  try {
    return await drive(python, 'drive_with_model.py', [service.url, service.key, clip]);
  } finally {
    await service.stop();
    await model.close();
    await folder.remove();
  }
}

/** Replies to requests without images: fields of a prompt, and descriptions that fit a request. */
function answerInText({ texts }: VisionModelRequest): VisionModelReply | null {
  const [system = '', content = ''] = texts;
  const json = (value: object) => ({ text: JSON.stringify(value) });
  if (system.includes('Name the fields of a table')) {
    const crossing = { name: 'crossing', type: 'text', values: [], description: 'how they cross' };
    return json({ scope: 'event', fields: [crossing] });
  }
  if (system.includes('Somebody selects events')) {
    const { descriptions } = JSON.parse(content) as { descriptions: { text: number; description: string }[] };
    const rising = descriptions.filter(({ description }) => description.startsWith('raise'));
    return json({ fits: rising.map(({ text }) => ({ text, percent: 90 })) });
  }
  // Prompts are read by rules.
  return system.includes('JSON') && content.startsWith('{') ? json({}) : null;
}

/** The table of all cases, with the versions from the newest to the oldest, and of those that need a model. */
function pageOf(generations: Case[][], withModel: Case[]): string {
  const rows = new Map<string, { method: string; case: string; outcomes: string[]; message: string }>();
  for (const [at, cases] of generations.entries()) {
    for (const { method, case: what, outcome, message } of cases) {
      const row = rows.get(`${method} ${what}`) ?? { method, case: what, outcomes: ['', '', ''], message: '' };
      row.outcomes[at] = outcome;
      row.message ||= generalize(message ?? '');
      rows.set(`${method} ${what}`, row);
    }
  }
  const table = [...rows.entries()].sort(([a], [b]) => (a < b ? -1 : Number(a > b)));
  const versions = [SDKS.newest, SDKS.newer, SDKS.older].map(({ version }) => version);
  return `# Clients of the hosted service

The published Python SDK (\`nomadic\`, before 0.1.64 \`nomadicml\`) works after you change \`base_url\` and \`api_key\`. \`acceptance/clients.world.test.ts\` calls every
public method as users do, against a newly started service without a vision-language model, and generates this table. *raises*: the SDK is expected to raise this
error, with the message in the last column if it is the response of the service; *untried*: no test case yet; empty: the version has no such method.

Where the SDK and the API specification disagree, the specification wins:

- \`wait_for_analyses\` waits for a video's status to become \`COMPLETED\`. The status of a video only describes its upload, so the call times out. Use
  \`wait_for_analysis\` with the id of an analysis.
- Training agents and segmenters and the export of operating domains are not part of this service and return 501.
- \`AnalysisError\` exists, but nothing in the SDK raises it.

| method | case | ${versions.join(' | ')} | message |
| --- | --- | --- | --- | --- | --- |
${table.map(([, row]) => `| ${[row.method, row.case, ...row.outcomes, row.message].join(' | ')} |`).join('\n')}

## With a vision-language model

The same, for methods that need a model that sees, against a service with one (\`SIGHTLINE_VISION_URL\`).

| method | case | ${versions[0]} | message |
| --- | --- | --- | --- |
${withModel.map((each) => `| ${[each.method, each.case, each.outcome, generalize(each.message ?? '')].join(' | ')} |`).join('\n')}
`;
}

/** A message without ids and other values that differ between runs. */
const generalize = (message: string) => message.replace(/\b[0-9a-f]{12,}\b/g, '…').replaceAll('|', '\\|');
