import { InferenceSession, Tensor } from 'onnxruntime-node';
import { BANDS, createLogMel, FRAMES } from './log-mel.ts';
import { pickToken } from './pick-token.ts';
import { readTokenizer, type Tokenizer } from './tokenizer.ts';

/** Most tokens of one utterance: 12 s of very fast speech have about 100. */
const MAX_TOKENS = 160;
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

export type Whisper = {
  tokenizer: Tokenizer;
  /** Recognizes at most 30 s of samples at 16 kHz, -1 to 1. */
  recognize(samples: Float32Array): Promise<Recognized>;
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
  return {
    tokenizer,
    async recognize(samples) {
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

      const found: Recognized = { tokens: [], logProbabilities: [], noSpeech: 0 };
      let logits = await step(tokenizer.start, true);
      found.noSpeech = Math.exp(logits[tokenizer.noSpeech]! - logSumExp(logits));
      while (found.tokens.length < MAX_TOKENS) {
        const token = pickToken(logits, found.tokens, tokenizer);
        if (token === tokenizer.endOfText) break;
        found.tokens.push(token);
        found.logProbabilities.push(logits[token]! - logSumExp(logits));
        logits = await step(token, false);
      }
      return found;
    },
    close: () => sessions.disposeAsync(),
  };
}

async function openSession(path: string): Promise<InferenceSession> {
  const options: InferenceSession.SessionOptions = {
    ...{ intraOpNumThreads: 1, interOpNumThreads: 1, executionMode: 'sequential', logSeverityLevel: 4 },
    enableCpuMemArena: false,
  };
  return (
    InferenceSession.create(path, options)
      // Some published exports are refused by an optimization of the graph, not by the runtime itself.
      .catch(() => InferenceSession.create(path, { ...options, graphOptimizationLevel: 'disabled' }))
  );
}

function logSumExp(values: Float32Array): number {
  let max = Number.NEGATIVE_INFINITY;
  for (const value of values) if (value > max) max = value;
  let sum = 0;
  for (const value of values) sum += Math.exp(value - max);
  return max + Math.log(sum);
}
