import { maxFullDaysPerMonth, maxReferrersPerDay } from '../../src/clicks/recording/distinct-names';
import { readConfig } from '../../src/app/settings/config';
import { tokenLifetimeMs } from '../../src/link-traffic/deferred-links/deferred-link';
import { tokenLimits } from '../../src/link-traffic/visits/visit-ids';
import { features, featuresOf, plans } from '../../src/tenancy/accounts/plan';
import { androidStores, fingerprints, packageName } from '../../src/links/apps/android-identifiers';
import { hostname } from '../../src/links/custom-domains/hostname';
import { maxFilteredLinks } from '../../src/links/bulk/bulk-action';
import { maxBulkBytes } from '../../src/links/bulk/bulk-links.controller';
import { maxBulkOperations } from '../../src/links/bulk/bulk-operation';
import { forwardedParams } from '../../src/shared/query-forwarding';
import { allowedSchemes, destinationUrl } from '../../src/shared/destination-url';
import { linkFieldEntries, linkFields } from '../../src/links/dynamic-links/link-fields';
import { appData } from '../../src/links/dynamic-links/app-data';
import { linkRules } from '../../src/link-paths/rules/link-rules';
import { linkVariants } from '../../src/link-paths/rules/variants';
import { referrerParams } from '../../src/shared/referrer-params';
import { maxListed } from '../../src/imports/sources/link-draft';
import { maxCells } from '../../src/imports/files/file-columns';
import { headBytes } from '../../src/imports/files/file-head';
import { maxRowBytes } from '../../src/imports/model/file-row';
import { maxOpenImports } from '../../src/imports/model/import-intake.service';
import { maxLists } from '../../src/imports/model/pg-import-queue';
import { maxShownBytes } from '../../src/imports/model/pg-import-rows';
import { maxSummed } from '../../src/imports/model/unmapped-summary';
import { maxFileRows } from '../../src/imports/work/import-batch.service';
import { maxAccountLists } from '../../src/imports/work/list-reader.service';
import { maxEventStreams } from '../../src/management-api/live-feed/event-stream.controller';
import { maxFinished, maxWaiting } from '../../src/tenancy/webhooks/pg-webhook-queue';
import { retryWindowMs } from '../../src/tenancy/webhooks/retry-schedule';
import { sendLimits } from '../../src/tenancy/webhooks/webhook-sender';
import { disabledAfterDays, maxWebhooks } from '../../src/tenancy/webhooks/webhook';
import { maxStreams } from '../../src/imports/api/import-events';
import { maxUploadBytes as maxImportBytes } from '../../src/imports/api/import-upload.service';
import { maxUploads } from '../../src/imports/api/new-imports.controller';
import { answersKeptHours, storedBytes } from '../../src/tenancy/idempotency/idempotent-answer';
import { appStoreId, bundleId, teamId } from '../../src/links/apps/ios-identifiers';
import { statusOf } from '../../src/shared/domain-error';
import { maxBodyValues } from '../../src/api-kit/kit/json-body';
import { maxExports } from '../../src/tenancy/accounts/export-limits';
import { maxLargeBodies } from '../../src/management-api/pipeline/body-parser.guard';
import { customPath } from '../../src/link-paths/paths/custom-path';
import { appVersion } from '../../src/link-paths/release-guard/app-version';
import { releaseFields } from '../../src/links/releases/release-fields';
import { appPaths, pathPattern } from '../../src/link-paths/association-files/app-paths';
import { maxFileBytes } from '../../src/link-paths/association-files/association-file';
import { destinationHost, destinationHosts } from '../../src/shared/destination-host';
import { clickIdParam, projectFields } from '../../src/links/projects/project-fields';
import { keptUnusedDays, maxPictureBytes } from '../../src/links/pictures/picture';
import { maxPixels, maxSide } from '../../src/links/pictures/picture-codec';
import { maxPictureUploads } from '../../src/links/pictures/pictures.service';
import { maxTemplates } from '../../src/links/link-templates/link-template';
import { templateName } from '../../src/links/link-templates/template-fields';
import { subdomainRule } from '../../src/links/projects/subdomain';
import { ReservedSubdomains } from '../../src/links/projects/reserved-subdomains';
import { QrCodeQuery } from '../../src/links/qr-codes/qr-codes.dto';
import { maxPeriodDays } from '../../src/clicks/single-clicks/click-period';
import { clicksPerPage } from '../../src/clicks/single-clicks/recorded-clicks.dto';
import { slug } from '../../src/links/short-links/slug';
import { conversionKey, eventName, maxConversions, maxUntrusted } from '../../src/clicks/conversions/conversion';
import { maxConversionBytes } from '../../src/clicks/conversions/conversions.controller';
import { maxGroups } from '../../src/clicks/statistics/statistics';
import { maxWindowDays } from '../../src/clicks/statistics/statistics-window';
import { tagName, tagNames } from '../../src/links/tags/tag';
import { jsonFaultOf } from '../../src/platform/http/json-limits';
import { responseLimits, serverLimits } from '../../src/platform/http/server-limits';
import { maxBodyBytes } from '../../src/platform/http/unwanted-body';
import { operationsPerRequest } from '../../src/platform/rate-limit/rate-limit';
import { pageLimit, pageNumber } from '../../src/shared/page';
import type { RuleSchema } from '../../src/shared/rule';
import { displayName } from '../../src/shared/text';
import { filesBelow, readPage, tablesOf } from '../support/pages';

const pages = new Map(
  ['contract.md', 'contract-resources.md', 'contract-link-traffic.md'].map((name) => [name, readPage(`docs/${name}`)]),
);
const contract = [...pages.values()].join('\n');
/** As they are cited: the page, and the heading in it. */
const headings = [...pages].flatMap(([name, text]) =>
  [...text.matchAll(/^## (.+)$/gm)].map(([, heading]) => `${name}, ${heading}`),
);

type Cells = (string | number)[];

/** The rows of the first table after the text, below its header. */
const tableAfter = (start: string): string[][] => tablesOf(contract.slice(contract.indexOf(start)))[0]!.rows;

/** As the page writes numbers: 2,048; a dash for none. */
const written = (rows: Cells[]): string[][] =>
  rows.map((row) => row.map((cell) => (typeof cell === 'number' ? cell.toLocaleString('en-US') : cell)));

const unbounded = '–';

/** The largest size for which it holds. */
const largest = (holds: (size: number) => boolean): number => {
  let size = 1;
  while (holds(size + 1)) size++;
  return size;
};

const between = (name: string, minimum: number | undefined, maximum: number | undefined): Cells => [
  name,
  minimum ?? unbounded,
  maximum ?? unbounded,
  unbounded,
];
const ofText = (name: string, { minLength, maxLength }: RuleSchema) => between(name, minLength, maxLength);
const ofItems = (name: string, { minItems, maxItems }: RuleSchema) => between(name, minItems, maxItems);
/** The limits of a number without a default. */
const ofRange = (name: string, { minimum, maximum }: RuleSchema) => between(name, minimum, maximum);

const ofNumber = (name: string, { minimum, maximum, default: fallback }: RuleSchema): Cells => [
  name,
  minimum!,
  maximum ?? Number.MAX_SAFE_INTEGER,
  fallback as number,
];

const variant = linkVariants.schema.items!.properties!;

/** Returns the schema that the API description shows for a parameter of QR codes. */
const qrCode = (name: string): RuleSchema =>
  Reflect.getMetadata('swagger/apiModelProperties', QrCodeQuery.prototype, name) as RuleSchema;

const files = [
  ...['src', 'test', 'docs', 'benchmarks', 'clients', 'deploy', 'migrations']
    .flatMap((folder) => filesBelow(folder, ''))
    .filter((name) => /\.(?:[cm]?[jt]s|md|ya?ml|sql)$/.test(name)),
  'README.md',
];

// A comment may break the line within a citation.
test('every cited heading exists', () => {
  const cited = files
    .flatMap((file) => [...readPage(file).matchAll(/docs\/(contract[\w-]*\.md),[\s*/]+“([^”]+)”/g)])
    .map(([, name, heading]) => `${name}, ${heading!.replaceAll(/[\s*/]+/g, ' ')}`);
  expect(cited.length).toBeGreaterThan(10);
  expect(cited.filter((heading) => !headings.includes(heading))).toEqual([]);
});

test('codes have the statuses that are served', () => {
  const rows = tableAfter('## Errors and codes').map(([code, status]) => [code!.replaceAll('`', ''), Number(status)]);
  expect(rows).toEqual(Object.entries(statusOf));
});

test('limits of fields are those of their rules', () => {
  const host = (length: number) =>
    'abcdefghi.'
      .repeat(30)
      .slice(0, length - 3)
      .replace(/\.$/, 'j') + '.de';
  const key = (length: number) => referrerParams.tryParse({ ['k'.repeat(length)]: 'v' }) !== null;
  const appDataTakes = (sent: object) => appData.tryParse(sent) !== null;
  const rulesTake = (bytes: number) => {
    const urls = Array.from({ length: 20 }, (_, at) => `https://example.com/${'x'.repeat(at < 19 ? 700 : 0)}`);
    const rules = urls.map((url, at) => ({ when: { query: { a: String(at) } }, then: { url } }));
    const missing = bytes - Buffer.byteLength(JSON.stringify(rules));
    rules.at(-1)!.then.url += 'x'.repeat(Math.max(missing, 0));
    return linkRules.tryParse(rules) !== null;
  };
  const params = referrerParams.schema;
  const linkTexts = linkFieldEntries.filter(([name, { kind }]) => kind === 'text' && name !== 'name');
  expect(tableAfter('## Limits')).toEqual(
    written([
      ofText('`name` of projects, links, apps and API keys', displayName.schema),
      ofText('`subdomain`', subdomainRule.schema),
      ofText('`custom_path`', customPath.schema),
      ofText('`slug`', slug.schema),
      ofText('URL fields', destinationUrl.schema),
      ...linkTexts.map(([name, { rule }]) => ofText(`\`${name}\``, rule.schema)),
      between('`referrer_params`, pairs', undefined, params.maxProperties),
      between('`referrer_params`, characters of a key', key(0) ? undefined : 1, largest(key)),
      ofText('`referrer_params`, characters of a value', params.additionalProperties as RuleSchema),
      between(
        '`app_data`, bytes as JSON',
        undefined,
        largest((bytes) => appDataTakes({ a: 'x'.repeat(Math.max(bytes - 8, 0)) })),
      ),
      between('`app_data`, keys of all its objects', undefined, appData.schema.maxProperties),
      between(
        '`app_data`, characters of a key',
        1,
        largest((length) => appDataTakes({ ['k'.repeat(length)]: 1 })),
      ),
      ofItems('`variants` of a link or rule', linkVariants.schema),
      ofText('`name` of a variant', variant['name']!),
      ofRange('`weight` of a variant', variant['weight']!),
      ofItems('`rules` of a link', linkRules.schema),
      between('`rules` of a link, bytes as JSON', undefined, rulesTake(16_384) && !rulesTake(16_385) ? 16_384 : 0),
      ofItems('`forwarded_params`', forwardedParams.schema),
      ofText('`forwarded_params`, characters of one', forwardedParams.schema.items!),
      ofItems('`allowed_schemes` of a project', allowedSchemes.schema),
      ofText('`allowed_schemes` of a project, characters of one', allowedSchemes.schema.items!),
      ofText('`external_id`', linkFields.external_id.rule.schema),
      ofItems('`tags` of a link', tagNames.schema),
      ofText('`name` of a tag', tagName.schema),
      ofText('`bundle_id`', bundleId.schema),
      ofText('`team_id`', teamId.schema),
      ofText('`appstore_id`', appStoreId.schema),
      ofText('`package_name`', packageName.schema),
      ofItems('`sha_fingerprints` on create', fingerprints({ minItems: 1 }).schema),
      ofItems('`sha_fingerprints` on update', fingerprints({ minItems: 0 }).schema),
      ofText('`android_stores`, characters of `appgallery`', androidStores.schema.properties!['appgallery']!),
      ofText('`android_stores`, characters of `amazon` and `samsung`', androidStores.schema.properties!['amazon']!),
      ofItems('`long_link_destinations` of a project', destinationHosts.schema),
      ofText('`long_link_destinations` of a project, characters of one', destinationHost.schema),
      ofItems('`destination_hosts` of a project', destinationHosts.schema),
      ofText('`destination_hosts` of a project, characters of one', destinationHost.schema),
      between('link templates of a project', undefined, maxTemplates),
      ofText('`name` of a link template', templateName.schema),
      [
        '`click_id_param` of a project',
        1,
        clickIdParam.schema.maxLength!,
        `\`${projectFields.click_id_param.default}\``,
      ],
      ofNumber('`conversion_window_days` of a project', {
        ...projectFields.conversion_window_days.rule.schema,
        default: projectFields.conversion_window_days.default,
      }),
      ofText('`event` of a conversion', eventName.schema),
      ofText('`key` of a conversion', conversionKey.schema),
      ofRange('`retire_releases_after_days` of a project', projectFields.retire_releases_after_days.rule.schema),
      ofRange('`retire_releases_below_percent` of a project', projectFields.retire_releases_below_percent.rule.schema),
      ofText('`version` of a release', appVersion.schema),
      ofItems('`hosts` of a release', releaseFields.ios.hosts.rule.schema),
      ofItems('`paths` of an app', appPaths.schema),
      ofText('`paths` of an app, characters of one', pathPattern.schema),
      between(
        '`hostname` as A-labels',
        undefined,
        4 + largest((length) => hostname.tryParse(host(length + 4)) !== null),
      ),
      ofNumber('`page`', pageNumber.schema),
      ofNumber('`limit`', pageLimit.schema),
      ofNumber('QR code `size`', qrCode('size')),
      ofRange('QR code `width_mm`', qrCode('width_mm')),
      ofText('QR code `frame`', qrCode('frame')),
      ofNumber('QR code `margin`', qrCode('margin')),
    ]),
  );
});

test('other limits are those of the code', () => {
  const nested = (levels: number) => jsonFaultOf(Buffer.from('['.repeat(levels)), Infinity) === null;
  const [second, hour] = [1000, 60 * 60_000];
  expect(tableAfter('| limit | value |')).toEqual(
    written([
      ['request body, bytes', maxBodyBytes],
      ['body of a bulk request, bytes', maxBulkBytes],
      ['operations of a bulk request', maxBulkOperations],
      ['links that a request by filter changes', maxFilteredLinks],
      ['conversions of a request', maxConversions],
      ['body of a request with conversions, bytes', maxConversionBytes],
      ['conversions of a click id that publishable keys send', maxUntrusted],
      ['operations, links or conversions that count as one request', operationsPerRequest],
      ['nesting of JSON, levels', largest(nested)],
      ['commas in a body, with three for each array and object', maxBodyValues],
      ["time for a request's head, seconds", serverLimits.headersTimeout / second],
      ['time for a whole request, seconds', serverLimits.requestTimeout / second],
      ['idle connection, seconds', serverLimits.keepAliveTimeout / second],
      ['association file, bytes', maxFileBytes],
      [
        'a response that the client does not read, seconds',
        (2 * responseLimits.stallTimeoutMs + responseLimits.stallCheckIntervalMs) / second,
      ],
      ['unread bytes of large responses in a process', responseLimits.maxUnreadBytes],
      ['waiting pipelined requests of a connection', responseLimits.maxWaitingPerConnection],
      ['waiting pipelined requests in a process', responseLimits.maxWaitingRequests],
      ['stored answers of `Idempotency-Key`, hours', answersKeptHours],
      ['statistics by hour, days', maxWindowDays.hour],
      ['statistics by day, week or month, days', maxWindowDays.day],
      ['statistics groups listed one by one', maxGroups],
      ['list of single clicks, days', maxPeriodDays],
      ['single clicks per page', clicksPerPage.maximum],
      ['referring hosts of a project, per day', maxReferrersPerDay.project],
      ['referring hosts of a link, per day', maxReferrersPerDay.link],
      ['referring hosts of a month, in full days', maxFullDaysPerMonth],
      ['file of an import, bytes', maxImportBytes],
      ['file of an import, rows', maxFileRows],
      ['beginning of a file that an upload checks, bytes', headBytes],
      ['row of an import, bytes', maxRowBytes],
      ['cells of a row of CSV', maxCells],
      ['values without a place that a row of an import lists', maxListed.unmapped],
      ['their characters', maxListed.unmappedLength],
      ['bytes of a row of an import that pages of rows show', maxShownBytes],
      ['fields without a place, and missing apps, that an import counts, each', maxSummed],
      ['open imports of a project', maxOpenImports],
      ['uploaded picture, bytes', maxPictureBytes],
      ['uploaded picture, pixels', maxPixels],
      ['longest side of a stored picture, pixels', maxSide],
      ['days for which a picture stays that no link has', keptUnusedDays],
      ['uploads of pictures of an account in a process, at once', maxPictureUploads.ofAccount],
      ['uploads of pictures in a process, at once', maxPictureUploads.ofProcess],
      ['uploads of files of an account in a process, at once', maxUploads.ofAccount],
      ['uploads of files in a process, at once', maxUploads.ofProcess],
      ['lists of other systems that an account reads at once in a process', maxAccountLists],
      ['lists of other systems that a process reads at once', maxLists],
      ['streams of import events of an account in a process, at once', maxStreams.ofAccount],
      ['streams of import events in a process, at once', maxStreams.ofProcess],
      ['streams of events of a project, of an account in a process, at once', maxEventStreams.ofAccount],
      ['streams of events of projects in a process, at once', maxEventStreams.ofProcess],
      ['webhooks of an account', maxWebhooks],
      ['events of a webhook that wait beside the journal', maxWaiting],
      ['seconds for the answer to a webhook', sendLimits.timeoutMs / 1000],
      ['bytes that are kept of the answer to a webhook', sendLimits.maxAnswerBytes],
      ['days of attempts at an event', retryWindowMs / hour / 24],
      ['days without a success until a webhook is disabled', disabledAfterDays],
      ['finished deliveries that are kept of a webhook', maxFinished],
      ['token of a deferred deep link on iOS, days', tokenLifetimeMs.ios / hour / 24],
      ['token of a deferred deep link on Android, days', tokenLifetimeMs.android / hour / 24],
      ['tokens of deferred deep links per minute of a network (IPv6: a /64) in a process', tokenLimits.perMinute],
      ['click ids per minute of a network (IPv6: a /64) in a process', tokenLimits.perMinute],
      ['exports of an account in a process, at once', maxExports.ofAccount],
      ['exports in a process, at once', maxExports.ofProcess],
      ['bodies of bulk requests above 100 kB of an account in a process, at once', maxLargeBodies.ofAccount],
      ['the same of all accounts in a process, at once', maxLargeBodies.ofProcess],
      ['kept answers above 16 kB for `Idempotency-Key` of an account, bytes', storedBytes.ofAccount],
    ]),
  );
});

test('limits that are settings have their defaults', () => {
  const config = readConfig({});
  const day = 24 * 60 * 60_000;
  const rows = tableAfter('| setting | default | limits |').map(([setting, value]) => [setting, value]);
  expect(rows).toEqual(
    written([
      ['`RATE_LIMIT_PER_MINUTE`', config.rateLimit.perMinute],
      ['`PERSON_RATE_LIMIT_PER_MINUTE`', config.rateLimit.perMinuteOfPerson],
      ['`API_KEYS_PER_ACCOUNT`', config.quotas.free.apiKeys],
      [
        '`SHORT_LINKS_PER_LINK`',
        config.shortLinks.perDynamicLink === Infinity ? 'unlimited' : config.shortLinks.perDynamicLink,
      ],
      ['`APPS_PER_PROJECT`', config.apps.perProject],
      ['`CUSTOM_DOMAINS_PER_PROJECT`', config.domains.perProject],
      ['`PROBES_PER_MINUTE`', config.probes.perMinute],
      ['`CUSTOM_DOMAIN_GRACE_DAYS`', config.domains.graceMs / day],
      ['`FORMER_SUBDOMAINS_PER_PROJECT`', config.reservations.formerPerProject],
      ['`SUBDOMAIN_HOLD_DAYS`', config.reservations.holdTimeMs / day],
      ['`HELD_SUBDOMAINS_PER_ACCOUNT`', config.reservations.heldPerAccount],
      ['`CLICK_RETENTION_MONTHS`', config.clicks.retentionMonths],
      ['`JOURNAL_RETENTION_MONTHS`', config.journal.retentionMonths],
    ]),
  );
});

test('plans have their quotas and features', () => {
  const { quotas } = readConfig({});
  const quota = (value: number) => (value === Infinity ? 'unlimited' : value);
  expect(tableAfter('## Plans and quotas')).toEqual(
    written(
      plans.map((plan) => [
        `\`${plan}\``,
        quota(quotas[plan].projects),
        quota(quotas[plan].dynamicLinks),
        quota(quotas[plan].importBytes),
        quota(quotas[plan].pictureBytes),
        ...features.map((feature) => (featuresOf(plan).includes(feature) ? 'yes' : 'no')),
      ]),
    ),
  );
});

test('the subdomains that it lists are reserved', () => {
  const [, list = ''] = /answer 409 `SUBDOMAIN_TAKEN`:\n\n```\n([^`]+)\n```/.exec(contract) ?? [];
  const names = list.split(/,\s+/).map((name) => subdomainRule.parse(name));
  const reserved = new ReservedSubdomains(new URL('https://go.example.com'), new URL('https://api.example.com'));
  expect(names.length).toBeGreaterThan(40);
  expect(names.filter((name) => !reserved.has(name))).toEqual([]);
});
