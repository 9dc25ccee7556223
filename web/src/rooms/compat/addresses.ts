import { type AnyRoute, createRoute } from '@tanstack/react-router';
import { loadModule } from '#api/load-module.ts';

const loadRedirects = () => loadModule(() => import('./redirects.ts'));

/** Routes of the addresses that published clients print. Each leads to a page of the console. */
export function createCompatRoutes<Parent extends AnyRoute>(parent: Parent) {
  const batchView = createRoute({
    getParentRoute: () => parent,
    path: '/use-cases/rapid-review/batch-view/$batchId',
    beforeLoad: async ({ params }) => (await loadRedirects()).redirectToBatch(params.batchId),
  });

  const liveView = createRoute({
    getParentRoute: () => parent,
    path: '/events/$streamId/$sessionId',
    beforeLoad: async ({ params }) => (await loadRedirects()).redirectToSession(params.streamId, params.sessionId),
  });

  const datasetStudio = createRoute({
    getParentRoute: () => parent,
    path: '/dataset-studio/$datasetId',
    beforeLoad: async ({ params }) => (await loadRedirects()).redirectToDataset(params.datasetId),
  });

  return [batchView, liveView, datasetStudio] as const;
}
