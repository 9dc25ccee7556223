/**
 * Recognition of speech: the word error rate of labeled clips, clean and in the sound of other footage, how often a
 * sought word is found, what is heard in noise without speech, and the cost. Clips: a narration (NASA), telephone
 * prompts of Asterisk (a Debian package, 8 kHz) and sentences that flite speaks (synthetic; `apt install flite`).
 *
 * `npm run bench -- speech [--failures]`
 */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createWordMatcher, toSpokenWords } from '../server/src/engine/find/speech/word-matcher.ts';
import { CATALOG } from '../server/src/engine/models/index.ts';
import { createDetector } from '../server/src/engine/observe/objects/detector/detector.ts';
import { detectorOf } from '../server/src/engine/observe/objects/detectors.ts';
import type { Transcript } from '../server/src/engine/observe/observations.ts';
import { createTranscriber } from '../server/src/engine/observe/speech/transcriber.ts';
import { openVoiceActivity, STEP } from '../server/src/engine/observe/speech/voice-activity.ts';
import { openWhisper, type Whisper } from '../server/src/engine/observe/speech/whisper.ts';
import type { BenchmarkRow } from './run.ts';
import { readAudio } from './sounds/mix.ts';
import { listClips, type SpokenClip } from './speech/clips.ts';
import { addNoise, countErrors } from './speech/score.ts';

const SHARED = fileURLToPath(new URL('../../shared/', import.meta.url));
const MODELS = join(SHARED, 'models');
const RATE = 16_000;
/** A walk outdoors and a crowd: that of other footage is silent. */
const BACKGROUNDS = ['telemetry/gopro_hero7_walk.mp4', 'security/mpf_marathon.mkv'];
const SNRS = [10, 0];
const MAX_ERROR = 0.1;
/** Frames of the detector and steps of the detector of voices of which the cost is measured. */
const FRAMES = 60;
const STEPS = 500;
/** Every nth recording of noise is used. */
const NOISE_STEP = 4;

type Heard = SpokenClip & { samples: Float32Array; text: string };

export async function run(args: string[]): Promise<BenchmarkRow[]> {
  const { files } = CATALOG.find(({ name }) => name === 'whisper_tiny_en')!;
  const paths = files.map(({ name }) => join(MODELS, name));
  const clips = listClips(join(SHARED, 'data'));
  if (!paths.every((path) => existsSync(path)) || clips.length === 0) {
    console.error('There are no weights or no clips beside this repository: nothing to measure.');
    return [];
  }
  const whisper = await openWhisper(paths);
  const backgrounds = BACKGROUNDS.map((file) => readAudio(join(SHARED, 'data', file)));
  const hear = async (change: (samples: Float32Array, at: number) => Float32Array): Promise<Heard[]> => {
    const heard: Heard[] = [];
    for (const [at, clip] of clips.entries()) {
      const samples = change(readAudio(clip.path), at);
      const { texts } = await transcribe(whisper, samples);
      heard.push({ ...clip, samples, text: texts.join(' ') });
    }
    return heard;
  };
  const cpu = startCpu();
  const clean = await hear((samples) => samples);
  const cleanUs = cpu();
  const rows: BenchmarkRow[] = [];
  for (const kind of ['recorded', 'synthetic'] as const)
    rows.push({
      ...errorRow(
        `${kind}, clean`,
        clean.filter((each) => each.kind === kind),
      ),
      bar: { max: MAX_ERROR },
    });
  if (args.includes('--failures')) printFailures(clean);
  for (const snrDb of SNRS) {
    const heard = await hear((samples, at) => addNoise(samples, backgrounds[at % backgrounds.length]!, snrDb));
    rows.push(errorRow(`all, at ${snrDb} dB`, heard), ...findRows(`at ${snrDb} dB`, heard));
    if (args.includes('--failures')) printFailures(heard);
  }
  rows.push(...findRows('clean', clean), ...(await noiseRows(whisper)));
  const seconds = clean.reduce((sum, { samples }) => sum + samples.length / RATE, 0);
  rows.push(
    { name: 'CPU of clean speech, share of its length', value: cleanUs / 1e6 / seconds, unit: '', bar: { max: 1 } },
    ...(await costRows(cleanUs / seconds)),
  );
  await whisper.close();
  return rows;
}

async function transcribe(whisper: Whisper, samples: Float32Array): Promise<Transcript> {
  const voice = await openVoiceActivity();
  const transcriber = createTranscriber({ whisper, voice, model: '', durationS: Number.POSITIVE_INFINITY });
  await transcriber.addSamples(samples, 0);
  const transcript = await transcriber.finish();
  await voice.close();
  return transcript!;
}

function errorRow(name: string, clips: readonly Heard[]): BenchmarkRow {
  const counts = clips.map(({ words, text }) => countErrors(words, text));
  const errors = counts.reduce((sum, each) => sum + each.errors, 0);
  const words = counts.reduce((sum, each) => sum + each.words, 0);
  return { name: `word error rate, ${name}`, value: errors / Math.max(1, words), unit: '', note: `${words} words` };
}

/** The longest word of each clip is sought in all clips: recall where it is spoken, precision elsewhere. */
function findRows(name: string, clips: readonly Heard[]): BenchmarkRow[] {
  let [sought, found, wrong] = [0, 0, 0];
  for (const { words } of clips) {
    const word = toSpokenWords(words).reduce((a, b) => (b.length > a.length ? b : a));
    const matcher = createWordMatcher([word]);
    const isIn = (text: string) => {
      const spoken = toSpokenWords(text);
      return spoken.some((_, at) => matcher.matchAt(spoken, at)?.match === 'same');
    };
    for (const clip of clips) {
      const isSpoken = isIn(clip.words);
      sought += Number(isSpoken);
      found += Number(isSpoken && isIn(clip.text));
      wrong += Number(!isSpoken && isIn(clip.text));
    }
  }
  return [
    { name: `sought words, ${name}, recall`, value: found / sought, unit: '', note: `${found} of ${sought}` },
    { name: `sought words, ${name}, precision`, value: found / Math.max(1, found + wrong), unit: '' },
  ];
}

/** Voices and words recognized in recordings of noise; those of babies have voices, and are left out. */
async function noiseRows(whisper: Whisper): Promise<BenchmarkRow[]> {
  const root = join(SHARED, 'data/sounds/esc10');
  if (!existsSync(root)) return [];
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ogg') && !file.includes('crying_baby') && !file.includes('baby_cry'))
    .toSorted()
    .filter((_, at) => at % NOISE_STEP === 0);
  let [seconds, voiceS, words] = [0, 0, 0];
  for (const file of files) {
    const samples = readAudio(join(root, file));
    const { texts, voiceStartS, voiceEndS } = await transcribe(whisper, samples);
    seconds += samples.length / RATE;
    voiceS += voiceStartS.reduce((sum, start, i) => sum + voiceEndS[i]! - start, 0);
    words += toSpokenWords(texts.join(' ')).length;
  }
  const note = `${files.length} recordings`;
  return [
    {
      name: 'noise without speech, share taken for a voice',
      value: voiceS / seconds,
      unit: '',
      bar: { max: 0.05 },
      note,
    },
    { name: 'noise without speech, words per minute', value: (60 * words) / seconds, unit: '', note },
  ];
}

function printFailures(clips: readonly Heard[]): void {
  for (const { words, text } of clips)
    if (countErrors(words, text).errors > 0) console.log(`spoken:     ${words}\nrecognized: ${text}\n`);
}

/** Relative to a frame of the detector: a second of speech, and a second of audio in which voices are looked for. */
async function costRows(secondUs: number): Promise<BenchmarkRow[]> {
  const side = 416;
  const weights = join(MODELS, 'yolox_nano.onnx');
  const detector = await createDetector({
    weights,
    spec: detectorOf('yolox_nano'),
    width: side,
    height: side,
    threads: 1,
  });
  const frame = new Uint8Array(side * side * 3).fill(128);
  const voice = await openVoiceActivity();
  const step = Float32Array.from({ length: STEP }, (_, at) => ((at * 7_919) % 2_001) / 1_000 - 1);
  let cpu = startCpu();
  for (let at = 0; at < FRAMES; at++) await detector.detect(frame);
  await detector.finish();
  const frameUs = cpu() / FRAMES;
  cpu = startCpu();
  for (let at = 0; at < STEPS; at++) await voice.detect(step);
  const voiceUs = (cpu() / STEPS) * (RATE / STEP);
  await detector.close();
  await voice.close();
  return [
    { name: 'CPU of a second of speech', value: secondUs / frameUs, unit: 'frames' },
    { name: 'CPU of a second without speech', value: voiceUs / frameUs, unit: 'frames', bar: { max: 1 } },
  ];
}

/** Returns the CPU time since now, in microseconds. */
function startCpu(): () => number {
  const before = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(before);
    return user + system;
  };
}
