import type { ConsoleState } from './service.ts';

/** The page while the console is being built, which reloads itself, and the page of a console that is not available. */
export function statusPage(current: Exclude<ConsoleState, { state: 'ready' }>, reloadS: number): string {
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
${building ? `<meta http-equiv="refresh" content="${reloadS}">\n` : ''}<title>Sightline</title>
</head>
<body>
<h1>Sightline</h1>
<p>${text}</p>
</body>
</html>
`;
}
