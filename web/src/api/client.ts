import { createSightline } from '@sightline/sdk';
import { fetchOnce } from './early-requests.ts';

/**
 * The API of the service that served this page, with the session of the browser. `api` is typed by its OpenAPI
 * document; failures throw a `SightlineError`.
 */
export const sightline = createSightline({ baseUrl: window.location.origin, fetch: fetchOnce });
export const { api } = sightline;
