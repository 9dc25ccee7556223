/**
 * State of an upload. `waiting`: for its turn; `missing`: after a reload, until the file is chosen again;
 * `finishing`: the service has all bytes and checks the file.
 */
export type UploadState = 'waiting' | 'uploading' | 'finishing' | 'paused' | 'missing' | 'done' | 'failed';

export type UploadTarget = { folderId?: string; scope?: 'user' | 'org' };

export type UploadItem = UploadTarget & {
  id: string;
  /** Name of the video; with its folders if a folder was chosen. */
  name: string;
  size: number;
  lastModified: number;
  state: UploadState;
  /** Bytes that the service has, or that are on their way. */
  sent: number;
  /** Bytes per second; null until it is known. */
  rate: number | null;
  /** True while the service or the network is away; the upload continues by itself. */
  stalled: boolean;
  /** The reason of a failure in the words of the API. */
  problem: string | null;
  /** True if the service may accept the file at another attempt. */
  canRetry: boolean;
  /** Idempotency key of the upload's creation: a repeat, such as after a lost response, gets the same upload. */
  creationKey: string;
  /** URL of the upload once it has started; its last segment is the id of the video. */
  url: string | null;
  file: File | null;
  /** Lets the browser read the file again after a reload, where it has such handles. */
  handle: FileSystemFileHandle | null;
  /** Data recorded together with the video: a file of the same name. */
  sidecar: File | null;
};

export type ChosenFile = { file: File; path: string; handle?: FileSystemFileHandle };
