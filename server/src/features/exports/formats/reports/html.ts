import { clock } from '#platform/clock';
import type { EventSource, ExportedEvent, ExportMedia } from '../../types.ts';
import { localTimes } from '../local-times.ts';
import { escapeXml } from '../xml.ts';

/** Longest side of images in pixels. */
const IMAGE_SIDE = 640;

const STYLE = `
:root { color-scheme: light dark; --line: light-dark(#ddd, #333); --muted: light-dark(#555, #aaa); }
body { font: 15px/1.45 system-ui, sans-serif; max-width: 1100px; margin: 0 auto; padding: 24px 16px; }
h1 { font-size: 24px } h2 { font-size: 18px; margin: 32px 0 8px; overflow-wrap: anywhere }
ol { list-style: none; padding: 0; margin: 0; display: grid; gap: 12px; grid-template-columns: repeat(auto-fill, minmax(300px, 1fr)) }
li { border: 1px solid var(--line); border-radius: 8px; overflow: hidden; break-inside: avoid }
img { display: block; width: 100%; background: #000 }
li div { padding: 10px 12px; overflow-wrap: anywhere }
h3 { font-size: 15px; margin: 0 } p { margin: 4px 0 0; color: var(--muted) } a { color: inherit }
dl { display: flex; flex-wrap: wrap; gap: 2px 14px; margin: 6px 0 0; font-variant-numeric: tabular-nums }
dl div { padding: 0 } dt { display: inline; color: var(--muted) } dd { display: inline; margin: 0 }`;

/** A report with images in one HTML file, which loads nothing and runs no scripts. */
export async function* writeHtml(events: EventSource, media: ExportMedia): AsyncGenerator<string> {
  yield '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n';
  yield `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; style-src 'unsafe-inline'">\n`;
  yield `<meta name="viewport" content="width=device-width">\n<title>Events</title>\n<style>${STYLE}\n</style>\n</head>\n`;
  yield '<body>\n<main>\n<h1>Events</h1>\n';
  let videoId: string | null = null;
  for await (const event of events()) {
    if (event.videoId !== videoId) {
      yield `${videoId === null ? '' : '</ol>\n'}<h2>${escapeXml(event.videoName)}</h2>\n<ol>\n`;
      videoId = event.videoId;
    }
    yield await card(event, media);
  }
  yield `${videoId === null ? '<p>No events match.</p>\n' : '</ol>\n'}</main>\n</body>\n</html>\n`;
}

async function card(event: ExportedEvent, media: ExportMedia): Promise<string> {
  const frame = event.frames.find(({ role }) => role === 'best') ?? event.frames[0];
  const image = frame ? await media.image(event, frame, IMAGE_SIDE) : null;
  const recorded = localTimes(event);
  const facts = {
    Time: `${clock(event.startS)} to ${clock(event.endS)}`,
    ...(recorded === null ? {} : { Recorded: recorded }),
    Confidence: event.confidence.toFixed(2),
    Severity: event.severity,
    Review: event.reason ? `${event.approval}: ${event.reason}` : event.approval,
  };
  const label = escapeXml(event.label);
  const rows = Object.entries(facts).map(([name, value]) => `<div><dt>${name}</dt> <dd>${escapeXml(value)}</dd></div>`);
  const imageElement = image ? `<img src="data:image/jpeg;base64,${image.toString('base64')}" alt="${label}">` : '';
  const notes = [event.explanation, ...event.caveats, ...(event.note ? [event.note] : [])].filter(
    (text) => text !== '',
  );
  return (
    `<li>${imageElement}<div><h3><a href="${escapeXml(event.url)}">${label}</a></h3><dl>${rows.join('')}</dl>` +
    `${notes.map((text) => `<p>${escapeXml(text)}</p>`).join('')}</div></li>\n`
  );
}
