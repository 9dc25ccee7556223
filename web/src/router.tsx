import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router';
import { loadModule } from '#api/load-module.ts';
import { isSignedOut, needsSession, queries } from '#api/queries.ts';
import { sessionQuery } from '#api/session.ts';
import { NotFoundPage, PageNotFound, RouteError } from '#frame/errors.tsx';
import { showLocaleOf } from '#frame/locale.ts';
import {
  camerasSearch,
  comparisonSearch,
  datasetsSearch,
  librarySearch,
  newImportSearch,
  questionSearch,
  questionsSearch,
  recordingsSearch,
  reviewSearch,
  savedQuestionsSearch,
  searchSearch,
  secondFactorSearch,
  settingsSearch,
  videoSearch,
  wallSearch,
  welcomeSearch,
} from '#frame/search-params.ts';
import { createCompatRoutes } from '#rooms/compat/addresses.ts';
import { libraryQuery } from '#rooms/videos/library/library-query.ts';
import { App } from './app.tsx';
import { PAGES } from './pages.ts';

type Pages = typeof PAGES;
type PageModule<Path extends keyof Pages> = Awaited<ReturnType<Pages[Path]>>;

/** The component of a page, loaded when it is first shown. */
const pageOf = <Path extends keyof Pages, Name extends keyof PageModule<Path>>(path: Path, name: Name) =>
  lazyRouteComponent(() => loadModule(PAGES[path] as () => Promise<PageModule<Path>>), name);

const root = createRootRoute({ component: Outlet, notFoundComponent: PageNotFound, errorComponent: RouteError });

const welcome = createRoute({
  getParentRoute: () => root,
  path: '/welcome',
  validateSearch: welcomeSearch,
  component: pageOf('/welcome', 'WelcomePage'),
});

/** For members who have to set up a second factor before anything else. */
const secondFactor = createRoute({
  getParentRoute: () => root,
  path: '/second-factor',
  validateSearch: secondFactorSearch,
  beforeLoad: async () => {
    const session = await queries.fetchQuery(sessionQuery).catch((error) => {
      if (!isSignedOut(error)) throw error;
      return null;
    });
    if (!session?.needs_second_factor) throw redirect({ to: session ? '/' : '/welcome', search: {}, replace: true });
    await showLocaleOf(session);
  },
  component: pageOf('/second-factor', 'SecondFactorPage'),
});

/** Pages for signed-in users, inside the frame. */
const app = createRoute({
  getParentRoute: () => root,
  id: 'app',
  component: App,
  beforeLoad: async ({ location }) => {
    try {
      const session = await queries.fetchQuery(sessionQuery);
      if (!session.needs_second_factor) return await showLocaleOf(session);
    } catch (error) {
      if (!isSignedOut(error)) throw error;
      throw redirect({ to: '/welcome', search: { return_to: location.href }, replace: true });
    }
    throw redirect({ to: '/second-factor', search: { return_to: location.href }, replace: true });
  },
});

/** Unknown addresses keep the navigation of the frame. */
const unknown = createRoute({ getParentRoute: () => app, path: '$', component: NotFoundPage });

const library = createRoute({
  getParentRoute: () => app,
  path: '/',
  validateSearch: librarySearch,
  loaderDeps: ({ search: { view: _, ...filter } }) => filter,
  // Not awaited: the page shows how it goes.
  loader: ({ deps }) => void queries.prefetchInfiniteQuery(libraryQuery(deps)),
  component: pageOf('/', 'LibraryPage'),
});

const questions = createRoute({
  getParentRoute: () => app,
  path: '/questions',
  validateSearch: questionsSearch,
  component: pageOf('/questions', 'QuestionsPage'),
});

const question = createRoute({
  getParentRoute: () => app,
  path: '/questions/$batchId',
  validateSearch: questionSearch,
  component: pageOf('/questions/$batchId', 'QuestionPage'),
});

const comparison = createRoute({
  getParentRoute: () => app,
  path: '/comparisons/$batchId',
  validateSearch: comparisonSearch,
  component: pageOf('/comparisons/$batchId', 'ComparisonPage'),
});

const savedQuestions = createRoute({
  getParentRoute: () => app,
  path: '/saved-questions',
  validateSearch: savedQuestionsSearch,
  component: pageOf('/saved-questions', 'SavedQuestionsPage'),
});

const datasets = createRoute({
  getParentRoute: () => app,
  path: '/datasets',
  validateSearch: datasetsSearch,
  component: pageOf('/datasets', 'DatasetsPage'),
});

const dataset = createRoute({
  getParentRoute: () => app,
  path: '/datasets/$datasetId',
  component: pageOf('/datasets/$datasetId', 'DatasetPage'),
});

const search = createRoute({
  getParentRoute: () => app,
  path: '/search',
  validateSearch: searchSearch,
  component: pageOf('/search', 'SearchPage'),
});

const review = createRoute({
  getParentRoute: () => app,
  path: '/review',
  validateSearch: reviewSearch,
  component: pageOf('/review', 'ReviewPage'),
});

const exports = createRoute({
  getParentRoute: () => app,
  path: '/exports',
  component: pageOf('/exports', 'ExportsPage'),
});

const settingsIndex = createRoute({
  getParentRoute: () => app,
  path: '/settings',
  beforeLoad: () => {
    throw redirect({ to: '/settings/$section', params: { section: 'profile' }, replace: true });
  },
});

const settings = createRoute({
  getParentRoute: () => app,
  path: '/settings/$section',
  validateSearch: settingsSearch,
  component: pageOf('/settings/$section', 'SettingsPage'),
});

const live = createRoute({
  getParentRoute: () => app,
  path: '/live',
  component: pageOf('/live', 'LivePage'),
});

const cameras = createRoute({
  getParentRoute: () => app,
  path: '/live/cameras',
  validateSearch: camerasSearch,
  component: pageOf('/live/cameras', 'CamerasPage'),
});

const wall = createRoute({
  getParentRoute: () => app,
  path: '/live/wall',
  validateSearch: wallSearch,
  component: pageOf('/live/wall', 'WallPage'),
});

const recordings = createRoute({
  getParentRoute: () => app,
  path: '/recordings',
  validateSearch: recordingsSearch,
  component: pageOf('/recordings', 'RecordingsPage'),
});

const imports = createRoute({
  getParentRoute: () => app,
  path: '/imports',
  component: pageOf('/imports', 'ImportsPage'),
});

const newImport = createRoute({
  getParentRoute: () => app,
  path: '/imports/new',
  validateSearch: newImportSearch,
  component: pageOf('/imports/new', 'NewImportPage'),
});

const importJob = createRoute({
  getParentRoute: () => app,
  path: '/imports/$jobId',
  component: pageOf('/imports/$jobId', 'ImportPage'),
});

const video = createRoute({
  getParentRoute: () => app,
  path: '/videos/$videoId',
  validateSearch: videoSearch,
  component: pageOf('/videos/$videoId', 'VideoPage'),
});

const routeTree = root.addChildren([
  welcome,
  secondFactor,
  app.addChildren([
    unknown,
    library,
    video,
    search,
    questions,
    question,
    comparison,
    savedQuestions,
    datasets,
    dataset,
    review,
    live,
    cameras,
    wall,
    recordings,
    imports,
    newImport,
    importJob,
    exports,
    settingsIndex,
    settings,
    ...createCompatRoutes(app),
  ]),
]);

export const router = createRouter({ routeTree, defaultPreload: 'intent', scrollRestoration: true });

/** An open page whose session has ended, or needs a second factor now, is replaced by the page that renews it. */
queries.getQueryCache().subscribe((event) => {
  if (event.type !== 'updated' || event.action.type !== 'error' || !needsSession(event.action.error)) return;
  if (event.query === queries.getQueryCache().find(sessionQuery)) return;
  void queries.invalidateQueries({ ...sessionQuery, refetchType: 'none' });
  void router.invalidate();
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
