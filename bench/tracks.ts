/**
 * Reliability of the confidence of tracks by group of classes: of tracks that state 0.8, eight in ten should be objects
 * of their class. `accuracy/tracks/labels.tsv` holds the tracks of real clips, labeled by looking at each in its frame:
 * its class, a time at which it is in view, and the middle of its box. A track that matches no label, after a change of
 * the detector or tracker, is counted as unlabeled. `npm run bench -- tracks [--detector NAME] [--failures]`
 */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { trackConfidence } from '../server/src/engine/find/confidence.ts';
import { createScene } from '../server/src/engine/find/index.ts';
import { PEOPLE_AND_ROAD_USERS } from '../server/src/engine/find/plausibility/class-facts.ts';
import type { TrackView } from '../server/src/engine/find/types.ts';
import { decodeObservations } from '../server/src/engine/observe/index.ts';
import { isRare, MOVING_OBJECT } from '../server/src/engine/observe/objects/index.ts';
import { createLog } from '../server/src/platform/log.ts';
import { createMedia } from '../server/src/platform/media/index.ts';
import { UNCONFINED } from '../server/test/media/unconfined.ts';
import { brier, type ConfidenceSample, calibrationError, reliability } from './accuracy/calibration.ts';
import { observed } from './lib/observed.ts';
import { openEngine } from './lib/open-engine.ts';
import type { BenchmarkRow } from './run.ts';

type Label = { file: string; className: string; timeS: number; x: number; y: number; verdict: string };
type Sample = ConfidenceSample & { group: string };

const SHARED = fileURLToPath(new URL('../../shared/', import.meta.url));
const LABELS = new URL('./accuracy/tracks/labels.tsv', import.meta.url);
/** A track matches a label if its box is this close to the labeled middle, in its own sizes. */
const SAME_PLACE = 0.35;
const SAME_TIME_S = 0.25;
const KINDS = ['signals', 'objects', 'fine_objects'] as const;

export async function run(args: string[]): Promise<BenchmarkRow[]> {
  const labels = await readLabels();
  const files = [...new Set(labels.map(({ file }) => file))].filter((file) => existsSync(join(SHARED, 'data', file)));
  const log = createLog('error');
  const media = await createMedia({ processes: 1, maxSeconds: 86_400, sandbox: UNCONFINED, log });
  try {
    const engine = openEngine({ media, log, args, models: join(SHARED, 'models') });
    const samples: Sample[] = [];
    let unlabeled = 0;
    for (const file of files) {
      const path = join(SHARED, 'data', file);
      const artifacts = await observed(engine, path, { fresh: args.includes('--fresh'), pass: 'dense', kinds: KINDS });
      for (const view of createScene(decodeObservations(artifacts)).trackViews()) {
        const { className } = view.track;
        if (className === MOVING_OBJECT) continue;
        const label = labels.find((each) => each.file === file && isLabeled(view, each));
        if (!label) unlabeled++;
        if (!label || label.verdict === 'unclear') continue;
        const { weight, reasons } = view.plausibility();
        const confidence = trackConfidence(view.score, view.independentCount, weight);
        const right = label.verdict === 'right';
        samples.push({ clip: file, confidence, right, group: groupOf(className) });
        if (args.includes('--failures') && right !== confidence >= 0.5)
          console.log(
            `${file}  ${className} at ${label.timeS} s  ${label.verdict}, ${confidence.toFixed(2)}  ${reasons.join('; ')}`,
          );
      }
    }
    printTable(samples);
    return [
      { name: 'labeled tracks', value: samples.length, unit: '', note: `${unlabeled} further tracks without a label` },
      { name: 'calibration error', value: calibrationError(samples), unit: '' },
      { name: 'Brier score', value: brier(samples), unit: '' },
      {
        name: 'wrong tracks of at least 0.5',
        value: countOf(samples, false, true),
        unit: '',
        note: `of ${countOf(samples, false, false)}`,
      },
      { name: 'right tracks below 0.5', value: countOf(samples, true, false) - countOf(samples, true, true), unit: '' },
    ];
  } finally {
    await media.close();
  }
}

const countOf = (samples: readonly Sample[], right: boolean, areEvents: boolean) =>
  samples.filter((sample) => sample.right === right && (!areEvents || sample.confidence >= 0.5)).length;

const groupOf = (className: string) =>
  PEOPLE_AND_ROAD_USERS.has(className)
    ? 'people and road users'
    : isRare(className)
      ? 'rare classes'
      : 'other frequent classes';

async function readLabels(): Promise<Label[]> {
  const [, ...lines] = (await readFile(LABELS, 'utf8')).trim().split('\n');
  return lines.map((line) => {
    const [file, className, timeS, x, y, verdict] = line.split('\t') as [
      string,
      string,
      string,
      string,
      string,
      string,
    ];
    return { file, className, timeS: Number(timeS), x: Number(x), y: Number(y), verdict };
  });
}

function isLabeled({ track, timeS }: TrackView, label: Label): boolean {
  if (track.className !== label.className) return false;
  const at = timeS.findIndex((time) => Math.abs(time - label.timeS) <= SAME_TIME_S);
  return (
    at >= 0 &&
    Math.abs(track.x[at]! - label.x) <= SAME_PLACE * track.width[at]! &&
    Math.abs(track.y[at]! - label.y) <= SAME_PLACE * track.height[at]!
  );
}

function printTable(samples: readonly Sample[]): void {
  for (const [group, own] of [...Map.groupBy(samples, (sample) => sample.group)].sort()) {
    for (const { from, to, n, stated, right } of reliability(own))
      if (n > 0)
        console.log(
          `${group.padEnd(26)}${`${from} to ${to}`.padEnd(12)}${String(n).padStart(5)}${stated.toFixed(2).padStart(8)}${right.toFixed(2).padStart(8)}`,
        );
  }
}
