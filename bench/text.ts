/**
 * Reading of text in the frame: labeled texts of the shared footage, and texts of known size on footage, are searched
 * as prompts search them. A text is found if an event has it; a reading that resembles no labeled text is a false one.
 * Also the cost of reading a frame, against a frame of the detector, and of the pass over a video, against the pass
 * that observes everything else.
 *
 * `npm run bench -- text [--failures]`
 */
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { distance } from 'fastest-levenshtein';
import { createScene } from '../server/src/engine/find/index.ts';
import { findText, wordsOf } from '../server/src/engine/find/text/index.ts';
import { createEngine, createModelFolder, type Engine } from '../server/src/engine/index.ts';
import { decodeObservations } from '../server/src/engine/observe/encoding.ts';
import type { Observations } from '../server/src/engine/observe/observations.ts';
import { createLog } from '../server/src/platform/log.ts';
import { createMedia } from '../server/src/platform/media/index.ts';
import { UNCONFINED } from '../server/test/media/unconfined.ts';
import { costRows } from './lib/text-cost.ts';
import type { BenchmarkRow } from './run.ts';
import { type LabeledText, TEXT_CLIPS, WITHOUT_TEXT } from './text/labels.ts';
import { makeClips } from './text/made.ts';

const SHARED = fileURLToPath(new URL('../../shared/', import.meta.url));
const dataPath = (file: string) => join(SHARED, 'data', file);
/** Height of capitals from which on text has to be read. */
const READABLE = 20;
/** A reading is wrong if it differs from every labeled text by more than this share of its letters. */
const TOLERANCE = 0.4;

type Result = { source: string; text: string; height: number; found: boolean };

export async function run(args: string[]): Promise<BenchmarkRow[]> {
  const clips = TEXT_CLIPS.filter(({ file }) => existsSync(dataPath(file)));
  if (clips.length === 0) {
    console.error('There is no labeled footage beside this repository: nothing to measure.');
    return [];
  }
  const log = createLog('error');
  const media = await createMedia({ processes: 1, maxSeconds: 86_400, sandbox: UNCONFINED, log });
  const dir = await mkdtemp(join(tmpdir(), 'text-bench-'));
  try {
    const engine = createEngine({ media, models: createModelFolder(join(SHARED, 'models')), vision: null, log });
    const results: Result[] = [];
    const wrong: string[] = [];
    let lengthS = 0;
    const judge = async (path: string, source: string, texts: readonly LabeledText[], also: readonly string[]) => {
      const observed = await observe(engine, path);
      lengthS += observed.video.durationS;
      for (const [text, height] of texts) results.push({ source, text, height, found: isFound(text, observed) });
      const known = [...texts.map(([text]) => text), ...also];
      for (const { text } of observed.text!.texts)
        if (!known.some((each) => isReadingOf(text, each))) wrong.push(`"${text}" in ${source}`);
    };
    for (const { file, texts, also = [] } of clips) await judge(dataPath(file), file, texts, also);
    for (const file of WITHOUT_TEXT.filter((each) => existsSync(dataPath(each))))
      await judge(dataPath(file), file, [], []);
    for (const { path, texts } of await makeClips(dir, join(SHARED, 'data')))
      await judge(path, `made, ${texts[0]![1]} px`, texts, []);
    if (args.includes('--failures')) {
      for (const { source, text, height, found } of results)
        if (!found) console.log(`missed "${text}" (${height} px) in ${source}`);
      for (const each of wrong) console.log(`wrong: ${each}`);
    }
    return [...rowsOf(results), falseRow(wrong.length, lengthS), ...(await costRows(media, SHARED))];
  } finally {
    await media.close();
    await rm(dir, { recursive: true, force: true });
  }
}

async function observe(engine: Engine, path: string): Promise<Observations> {
  return decodeObservations(await engine.observe(path, ['text']));
}

function isFound(text: string, observations: Observations): boolean {
  const found = findText({ kind: 'text', text }, createScene(observations));
  return !('unavailable' in found) && found.matches.length > 0;
}

/** True if a reading is a part of a labeled text, apart from some letters. */
function isReadingOf(reading: string, labeled: string): boolean {
  const [read, real] = [wordsOf(reading).join(''), wordsOf(labeled).join('')];
  const length = Math.min(read.length, real.length);
  const [short, long] = read.length < real.length ? [read, real] : [real, read];
  for (let at = 0; at + length <= long.length; at++)
    if (distance(short, long.slice(at, at + length)) <= TOLERANCE * length) return true;
  return false;
}

function rowsOf(results: readonly Result[]): BenchmarkRow[] {
  const isMade = ({ source }: Result) => source.startsWith('made');
  const row = (name: string, some: readonly Result[], min?: number): BenchmarkRow => {
    const found = some.filter((each) => each.found).length;
    const note = `${found} of ${some.length}`;
    return { name, value: found / some.length, unit: '', note, ...(min === undefined ? {} : { bar: { min } }) };
  };
  const readable = results.filter(({ height }) => height >= READABLE);
  const small = results.filter(({ height }) => height < READABLE);
  return [
    row(`recall, capitals of ${READABLE} px or more`, readable, 0.8),
    row(
      'of these in real footage',
      readable.filter((each) => !isMade(each)),
    ),
    row(
      'recall, smaller capitals in real footage',
      small.filter((each) => !isMade(each)),
    ),
    ...[12, 16].map((height) =>
      row(
        `recall, ${height} px, made`,
        small.filter((each) => isMade(each) && each.height === height),
      ),
    ),
  ];
}

const falseRow = (count: number, lengthS: number): BenchmarkRow => ({
  name: 'false readings',
  value: count / (lengthS / 60),
  unit: '/min',
  bar: { max: 1 },
  note: `${count} in ${Math.round(lengthS)} s`,
});
