import type { LabelFormat, ParsedLabels } from '../types.ts';
import { parseCoco } from './coco.ts';
import { parseLabelStudio } from './label-studio.ts';

/** Parsers of all formats by the name that requests state. Those with a library load it when they are first used. */
export const LABEL_FORMATS: Record<LabelFormat, (content: string) => Promise<ParsedLabels>> = {
  csv: async (content) => (await import('./csv.ts')).parseCsv(content),
  coco: async (content) => parseJson(content, parseCoco),
  cvat: async (content) => (await import('./cvat.ts')).parseCvat(content),
  label_studio: async (content) => parseJson(content, parseLabelStudio),
};

/** The format that a file has, from its first character. */
export function detectFormat(content: string): LabelFormat {
  const [first] = content.replace(/^\ufeff/, '').trimStart();
  if (first === '<') return 'cvat';
  if (first === '[') return 'label_studio';
  return first === '{' ? 'coco' : 'csv';
}

function parseJson(content: string, parse: (root: unknown) => ParsedLabels): ParsedLabels {
  let root: unknown;
  try {
    root = JSON.parse(content.replace(/^\ufeff/, ''));
  } catch {
    return { labels: [], skipped: 0, faults: [{ location: 'file', message: 'The file is not valid JSON.' }] };
  }
  return parse(root);
}
