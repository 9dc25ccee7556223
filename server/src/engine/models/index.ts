/** Models of the engine: the catalog, and their files on this machine. */
export {
  BUNDLED,
  CATALOG,
  isPinned,
  MODEL_TASKS,
  type ModelEntry,
  type ModelFile,
  type ModelTask,
} from './catalog.ts';
export { createModelConverter } from './model-converter.ts';
export { createModelFolder, type LocatedFile, type ModelFiles } from './model-folder.ts';
