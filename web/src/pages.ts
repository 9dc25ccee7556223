/**
 * The modules of all pages by their path in the router. `main.ts` starts to load the one of the address at once,
 * beside the console itself.
 */
export const PAGES = {
  '/welcome': () => import('#rooms/accounts/welcome-page.tsx'),
  '/second-factor': () => import('#rooms/accounts/second-factor/second-factor-page.tsx'),
  '/': () => import('#rooms/videos/library-page.tsx'),
  '/videos/$videoId': () => import('#rooms/videos/video-page.tsx'),
  '/search': () => import('#rooms/search/search-page.tsx'),
  '/questions': () => import('#rooms/batches/questions-page.tsx'),
  '/questions/$batchId': () => import('#rooms/batches/question-page.tsx'),
  '/comparisons/$batchId': () => import('#rooms/comparisons/comparison-page.tsx'),
  '/saved-questions': () => import('#rooms/saved-questions/saved-questions-page.tsx'),
  '/datasets': () => import('#rooms/datasets/datasets-page.tsx'),
  '/datasets/$datasetId': () => import('#rooms/datasets/dataset-page.tsx'),
  '/review': () => import('#rooms/review/review-page.tsx'),
  '/live': () => import('#rooms/live/live-page.tsx'),
  '/live/wall': () => import('#rooms/cameras/wall/wall-page.tsx'),
  '/live/cameras': () => import('#rooms/cameras/cameras-page.tsx'),
  '/recordings': () => import('#rooms/mcap/recordings-page.tsx'),
  '/imports': () => import('#rooms/imports/imports-page.tsx'),
  '/imports/new': () => import('#rooms/imports/new-import-page.tsx'),
  '/imports/$jobId': () => import('#rooms/imports/import-page.tsx'),
  '/exports': () => import('#rooms/exports/exports-page.tsx'),
  '/settings/$section': () => import('#rooms/settings/settings-page.tsx'),
};

/** The path of a page in the router, by its address; undefined for addresses of other pages. */
export const pageAt = (pathname: string): keyof typeof PAGES | undefined =>
  (Object.keys(PAGES) as (keyof typeof PAGES)[]).find((path) =>
    new RegExp(`^${path.replaceAll(/\$\w+/g, '[^/]+')}$`).test(pathname),
  );
