import { createSightline } from '@sightline/sdk';
import { fetchOnce } from './early-requests.ts';
import { compareClocks } from './service-clock.ts';

const fetchDated: typeof fetch = async (input, init) => {
  const response = await fetchOnce(input, init);
  compareClocks(response);
  return response;
};

/**
 * The API of the service that served this page, with the session of the browser. `api` is typed by its OpenAPI
 * document; failures throw a `SightlineError`.
 */
export const sightline = createSightline({ baseUrl: window.location.origin, fetch: fetchDated });
export const { api } = sightline;
