import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { nouns } from '../english/objects.ts';
import { SIGNAL_NAMES } from '../signals.ts';

const PLAN = join(import.meta.dirname, '..');

/** Every string in a file, with where it stands; imports and exports are left out. */
function stringsOf(path: string): { text: string; isType: boolean }[] {
  const source = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.ESNext, true);
  const found: { text: string; isType: boolean }[] = [];
  const visit = (node: ts.Node) => {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node) || ts.isImportTypeNode(node)) return;
    if (
      ts.isStringLiteral(node) ||
      ts.isNoSubstitutionTemplateLiteral(node) ||
      ts.isTemplateHead(node) ||
      ts.isTemplateTail(node) ||
      ts.isTemplateMiddle(node)
    )
      found.push({ text: node.text, isType: ts.isLiteralTypeNode(node.parent) });
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** The names of the fields that the types of a file have. */
function fieldsOf(path: string): string[] {
  const names: string[] = [];
  const visit = (node: ts.Node) => {
    if (ts.isPropertySignature(node)) names.push(node.name.getText());
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.ESNext, true));
  return names;
}

const sourcesOf = (folder: string) =>
  readdirSync(join(PLAN, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !/\.(?:test|fixture)\.ts$/.test(file))
    .map((file) => join(folder, file));

/** Codes: the closed lists of a plan, the senses of words, the kinds of meanings, and the classes of the detector. */
const CODES = new Set([
  ...['terms.ts', 'schema.ts', 'object-schema.ts', 'signals.ts'].flatMap((file) =>
    stringsOf(join(PLAN, file)).map(({ text }) => text),
  ),
  ...[
    join(PLAN, 'meaning/senses.ts'),
    ...['meaning', 'parse', 'ground'].flatMap(sourcesOf).map((file) => join(PLAN, file)),
  ]
    .flatMap(stringsOf)
    .filter(({ isType }) => isType)
    .map(({ text }) => text),
  ...nouns.flatMap(({ senses }) => senses.flatMap((sense) => (sense.type === 'noun' ? sense.classes : []))),
  ...SIGNAL_NAMES,
  ...fieldsOf(join(PLAN, 'meaning/senses.ts')),
  ...fieldsOf(join(PLAN, 'meaning/types.ts')),
  'object',
  'string',
  'boolean',
  'id',
  'form',
  'base',
  'participle',
  'adjective',
]);

describe.each(['parse', 'meaning', 'ground'])('the folder %s', (folder) => {
  it.each(sourcesOf(folder))('names no word of a natural language: %s', (path) => {
    const words = stringsOf(join(PLAN, path)).filter(
      ({ text, isType }) => !isType && /\p{L}{2}/u.test(text) && !CODES.has(text.trim()),
    );
    expect(words.map(({ text }) => text)).toEqual([]);
  });
});

describe('the folder parse', () => {
  it('names no language', () => {
    for (const path of sourcesOf('parse'))
      expect(readFileSync(join(PLAN, path), 'utf8')).not.toMatch(/english|german|french|spanish|chinese/i);
  });
});
