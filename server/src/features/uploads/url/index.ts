export { createUrlIngest } from './fetch-url.ts';
export { createUrlUploads, type UrlUploads } from './service.ts';
