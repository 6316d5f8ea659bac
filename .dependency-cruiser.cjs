// The layers of docs/decisions/0003-layers-and-style.md, lowest first. Layers in one row do not know each other.
const rows = [
  ['shared'],
  ['platform'],
  ['api-kit'],
  ['tenancy'],
  ['link-paths'],
  ['links'],
  ['clicks', 'imports', 'management-api', 'link-routing'],
  ['link-traffic', 'diagnostics', 'regions'],
  ['app'],
];

const layers = rows.flat();

/** Each file of src is an entry point, or lies in a layer or in a folder of one. */
const placed = ['^src/[^/]+\\.ts$', `^src/(${layers.join('|')})/[^/]+$`, `^src/(${layers.join('|')})/[^/]+/[^/]+$`];

const layerRules = rows.flatMap((row, at) =>
  row.map((layer) => {
    const known = [...rows.slice(0, at).flat(), layer];
    return {
      name: `${layer}-imports-only-lower-layers`,
      severity: 'error',
      comment: `src/${layer} may import ${known.join(', ')}.`,
      from: { path: `^src/${layer}/` },
      to: { path: '^src/', pathNot: `^src/(${known.join('|')})/` },
    };
  }),
);

const frameworks =
  'node_modules/(@nestjs|typeorm|pg|pino|express|ioredis|class-validator|class-transformer|@clickhouse/client)(/|$)';
const drivers = 'node_modules/(pg|typeorm|@nestjs/typeorm)(/|$)';
const inputAndOutput = '^(node:)?(net|tls|dns|http|http2|https|fs|child_process|worker_threads)(/|$)';

/** Adapters by their prefix, what maps rows, and the modules and compositions that put adapters together. */
const adapters = ['/(typeorm|pg|clickhouse)-[a-z.-]+\\.ts$', '\\.schema\\.ts$', '\\.(module|composition)\\.ts$'];

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    ...layerRules,
    {
      name: 'src-has-layers-and-entry-points-only',
      severity: 'error',
      comment: 'Layers are one level deep: a folder inside a layer contains files only.',
      from: { path: '^src/', pathNot: placed },
      to: {},
    },
    {
      name: 'nothing-outside-the-layers-is-imported',
      severity: 'error',
      from: {},
      to: { path: '^src/', pathNot: placed },
    },
    {
      name: 'no-import-cycles',
      severity: 'error',
      comment: 'Types included, and in the console and the client too.',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-folder-cycles',
      severity: 'error',
      comment: 'Resources among themselves, and all other folders too.',
      scope: 'folder',
      from: { path: '^src/' },
      to: { circular: true },
    },
    {
      name: 'link-routing-is-pure',
      severity: 'error',
      comment: 'No request, database or clock, not even behind what it imports.',
      from: { path: '^src/link-routing/' },
      to: { path: ['^src/(platform|clicks)/', frameworks, inputAndOutput], reachable: true },
    },
    {
      name: 'models-know-no-framework',
      severity: 'error',
      comment: 'What has no role in its name, errors and ports are plain TypeScript.',
      from: {
        path: [
          '^src/shared/[a-z0-9-]+\\.ts$',
          '^src/(tenancy|link-paths|links|clicks|imports|link-routing|diagnostics)/[^/]+/[a-z0-9-]+\\.ts$',
          '^src/link-traffic/deferred-links/[a-z0-9-]+\\.ts$',
          '\\.(errors|repository)\\.ts$',
        ],
        pathNot: '/(typeorm|pg|clickhouse)-',
      },
      to: { path: frameworks },
    },
    {
      name: 'services-know-neither-web-nor-database',
      severity: 'error',
      from: { path: '\\.service\\.ts$' },
      to: { path: ['^src/platform/(http|postgres|tables)/', drivers, 'node_modules/express(/|$)'] },
    },
    {
      name: 'only-adapters-know-drivers',
      severity: 'error',
      from: { path: '^src/', pathNot: ['^src/(platform|regions|app)/', ...adapters] },
      to: { path: drivers },
    },
    {
      name: 'only-adapters-know-postgres',
      severity: 'error',
      comment: 'The pipeline sets deadlines, the kit maps errors, and link traffic reads through invalidated caches.',
      from: { path: '^src/(tenancy|link-paths|links|clicks|imports|diagnostics)/', pathNot: adapters },
      to: { path: '^src/platform/(postgres|tables)/' },
    },
    {
      name: 'only-app-imports-link-traffic',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/(app|link-traffic)/' },
      to: { path: '^src/link-traffic/' },
    },
    {
      name: 'only-otel-files-know-opentelemetry',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/platform/observability/[^/]+\\.otel\\.ts$' },
      to: { path: 'node_modules/@opentelemetry/' },
    },
    {
      name: 'otel-files-are-imported-at-run-time',
      severity: 'error',
      comment: 'The SDK takes 0.2 s and 26 MB to load. Types are free.',
      from: { path: '^src/', pathNot: '\\.otel\\.ts$' },
      to: { path: '\\.otel\\.ts$', dynamic: false, dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'only-its-platform-file-knows-the-client-of-clickhouse',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/platform/clickhouse/http-clickhouse\\.ts$' },
      to: { path: 'node_modules/@clickhouse/' },
    },
    {
      name: 'the-client-of-clickhouse-is-loaded-at-run-time',
      severity: 'error',
      comment: 'Most installations store clicks in PostgreSQL. Types are free.',
      from: { path: '^src/' },
      to: { path: '/http-clickhouse\\.ts$', dynamic: false, dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'main-loads-nothing-before-tracing',
      severity: 'error',
      comment: 'pg is instrumented while it is loaded.',
      from: { path: '^src/main\\.ts$' },
      to: { path: '^src/|node_modules/', pathNot: '^src/shared/', dynamic: false },
    },
    { name: 'source-knows-no-tests', severity: 'error', from: { path: '^src/' }, to: { path: '^test/' } },
    { name: 'nothing-unresolvable', severity: 'error', from: { path: '^src/' }, to: { couldNotResolve: true } },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
    },
  },
};
