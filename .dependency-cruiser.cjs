// The arrows, as data: what may import what. `npm run check` fails on a wrong one.

/** Feature rooms by floor; a room imports only lower floors, only through their index.ts. */
const FLOORS = [
  ['events', 'audit'],
  ['accounts', 'keys', 'folders'],
  ['videos'],
  ['zones'],
  ['uploads', 'playback', 'integrations', 'analyses'],
  ['batches', 'imports', 'mcap', 'live', 'search', 'review', 'console', 'system', 'activity'],
  ['views', 'exports', 'datasets', 'labels', 'comparisons', 'saved-questions'],
  ['cameras', 'captions', 'mcp', 'webhooks'],
  ['compat'],
];

/** Folders of the console, the lowest first; a folder imports only its own and lower ones. */
const CONSOLE = [['ui', 'api', 'locales'], ['frame'], ['player'], ['timeline'], ['rooms']];

const room = (names) => `^server/src/features/(${names.join('|')})/`;
const TEST = '\\.(test|fixture)\\.ts$|^server/test/';

const floorRules = FLOORS.map((rooms, floor) => {
  const notLower = FLOORS.slice(floor).flat();
  return {
    name: `floor-${floor}-imports-only-lower-floors`,
    severity: 'error',
    from: { path: room(rooms), pathNot: TEST },
    // A room's own files are not an arrow: the captured name of the importing room is excluded.
    to: { path: room(notLower), pathNot: '^server/src/features/$1/' },
  };
});

const consoleRules = CONSOLE.map((folders, level) => {
  const higher = CONSOLE.slice(level + 1)
    .flat()
    .map((folder) => `${folder}/`);
  return {
    name: `console-${folders[0]}-imports-only-lower-folders`,
    severity: 'error',
    from: { path: `^web/src/(${folders.join('|')})/` },
    to: { path: `^web/src/(${[...higher, '[^/]+\\.tsx?$'].join('|')})` },
  };
});

module.exports = {
  forbidden: [
    {
      name: 'no-cycles',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-orphan-rooms',
      severity: 'error',
      from: { path: '^server/src/features/', pathNot: `${TEST}|${room(FLOORS.flat())}` },
      to: {},
    },
    ...floorRules,
    ...consoleRules,
    {
      name: 'console-knows-the-server-by-its-client',
      severity: 'error',
      from: { path: '^web/src/', pathNot: TEST },
      to: { path: '^(server|bench|scripts|acceptance)/' },
    },
    {
      name: 'console-live-knows-no-cameras',
      severity: 'error',
      from: { path: '^web/src/rooms/live/' },
      to: { path: '^web/src/rooms/cameras/' },
    },
    {
      name: 'rooms-only-through-their-door',
      severity: 'error',
      from: { path: '^server/src/features/([^/]+)/', pathNot: TEST },
      to: { path: '^server/src/features/([^/]+)/(?!index\\.ts$)', pathNot: '^server/src/features/$1/' },
    },
    {
      name: 'platform-knows-nothing-above',
      severity: 'error',
      from: { path: '^server/src/platform/', pathNot: TEST },
      to: { path: '^server/src/(features|engine)/|^server/src/[^/]+\\.ts$' },
    },
    {
      name: 'engine-is-a-library',
      severity: 'error',
      from: { path: '^server/src/engine/', pathNot: TEST },
      to: {
        path: '^server/src/(?!engine/|platform/(media/|problem\\.ts|log\\.ts|measurements\\.ts|tracing/|local-time\\.ts|own-command\\.ts))',
      },
    },
    {
      name: 'storage-and-media-know-neither-database-nor-http',
      severity: 'error',
      from: { path: '^server/src/platform/(storage|media)/', pathNot: TEST },
      to: { path: '^server/src/platform/(db|jobs|http)/' },
    },
    {
      name: 'only-entry-points-know-all-rooms',
      severity: 'error',
      from: {
        path: '^server/src/',
        pathNot: `^server/src/(api|main)\\.ts$|^server/src/(compose|features|cli)/|${TEST}`,
      },
      to: { path: '^server/src/features/' },
    },
    {
      name: 'sql-only-in-stores',
      severity: 'error',
      from: { path: '^server/src/', pathNot: `^server/src/platform/(db|jobs)/|/[a-z-]*store\\.ts$|${TEST}` },
      to: { path: '^node_modules/(kysely|pg)/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'queue-only-in-jobs',
      severity: 'error',
      from: { path: '^server/src/', pathNot: `^server/src/platform/jobs/|${TEST}` },
      to: { path: '^node_modules/pg-boss/' },
    },
    {
      name: 'http-only-in-routes',
      severity: 'error',
      from: { path: '^server/src/', pathNot: `^server/src/api\\.ts$|^server/src/platform/http/|/routes\\.ts$|${TEST}` },
      to: { path: '^node_modules/(@fastify/[^/]+|fastify)/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'processes-only-in-media',
      severity: 'error',
      from: {
        path: '^server/src/',
        pathNot: `^server/src/platform/(media|db/embedded)/|^server/src/features/console/build\\.ts$|${TEST}`,
      },
      to: { path: '^(node:)?child_process$' },
    },
    {
      name: 'server-needs-no-client',
      severity: 'error',
      from: { path: '^server/', pathNot: `^server/src/(demo|cli)/|${TEST}` },
      to: { path: '^sdk/' },
    },
    {
      name: 'sdk-knows-nothing-of-ours',
      severity: 'error',
      from: { path: '^sdk/' },
      to: { path: '^(server|bench|scripts)/' },
    },
    { name: 'not-to-unresolvable', severity: 'error', from: {}, to: { couldNotResolve: true } },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default', 'types'] },
  },
};
