/**
 * Version of the code that turns prompts and observations into answers (plan, find, describe). It is part of every
 * document: raise it with every change of answers. Observers have their own versions, see `observe/observers.ts`.
 */
export const ENGINE_VERSION = '15';
