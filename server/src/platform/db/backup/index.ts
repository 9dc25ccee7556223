/**
 * Backup and restore of the embedded database, without stopping it: PostgreSQL's own base backup, made here because its
 * programs for it do not come with npm. A backup is a folder that is complete or does not exist; every file in it is listed with size
 * and SHA-256, and restoring checks them. Films and pictures are not in it: they are ordinary files in `<data>/files`.
 */
export { backupEmbedded } from './backup.ts';
export { restoreEmbedded } from './restore.ts';
