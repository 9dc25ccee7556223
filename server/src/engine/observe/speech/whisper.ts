import { InferenceSession, Tensor } from 'onnxruntime-node';
import { ONE_THREAD } from '../../models/onnx-session.ts';
import { BANDS, createLogMel, FRAMES } from './log-mel.ts';
import { pickToken } from './pick-token.ts';
import { type Multilingual, readTokenizer, type Tokenizer } from './tokenizer.ts';

/** Most tokens of one utterance: 12 s of very fast English have about 100; other scripts need more for a word. */
const MAX_TOKENS = { english: 160, multilingual: 224 };
/** Size of an attention head in all versions of Whisper. */
const HEAD = 64;

/** Tokens of an utterance with their probabilities. */
export type Recognized = {
  /** Text and time marks, without the end. */
  tokens: number[];
  /** Natural logarithm of the probability of each token. */
  logProbabilities: number[];
  /** Probability that nothing is spoken. */
  noSpeech: number;
};

/** Audio whose words are not recognized yet. */
export type Heard = {
  /** Probability that nothing is spoken. */
  noSpeech: number;
  /** Most probable language, with its probability among all languages; null with English-only weights. */
  language: { tag: string; probability: number } | null;
  /**
   * Recognizes the words, once. `tag` is the language to decode in, one of the tokenizer's; English-only weights need
   * none.
   */
  recognize(tag: string | null): Promise<Recognized>;
};

export type Whisper = {
  tokenizer: Tokenizer;
  /** Encodes at most 30 s of samples at 16 kHz, -1 to 1. */
  hear(samples: Float32Array): Promise<Heard>;
  close(): Promise<void>;
};

/** Opens the files of a model: encoder, decoder, tokenizer. Throws if they do not have the shape of Whisper. */
export async function openWhisper([encoderPath, decoderPath, tokenizerPath]: readonly string[]): Promise<Whisper> {
  const tokenizer = await readTokenizer(tokenizerPath!);
  await using opened = new AsyncDisposableStack();
  const encoder = opened.adopt(await openSession(encoderPath!), (session) => session.release());
  const decoder = opened.adopt(await openSession(decoderPath!), (session) => session.release());
  const pastNames = decoder.inputNames.filter((name) => name.startsWith('past_key_values.'));
  if (!encoder.inputNames.includes('input_features') || pastNames.length === 0)
    throw new Error('the model is no Whisper encoder with a decoder that keeps its keys and values');
  const logMel = createLogMel();
  const sessions = opened.move();
  const { multilingual } = tokenizer;
  const maxTokens = multilingual ? MAX_TOKENS.multilingual : MAX_TOKENS.english;
  return {
    tokenizer,
    async hear(samples) {
      const features = new Tensor('float32', logMel(samples), [1, BANDS, FRAMES]);
      const states = Object.values(await encoder.run({ input_features: features }))[0]!;
      const heads = states.dims[2]! / HEAD;
      const past: Record<string, Tensor> = {};
      for (const name of pastNames) past[name] = new Tensor('float32', new Float32Array(0), [1, heads, 0, HEAD]);

      /** The logits after a token. The encoder's keys and values are returned for the first one only. */
      async function step(token: number, isFirst: boolean): Promise<Float32Array> {
        const results = await decoder.run({
          input_ids: new Tensor('int64', BigInt64Array.of(BigInt(token)), [1, 1]),
          encoder_hidden_states: states,
          use_cache_branch: new Tensor('bool', [!isFirst], [1]),
          ...past,
        });
        for (const [name, value] of Object.entries(results))
          if (name.startsWith('present.') && (isFirst || name.includes('.decoder.')))
            past[name.replace('present', 'past_key_values')] = value;
        const { data, size } = results.logits!;
        if (size !== tokenizer.size)
          throw new Error(`the decoder knows ${size} tokens, the tokenizer ${tokenizer.size}`);
        return data as Float32Array;
      }

      const first = await step(tokenizer.start, true);
      const noSpeech = Math.exp(first[tokenizer.noSpeech]! - logSumExp(first));
      return {
        noSpeech,
        language: multilingual && detectLanguage(first, multilingual),
        async recognize(tag) {
          let logits = first;
          for (const token of promptOf(multilingual, tag)) logits = await step(token, false);
          const found: Recognized = { tokens: [], logProbabilities: [], noSpeech };
          while (found.tokens.length < maxTokens) {
            const token = pickToken(logits, found.tokens, tokenizer);
            if (token === tokenizer.endOfText) break;
            found.tokens.push(token);
            found.logProbabilities.push(logits[token]! - logSumExp(logits));
            logits = await step(token, false);
          }
          return found;
        },
      };
    },
    close: () => sessions.disposeAsync(),
  };
}

/** Tokens between the start and the first time mark. Throws if the weights do not know the language. */
function promptOf(multilingual: Multilingual | null, tag: string | null): number[] {
  if (!multilingual) return [];
  const language = multilingual.languages.get(tag ?? '');
  if (language === undefined) throw new Error(`the model does not know the language ${tag}`);
  return [language, multilingual.transcribe];
}

/** The most probable language by the logits after the start, as Whisper itself detects it: only languages count. */
function detectLanguage(logits: Float32Array, { languages }: Multilingual): { tag: string; probability: number } {
  const found = [...languages].map(([tag, token]) => ({ tag, logit: logits[token]! }));
  const best = found.reduce((a, b) => (b.logit > a.logit ? b : a));
  return { tag: best.tag, probability: Math.exp(best.logit - logSumExp(found.map(({ logit }) => logit))) };
}

async function openSession(path: string): Promise<InferenceSession> {
  const options: InferenceSession.SessionOptions = {
    ...ONE_THREAD,
    logSeverityLevel: 4,
    enableCpuMemArena: false,
  };
  return (
    InferenceSession.create(path, options)
      // Some published exports are refused by an optimization of the graph, not by the runtime itself.
      .catch(() => InferenceSession.create(path, { ...options, graphOptimizationLevel: 'disabled' }))
  );
}

function logSumExp(values: ArrayLike<number> & Iterable<number>): number {
  let max = Number.NEGATIVE_INFINITY;
  for (const value of values) if (value > max) max = value;
  let sum = 0;
  for (const value of values) sum += Math.exp(value - max);
  return max + Math.log(sum);
}
