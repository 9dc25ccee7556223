/** The console: the web application in `web/`, built on the first start and served beside the API. */
export { consoleRoutes } from './routes.ts';
export { createConsole } from './service.ts';
