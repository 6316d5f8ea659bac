/** The mutated files by group, and the specs that run against each mutant, fastest first. */
export const groups = {
  routing: [
    {
      mutate: [
        'src/link-routing/answers/{answer-contents,destination,store-urls}.ts',
        'src/link-routing/visited-link/{long-link,own-address,query-merge,read-models,served-values,visitor-query}.ts',
        'src/link-routing/visitor/{browser-family,continuation,device-platform,in-app-browsers,referring-host}.ts',
        'src/link-routing/visitor/{robots,social-crawlers,visitor}.ts',
      ],
      specs: [
        'test/link-routing/visited-link/read-models.spec.ts',
        'test/link-routing/visitor/referring-host.spec.ts',
        'test/link-routing/visited-link/visitor-query.spec.ts',
        'test/link-routing/visited-link/query-merge.spec.ts',
        'test/link-routing/answers/store-urls.spec.ts',
        'test/link-routing/visitor/continuation.spec.ts',
        'test/link-routing/answers/answer-contents.spec.ts',
        'test/link-routing/visitor/browser-family.spec.ts',
        'test/link-routing/visitor/visitor.spec.ts',
        'test/link-routing/visited-link/long-link.spec.ts',
        'test/link-routing/answers/destination.spec.ts',
        'test/link-routing/visitor/corpora.spec.ts',
      ],
    },
    {
      mutate: [
        'src/link-paths/rules/*.ts',
        'src/link-routing/visited-link/{rules,ruled-link,life}.ts',
        'src/link-routing/visitor/{system,preferred-language}.ts',
      ],
      specs: [
        'test/link-paths/rules/link-rules.spec.ts',
        'test/link-routing/visited-link/rules.spec.ts',
        'test/link-routing/visited-link/variants.spec.ts',
      ],
    },
    {
      mutate: [
        'src/link-routing/association-files/{association-files,neighbour-paths}.ts',
        'src/diagnostics/explain/opening-apps.ts',
      ],
      specs: [
        'test/link-routing/association-files/neighbour-paths.spec.ts',
        'test/link-routing/association-files/path-scopes.spec.ts',
      ],
    },
  ],
  values: [
    {
      mutate: [
        'src/link-paths/paths/{custom-path,host-proof,link-hosts,open-label,reserved-parameters}.ts',
        'src/shared/referrer-params.ts',
        'src/links/custom-domains/{hostname,custom-domain}.ts',
        'src/tenancy/api-keys/api-key-secret.ts',
        'src/shared/destination-host.ts',
        'src/links/qr-codes/{color,color-rule}.ts',
        'src/shared/{date-time,destination-url,id,page,problem,rule,text,url}.ts',
      ],
      specs: [
        'test/shared/problem.spec.ts',
        'test/shared/destination-host.spec.ts',
        'test/link-routing/visited-link/long-link.spec.ts',
        'test/shared/date-time.spec.ts',
        'test/shared/rule.spec.ts',
        'test/shared/url.spec.ts',
        'test/link-paths/paths/custom-path.spec.ts',
        'test/link-paths/paths/link-hosts.spec.ts',
        'test/links/dynamic-links/destination-url.spec.ts',
        'test/shared/referrer-params.spec.ts',
        'test/links/custom-domains/custom-domain.spec.ts',
        'test/links/custom-domains/hostname.spec.ts',
        'test/links/qr-codes/color.spec.ts',
        'test/tenancy/api-keys/api-key-secret.spec.ts',
        'test/link-routing/visited-link/visitor-query.spec.ts',
      ],
    },
  ],
  quotas: [
    {
      mutate: ['src/tenancy/accounts/{account.errors,plan,quotas}.ts'],
      specs: ['test/tenancy/accounts/quotas.spec.ts'],
    },
  ],
  guards: [
    {
      mutate: [
        'src/api-kit/kit/{if-match,declared-fields,strict-validation.pipe}.ts',
        'src/tenancy/idempotency/{idempotency.service,idempotent-answer}.ts',
        'src/tenancy/api-keys/api-key-authenticator.ts',
        'src/platform/http/json-limits.ts',
        'src/platform/rate-limit/{in-memory-rate-limit-storage,rate-limit}.ts',
        'src/shared/entity-tag.ts',
      ],
      specs: [
        'test/shared/entity-tag.spec.ts',
        'test/platform/rate-limit/count-request.spec.ts',
        'test/platform/http/json-limits.spec.ts',
        'test/tenancy/idempotency/idempotency.service.spec.ts',
        'test/platform/rate-limit/in-memory-rate-limit-storage.spec.ts',
        'test/tenancy/api-keys/api-key-authenticator.spec.ts',
        'test/api-kit/kit/strict-validation.pipe.spec.ts',
      ],
    },
    // These specs need HTTP and PostgreSQL.
    {
      mutate: [
        'src/management-api/pipeline/guards.ts',
        'src/api-kit/kit/route-markers.ts',
        'src/tenancy/idempotency/idempotent.decorator.ts',
      ],
      specs: [
        'test/links/short-links/plan-gate.http.spec.ts',
        'test/tenancy/identity-provider/tokens.http.spec.ts',
        'test/tenancy/accounts/protection.http.spec.ts',
        'test/tenancy/api-keys/key-limits.http.spec.ts',
        'test/management-api/pipeline/order-of-checks.http.spec.ts',
        'test/management-api/pipeline/rate-limit.http.spec.ts',
        'test/tenancy/idempotency/idempotency.http.spec.ts',
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
