/** Images, clips and recaps of exported events. */
export { clock } from './clock.ts';
export { createExportMedia, type ExportMediaDeps } from './export-media.ts';
