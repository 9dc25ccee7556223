import type { EventSource } from '../../types.ts';
import { escapeXml } from '../xml.ts';
import { toEventFields } from './event-fields.ts';
import { sizeOf, toFrameName, toPixels } from './frame-size.ts';

/** The label of a tag that describes the event of a frame. */
const EVENT_TAG = 'event';
const TAG_ATTRIBUTES = [
  'event_id',
  'video_name',
  'label',
  'severity',
  'approval',
  'start_s',
  'end_s',
  'start_at',
  'end_at',
] as const;

/** Evidence frames with their boxes in "CVAT for images 1.1". Reads the events twice. */
export async function* writeCvat(events: EventSource): AsyncGenerator<string> {
  const labels = new Set<string>();
  for await (const event of events()) {
    for (const { boxes } of event.frames) for (const box of boxes) labels.add(box.label ?? event.type);
  }
  yield '<?xml version="1.0" encoding="utf-8"?>\n<annotations>\n<version>1.1</version>\n<meta><task><labels>\n';
  yield `<label><name>${EVENT_TAG}</name>${toAttributes(TAG_ATTRIBUTES)}</label>\n`;
  for (const name of labels)
    yield `<label><name>${escapeXml(name)}</name>${toAttributes(['event', 'approval'])}</label>\n`;
  yield '</labels></task></meta>\n';
  let image = 0;
  for await (const event of events()) {
    const size = sizeOf(event);
    for (const { timeS, boxes } of event.frames) {
      const name = escapeXml(toFrameName(event, timeS));
      yield `<image id="${image++}" name="${name}" width="${size.width}" height="${size.height}">\n`;
      yield `<tag label="${EVENT_TAG}" source="auto">`;
      const fields = { ...toEventFields(event), event_id: event.eventId, video_name: event.videoName };
      for (const field of TAG_ATTRIBUTES) {
        yield `<attribute name="${field}">${escapeXml(String(fields[field] ?? ''))}</attribute>`;
      }
      yield '</tag>\n';
      for (const box of boxes) {
        const [left, top, width, height] = toPixels(box, size);
        const corners = { xtl: left, ytl: top, xbr: left + width, ybr: top + height };
        const edges = Object.entries(corners).map(([corner, value]) => `${corner}="${value.toFixed(2)}"`);
        yield `<box label="${escapeXml(box.label ?? event.type)}" source="auto" occluded="0" ${edges.join(' ')} z_order="0">`;
        yield `<attribute name="event">${escapeXml(event.label)}</attribute>`;
        yield `<attribute name="approval">${event.approval}</attribute></box>\n`;
      }
      yield '</image>\n';
    }
  }
  yield '</annotations>\n';
}

const toAttribute = (name: string) =>
  `<attribute><name>${name}</name><mutable>False</mutable><input_type>text</input_type><default_value></default_value><values></values></attribute>`;
const toAttributes = (names: readonly string[]) => `<attributes>${names.map(toAttribute).join('')}</attributes>`;
