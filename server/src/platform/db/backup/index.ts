/**
 * Online backup and restore of the embedded database. This is a PostgreSQL base backup, implemented here because npm
 * does not install the programs for it. A backup is a folder that is complete or does not exist. It lists every file
 * with size and SHA-256, and a restore verifies them. Videos and images are not included: they are ordinary files in
 * `<data>/files`.
 */
export { backupEmbedded } from './backup.ts';
export { restoreEmbedded } from './restore.ts';
