import manifest from '../package.json' with { type: 'json' };

/** The product's version: one for server, SDK and command line. */
export const VERSION: string = manifest.version;
