// The layers of docs/decisions/0003: imports run one way.
const order = [
  'shared',
  'database',
  'accounts',
  'idempotency',
  'api-keys',
  'dashboard',
  'projects',
  'ios-apps',
  'android-apps',
  'link-paths',
  'dynamic-links',
  'short-links',
  'qr-codes',
  'deferred-links',
  'clicks',
  'link-traffic',
];

const rooms = order.map((room, at) => ({
  name: `${room}-knows-only-what-lies-below`,
  severity: 'error',
  comment: `src/${room} may import ${['itself', ...order.slice(0, at)].join(', ')} and the web faces of http/.`,
  from: { path: `^src/${room}/` },
  to: { path: `^src/(${order.slice(at + 1).join('|') || 'nothing'})/` },
}));

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    {
      name: 'no-cycles',
      severity: 'error',
      from: { path: '^src' },
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    ...rooms,
    {
      name: 'models-know-no-framework',
      severity: 'error',
      comment: 'Models, errors, ports and the rules they share are plain TypeScript.',
      from: {
        path: [
          '^src/shared/(?!log\\.ts$)',
          '^src/[a-z-]+/(account|caller|plan|api-key|identity|project|ios-app|android-app|dynamic-link|short-link|destination-url|referrer-params|custom-path|link-hosts)\\.ts$',
          '\\.(errors|repository)\\.ts$',
        ],
        pathNot: '/(typeorm|pg)-',
      },
      to: { path: 'node_modules/(@nestjs|typeorm|pg|express|class-validator|class-transformer)' },
    },
    {
      name: 'services-know-no-web-and-no-database',
      severity: 'error',
      from: { path: '\\.service\\.ts$' },
      to: { path: ['^src/http/', '^src/database/', 'node_modules/(typeorm|pg|express|@nestjs/typeorm)'] },
    },
    {
      name: 'only-adapters-know-the-database',
      severity: 'error',
      from: {
        path: '^src/(accounts|api-keys|dashboard|idempotency|projects|ios-apps|android-apps|link-paths|dynamic-links|short-links|qr-codes|deferred-links|clicks)/',
        pathNot: ['/(typeorm|pg)-[a-z-]+\\.repository\\.ts$', '\\.schema\\.ts$', '-room\\.ts$'],
      },
      to: { path: ['^src/database/', 'node_modules/(typeorm|pg)'] },
    },
    {
      name: 'nobody-imports-link-traffic',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/(link-traffic/|service\\.ts$)' },
      to: { path: '^src/link-traffic/' },
    },
    {
      name: 'only-tracing-knows-opentelemetry',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/tracing/' },
      to: { path: 'node_modules/@opentelemetry/' },
    },
    {
      name: 'tracing-is-loaded-only-where-it-is-wanted',
      severity: 'error',
      comment: 'Types of src/tracing are free; the rest is imported at run time, by main.ts.',
      from: { path: '^src/', pathNot: '^src/tracing/' },
      to: { path: '^src/tracing/', dynamic: false, dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'main-loads-nothing-before-tracing',
      severity: 'error',
      comment: 'pg is instrumented while it is loaded.',
      from: { path: '^src/main\\.ts$' },
      to: { path: '^src/|node_modules/', pathNot: '^src/(config|shared/(log|bad-setting))\\.ts$', dynamic: false },
    },
    { name: 'source-knows-no-tests', severity: 'error', from: { path: '^src/' }, to: { path: '^test/' } },
    { name: 'nothing-unresolvable', severity: 'error', from: { path: '^src' }, to: { couldNotResolve: true } },
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
