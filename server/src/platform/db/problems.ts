import { defineProblems } from '#platform/problem';

/** Problems of opening, backing up and restoring the database. */
export const problems = {
  data_folder_in_use: { status: 409, sentence: 'Another Sightline is running on this data folder.' },
  database_starting: {
    status: 503,
    sentence: 'The database in this data folder is being started or stopped elsewhere.',
  },
  database_unsupported: { status: 500, sentence: 'The PostgreSQL that comes with Sightline cannot run here.' },
  database_folder_unreachable: { status: 500, sentence: 'The database folder cannot be used.' },
  database_engine_mismatch: { status: 500, sentence: 'The database was made by another major version of PostgreSQL.' },
  database_not_started: { status: 500, sentence: 'The database did not start.' },
  database_not_durable: { status: 500, sentence: 'The database is set up so that it may lose acknowledged data.' },
  database_unreachable: { status: 503, sentence: 'The database that DATABASE_URL names cannot be reached.' },
  database_too_old: { status: 500, sentence: 'Sightline needs PostgreSQL 15 or later.' },
  database_too_new: { status: 500, sentence: 'The database was made by a newer version of Sightline.' },
  database_migrations_differ: {
    status: 500,
    sentence: 'The database was made by another build of Sightline and cannot be upgraded by this one.',
  },
  backup_not_embedded: {
    status: 400,
    sentence:
      'This copies the files of the embedded database only. Leave out --database-only to back up the database that DATABASE_URL names.',
  },
  backup_target_exists: { status: 409, sentence: 'The backup folder exists already.' },
  backup_source_missing: { status: 404, sentence: 'There is no database to back up in this data folder.' },
  backup_version_differs: { status: 409, sentence: 'The backup was made by another version of Sightline.' },
  backup_invalid: { status: 400, sentence: 'This is not a complete backup.' },
  restore_target_exists: { status: 409, sentence: 'There is a database in this data folder already.' },
} as const;

export const dbProblems = defineProblems(problems);
