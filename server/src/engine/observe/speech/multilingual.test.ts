import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { decodeObservation } from '../decode-observation.ts';
import { encodeObservation } from '../encoding.ts';
import type { Transcript } from '../observations.ts';
import { SAMPLE_RATE } from '../types.ts';
import { speech } from './observer.ts';
import { readTokenizer } from './tokenizer.ts';
import { createTranscriber, createTranscript } from './transcriber.ts';
import { STEP } from './voice-activity.ts';
import { testWeights } from './weights-selftest-task.ts';
import { TOKENIZER, writeWhisper } from './whisper.fixture.ts';
import { openWhisper, type Whisper } from './whisper.ts';

let dir: string;
let files: [string, string, string];
let whisper: Whisper;

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'multilingual '));
  files = await writeWhisper(dir);
  whisper = await openWhisper(files);
});
afterAll(async () => {
  await whisper?.close();
  await rm(dir, { recursive: true, force: true });
});

/** Audio that the weights take for a language, or for none. */
const HERTZ = { de: 300, en: 5_000, none: 0 };
type Spoken = keyof typeof HERTZ;
const tone = (spoken: Spoken, seconds: number) =>
  Float32Array.from({ length: seconds * SAMPLE_RATE }, (_, i) =>
    Math.sin((2 * Math.PI * HERTZ[spoken] * i) / SAMPLE_RATE),
  );

async function tokenizerOf(change: (tokens: { id: number; content: string }[]) => object[]) {
  const { model, added_tokens } = JSON.parse(TOKENIZER);
  const path = join(dir, 'other.json');
  await writeFile(path, JSON.stringify({ model, added_tokens: change(added_tokens) }));
  return readTokenizer(path);
}

describe('the tokenizer', () => {
  test('of multilingual weights has the languages by their tags', async () => {
    const { multilingual, decode } = whisper.tokenizer;
    expect([...multilingual!.languages.keys()]).toEqual(['en', 'de', 'jv']);
    expect(multilingual!.transcribe).toBe(multilingual!.languages.get('jv')! + 2);
    expect(decode([0, 1, 5, multilingual!.transcribe])).toBe(' Hilfe! läuft');
  });

  test('of English-only weights lists languages, too', async () => {
    const shifted = await tokenizerOf((tokens) =>
      tokens.map(({ id, content }) => ({ id: id - tokens[0]!.id + 50_256, content })),
    );
    expect(shifted.multilingual).toBeNull();
    const plain = await tokenizerOf((tokens) => tokens.filter(({ content }) => content !== '<|transcribe|>'));
    expect(plain.multilingual).toBeNull();
  });

  test('of multilingual weights without a language is an error', async () => {
    const withoutLanguages = tokenizerOf((tokens) => tokens.filter(({ content }) => !/^<\|..\|>$/.test(content)));
    await expect(withoutLanguages).rejects.toThrow('no token of a language');
  });
});

describe('an utterance', () => {
  const words = (tokens: number[]) => whisper.tokenizer.decode(tokens).trim();

  test('has a language, and is decoded with the start, a language and the task as prompt', async () => {
    const german = await whisper.hear(tone('de', 4));
    expect(german.language).toMatchObject({ tag: 'de', probability: expect.closeTo(1, 2) });
    const { tokens, logProbabilities } = await german.recognize('de');
    expect(words(tokens)).toBe('Hilfe! läuft');
    expect(Math.exp(logProbabilities[1]!)).toBeCloseTo(1, 2);
    const english = await whisper.hear(tone('en', 4));
    expect(english.language!.tag).toBe('en');
    expect(words((await english.recognize('en')).tokens)).toBe('help!');
    // The prompt decides, whatever was detected.
    expect(words((await (await whisper.hear(tone('de', 4))).recognize('en')).tokens)).toBe('help!');
    expect((await (await whisper.hear(tone('de', 4))).recognize('jv')).tokens.filter((id) => id < 8)).toEqual([]);
  });

  test('without a clear language has no high probability for any, and unknown languages are an error', async () => {
    const heard = await whisper.hear(tone('none', 4));
    expect(heard.language!.probability).toBeCloseTo(1 / 3, 2);
    await expect(heard.recognize('tlh')).rejects.toThrow('does not know the language tlh');
    await expect(heard.recognize(null)).rejects.toThrow('does not know the language');
  });
});

type Part = [spoken: Spoken, seconds: number];
const PAUSE: Part = ['none', 1];

/** Transcribes parts with pauses between them. `heard` are the seconds that the weights get at once. */
async function transcribe(...parts: Part[]): Promise<{ transcript: Transcript; heard: number[] }> {
  const heard: number[] = [];
  const spied: Whisper = {
    ...whisper,
    hear(samples) {
      heard.push(samples.length / SAMPLE_RATE);
      return whisper.hear(samples);
    },
  };
  const all = parts.flatMap((part) => [PAUSE, part]);
  const voices = all.flatMap(([, seconds], i) =>
    Array.from({ length: Math.round((seconds * SAMPLE_RATE) / STEP) }, () => (i % 2 === 1 ? 0.9 : 0)),
  );
  let step = 0;
  const voice = { detect: async () => voices[step++] ?? 0, close: async () => {} };
  const transcriber = createTranscriber({ whisper: spied, voice, model: 'made', durationS: 600 });
  let timeS = 0;
  for (const [spoken, seconds] of all) {
    await transcriber.addSamples(tone(spoken, seconds), timeS);
    timeS += seconds;
  }
  return { transcript: (await transcriber.finish())!, heard };
}

describe('a transcript', () => {
  test('has the language of each segment; short and uncertain utterances take that of the others', async () => {
    const { transcript } = await transcribe(['en', 1], ['de', 4], ['en', 1], ['en', 6], ['none', 4], ['de', 2]);
    const { texts, language, languages, isMultilingual, startS } = transcript;
    expect(languages).toEqual(['de', 'de', 'de', 'en', 'en', 'en']);
    expect(texts).toEqual([...Array.from({ length: 3 }, () => 'Hilfe! läuft'), 'help!', 'help!', 'help!']);
    expect({ language, isMultilingual }).toEqual({ language: 'en', isMultilingual: true });
    expect([...startS]).toEqual([...startS].toSorted((a, b) => a - b));
    expect(startS[0]).toBeCloseTo(0.8, 0);
    const uncertain = await transcribe(['none', 4], ['en', 1], ['de', 4]);
    expect(uncertain.transcript).toMatchObject({ language: 'de', languages: null });
    expect(uncertain.transcript.texts).toHaveLength(3);
    const german = await transcribe(['de', 5]);
    expect(german.transcript).toMatchObject({ language: 'de', languages: null });
  });

  test('of short utterances only has the language that is detected in all of them', async () => {
    const { transcript, heard } = await transcribe(['de', 2], ['none', 1]);
    expect(transcript).toMatchObject({ language: 'de', languages: null, texts: ['Hilfe! läuft', 'Hilfe! läuft'] });
    expect(heard).toHaveLength(3);
    expect(heard[0]).toBeCloseTo(heard[1]! + heard[2]!, 5);
    // They wait for 30 s at most.
    const many = await transcribe(...Array.from({ length: 14 }, (): Part => ['de', 2.5]));
    expect(many.heard.filter((seconds) => seconds === 30)).toHaveLength(1);
    expect(many.transcript.texts).toHaveLength(14);
  });

  test('without words has no language', async () => {
    const silent = createTranscript('made', { isMultilingual: true });
    silent.addVoice({ voiceStartS: 1, voiceEndS: 2 });
    expect(silent.finish()).toMatchObject({ texts: [], language: null, languages: null });
  });

  test('is stored with its languages; one of English-only weights as in earlier versions', async () => {
    const video = { durationS: 30, width: 64, height: 36, timeBase: [1, 25] as [number, number], hasAudio: true };
    const { transcript } = await transcribe(['de', 4], ['en', 6]);
    const stored = encodeObservation(speech, video, transcript);
    expect(decodeObservation(speech, stored).observation).toEqual(transcript);
    const english = createTranscript('whisper_tiny_en 0123456789ab');
    english.addSegment({ startS: 1, endS: 2, text: 'Stop.', confidence: 0.9 });
    const { facts, arrays } = speech.encode(english.finish());
    expect(facts).toEqual({ heard: true, model: 'whisper_tiny_en 0123456789ab', language: 'en', texts: ['Stop.'] });
    expect(speech.decode({ facts, arrays })).toMatchObject({ isMultilingual: false, language: 'en', languages: null });
  });
});

test('weights are tried with a language', async () => {
  expect(await testWeights({ model: 'whisper_tiny', files })).toBeNull();
  const tokenizer = join(dir, 'wrong.json');
  const { model, added_tokens } = JSON.parse(TOKENIZER);
  const more = added_tokens.map((each: { id: number }) => ({ ...each, id: each.id + 1 }));
  await writeFile(tokenizer, JSON.stringify({ model, added_tokens: more }));
  expect(await testWeights({ model: 'whisper_tiny', files: [files[0], files[1], tokenizer] })).toMatch(/^the decoder/);
});
