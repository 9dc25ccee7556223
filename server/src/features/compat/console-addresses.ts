/** Addresses of the console that published clients print; its router leads from them to its pages. */
export const CONSOLE_ADDRESSES = ['/use-cases/rapid-review/batch-view/*', '/dataset-studio/*', '/events/*'];
