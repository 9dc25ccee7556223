/**
 * Version of what turns prompts and observations into answers (plan, find, describe). It is part of every document: raise it with every change that
 * changes answers. Observers have versions of their own, see `observe/observers.ts`.
 */
export const ENGINE_VERSION = '8';
