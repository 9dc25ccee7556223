export { createDirectoryFormats } from './directory-formats.ts';
export { createRecordingKind } from './recording-kind.ts';
export { ImportParams, McapFilesToImport, McapImportResource } from './schema.ts';
export { findImport, findKnownIngests, insertImport, isTransferring, listIngests, type McapImport } from './store.ts';
