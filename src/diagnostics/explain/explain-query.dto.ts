import { isIP } from 'node:net';
import { IsQueryBoolean, IsQueryChoice, IsMoment } from '../../api-kit/kit/field.decorators';
import { optionally, ruleDecorator } from '../../api-kit/kit/rule.decorator';
import { country, rulePlatforms } from '../../link-paths/rules/rule-values';
import { pageLanguageOf } from '../../link-routing/pages/page-language';
import { referringHost } from '../../link-routing/visitor/referring-host';
import { destinationHost } from '../../shared/destination-host';
import type { Problem } from '../../shared/problem';
import { refused, Rule } from '../../shared/rule';
import { text } from '../../shared/text';
import { asHeaderText, type NamedPlatform, type SimulatedVisit } from './simulated-visit';

/** Accepts up to 8192 characters. Node refuses requests with much longer heads, so they are not visits. */
const textOf = (pattern: RegExp, patternSays = 'have no control characters') =>
  ruleDecorator(text({ max: 8192, pattern, patternSays }));

/** Accepts the value of a header field (RFC 9110, section 5.5). */
const IsHeaderText = textOf(/^[^\x00-\x08\x0a-\x1f\x7f]*$/);

/** Accepts an IP address. */
const address = new Rule<string>({ type: 'string' }, (value) =>
  typeof value === 'string' && isIP(value) !== 0 ? { value } : refused('invalid_format', 'must be an IP address'),
);

export const IsQueryText = textOf(/^[^\x00-\x1f\x7f]*$/);

const IsCountry = ruleDecorator(country);
const IsAddress = ruleDecorator(address);
const IsHost = ruleDecorator(destinationHost);

const IsPathText = textOf(/^[^\x00-\x1f\x7f?#]*$/, 'have no control characters, ? and #');

export class ExplainQuery {
  @IsQueryChoice(
    [...rulePlatforms, 'desktop'],
    optionally(
      'System of a simulated visitor with a browser, or `desktop` for a computer of any system. Send this or `user_agent`.',
      'ios',
    ),
  )
  platform?: NamedPlatform;

  @IsHeaderText(
    optionally(
      'The `User-Agent` header of the visitor, which may be empty. Only its first 1024 characters count.',
      'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)',
    ),
  )
  user_agent?: string;

  @IsHeaderText(optionally('The `Sec-CH-UA-Platform` header beside `user_agent`.', '"Android"'))
  client_hint?: string;

  @IsHeaderText(
    optionally(
      'The `X-Requested-With` header beside `user_agent`, by which web views of Android name their app.',
      'com.whatsapp',
    ),
  )
  requested_with?: string;

  @IsQueryBoolean({
    default: false,
    description: "Whether the visitor is inside another app's browser. Only with `platform`.",
  })
  in_app_browser: boolean;

  @IsHeaderText(optionally('The `Accept-Language` header, which decides the language of pages.', 'de-AT'))
  accept_language?: string;

  @IsQueryText(
    optionally(
      "Query of the visitor's URL, without `?`. Percent-encode it once more, because it is one parameter here.",
      'utm_source=mail',
    ),
  )
  query?: string;

  @IsCountry(optionally('Country of the visitor (ISO 3166-1), for rules of the link.', 'DE'))
  country?: string;

  @IsMoment(optionally('Time of the visit, for rules and the life of the link. Default: now.', '2027-01-31T23:00:00Z'))
  at?: number;

  @IsHeaderText(optionally('The `Referer` header.', 'https://news.example.com/'))
  referrer?: string;

  @IsAddress(optionally('IP address that a trusted proxy states, for rules of the link.', '192.0.2.7'))
  address?: string;

  @IsHeaderText(
    optionally(
      'Version of an app: for rules of the link, when the app asks for it. The answer also has what a released version of this name ' +
        'opens.',
      '2.4.1',
    ),
  )
  app_version?: string;

  @IsQueryText(optionally('Name of the variant that the visitor gets. Default: the first one that people get.', 'B'))
  variant?: string;

  @IsHost(optionally("Host of the visitor's URL, for `app_version`. Default: that of the link.", 'go.example.com'))
  host?: string;

  /** Returns problems if the query names no visitor, or two. */
  static problemsAcrossFields(sent: ExplainQuery): Problem[] {
    const { platform, user_agent, client_hint, requested_with, in_app_browser } = sent;
    const problems: Problem[] = [];
    const refuse = (code: Problem['code'], field: string, message: string) =>
      problems.push({ code, path: [field], message: `${field} ${message}` });
    if (platform === undefined) {
      if (user_agent === undefined) refuse('required', 'platform', 'or user_agent is required');
      else if (in_app_browser)
        refuse('invalid_format', 'in_app_browser', 'requires platform; the service derives it from user_agent');
      return problems;
    }
    if (user_agent !== undefined) refuse('invalid_format', 'user_agent', 'must not be sent together with platform');
    for (const [field, value] of Object.entries({ client_hint, requested_with }))
      if (value !== undefined) refuse('invalid_format', field, 'must be sent with user_agent, not with platform');
    return problems;
  }

  static toVisit(sent: ExplainQuery): SimulatedVisit {
    const { platform, user_agent, client_hint: clientHint, requested_with: requestedWith } = sent;
    const visitor =
      platform === undefined
        ? { userAgent: user_agent!, clientHint, requestedWith }
        : { platform, inAppBrowser: sent.in_app_browser };
    const { accept_language: acceptLanguage = '', query = '', host = null, variant = null } = sent;
    const { country = null, at = null, address = null, app_version: appVersion = null } = sent;
    const facts = { acceptLanguage, country, at, referringHost: referringHost(sent.referrer), address, appVersion };
    return { visitor, host, query, language: pageLanguageOf(asHeaderText(acceptLanguage)), facts, variant };
  }
}

export class ExplainAddressQuery extends ExplainQuery {
  @IsPathText(
    optionally(
      "Path of the visitor's URL, without its first `/`, as typed or pasted. Percent-encode it once more, because it is one " +
        'parameter here. Without it, the visit is of `/`, where long links are served.',
      'Sale).',
    ),
  )
  path?: string;
}
