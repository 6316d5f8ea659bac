import { IsQueryBoolean, IsQueryChoice } from '../../api-kit/kit/field.decorators';
import { optionally, ruleDecorator } from '../../api-kit/kit/rule.decorator';
import type { Platform } from '../../link-routing/device-platform';
import { pageLanguageOf } from '../../link-routing/page-language';
import type { Problem } from '../../shared/problem';
import { text } from '../../shared/text';
import { asHeaderText, type SimulatedVisit } from './simulated-visit';

/** In characters. Node refuses requests with much longer heads, so they are not visits. */
const maxLength = 8192;

/** Accepts the value of a header field (RFC 9110, section 5.5). */
const IsHeaderText = ruleDecorator(
  text({
    max: maxLength,
    pattern: /^[^\x00-\x08\x0a-\x1f\x7f]*$/,
    patternSays: 'have no control characters',
  }),
);

const IsQueryText = ruleDecorator(
  text({
    max: maxLength,
    pattern: /^[^\x00-\x1f\x7f]*$/,
    patternSays: 'have no control characters',
  }),
);

const IsPathText = ruleDecorator(
  text({
    max: maxLength,
    pattern: /^[^\x00-\x1f\x7f?#]*$/,
    patternSays: 'have no control characters, ? and #',
  }),
);

export class ExplainQuery {
  @IsQueryChoice(
    ['ios', 'android', 'desktop'],
    optionally('Platform of a simulated visitor with a browser. Send this or `user_agent`.', 'ios'),
  )
  platform?: Platform;

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

  /** Returns problems if the query names no visitor, or two. */
  static problemsAcrossFields({
    platform,
    user_agent,
    client_hint,
    requested_with,
    in_app_browser,
  }: ExplainQuery): Problem[] {
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

  static toVisit({
    platform,
    user_agent,
    client_hint: clientHint,
    requested_with: requestedWith,
    in_app_browser: inAppBrowser,
    accept_language = '',
    query = '',
  }: ExplainQuery): SimulatedVisit {
    const visitor =
      platform === undefined ? { userAgent: user_agent!, clientHint, requestedWith } : { platform, inAppBrowser };
    return { visitor, query, language: pageLanguageOf(asHeaderText(accept_language)) };
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
