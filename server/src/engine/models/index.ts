/** Models of the engine: the catalog, and their files on this machine. */
export { CATALOG, type ModelEntry, type ModelFile } from './catalog.ts';
export { createModelFolder, type LocatedFile, type ModelFiles } from './model-folder.ts';
