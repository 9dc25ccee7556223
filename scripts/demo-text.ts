export const DEMO_TITLE = 'What npm run demo prints';

/** What the picture shows of the demo's output: the command, the answer and both tables, not the key of this run. */
export function demoText(stdout: string): string {
  const tables = stdout.slice(0, stdout.lastIndexOf('┘') + 1);
  return `$ npm run demo\n${tables}\n`;
}

/** The lines of a demo's text, independent of the machine: no borders, no column widths, and no figures. */
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
