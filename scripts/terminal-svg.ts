const [CELL_WIDTH, LINE_HEIGHT, FONT_SIZE] = [7.83, 17, 13];
const [LEFT, TOP, WIDEST] = [20, 48, 150];
/** The sides of its cell that a box-drawing character joins: up, right, down, left. */
const JOINS: Record<string, string> = {
  '─': 'rl',
  '│': 'ud',
  '┌': 'rd',
  '┐': 'dl',
  '└': 'ur',
  '┘': 'ul',
  '├': 'urd',
  '┤': 'udl',
  '┬': 'rdl',
  '┴': 'url',
  '┼': 'urdl',
};

/**
 * Renders terminal output as an SVG. Table borders are lines and each word group has its own column, so that the image
 * is the same with every monospace font. The description element contains the plain text.
 */
export function renderTerminal(title: string, text: string): string {
  const lines = text.trimEnd().split('\n').flatMap(wrap);
  const width = Math.ceil(2 * LEFT + CELL_WIDTH * Math.max(...lines.map((line) => line.length)));
  const height = TOP + LINE_HEIGHT * (lines.length - 1) + 30;
  const borders = lines.flatMap((line, row) => [...line].map((char, column) => border(char, row, column))).join('');
  const buttons = ['#ff5f57', '#febc2e', '#28c840'].map(
    (fill, i) => `<circle cx="${20 + 18 * i}" cy="18" r="5" fill="${fill}"/>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escapeXml(title)}">
<desc>${escapeXml(text.trimEnd())}</desc>
<rect width="${width}" height="${height}" rx="8" fill="#11151c"/>
${buttons.join('')}
<path d="${borders}" fill="none" stroke="#5b6678"/>
<g font-family="ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace" font-size="${FONT_SIZE}" fill="#d7dde8">
${lines.flatMap(texts).join('\n')}
</g></svg>
`;
}

/** The text inside a rendered SVG. */
export const textOf = (svg: string): string => unescapeXml(/<desc>(.*?)<\/desc>/s.exec(svg)?.[1] ?? '');

/** Wraps prose at words; tables keep their width. */
function wrap(line: string): string[] {
  if (line.length <= WIDEST || /[│┌├└]/.test(line)) return [line];
  const at = line.lastIndexOf(' ', WIDEST);
  return [line.slice(0, at), ...wrap(line.slice(at + 1))];
}

/** The words of a line between borders or wide gaps, each group stretched to its columns. */
function texts(line: string, row: number): string[] {
  return [...line.matchAll(/[^\s─-╿]+(?: [^\s─-╿]+)*/g)].map(({ 0: words, index }) => {
    const [x, y] = [LEFT + CELL_WIDTH * index, TOP + LINE_HEIGHT * row];
    const length = (CELL_WIDTH * words.length).toFixed(1);
    return `<text x="${x.toFixed(1)}" y="${y}" textLength="${length}" lengthAdjust="spacingAndGlyphs">${escapeXml(words)}</text>`;
  });
}

/** One box-drawing character as strokes from the center of its cell; nothing for other characters. */
function border(char: string, row: number, column: number): string {
  const x = LEFT + CELL_WIDTH * (column + 0.5);
  const y = TOP + LINE_HEIGHT * (row - 0.25);
  const [dx, dy] = [CELL_WIDTH / 2, LINE_HEIGHT / 2];
  const ends: Record<string, [number, number]> = { u: [x, y - dy], r: [x + dx, y], d: [x, y + dy], l: [x - dx, y] };
  const point = ([atX, atY]: [number, number]) => `${atX.toFixed(1)} ${atY.toFixed(1)}`;
  return [...(JOINS[char] ?? '')].map((side) => `M${point([x, y])}L${point(ends[side]!)}`).join('');
}

const escapeXml = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
const unescapeXml = (text: string) =>
  text.replaceAll('&quot;', '"').replaceAll('&gt;', '>').replaceAll('&lt;', '<').replaceAll('&amp;', '&');
