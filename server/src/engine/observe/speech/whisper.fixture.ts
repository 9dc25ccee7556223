import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { attribute, floats, integers, model, node, value } from '../objects/detector/onnx-writer.fixture.ts';
import { BANDS, FRAMES } from './log-mel.ts';

/**
 * Multilingual weights made by code, with the contract of the real ones: two layers with two heads. Low audio is German
 * for them, high audio English, silence is undecided. They recognize one sentence for each language, and nothing unless
 * they are prompted with the start, a language and the task, and get the encoder's keys back.
 */
const LAYERS = 2;
const HEADS = 2;
const HEAD = 64;
const WIDTH = HEADS * HEAD;
const STATES = 1_500;

const TEXTS = ['ĠHilfe', '!', 'Ġkommt', 'Ġschnell', 'Ġhelp', 'ĠlÃ¤uft', 'Ġau', 'Ġsecours'];
const MARKS =
  '<|endoftext|> <|startoftranscript|> <|en|> <|de|> <|jw|> <|translate|> <|transcribe|> <|startoflm|> <|startofprev|> <|nospeech|> <|notimestamps|>'.split(
    ' ',
  );
const idOf = (mark: string) => TEXTS.length + MARKS.indexOf(mark);
const END = idOf('<|endoftext|>');
const FIRST_TIME = TEXTS.length + MARKS.length;
const SIZE = FIRST_TIME + 1_501;
const timeOf = (seconds: number) => FIRST_TIME + Math.round(seconds / 0.02);
const wordsOf = (...texts: string[]) => texts.map((text) => TEXTS.indexOf(text));

/** Recognized tokens by language. */
const SENTENCES = {
  '<|de|>': [timeOf(0), ...wordsOf('ĠHilfe', '!', 'ĠlÃ¤uft'), timeOf(2)],
  '<|en|>': [timeOf(0), ...wordsOf('Ġhelp', '!'), timeOf(2)],
};

/** The tokenizer of the weights, as JSON. */
export const TOKENIZER = JSON.stringify({
  model: { vocab: Object.fromEntries(TEXTS.map((text, id) => [text, id])) },
  added_tokens: MARKS.map((content) => ({ id: idOf(content), content })),
});

/** Writes the files of the weights to a folder that exists, under the names of the catalog. Returns their paths. */
export async function writeWhisper(dir: string): Promise<[string, string, string]> {
  const files = [
    ['encoder_model_quantized.onnx', encoderModel()],
    ['decoder_model_merged_quantized.onnx', decoderModel()],
    ['tokenizer.json', TOKENIZER],
  ] as const;
  const paths = files.map(([name]) => join(dir, name)) as [string, string, string];
  for (const [at, [, content]] of files.entries()) await writeFile(paths[at]!, content);
  return paths;
}

/** All states are how much louder the loudest low band is than the loudest high one. */
function encoderModel(): Buffer {
  const half = (name: string, from: number, until: number) => [
    integers(`${name} from`, [from]),
    integers(`${name} until`, [until]),
    node('Slice', ['input_features', `${name} from`, `${name} until`, 'band axis'], `${name} bands`),
    node('ReduceMax', [`${name} bands`], `${name} level`, attribute('axes', [1, 2])),
  ];
  return model('toy encoder', [
    integers('band axis', [1]),
    ...half('low', 0, BANDS / 2),
    ...half('high', BANDS / 2, BANDS),
    node('Sub', ['low level', 'high level'], 'difference'),
    integers('shape', [1, STATES, WIDTH]),
    node('Expand', ['difference', 'shape'], 'last_hidden_state'),
    value(11, 'input_features', [1, BANDS, FRAMES]),
    value(12, 'last_hidden_state', [1, STATES, WIDTH]),
  ]);
}

/** Keys are the tokens so far, so that the logits depend on all of them. */
function decoderModel(): Buffer {
  const { rows, baseOf } = createRows();
  const direction = new Float32Array(SIZE);
  direction[idOf('<|de|>')] = 5;
  direction[idOf('<|en|>')] = -5;
  const layers = Array.from({ length: LAYERS }, (_, layer) => {
    const past = (name: string) => `past_key_values.${layer}.${name}`;
    const present = (name: string) => `present.${layer}.${name}`;
    return [
      ...['decoder.key', 'decoder.value'].flatMap((name) => [
        node('Concat', [past(name), 'token key'], present(name), attribute('axis', [2])),
      ]),
      // As in a merged export, the encoder's keys are only computed in the first step.
      ...['encoder.key', 'encoder.value'].flatMap((name) => [
        node('Slice', ['state keys', 'zero', 'states computed', 'two'], present(name)),
      ]),
      ...['decoder.key', 'decoder.value', 'encoder.key', 'encoder.value'].flatMap((name) => [
        value(11, past(name), [1, HEADS, null, HEAD]),
        value(12, present(name), [1, HEADS, null, HEAD]),
      ]),
    ];
  });
  return model('toy decoder', [
    ...layers.flat(),
    node('Cast', ['input_ids'], 'token', attribute('to', [1])),
    integers('key shape', [1, HEADS, 1, HEAD]),
    node('Expand', ['token', 'key shape'], 'token key'),
    integers('states as keys', [1, HEADS, STATES, HEAD]),
    node('Reshape', ['encoder_hidden_states', 'states as keys'], 'state keys'),
    integers('all states', [STATES]),
    node('Where', ['use_cache_branch', 'zero', 'all states'], 'states computed'),

    // The tokens so far, and zeros, so that the second and third one can be read at any time.
    integers('corner', [0, 0, 0, 0]),
    integers('opposite corner', [1, 1, 2 ** 31, 1]),
    node('Slice', ['present.0.decoder.key', 'corner', 'opposite corner'], 'first values'),
    integers('flat', [-1]),
    node('Reshape', ['first values', 'flat'], 'tokens as floats'),
    node('Cast', ['tokens as floats'], 'tokens', attribute('to', [7])),
    node('Shape', ['tokens'], 'count'),
    integers('padding', [0, 0, 0]),
    node('Concat', ['tokens', 'padding'], 'padded tokens', attribute('axis', [0])),
    node('Gather', ['padded tokens', 'one'], 'language'),
    node('Gather', ['padded tokens', 'two'], 'task'),

    integers('bases', baseOf),
    node('Gather', ['bases', 'language'], 'base'),
    integers('transcribe', [idOf('<|transcribe|>')]),
    node('Equal', ['task', 'transcribe'], 'is task'),
    node('Greater', ['base', 'zero'], 'is language'),
    node('And', ['is task', 'is language'], 'is prompted'),
    node('Shape', ['past_key_values.1.encoder.value'], 'past shape'),
    node('Gather', ['past shape', 'two'], 'past states'),
    node('Equal', ['past states', 'all states'], 'has states'),
    node('And', ['is prompted', 'has states'], 'is valid'),
    integers('three', [3]),
    node('Sub', ['count', 'three'], 'position'),
    node('Add', ['base', 'position'], 'row of sentence'),
    node('Where', ['is valid', 'row of sentence', 'one'], 'row after start'),
    node('Equal', ['count', 'one'], 'is start'),
    node('Where', ['is start', 'zero', 'row after start'], 'row'),

    floats('rows', [rows.length / SIZE, SIZE], rows),
    node('Gather', ['rows', 'row'], 'fixed logits'),
    node('ReduceMean', ['encoder_hidden_states'], 'audio', attribute('keepdims', [0])),
    floats('direction', [1, SIZE], direction),
    node('Mul', ['direction', 'audio'], 'heard logits'),
    node('Add', ['fixed logits', 'heard logits'], 'flat logits'),
    integers('logits shape', [1, 1, SIZE]),
    node('Reshape', ['flat logits', 'logits shape'], 'logits'),
    ...[0, 1, 2].map((each) => integers(['zero', 'one', 'two'][each]!, [each])),
    value(11, 'input_ids', [1, 1], 'int64'),
    value(11, 'encoder_hidden_states', [1, STATES, WIDTH]),
    value(11, 'use_cache_branch', [1], 'bool'),
    value(12, 'logits', [1, 1, SIZE]),
  ]);
}

/** Logits by row: after the start, the end, and after each token of a sentence. `baseOf` is the first row by token. */
function createRows(): { rows: Float32Array; baseOf: number[] } {
  const rows: Float32Array[] = [];
  const add = (token: number | null) => {
    const row = new Float32Array(SIZE).fill(-20);
    if (token !== null) row[token] = 20;
    rows.push(row);
  };
  add(null);
  add(END);
  const baseOf = Array.from({ length: SIZE }, () => 0);
  for (const [mark, tokens] of Object.entries(SENTENCES)) {
    baseOf[idOf(mark)] = rows.length;
    for (const token of tokens) add(token);
    add(END);
  }
  return { rows: Float32Array.from(rows.flatMap((row) => [...row])), baseOf };
}
