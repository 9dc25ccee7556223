/** Images, clips and recaps of exported events. */
export { createExportMedia, type ExportMediaDeps } from './export-media.ts';
