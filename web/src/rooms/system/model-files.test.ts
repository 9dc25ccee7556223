import { expect, test } from 'vitest';
import { assignFiles, endingsOf } from './model-files.ts';

const missing = (name: string) => ({ name, installed_sha256: null });
const installed = (name: string) => ({ name, installed_sha256: 'ab' });
const assign = (files: ReturnType<typeof missing | typeof installed>[], ...names: string[]) => {
  const result = assignFiles(
    files,
    names.map((name) => ({ name })),
  );
  const assigned = result.assigned.map(({ name, file }) => [name, file.name]);
  return { assigned, unknown: result.unknown.map(({ name }) => name), missing: result.missing };
};

test('every file of a model is taken, in any order', () => {
  const files = [missing('encoder.onnx'), missing('decoder.onnx'), missing('vocabulary.json')];
  expect(assign(files, 'vocabulary.json', 'encoder.onnx', 'decoder.onnx')).toEqual({
    assigned: [
      ['encoder.onnx', 'encoder.onnx'],
      ['decoder.onnx', 'decoder.onnx'],
      ['vocabulary.json', 'vocabulary.json'],
    ],
    unknown: [],
    missing: [],
  });
});

test('files that are still needed are named; installed ones are not', () => {
  const files = [installed('encoder.onnx'), missing('decoder.onnx'), missing('vocabulary.json')];
  expect(assign(files, 'vocabulary.json')).toEqual({
    assigned: [['vocabulary.json', 'vocabulary.json']],
    unknown: [],
    missing: ['decoder.onnx'],
  });
  expect(assign(files, 'a.onnx', 'b.onnx')).toMatchObject({ assigned: [], unknown: ['a.onnx', 'b.onnx'] });
});

test('a renamed file is the one that is left', () => {
  expect(assign([missing('yolox.onnx')], 'download (1).onnx').assigned).toEqual([['yolox.onnx', 'download (1).onnx']]);
  expect(assign([installed('yolox.onnx')], 'own.onnx').assigned).toEqual([['yolox.onnx', 'own.onnx']]);
  expect(assign([missing('encoder.onnx'), missing('decoder.onnx')], 'encoder.onnx', 'x.onnx').assigned).toEqual([
    ['encoder.onnx', 'encoder.onnx'],
    ['decoder.onnx', 'x.onnx'],
  ]);
});

test('files of a folder are known by their names in it', () => {
  const files = [missing('whisper/encoder.onnx'), missing('whisper/tokenizer.json')];
  expect(assign(files, 'tokenizer.json', 'encoder.onnx')).toEqual({
    assigned: [
      ['whisper/encoder.onnx', 'encoder.onnx'],
      ['whisper/tokenizer.json', 'tokenizer.json'],
    ],
    unknown: [],
    missing: [],
  });
});

test('the dialog offers the endings of the files', () => {
  expect(endingsOf({ files: [missing('a.onnx'), missing('b.onnx'), missing('c.json')] } as never)).toBe('.onnx,.json');
});
