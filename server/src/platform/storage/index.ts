/** Storage: files on the local disk or in an S3 bucket, behind one interface. */
export { createDiskSpace, type DiskSpace } from './disk-space.ts';
export { problems as storageProblems } from './problems.ts';
export { isS3Failure } from './s3-failure.ts';
export { type StagedFile, stageFile } from './staged-file.ts';
export { createStorage, EMPTY_OBJECT, type StorageSettings } from './storage.ts';
export type {
  DirectUploads,
  LocalFile,
  PartialObject,
  Storage,
  StoredFile,
  UploadPart,
} from './types.ts';
