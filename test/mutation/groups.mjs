/** The mutated files by group, and the specs that run against each mutant, fastest first. */
export const groups = {
  routing: [
    {
      mutate: [
        'src/link-routing/{answer-contents,read-models,browser-family,destination,in-app-browsers,long-link,query-merge}.ts',
        'src/link-routing/{served-values,social-crawlers,store-urls,visitor,visitor-query}.ts',
        'src/link-routing/{continuation,device-platform,own-address,robots}.ts',
        'src/link-traffic/referring-host.ts',
      ],
      specs: [
        'test/link-routing/read-models.spec.ts',
        'test/link-traffic/referring-host.spec.ts',
        'test/link-routing/visitor-query.spec.ts',
        'test/link-routing/query-merge.spec.ts',
        'test/link-routing/store-urls.spec.ts',
        'test/link-routing/continuation.spec.ts',
        'test/link-routing/answer-contents.spec.ts',
        'test/link-routing/browser-family.spec.ts',
        'test/link-routing/visitor.spec.ts',
        'test/link-routing/long-link.spec.ts',
        'test/link-routing/destination.spec.ts',
        'test/link-routing/corpora.spec.ts',
      ],
    },
    {
      mutate: ['src/link-routing/{association-files,neighbour-paths,opening-apps}.ts'],
      specs: ['test/link-routing/neighbour-paths.spec.ts', 'test/link-routing/path-scopes.spec.ts'],
    },
  ],
  values: [
    {
      mutate: [
        'src/management-api/link-paths/*.ts',
        'src/management-api/dynamic-links/referrer-params.ts',
        'src/management-api/custom-domains/{hostname,custom-domain}.ts',
        'src/management-api/api-keys/api-key-secret.ts',
        'src/management-api/projects/long-link-destinations.ts',
        'src/management-api/qr-codes/color.ts',
        'src/shared/{date-time,destination-url,id,page,problem,rule,text,url}.ts',
      ],
      specs: [
        'test/shared/problem.spec.ts',
        'test/management-api/projects/long-link-destinations.spec.ts',
        'test/link-routing/long-link.spec.ts',
        'test/shared/date-time.spec.ts',
        'test/shared/rule.spec.ts',
        'test/shared/url.spec.ts',
        'test/management-api/link-paths/custom-path.spec.ts',
        'test/management-api/link-paths/link-hosts.spec.ts',
        'test/management-api/dynamic-links/destination-url.spec.ts',
        'test/management-api/dynamic-links/referrer-params.spec.ts',
        'test/management-api/custom-domains/custom-domain.spec.ts',
        'test/management-api/custom-domains/hostname.spec.ts',
        'test/management-api/qr-codes/color.spec.ts',
        'test/management-api/api-keys/api-key-secret.spec.ts',
        'test/link-routing/visitor-query.spec.ts',
      ],
    },
  ],
  quotas: [
    {
      mutate: ['src/management-api/accounts/{account.errors,plan,quotas}.ts'],
      specs: ['test/management-api/accounts/quotas.spec.ts'],
    },
  ],
  guards: [
    {
      mutate: [
        'src/management-api/kit/{if-match,declared-fields,strict-validation.pipe}.ts',
        'src/management-api/idempotency/{idempotency.service,idempotent-answer}.ts',
        'src/management-api/api-keys/api-key-authenticator.ts',
        'src/platform/http/json-limits.ts',
        'src/platform/rate-limit/{in-memory-rate-limit-storage,rate-limit}.ts',
        'src/shared/entity-tag.ts',
      ],
      specs: [
        'test/shared/entity-tag.spec.ts',
        'test/platform/rate-limit/count-request.spec.ts',
        'test/platform/http/json-limits.spec.ts',
        'test/management-api/idempotency/idempotency.service.spec.ts',
        'test/platform/rate-limit/in-memory-rate-limit-storage.spec.ts',
        'test/management-api/api-keys/api-key-authenticator.spec.ts',
        'test/management-api/kit/strict-validation.pipe.spec.ts',
      ],
    },
    // These specs need HTTP and PostgreSQL.
    {
      mutate: [
        'src/management-api/pipeline/guards.ts',
        'src/management-api/kit/route-markers.ts',
        'src/management-api/idempotency/idempotent.decorator.ts',
      ],
      specs: [
        'test/management-api/short-links/plan-gate.http.spec.ts',
        'test/management-api/identity-provider/tokens.http.spec.ts',
        'test/management-api/pipeline/order-of-checks.http.spec.ts',
        'test/management-api/pipeline/rate-limit.http.spec.ts',
        'test/management-api/idempotency/idempotency.http.spec.ts',
      ],
    },
  ],
};

/** Name parts of excluded tests, which take seconds and test Node.js, speed or memory instead of a rule. */
export const excludedTests = [
  'is parsed after a million others',
  'are classified quickly',
  'evicts the least recently seen caller',
  'the cache is bounded',
];
