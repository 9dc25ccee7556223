export const DEMO_TITLE = 'What npm run demo prints';

/**
 * Extracts the part of the demo's output that the image shows: command, answer and both tables, without the key of this
 * run.
 */
export function demoText(stdout: string): string {
  const tables = stdout.slice(0, stdout.lastIndexOf('┘') + 1);
  return `$ npm run demo\n${tables}\n`;
}

/** The lines of a demo's text without borders, column widths and figures, which depend on the machine. */
export function structureOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) =>
      line
        .replaceAll(/[─-╿]/g, '|')
        .replaceAll(/\|+/g, '|')
        .replaceAll(/yolox_nano \w+/g, 'yolox_nano')
        .replaceAll(/\d+/g, '0')
        .replaceAll(/\s+/g, ' ')
        .trim(),
    )
    .filter((line) => line !== '' && line !== '|');
}
