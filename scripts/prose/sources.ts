import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import ts from 'typescript';

const run = promisify(execFile);

/** A comment, sentence, name or paragraph of a tracked file. Lines count from 1. */
export type Passage = {
  kind: 'comment' | 'sentence' | 'name' | 'type' | 'paragraph';
  file: string;
  line: number;
  text: string;
};

/** A source line that is (part of) a comment, with its width in columns. */
export type CommentLine = { file: string; line: number; columns: number };

/** Tracked TypeScript and Markdown files, without generated ones. */
export async function listFiles(root: string): Promise<string[]> {
  const { stdout } = await run('git', ['-C', root, 'ls-files', '*.ts', '*.tsx', '*.cjs', '*.md']);
  return stdout
    .split('\n')
    .filter(
      (file) => file !== '' && !/\.generated\.ts$|^docs\/(prompts|errors|configuration|compatibility)\.md$/.test(file),
    );
}

/**
 * Reads all text that people see in a TypeScript file: comments, string literals of several words, and the names that
 * it declares.
 */
export async function readSource(
  root: string,
  file: string,
): Promise<{ passages: Passage[]; commentLines: CommentLine[] }> {
  const text = await readFile(join(root, file), 'utf8');
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const passages: Passage[] = [];
  const lineOf = (position: number) => source.getLineAndCharacterOfPosition(position).line + 1;
  const add = (kind: Passage['kind'], position: number, value: string) =>
    passages.push({ kind, file, line: lineOf(position), text: value });

  const commentLines: CommentLine[] = [];
  for (const { pos, end } of findComments(source)) {
    add('comment', pos, uncomment(text.slice(pos, end)));
    const lines = text.split('\n');
    for (let line = lineOf(pos); line <= lineOf(end); line++)
      commentLines.push({ file, line, columns: lines[line - 1]!.length });
  }
  const visit = (node: ts.Node): void => {
    if (isTestData(file, node)) return;
    if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) {
      if (node.text.trim().split(/\s+/).length >= 3) add('sentence', node.getStart(source), withoutCode(node.text));
    } else if (ts.isTemplateExpression(node) && !ts.isTaggedTemplateExpression(node.parent)) {
      const whole = [node.head.text, ...node.templateSpans.map((span) => span.literal.text)].join(' … ');
      if (whole.trim().split(/\s+/).length >= 3) add('sentence', node.getStart(source), withoutCode(whole));
    }
    const name =
      ts.isDeclarationStatement(node) ||
      ts.isVariableDeclaration(node) ||
      ts.isParameter(node) ||
      ts.isBindingElement(node)
        ? node.name
        : undefined;
    if (name && ts.isIdentifier(name)) add('name', name.getStart(source), name.text);
    if (
      (ts.isTypeAliasDeclaration(node) || ts.isInterfaceDeclaration(node)) &&
      isExported(node) &&
      !TEST_FILE.test(file)
    )
      add('type', node.name.getStart(source), node.name.text);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return { passages, commentLines };
}

/** Test data (prompts, expected answers) is not prose; titles of tests are. */
const isTestData = (file: string, node: ts.Node): boolean =>
  TEST_FILE.test(file) &&
  ts.isStringLiteralLike(node) &&
  !(
    ts.isCallExpression(node.parent) &&
    /^(test|describe|it)\b/.test(node.parent.expression.getText()) &&
    node.parent.arguments[0] === node
  );
const TEST_FILE = /\.(test|fixture)\.ts$|^server\/test\/|^acceptance\/|^bench\/accuracy\//;

const isExported = (node: ts.Declaration) => (ts.getCombinedModifierFlags(node) & ts.ModifierFlags.Export) !== 0;

/** Paragraphs of a Markdown file, without code blocks and code spans. */
export async function readMarkdown(root: string, file: string): Promise<Passage[]> {
  const passages: Passage[] = [];
  let fenced = false;
  for (const [index, line] of (await readFile(join(root, file), 'utf8')).split('\n').entries()) {
    if (line.startsWith('```')) fenced = !fenced;
    else if (!fenced && line.trim() !== '')
      passages.push({ kind: 'paragraph', file, line: index + 1, text: withoutCode(line) });
  }
  return passages;
}

function findComments(source: ts.SourceFile): { pos: number; end: number }[] {
  const found = new Map<number, { pos: number; end: number }>();
  const visit = (node: ts.Node): void => {
    for (const comment of ts.getLeadingCommentRanges(source.text, node.getFullStart()) ?? [])
      found.set(comment.pos, comment);
    for (const comment of ts.getTrailingCommentRanges(source.text, node.getEnd()) ?? [])
      found.set(comment.pos, comment);
    for (const child of node.getChildren(source)) visit(child);
  };
  visit(source);
  return [...found.values()].sort((a, b) => a.pos - b.pos);
}

/** Code in backticks, such as a value of the API, is not prose. */
const withoutCode = (text: string) => text.replace(/`[^`]*`/g, '…');

const uncomment = (comment: string) =>
  withoutCode(comment.replace(/^\/\*\*?|\*\/$|^\/\/\/?/g, '').replace(/^\s*\* ?/gm, '')).trim();
