import type { ConsoleState } from './service.ts';

/** Path of the script that reloads the page while the console is being built. */
export const RELOAD_PATH = '/reload.js';

/** The script at `RELOAD_PATH`. A refresh by HTML only moves to the fragment of an address that has one: no reload. */
export const reloadScript = (afterS: number): string => `setTimeout(() => location.reload(), ${afterS * 1000});\n`;

/** The page while the console is being built, which reloads itself, and the page of a console that is not available. */
export function statusPage(current: Exclude<ConsoleState, { state: 'ready' }>): string {
  const building = current.state === 'building';
  const text = building
    ? 'Building the console. This happens once, on the first start, and takes some seconds.'
    : `${current.reason} The API works without it; its documentation is at <a href="/docs">/docs</a>.`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
${building ? `<script src="${RELOAD_PATH}"></script>\n` : ''}<title>Sightline</title>
</head>
<body>
<h1>Sightline</h1>
<p>${text}</p>
</body>
</html>
`;
}
