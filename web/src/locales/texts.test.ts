import { readFileSync } from 'node:fs';
import { glob } from 'node:fs/promises';
import { join } from 'node:path';
import ts from 'typescript';
import { expect, test } from 'vitest';

/** Texts of the pages are in the catalogs: inside of `Trans`, `Plural`, `t` or `msg`. */

const SOURCES = join(import.meta.dirname, '..');
/** Elements whose children are in the catalogs. */
const TRANSLATED = new Set(['Trans', 'Plural', 'Select', 'SelectOrdinal']);
/** Attributes that people read or hear. */
const READ = new Set(['label', 'title', 'placeholder', 'alt', 'aria-label', 'aria-description', 'hint', 'none']);
/** Names, units and signs that are the same in all languages. */
const SAME = new Set(['Sightline', 'Ctrl', 'SHA-256', 'API', 'MCAP', 'CSV', 'JSON', 'fps', 's', 'm']);
/** True for words, which examples of addresses, patterns and tokens do not have. */
const isText = (text: string) => /(^|\s)\p{L}{2,}(?=[\s.,:;!?…]|$)(?!:\S)/u.test(text) && !SAME.has(text.trim());

/** Texts of a source that no catalog has, with their lines. */
function untranslated(source: string, name = 'page.tsx'): string[] {
  const file = ts.createSourceFile(name, source, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX);
  const found: string[] = [];
  const report = (node: ts.Node, text: string) => {
    if (isText(text))
      found.push(`${name}:${file.getLineAndCharacterOfPosition(node.getStart()).line + 1} ${text.trim()}`);
  };
  const visit = (node: ts.Node): void => {
    if (ts.isJsxElement(node) && TRANSLATED.has(node.openingElement.tagName.getText())) return;
    if (ts.isJsxText(node)) report(node, node.text);
    if (
      ts.isJsxExpression(node) &&
      node.expression &&
      ts.isStringLiteral(node.expression) &&
      ts.isJsxElement(node.parent)
    )
      report(node, node.expression.text);
    if (ts.isJsxAttribute(node) && READ.has(node.name.getText()) && node.initializer) {
      const { initializer } = node;
      if (ts.isStringLiteral(initializer)) report(node, initializer.text);
      else if (
        ts.isJsxExpression(initializer) &&
        initializer.expression &&
        ts.isStringLiteralLike(initializer.expression)
      )
        report(node, initializer.expression.text);
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

test('all texts of the pages are in the catalogs', async () => {
  const found: string[] = [];
  for await (const path of glob('**/*.tsx', { cwd: SOURCES }))
    found.push(...untranslated(readFileSync(join(SOURCES, path), 'utf8'), path));
  expect(found).toEqual([]);
});

test.each([
  ['<p>Nothing was found</p>', ['page.tsx:1 Nothing was found']],
  ["<p>{'Nothing'}</p>", ['page.tsx:1 Nothing']],
  ['<input aria-label="Name" />', ['page.tsx:1 Name']],
  ['<input placeholder={`Name`} />', ['page.tsx:1 Name']],
  ['<p><Trans>Nothing <b>was</b> found</Trans></p>', []],
  ['<input aria-label={t`Name`} className="grid" />', []],
  ['<span>· {count} × 0.5 s</span>', []],
  ['<input placeholder="rtsp://" hint="**/*.mp4" />', []],
])('%j has the texts %j that no catalog has', (source, texts) => expect(untranslated(source)).toEqual(texts));
