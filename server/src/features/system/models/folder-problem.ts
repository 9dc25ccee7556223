import { problems } from '../problems.ts';

/** Converts an error about permissions in the models folder to a problem; others are returned unchanged. */
export function toFolderProblem(error: unknown): unknown {
  const { code = '' } = error as NodeJS.ErrnoException;
  const isReadOnly = ['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'EEXIST'].includes(code);
  return isReadOnly ? problems.model_folder_read_only(undefined, { cause: error }) : error;
}
