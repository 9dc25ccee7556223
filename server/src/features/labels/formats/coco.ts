import type { LabelTime, ParsedLabels } from '../types.ts';
import { createCollector } from './collector.ts';
import { parseFrameName } from './frame-name.ts';
import { frameOf, type JsonObject, listOf, nameOf, numberOf, objectOf, textsOf } from './json.ts';

/**
 * COCO: images of a video, and the objects in them. Images of an exported event state the event; of others, each
 * annotation is one frame of a label with the name of its category.
 */
export function parseCoco(root: unknown): ParsedLabels {
  const collector = createCollector();
  const { images, annotations, categories, videos } = objectOf(root);
  if (!Array.isArray(images) || !Array.isArray(annotations)) {
    collector.fail('file', 'A COCO file needs the lists `images` and `annotations`.');
    return collector;
  }
  const videosById = new Map(listOf(videos).map((each) => [objectOf(each).id, objectOf(each)]));
  const categoryNames = new Map(listOf(categories).map((each) => [objectOf(each).id, objectOf(each).name]));
  const frames = new Map<unknown, { videos: string[]; when: LabelTime | null }>();
  const events = new Set<unknown>();
  const eventImages = new Set<unknown>();
  for (const [index, value] of images.entries()) {
    const image = objectOf(value);
    const location = `images[${index}]`;
    const frame = readImage(image, videosById.get(image.video_id));
    if (frames.has(image.id)) collector.fail(location, 'Another image has the same id.');
    frames.set(image.id, frame);
    if (image.event === undefined) continue;
    eventImages.add(image.id);
    // An event with several frames has several images.
    if (events.has(image.event_id)) continue;
    events.add(image.event_id);
    const { start_s, end_s, ...texts } = objectOf(image.event);
    const [startS, endS] = [numberOf(start_s), numberOf(end_s)];
    if (startS === null || endS === null) collector.fail(location, 'The event needs `start_s` and `end_s` in seconds.');
    else if (!collector.add({ location, ...frame, when: { startS, endS }, ...pickTexts(texts) })) return collector;
  }
  for (const [index, value] of annotations.entries()) {
    const annotation = objectOf(value);
    const location = `annotations[${index}]`;
    const frame = frames.get(annotation.image_id);
    if (eventImages.has(annotation.image_id)) continue;
    const label = categoryNames.get(annotation.category_id);
    if (!frame) collector.fail(location, 'There is no image with its `image_id`.');
    else if (label === undefined) collector.fail(location, 'There is no category with its `category_id`.');
    else if (!frame.when) {
      collector.fail(
        location,
        'The time of its image is unknown: state `time_s` or `frame_id`, or end `file_name` with the number of the frame.',
      );
    } else {
      const { track_id, instance_id, attributes } = annotation;
      const track = track_id ?? instance_id ?? objectOf(attributes).track_id;
      if (!collector.add({ location, ...frame, when: frame.when, label, track })) return collector;
    }
  }
  return collector;
}

function readImage(image: JsonObject, video: JsonObject | undefined): { videos: string[]; when: LabelTime | null } {
  const fromName = parseFrameName(nameOf(image.file_name));
  const timeS = numberOf(image.time_s);
  const frame = frameOf(image.frame_id) ?? frameOf(image.frame_index) ?? frameOf(image.frame_number);
  const named = textsOf(image.video_id, image.video_name, video?.name, video?.file_name);
  return {
    videos: [...named, ...fromName.videos],
    when: timeS !== null ? { timeS } : frame !== null ? { frame } : fromName.when,
  };
}

const pickTexts = ({ label, severity, approval }: JsonObject) => ({ label, severity, approval });
