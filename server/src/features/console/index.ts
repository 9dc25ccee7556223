/** The console: the web application in `web/`, built on the first start and served beside the API. */
export { consoleRoutes, sendPageNotFound } from './routes.ts';
export { createConsole } from './service.ts';
