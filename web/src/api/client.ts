import { createSightline } from '@sightline/sdk';

/**
 * The API of the service that served this page, with the session of the browser. `api` is typed by its OpenAPI
 * document; failures throw a `SightlineError`.
 */
export const sightline = createSightline({ baseUrl: window.location.origin });
export const { api } = sightline;
