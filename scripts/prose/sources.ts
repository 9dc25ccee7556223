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
  const lines = text.split('\n');
  for (const { pos, end } of findComments(source)) {
    add('comment', pos, uncomment(text.slice(pos, end)));
    for (let line = lineOf(pos); line <= lineOf(end); line++)
      commentLines.push({ file, line, columns: lines[line - 1]!.length });
  }
  const isTest = TEST_FILE.test(file);
  const visit = (node: ts.Node): void => {
    if (isTest && isTestData(node)) return;
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
    if ((ts.isTypeAliasDeclaration(node) || ts.isInterfaceDeclaration(node)) && isExported(node) && !isTest)
      add('type', node.name.getStart(source), node.name.text);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return { passages, commentLines };
}

/** Test data (prompts, expected answers) is not prose; titles of tests are. */
const isTestData = (node: ts.Node): boolean =>
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

/** Where a comment begins, unless it is inside of a literal or another comment. */
const COMMENT = /\/\/.*|\/\*[\s\S]*?\*\//g;

function findComments(source: ts.SourceFile): { pos: number; end: number }[] {
  const literals: { pos: number; end: number }[] = [];
  const visit = (node: ts.Node): void => {
    if (isLiteral(node)) literals.push({ pos: node.getStart(source), end: node.end });
    ts.forEachChild(node, visit);
  };
  visit(source);
  const found: { pos: number; end: number }[] = [];
  let next = 0;
  COMMENT.lastIndex = 0;
  for (let match = COMMENT.exec(source.text); match; match = COMMENT.exec(source.text)) {
    while (next < literals.length && literals[next]!.end <= match.index) next++;
    const literal = literals[next];
    if (literal && literal.pos <= match.index) COMMENT.lastIndex = literal.end;
    else found.push({ pos: match.index, end: COMMENT.lastIndex });
  }
  return found;
}

/** Literals whose text may look like a comment; each span of a template by itself. */
const isLiteral = (node: ts.Node): boolean =>
  ts.isStringLiteralLike(node) ||
  ts.isRegularExpressionLiteral(node) ||
  ts.isTemplateHead(node) ||
  ts.isTemplateMiddleOrTemplateTail(node) ||
  ts.isJsxText(node);

/** Code in backticks, such as a value of the API, is not prose. */
const withoutCode = (text: string) => text.replace(/`[^`]*`/g, '…');

const uncomment = (comment: string) =>
  withoutCode(comment.replace(/^\/\*\*?|\*\/$|^\/\/\/?/g, '').replace(/^\s*\* ?/gm, '')).trim();
