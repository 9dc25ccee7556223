import type { EventSource, ExportedEvent } from '../../types.ts';
import { sizeOf } from '../boxes/frame-size.ts';
import { escapeXml } from '../xml.ts';
import { type FrameRate, rateOf, toFrame, toFrames } from './frame-rate.ts';

/** A time as a fraction of seconds, as the format requires: whole frames. */
const seconds = (frames: number, rate: FrameRate) => `${frames * rate.seconds}/${rate.frames}s`;

/**
 * A cut of all events, one clip with a marker each, as FCPXML 1.8. The sequence has the frame rate of the first video.
 * Media are referenced by the names of videos. Reads the events twice.
 */
export async function* writeFcpxml(events: EventSource): AsyncGenerator<string> {
  yield '<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE fcpxml>\n<fcpxml version="1.8">\n<resources>\n';
  let first = null as ExportedEvent | null;
  let total = 0;
  // Events are ordered by video, so an asset is complete where another video follows.
  let open = null as Asset | null;
  for await (const event of events()) {
    first ??= event;
    total += toFrames(event, rateOf(first)).count;
    if (open?.event.videoId === event.videoId) {
      open.endS = Math.max(open.endS, event.endS);
      continue;
    }
    if (open) yield asset(open);
    open = { event, number: (open?.number ?? 0) + 1, endS: event.endS };
  }
  if (open) yield asset(open);
  const rate = rateOf(first ?? { frameRate: null });
  yield '</resources>\n<library><event name="Sightline"><project name="Events">\n';
  const format = first ? ' format="f1"' : '';
  yield `<sequence${format} duration="${seconds(total, rate)}" tcStart="0s" tcFormat="NDF"><spine>\n`;
  let offset = 0;
  let number = 0;
  let videoId: string | null = null;
  for await (const event of events()) {
    if (event.videoId !== videoId) number++;
    videoId = event.videoId;
    const own = rateOf(event);
    const { count } = toFrames(event, rate);
    const start = seconds(toFrame(event.startS, own), own);
    const at = `offset="${seconds(offset, rate)}" start="${start}" duration="${seconds(count, rate)}"`;
    yield `<asset-clip ref="v${number}" format="f${number}" name="${escapeXml(event.label)}" ${at} tcFormat="NDF">`;
    yield `<note>${escapeXml(event.explanation)}</note>`;
    yield `<marker start="${start}" duration="${seconds(1, own)}" value="${escapeXml(event.label)}"/>`;
    yield `${recordedMetadata(event)}</asset-clip>\n`;
    offset += count;
  }
  yield '</spine></sequence>\n</project></event></library>\n</fcpxml>\n';
}

/** The key under which Final Cut Pro shows when the content of a clip was recorded, and the end beside it. */
const recordedMetadata = ({ startAt, endAt }: ExportedEvent): string =>
  startAt === null
    ? ''
    : `<metadata><md key="com.apple.proapps.spotlight.kMDItemContentCreationDate" value="${startAt.slice(0, 10)} ${startAt.slice(11, 19)} +0000"/>` +
      `<md key="sightline.start_at" value="${startAt}"/><md key="sightline.end_at" value="${endAt}"/></metadata>`;

/** A video by its first event, and the end of its last one. */
type Asset = { event: ExportedEvent; number: number; endS: number };

function asset({ event, number, endS }: Asset): string {
  const rate = rateOf(event);
  const { width, height } = sizeOf(event);
  const duration = seconds(Math.max(1, toFrame(event.durationS ?? endS, rate)), rate);
  const name = escapeXml(event.videoName);
  const src = escapeXml(encodeURIComponent(event.videoName));
  return (
    `<format id="f${number}" frameDuration="${seconds(1, rate)}" width="${width}" height="${height}"/>\n` +
    `<asset id="v${number}" name="${name}" src="${src}" start="0s" duration="${duration}" hasVideo="1" format="f${number}"/>\n`
  );
}
