/**
 * Recognition of sounds: labeled recordings, mixed into the sound of other footage at several ratios, are searched for
 * every sound. A found event is right if it overlaps its recording; one that the footage has without the recording does
 * not count. Recordings: ESC-10 and others beside this repository, and those of Debian packages where apt can download
 * them (`sounds/debian.ts` states their licenses). Also the cost of a window, against a frame of the detector.
 *
 * `npm run bench -- sounds [--failures]`
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SOUND_RULES } from '../server/src/engine/find/index.ts';
import { findRecognized, spanTimes } from '../server/src/engine/find/sound/find-recognized.ts';
import { createDetector } from '../server/src/engine/observe/objects/detector/detector.ts';
import { detectorOf } from '../server/src/engine/observe/objects/detectors.ts';
import type { SoundClasses } from '../server/src/engine/observe/observations.ts';
import { createSoundClasses } from '../server/src/engine/observe/sounds/observer.ts';
import { openRecognizer, type Recognizer } from '../server/src/engine/observe/sounds/recognizer.ts';
import { createWindows } from '../server/src/engine/observe/sounds/windows.ts';
import { RECOGNIZED_SOUNDS, type RecognizedSound } from '../server/src/engine/plan/index.ts';
import type { BenchmarkRow } from './run.ts';
import { type Mix, mixIn, readAudio, SNRS } from './sounds/mix.ts';
import { listRecordings } from './sounds/recordings.ts';

const SHARED = fileURLToPath(new URL('../../shared/', import.meta.url));
/** Footage whose sound the recordings are mixed into: a walk outdoors, and a crowd. That of other clips is silent. */
const BACKGROUNDS = ['telemetry/gopro_hero7_walk.mp4', 'security/mpf_marathon.mkv'];
/** Longest part of a background that is used, in samples. */
const BACKGROUND = 10 * 16_000;
/** Sounds that recordings of another one contain as well: these are neither right nor wrong. */
const WITHIN: Partial<Record<RecognizedSound, readonly RecognizedSound[]>> = {
  applause: ['cheering'],
  cheering: ['applause', 'speech', 'scream'],
  chainsaw: ['engine'],
  helicopter: ['engine', 'airplane'],
  airplane: ['engine', 'helicopter'],
  thunder: ['rain'],
  explosion: ['gunshot'],
  gunshot: ['explosion'],
  train: ['engine', 'car_horn'],
  car_horn: ['engine'],
  siren: ['alarm'],
  alarm: ['siren'],
  rooster: ['birds'],
  music: ['speech'],
};
const PRECISION = 0.8;
const RECALL = 0.6;
/** Windows of which the cost is measured. */
const COSTED = 200;

type Counts = { sought: number; found: number; right: number; wrong: number };

export async function run(args: string[]): Promise<BenchmarkRow[]> {
  const weights = join(SHARED, 'models/yamnet.onnx');
  const recordings = listRecordings(join(SHARED, 'data/sounds'));
  if (!existsSync(weights) || recordings.length === 0) {
    console.error('There are no weights or no recordings beside this repository: nothing to measure.');
    return [];
  }
  const recognizer = await openRecognizer(weights);
  const backgrounds: Background[] = [];
  for (const file of BACKGROUNDS) {
    const samples = readAudio(join(SHARED, 'data', file)).subarray(0, BACKGROUND);
    backgrounds.push({ samples, observed: await observe(recognizer, samples) });
  }
  const counts = new Map<RecognizedSound, Counts>(
    RECOGNIZED_SOUNDS.map((name) => [name, { sought: 0, found: 0, right: 0, wrong: 0 }]),
  );
  let at = 0;
  for (const recording of recordings) {
    for (const snrDb of SNRS) {
      const background = backgrounds[at++ % backgrounds.length]!;
      const mix = mixIn(recording, background.samples, snrDb);
      if (!mix) continue;
      const name = `${recording.source} ${recording.path.split('/').slice(-2).join('/')} at ${snrDb} dB`;
      const observed = await observe(recognizer, mix.mixed);
      judge(
        { ...mix, sound: recording.sound, observed, background },
        counts,
        args.includes('--failures') ? name : null,
      );
    }
  }
  const rows = RECOGNIZED_SOUNDS.flatMap((name): BenchmarkRow[] => {
    const { sought, found, right, wrong } = counts.get(name)!;
    if (sought === 0) return [];
    const { isReliable } = SOUND_RULES[name];
    const row = (figure: string, value: number, min: number, note: string): BenchmarkRow => ({
      name: `${name}, ${figure}${isReliable ? '' : ' of candidates'}`,
      value,
      unit: '',
      note,
      ...(isReliable ? { bar: { min } } : {}),
    });
    return [
      row('recall', found / sought, RECALL, `${found} of ${sought}`),
      row('precision', right / Math.max(1, right + wrong), PRECISION, `${right} right, ${wrong} wrong`),
    ];
  });
  const cost = await costOf(recognizer);
  await recognizer.close();
  return [...rows, cost];
}

type Background = { samples: Float32Array; observed: SoundClasses };
type Judged = Omit<Mix, 'mixed'> & { sound: RecognizedSound | null; observed: SoundClasses; background: Background };

/** Finds every sound in a mix and counts what is right and wrong. */
function judge(
  { sound, observed, background, fromS, untilS }: Judged,
  counts: ReadonlyMap<RecognizedSound, Counts>,
  failures: string | null,
): void {
  const own = background.observed;
  const overlaps = (a: { startS: number; endS: number }, b: { startS: number; endS: number }) =>
    a.startS < b.endS && b.startS < a.endS;
  for (const [name, count] of counts) {
    const events = findRecognized(name, observed).map((span) => spanTimes(span, observed));
    const before = findRecognized(name, own).map((span) => spanTimes(span, own));
    const labeled = { startS: fromS, endS: untilS };
    if (name === sound) {
      const right = events.filter((event) => overlaps(event, labeled));
      count.sought++;
      count.found += Math.min(1, right.length);
      count.right += Math.min(1, right.length);
      if (right.length === 0 && failures) console.log(`missed ${name}: ${failures}`);
      continue;
    }
    if (sound !== null && WITHIN[sound]?.includes(name)) continue;
    const wrong = events.filter((event) => !before.some((each) => overlaps(each, event)));
    count.wrong += wrong.length;
    if (wrong.length > 0 && failures) console.log(`wrong ${name}: ${failures}`);
  }
}

async function observe(recognizer: Recognizer, samples: Float32Array) {
  const collected = createSoundClasses('yamnet');
  const windows = createWindows(Number.POSITIVE_INFINITY, async (window) => {
    collected.addScores(window && (await recognizer.recognize(window)));
  });
  await windows.addSamples(samples, 0);
  await windows.finish();
  return collected.finish();
}

/** CPU time of a window, relative to that of a frame of the detector. */
async function costOf(recognizer: Recognizer): Promise<BenchmarkRow> {
  const side = 416;
  const noise = Float32Array.from({ length: 15_600 }, (_, at) => ((at * 7_919) % 2_001) / 1_000 - 1);
  const detector = await createDetector({
    weights: join(SHARED, 'models/yolox_nano.onnx'),
    spec: detectorOf('yolox_nano'),
    width: side,
    height: side,
    threads: 1,
  });
  const frame = new Uint8Array(side * side * 3).fill(128);
  const measureCpu = async (run: () => Promise<unknown>) => {
    const before = process.cpuUsage();
    await run();
    const { user, system } = process.cpuUsage(before);
    return user + system;
  };
  const windowsUs = await measureCpu(async () => {
    for (let at = 0; at < COSTED; at++) await recognizer.recognize(noise);
  });
  const framesUs = await measureCpu(async () => {
    for (let at = 0; at < COSTED; at++) await detector.detect(frame);
    await detector.finish();
  });
  await detector.close();
  return { name: 'CPU of a window of 0.975 s', value: windowsUs / framesUs, unit: 'frames', bar: { max: 0.3 } };
}
