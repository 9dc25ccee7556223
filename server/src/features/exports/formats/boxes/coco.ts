import { roundedJson } from '#platform/numbers';
import type { EventSource } from '../../types.ts';
import { toEventFields } from './event-fields.ts';
import { sizeOf, toFrameName, toPixels } from './frame-size.ts';

/**
 * Evidence frames as images, and their boxes as annotations, in the format of COCO. A frame with evidence of several
 * events is one image for each. `date_captured` of an image is when it was recorded. Reads the events twice.
 */
export async function* writeCoco(events: EventSource): AsyncGenerator<string> {
  const categories = new Map<string, number>();
  const numberOf = (name: string) => {
    if (!categories.has(name)) categories.set(name, categories.size + 1);
    return categories.get(name)!;
  };
  yield '{"info":{"description":"Events"},\n"images":[';
  let image = 0;
  for await (const event of events()) {
    for (const { timeS, at } of event.frames) {
      const captured = at === null ? {} : { date_captured: at };
      const row = { id: ++image, file_name: toFrameName(event, timeS), ...sizeOf(event), ...captured };
      const origin = { video_id: event.videoId, video_name: event.videoName, time_s: timeS, event_id: event.eventId };
      yield `${image === 1 ? '' : ','}\n${roundedJson({ ...row, ...origin, event: toEventFields(event) })}`;
    }
  }
  yield '],\n"annotations":[';
  image = 0;
  let annotation = 0;
  for await (const event of events()) {
    for (const { boxes } of event.frames) {
      image++;
      for (const box of boxes) {
        const bbox = toPixels(box, sizeOf(event));
        const row = { id: ++annotation, image_id: image, category_id: numberOf(box.label ?? event.type), bbox };
        const area = Math.round(bbox[2] * bbox[3] * 100) / 100;
        const attributes = { event_id: event.eventId, label: event.label, approval: event.approval };
        yield `${annotation === 1 ? '' : ','}\n${JSON.stringify({ ...row, area, iscrowd: 0, attributes })}`;
      }
    }
  }
  yield `],\n"categories":${JSON.stringify([...categories].map(([name, id]) => ({ id, name })))}}\n`;
}
