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
  'custom-domains',
  'dynamic-links',
  'short-links',
  'qr-codes',
  'deferred-links',
  'clicks',
  'link-traffic',
  'explain',
  'association-health',
];

// What link traffic decides by: functions of a link and a visitor, which know no request, no database and no cache of links.
const decisions =
  '^src/link-traffic/(answer-contents|as-visited|association-files|browser-family|destination|in-app-browsers|query-merge|served-values|social-crawlers|store-urls|visited-link|visitor|visitor-query|why|pages/[a-z-]+)\\.ts$';

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
          '^src/[a-z-]+/(account|caller|plan|api-key|identity|project|ios-app|android-app|dynamic-link|short-link|destination-url|referrer-params|custom-path|link-hosts|custom-domain|hostname|domain-check|domain-records)\\.ts$',
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
        path: '^src/(accounts|api-keys|dashboard|idempotency|projects|ios-apps|android-apps|link-paths|custom-domains|dynamic-links|short-links|qr-codes|deferred-links|clicks|explain|association-health)/',
        pathNot: ['/(typeorm|pg)-[a-z-]+\\.repository\\.ts$', '\\.schema\\.ts$', '-room\\.ts$'],
      },
      to: { path: ['^src/database/', 'node_modules/(typeorm|pg)'] },
    },
    {
      name: 'nobody-imports-link-traffic',
      severity: 'error',
      comment: 'But for the part that puts the service together, and what tells how it answers.',
      from: { path: '^src/', pathNot: '^src/(link-traffic/|explain/|association-health/|service\\.ts$)' },
      to: { path: '^src/link-traffic/' },
    },
    {
      name: 'who-explains-link-traffic-knows-its-decisions',
      severity: 'error',
      from: { path: '^src/(explain|association-health)/' },
      to: { path: '^src/link-traffic/', pathNot: decisions },
    },
    {
      name: 'decisions-of-link-traffic-are-pure',
      severity: 'error',
      from: { path: decisions },
      to: {
        path: [
          '^src/(link-traffic|http|database|deferred-links|metrics)/',
          '^src/[a-z-]+\\.ts$',
          'node_modules/(@nestjs|typeorm|pg|pino|express)',
          '^(node:)?(net|tls|dns|https?|fs)$',
        ],
        pathNot: [decisions, '^src/http/entity-tag\\.ts$'],
      },
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
