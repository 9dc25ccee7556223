import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Log } from '#platform/log';
import type { PackagedModel } from './catalog.ts';

type Pinned = { path: string; sha256: string };
/** The files that a conversion reads and writes. */
export type Conversion = { source: Pinned & Pick<PackagedModel, 'range' | 'graph'>; target: Pinned };

/**
 * Converts a model of an installed package into a file. Never rejects: without a result the file is not there. The file
 * appears as a whole, with the pinned content; several nodes can convert into one folder at once.
 */
export type ConvertModel = (model: PackagedModel, target: Pinned) => Promise<void>;

const TIMEOUT_MS = 120_000;
/** Memory of the thread in MB, besides the two models. */
const LIMITS = { maxOldGenerationSizeMb: 256 };
/** Time after a failure before it is tried again. */
const RETRY_MS = 60_000;

export function createModelConverter({ log }: { log: Log }): ConvertModel {
  const running = new Map<string, Promise<void>>();
  const failedAtMs = new Map<string, number>();

  async function convert(model: PackagedModel, target: Pinned): Promise<void> {
    const { package: name, range, sha256, graph } = model;
    const folder = packageFolder(name);
    if (folder === null) return;
    try {
      const inPackage = (path: string) => join(folder, path);
      const source = { path: inPackage(model.path), range, sha256 };
      await runInThread({
        source: graph ? { ...source, graph: { ...graph, path: inPackage(graph.path) } } : source,
        target,
      });
      log.info({ package: name, file: target.path }, 'converted a model of a package');
    } catch (error) {
      failedAtMs.set(target.path, performance.now());
      log.warn({ err: error, package: name, file: target.path }, 'cannot convert a model of a package');
    }
  }

  return (model, target) => {
    if (performance.now() - (failedAtMs.get(target.path) ?? Number.NEGATIVE_INFINITY) < RETRY_MS)
      return Promise.resolve();
    const other = running.get(target.path);
    if (other) return other;
    const converting = convert(model, target).finally(() => running.delete(target.path));
    running.set(target.path, converting);
    return converting;
  };
}

async function runInThread(conversion: Conversion): Promise<void> {
  const worker = new Worker(new URL('./convert-worker.ts', import.meta.url), {
    workerData: conversion,
    resourceLimits: LIMITS,
  });
  try {
    const [code] = (await once(worker, 'exit', { signal: AbortSignal.timeout(TIMEOUT_MS) })) as [number];
    if (code !== 0) throw new Error(`the thread ended with code ${code}`);
  } finally {
    await worker.terminate();
  }
}

/** Folder of a package; null if it is not installed. Packages need not export their files. */
function packageFolder(name: string): string | null {
  const folders = createRequire(import.meta.url).resolve.paths(name) ?? [];
  return folders.map((folder) => join(folder, name)).find((folder) => existsSync(join(folder, 'package.json'))) ?? null;
}
