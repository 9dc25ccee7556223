import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { answer } from '../../server/src/engine/answer.ts';
import { decodeObservations } from '../../server/src/engine/observe/encoding.ts';
import type { Observations } from '../../server/src/engine/observe/observations.ts';
import type { ObserveArgs } from '../../server/src/engine/observe/observe-task.ts';
import { createPlanner } from '../../server/src/engine/plan/index.ts';
import type { Media } from '../../server/src/platform/media/index.ts';
import type { BenchmarkRow } from '../run.ts';
import type { EditedVideo, Join, MeasuredSignals } from './tasks.ts';

/** The labeled footage. */
export const DATA = fileURLToPath(new URL('../../../shared/data/', import.meta.url));
const TASKS = new URL('./tasks.ts', import.meta.url);
/** Maximum distance of a reported cut from its join. */
export const TOLERANCE_S = 0.15;

export type Span = { startS: number; endS: number };
export type Counts = { right: number; wrong: number; missed: number };
export type Cost = { wallS: number; cpuS: number };

export const f1 = ({ right, wrong, missed }: Counts) => (right === 0 ? 0 : (2 * right) / (2 * right + wrong + missed));
export const sum = (all: readonly Counts[]): Counts => ({
  right: all.reduce((total, { right }) => total + right, 0),
  wrong: all.reduce((total, { wrong }) => total + wrong, 0),
  missed: all.reduce((total, { missed }) => total + missed, 0),
});
const total = (costs: readonly Cost[], which: keyof Cost) => costs.reduce((all, cost) => all + cost[which], 0);
export const reported = ({ right, wrong, missed }: Counts) =>
  `${right} found, ${missed} missed, ${wrong} that are none`;
export const spans = (pairs: readonly [number, number][]): Span[] => pairs.map(([startS, endS]) => ({ startS, endS }));

const planner = createPlanner();
export const found = (prompt: string, observations: Observations): Span[] =>
  answer(planner.planQuery(prompt), observations).events.map(({ startS, endS }) => ({ startS, endS }));

export function timeRow(name: string, ours: readonly Cost[], theirs: readonly Cost[]): BenchmarkRow {
  const [mine, peer] = [total(ours, 'cpuS'), total(theirs, 'cpuS')];
  const wall = `${total(ours, 'wallS').toFixed(1)} s against ${total(theirs, 'wallS').toFixed(1)} s on the clock`;
  return { name, value: mine / peer, unit: '×', note: `${mine.toFixed(1)} s against ${peer.toFixed(1)} s; ${wall}` };
}

export async function observed(media: Media, path: string): Promise<{ observations: Observations; cost: Cost }> {
  const { durationS, video } = await media.probe(path);
  const { width, height, timeBase } = video;
  const facts = { durationS, width, height, timeBase, hasAudio: false };
  const args: ObserveArgs = { path, video: facts, kinds: ['signals'], sidecar: null, settings: {} };
  const { artifact, ...cost } = await media.run<MeasuredSignals>({
    module: TASKS,
    name: 'observeSignals',
    args: { args },
  });
  return { observations: decodeObservations(new Map([['signals', artifact]])), cost };
}

/** An edited video in the temporary folder, created once. */
export async function made(media: Media, video: EditedVideo): Promise<{ path: string; joins: Join[] }> {
  const sources = { ...video, shots: video.shots.map((shot) => ({ ...shot, source: join(DATA, shot.source) })) };
  const hash = createHash('sha256')
    .update(await readFile(TASKS))
    .update(JSON.stringify(sources));
  const folder = join(tmpdir(), 'sightline-videos');
  const path = join(folder, `${hash.digest('hex').slice(0, 12)}.mp4`);
  const labels = path.replace(/mp4$/, 'json');
  if (!existsSync(labels)) {
    await mkdir(folder, { recursive: true });
    const draft = path.replace(/mp4$/, `${process.pid}.mp4`);
    const args = { video: sources, path: draft };
    const joins = await media.run<Join[]>({ module: TASKS, name: 'editVideo', args });
    await rename(draft, path);
    await writeFile(labels, JSON.stringify(joins));
  }
  return { path, joins: JSON.parse(await readFile(labels, 'utf8')) as Join[] };
}
