/**
 * Backups of a whole service, database and files, in a repository: a folder or a bucket. Each backup is complete, and
 * shares the content of files with the ones before it. The database is copied as rows, so that it can be restored into
 * another version of PostgreSQL, and from the embedded database into a server or back.
 */
export { createBackup } from './backup.ts';
export { createBackupKey, createEncryption } from './encryption.ts';
export { type Backup, createRepository } from './repository.ts';
export { restoreBackup, verifyBackup } from './restore.ts';
