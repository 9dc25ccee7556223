import { setImmediate } from 'node:timers/promises';
import { SaxesParser, type SaxesTagPlain } from 'saxes';
import type { ParsedLabels } from '../types.ts';
import { createCollector, type LabelCollector } from './collector.ts';
import { parseFrameName } from './frame-name.ts';
import { type TrackedShape, toVisibleRanges } from './visible-ranges.ts';

/** Other requests are served after each piece. */
const PIECE = 64 * 1024;
const MAX_DEPTH = 32;
const SHAPES = ['box', 'polygon', 'polyline', 'points', 'cuboid', 'ellipse', 'mask', 'skeleton'];

/** A reason to stop reading. */
class Unreadable extends Error {}

/**
 * CVAT's XML for images 1.1 and for video 1.1. The objects in images are single frames of labels, and tracks are labels
 * while they are visible. Tags of exported events state the event. Documents with a DOCTYPE are refused, so there are
 * no entities besides those of XML.
 */
export async function parseCvat(content: string): Promise<ParsedLabels> {
  const collector = createCollector();
  const parser = new SaxesParser();
  readDocument(parser, collector);
  try {
    for (let from = 0; from < content.length; from += PIECE) {
      parser.write(content.slice(from, from + PIECE));
      await setImmediate();
    }
    parser.close();
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    if (error.message) collector.fail(`line ${parser.line}`, error.message);
  }
  return collector;
}

type Attributes = Record<string, string>;

function readDocument(parser: SaxesParser, collector: LabelCollector): void {
  const path: string[] = [];
  /** Names of the videos of tasks by their ids; a file of one task need not state them. */
  const sources = new Map<string, string>();
  const tracks: { location: string; attributes: Attributes; shapes: TrackedShape[] }[] = [];
  let task = { id: '', source: '' };
  let image: (ReturnType<typeof parseFrameName> & { hasEvent: boolean; held: (() => void)[] }) | null = null;
  let tag: { location: string; label: string; attributes: Attributes } | null = null;
  const events = new Set<string>();
  let text = '';
  let attribute = '';

  const add = (...entry: Parameters<LabelCollector['add']>) => {
    if (!collector.add(...entry)) throw new Unreadable();
  };
  const open = new Map<string, (attributes: Attributes, location: string) => void>(
    Object.entries({
      image({ name = '' }: Attributes) {
        image = { ...parseFrameName(name), hasEvent: false, held: [] };
      },
      track(attributes: Attributes, location: string) {
        tracks.push({ location, attributes, shapes: [] });
      },
      tag({ label = '' }: Attributes, location: string) {
        tag = { location, label, attributes: {} };
      },
      attribute({ name = '' }: Attributes) {
        attribute = name;
      },
    }),
  );

  function addShape({ label = '', frame, outside }: Attributes, location: string): void {
    if (path.includes('track')) {
      const number = Number(frame);
      if (!Number.isSafeInteger(number) || number < 0) collector.fail(location, 'The shape of a track has no frame.');
      else tracks.at(-1)!.shapes.push({ frame: number, isVisible: outside !== '1' });
    } else if (image) {
      const { videos, when, held } = image;
      held.push(() => {
        if (when) add({ location, videos, when, label });
        else
          collector.fail(location, 'The time of its image is unknown: its name must end with the number of the frame.');
      });
    }
  }

  /** A tag says that the label holds for the image, or describes the event of an export. */
  function closeTag({ location, label, attributes }: NonNullable<typeof tag>): void {
    const { event_id, video_name = '', start_s, end_s, ...texts } = attributes;
    if (event_id === undefined) {
      addShape({ label }, location);
      return;
    }
    if (image) image.hasEvent = true;
    if (events.has(event_id)) return;
    events.add(event_id);
    const [startS, endS] = [start_s, end_s].map((value) => (value?.trim() ? Number(value) : Number.NaN));
    if (!(startS! >= 0) || !(endS! >= 0)) collector.fail(location, 'The event needs `start_s` and `end_s` in seconds.');
    else {
      const { severity, approval } = texts;
      const videos = [...(image?.videos ?? []), video_name];
      add({ location, videos, when: { startS: startS!, endS: endS! }, label: texts.label, severity, approval });
    }
  }

  const close = new Map<string, () => void>(
    Object.entries({
      id: () => {
        if (path.at(-1) === 'task') task.id = text.trim();
      },
      source: () => {
        if (path.at(-1) === 'task') task.source = text.trim();
      },
      task() {
        if (task.source) sources.set(task.id, task.source);
        task = { id: '', source: '' };
      },
      attribute: () => {
        if (tag) tag.attributes[attribute] = text;
      },
      tag() {
        if (tag) closeTag(tag);
        tag = null;
      },
      image() {
        // The boxes of an event are its evidence.
        if (image && !image.hasEvent) for (const each of image.held) each();
        image = null;
      },
      annotations() {
        for (const { location, attributes, shapes } of tracks) {
          const source = sources.get(attributes.task_id ?? '') ?? (sources.size === 1 ? [...sources.values()][0]! : '');
          if (shapes.length === 0) collector.fail(location, 'The track has no shapes.');
          for (const when of toVisibleRanges(shapes)) {
            add({ location, videos: [source], when, label: attributes.label, track: attributes.id });
          }
        }
      },
    }),
  );

  parser.on('doctype', () => {
    throw new Unreadable('The file has a DOCTYPE, which CVAT does not write. Remove it.');
  });
  parser.on('error', (error) => {
    throw new Unreadable(`The file is not valid XML: ${error.message.replace(/^[\d:]+ /, '')}`);
  });
  parser.on('opentag', ({ name, attributes }: SaxesTagPlain) => {
    if (path.length === 0 && name !== 'annotations') {
      throw new Unreadable(
        'A CVAT file has the root element `annotations`. Export "CVAT for images" or "CVAT for video".',
      );
    }
    if (path.length >= MAX_DEPTH) throw new Unreadable('The elements of the file are nested too deeply.');
    const location = `line ${parser.line}`;
    text = '';
    if (SHAPES.includes(name)) addShape(attributes, location);
    else open.get(name)?.(attributes, location);
    path.push(name);
  });
  parser.on('text', (part) => {
    text += part;
  });
  parser.on('closetag', ({ name }) => {
    path.pop();
    close.get(name)?.();
    text = '';
  });
}
