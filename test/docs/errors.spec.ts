import { DatabaseError } from 'pg';
import { AccessDenied, FeatureNotInPlan, QuotaReached } from '../../src/tenancy/accounts/account.errors';
import { AndroidAppNotFound, PackageNameExists, BundleIdExists, IosAppNotFound } from '../../src/links/apps/app.errors';
import { ReferencedByLinks } from '../../src/link-paths/paths/referenced-by-links';
import { DomainExists, DomainNotVerified, DomainTaken } from '../../src/links/custom-domains/custom-domain.errors';
import { TemplateExists } from '../../src/links/link-templates/link-template';
import { TagExists } from '../../src/links/tags/tag';
import { BulkRefused, CountMismatch } from '../../src/links/bulk/bulk.errors';
import { CustomPathExists, ExternalIdExists } from '../../src/links/dynamic-links/dynamic-link.errors';
import { maxBulkBytes } from '../../src/links/bulk/bulk-links.controller';
import { mediaTypes } from '../../src/imports/api/import-file.decorator';
import { maxUploadBytes } from '../../src/imports/api/import-upload.service';
import { maxBodyBytes } from '../../src/platform/http/unwanted-body';
import { IdempotencyConflict } from '../../src/tenancy/idempotency/idempotency.errors';
import { ImportNotInState } from '../../src/imports/model/import.errors';
import { errorAnswer } from '../../src/api-kit/kit/error-answer';
import {
  AuthRequired,
  MethodNotAllowed,
  PayloadTooLarge,
  PreconditionFailed,
  Unauthorized,
  UnsupportedMediaType,
} from '../../src/api-kit/kit/http.errors';
import { RoleRequired, ScopeRequired } from '../../src/api-kit/policy/policy.errors';
import { ApprovalDecided, ApprovalRequired } from '../../src/tenancy/approvals/approval.errors';
import { LastOwner, MemberExists } from '../../src/tenancy/members/member.errors';
import { codeOf, type ErrorCase, errorExamples } from '../../src/api-kit/openapi/error-examples';
import { DestinationRefused } from '../../src/links/projects/allowed-destinations';
import { SubdomainTaken } from '../../src/links/projects/project.errors';
import { SlugExists } from '../../src/links/short-links/short-link';
import { HeadersTooLarge, RequestTimeout } from '../../src/platform/http/early-refusals';
import { DatabaseUnavailable, QueryTooExpensive } from '../../src/platform/postgres/database-error';
import { ConcurrencyLimited, RateLimited } from '../../src/platform/rate-limit/rate-limit.errors';
import { BreaksReleasedApp, ReleaseExists } from '../../src/link-paths/release-guard/release.errors';
import { CrossScope, type ErrorCode, errorCodes, NotFound, statusOf } from '../../src/shared/domain-error';
import { ForbiddenField, InvalidInput } from '../../src/shared/problem';
import { apiDescription, type Operation, schemaOf } from '../support/api-description';
import { readPage } from '../support/pages';

const errorsPage = readPage('docs/errors.md');
const requiredAt = (...path: string[]) =>
  InvalidInput.because([{ code: 'required', path, message: 'name is required' }]);
const idEnding = (end: string) => `0198c0de-7e57-7000-8000-0000000000${end}`;
const challenge = {
  name: '_link-domain-challenge.links.example.com',
  value: '5f0c7f1c0a4d4a2e9b6a2f1f7d3b8c9e01234567',
};

const refusedByDatabase = () => new DatabaseError('new row violates a constraint', 1, 'error');

/** Creates the error of each example, as the service throws it, with the method of a request that gets it. */
const thrown: Record<ErrorCase, [error: unknown, method?: string]> = {
  INVALID_INPUT: [requiredAt('name')],
  FORBIDDEN_FIELD: [new ForbiddenField(['id'])],
  UNAUTHORIZED: [new Unauthorized()],
  AUTH_REQUIRED: [new AuthRequired()],
  ACCESS_DENIED: [new AccessDenied('The project')],
  SCOPE_REQUIRED: [new ScopeRequired('links:write')],
  ROLE_REQUIRED: [new RoleRequired('editor')],
  DESTINATION_REFUSED: [new DestinationRefused('desktop_url', 'evil.example', 'project')],
  QUOTA: [new QuotaReached('projects', { limit: 1, used: 1, plan: 'free', requiredPlan: 'pro' })],
  FORBIDDEN_PLAN: [new FeatureNotInPlan('deferred_deep_links', 'free')],
  FORBIDDEN_CROSS_SCOPE: [new CrossScope('The iOS app of ios_app_id')],
  NOT_FOUND: [new NotFound('Project')],
  IOS_APP_NOT_FOUND: [new IosAppNotFound()],
  ANDROID_APP_NOT_FOUND: [new AndroidAppNotFound()],
  METHOD_NOT_ALLOWED: [new MethodNotAllowed(['GET', 'HEAD'])],
  SUBDOMAIN_TAKEN: [new SubdomainTaken('summer', 'in use')],
  CUSTOM_PATH_EXISTS: [new CustomPathExists('summer/sale')],
  EXTERNAL_ID_EXISTS: [new ExternalIdExists('crm-4711')],
  TAG_EXISTS: [new TagExists('Newsletter')],
  TEMPLATE_EXISTS: [new TemplateExists('Newsletter')],
  SLUG_EXISTS: [new SlugExists('s4le')],
  BUNDLE_ID_EXISTS: [new BundleIdExists('com.example.shop')],
  PACKAGE_NAME_EXISTS: [new PackageNameExists('com.example.shop')],
  RELEASE_EXISTS: [new ReleaseExists('1.2.3')],
  BREAKS_RELEASED_APP: [
    new BreaksReleasedApp([
      { platform: 'ios', appId: idEnding('b1'), version: '1.2.3', reason: 'host', lost: 'go.example.com' },
    ]),
  ],
  LINKED_REFERENCES: [
    new ReferencedByLinks('iOS app', 'ios_app_id', {
      total: 1,
      first: [{ id: idEnding('02'), name: 'Summer sale', custom_path: 'summer/sale' }],
    }),
  ],
  DOMAIN_EXISTS: [new DomainExists('links.example.com')],
  DOMAIN_TAKEN: [DomainTaken.byProject('links.example.com')],
  DOMAIN_NOT_VERIFIED: [DomainNotVerified.because(challenge, ['mistyped'])],
  MEMBER_EXISTS: [new MemberExists()],
  LAST_OWNER: [new LastOwner()],
  APPROVAL_REQUIRED: [
    new ApprovalRequired({ operation: 'deleteProject', projectId: null, resourceId: null, body: null }, idEnding('a9')),
  ],
  APPROVAL_STATE: [new ApprovalDecided('approved')],
  IMPORT_STATE: [new ImportNotInState('The import is checking; the operation needs ready', 'checking')],
  COUNT_MISMATCH: [new CountMismatch(12, 14)],
  BULK_REFUSED: [new BulkRefused([{}, { error: requiredAt('link', 'name') }, { error: new NotFound('Dynamic link') }])],
  IDEMPOTENCY_CONFLICT: [new IdempotencyConflict()],
  PRECONDITION_FAILED: [new PreconditionFailed()],
  REQUEST_TIMEOUT: [new RequestTimeout()],
  PAYLOAD_TOO_LARGE: [new PayloadTooLarge()],
  UNSUPPORTED_MEDIA_TYPE: [new UnsupportedMediaType()],
  RATE_LIMITED: [new RateLimited(12)],
  HEADERS_TOO_LARGE: [new HeadersTooLarge()],
  CONCURRENCY: [new ConcurrencyLimited()],
  DATABASE_ERROR: [new DatabaseUnavailable(new Error('connection refused'))],
  TOO_EXPENSIVE: [new QueryTooExpensive(new Error('canceling statement due to statement timeout'))],
  CREATE_FAILED: [refusedByDatabase(), 'POST'],
  UPDATE_FAILED: [refusedByDatabase(), 'PUT'],
  DELETE_FAILED: [refusedByDatabase(), 'DELETE'],
  UNKNOWN_ERROR: [new Error('a fault')],
};

/** Codes of requests that reach no operation, so that no operation describes them. */
const answeredWithoutRoute: ErrorCode[] = ['REQUEST_TIMEOUT', 'HEADERS_TOO_LARGE'];

const cases = Object.keys(errorExamples) as ErrorCase[];

/** The cases that a section shows, in order. Some share a code. */
const casesOf = (code: ErrorCode): ErrorCase[] => cases.filter((errorCase) => codeOf(errorCase) === code);

const sections = errorsPage.split(/^(?=## )/m).slice(1);

const fences = (text: string, language: string): string[] =>
  [...text.matchAll(new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\`$`, 'gm'))].map(([, block]) => block!);

/** Returns the section that GitHub's anchor `#code` leads to. */
function sectionOf(code: ErrorCode) {
  const text = sections.find((section) => section.startsWith(`## ${code}\n`)) ?? '';
  const [, title = '', status, meaning = ''] = /^## (\S+)\n\nStatus (\d{3})\. (.+)\n/.exec(text) ?? [];
  const answers = fences(text, 'json').map((block): unknown => JSON.parse(block));
  return { title, status: Number(status), meaning, text, requests: fences(text, 'http'), answers };
}

/** Returns the fields that an operation takes in its body. */
function fieldsOf({ requestBody }: Operation): string[] {
  return requestBody ? Object.keys(schemaOf(requestBody.content['application/json']!.schema).properties!) : [];
}

test.each(cases)('the example %s of the API description is the answer of the service', (errorCase) => {
  const [error, method = 'GET'] = thrown[errorCase];
  const { status, body } = errorAnswer(error, method);
  expect(errorExamples[errorCase].value).toEqual(body);
  expect([status, body.error.code]).toEqual([statusOf[body.error.code], codeOf(errorCase)]);
});

test('the page has one section for each code, and no other', () => {
  expect(sections.map((section) => /^## (.+)\n/.exec(section)?.[1])).toEqual([...errorCodes]);
});

test('the table has a row for each code, with status, meaning and link', () => {
  const rows = [...errorsPage.matchAll(/^\| \[`(\w+)`\]\((\S+)\) \| (\d+) \| (.+) \|$/gm)];
  expect(rows.map(([, ...cells]) => cells)).toEqual(
    errorCodes.map((code) => [code, `#${code.toLowerCase()}`, String(statusOf[code]), sectionOf(code).meaning]),
  );
});

test('the sections of bodies have the limits and the types of all operations', () => {
  const bytes = [maxBodyBytes, maxBulkBytes].map((limit) => `${limit.toLocaleString('en-US')} bytes`);
  const file = `${maxUploadBytes / 1_000_000} MB`;
  expect([...bytes, file].filter((limit) => !sectionOf('PAYLOAD_TOO_LARGE').text.includes(limit))).toEqual([]);
  const types = Object.keys(mediaTypes).map((type) => `\`${type}\``);
  expect(types.filter((type) => !sectionOf('UNSUPPORTED_MEDIA_TYPE').text.includes(type))).toEqual([]);
});

describe.each(errorCodes)('the section of %s', (code) => {
  const section = sectionOf(code);

  test('has its code, its status and the four parts', () => {
    expect([section.title, section.status]).toEqual([code, statusOf[code]]);
    const parts = [...section.text.matchAll(/^\*\*(\w+)\.\*\*/gm)].map(([, part]) => part);
    expect(parts).toEqual(['Cause', 'Example', 'Fix', 'Retry']);
    expect(section.text.split('\n').length).toBeLessThan(30 + 15 * casesOf(code).length);
  });

  test('shows the examples of the API description', () => {
    expect(section.answers).toEqual(casesOf(code).map((errorCase) => errorExamples[errorCase].value));
  });

  test('shows requests of documented operations that can fail so', () => {
    expect(section.requests).toHaveLength(casesOf(code).length);
    for (const [at, request] of section.requests.entries()) {
      const [, method = '', path = ''] = /^([A-Z]+) \/api\/v1(\/\S*)\n/.exec(request) ?? [];
      const operations = apiDescription.paths[path] ?? {};
      const operation = operations[method.toLowerCase()];
      if (answeredWithoutRoute.includes(code)) {
        expect(operation).toBeDefined();
        continue;
      }
      if (code === 'METHOD_NOT_ALLOWED') {
        expect([Object.keys(operations), operation]).toEqual([['get'], undefined]);
        continue;
      }
      const answers = operation?.responses[String(statusOf[code])]?.content?.['application/json']?.examples ?? {};
      expect(Object.keys(answers)).toContain(casesOf(code)[at]);
      const body = request.split('\n\n')[1];
      if (!body?.startsWith('{')) continue;
      const unknown = Object.keys(JSON.parse(body) as object).filter((field) => !fieldsOf(operation!).includes(field));
      expect(unknown).toEqual(code === 'FORBIDDEN_FIELD' ? ['id'] : []);
    }
  });
});
