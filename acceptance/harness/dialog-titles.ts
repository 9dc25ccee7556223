import { glob, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { REPOSITORY } from './repository.ts';

const SOURCES = 'web/src/{frame,player,rooms,timeline}/**/*.tsx';

/** A title in the sources of the console, as a pattern of what it shows. */
type Title = { file: string; source: string; pattern: RegExp };

/** Titles of all dialogs in the sources of the console. */
export async function titlesOfDialogs(): Promise<Title[]> {
  const found: Title[] = [];
  for await (const path of glob(join(REPOSITORY, SOURCES))) {
    const file = relative(REPOSITORY, path);
    for (const expression of titleExpressions(await readFile(path, 'utf8'))) {
      // A component that gets its title from the one that opens it.
      if (expression === 'title') continue;
      const texts = textsIn(expression);
      for (const source of texts.length > 0 ? texts : [expression])
        found.push({ file, source, pattern: toPattern(source) });
    }
  }
  return found;
}

/** The expressions of the titles of dialogs: `<FormDialog title={…}` and `<Dialog.Title>{…}`. */
function titleExpressions(source: string): string[] {
  const starts = [...source.matchAll(/<\w*Dialogs?\b(?:\.Title)?(?=[\s>])/g)].map(({ index, 0: tag }) => ({
    from: index + tag.length,
    isTitle: tag.endsWith('.Title'),
  }));
  return starts.flatMap(({ from, isTitle }) => {
    let depth = 0;
    for (let at = from; at < source.length; at++) {
      const isNext = isTitle ? depth === 0 && source[at] === '{' : depth === 0 && source.startsWith('title={', at);
      if (isNext) {
        const start = source.indexOf('{', at);
        return [source.slice(start + 1, closing(source, start))];
      }
      if (source[at] === '{') depth++;
      if (source[at] === '}') depth--;
      // The end of the opening tag; an arrow function is within braces.
      if (depth === 0 && source[at] === '>' && !isTitle) return [];
    }
    return [];
  });
}

/** Position of the brace that closes the one at `start`. */
function closing(source: string, start: number): number {
  let depth = 0;
  for (let at = start; at < source.length; at++) {
    if (source[at] === '{') depth++;
    if (source[at] === '}' && --depth === 0) return at;
  }
  throw new Error('A brace is not closed.');
}

/** The texts that an expression may show. One form of a plural stands for all. */
function textsIn(expression: string): string[] {
  const texts = [
    /<Trans>([\s\S]*?)<\/Trans>/g,
    /\bt`((?!\$\{plural\()[^`]*)`/g,
    /\bone="([^"]*)"/g,
    /\bone: '([^']*)'/g,
  ];
  return texts.flatMap((text) => [...expression.matchAll(text)].map(([, found]) => found!));
}

/** Values in a text become anything, and `#` a number. */
function toPattern(text: string): RegExp {
  let pattern = '';
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '{') {
      at = closing(text, at);
      pattern += '.+';
    } else if (text[at] === '#') pattern += '\\d+';
    else if (text[at] !== '$') pattern += text[at]!.replace(/[^\w\s]/u, '\\$&');
  }
  return new RegExp(`^${pattern}$`);
}
