import { ApiSchema } from '@nestjs/swagger';
import {
  answer,
  choiceAnswer,
  countAnswer,
  flagAnswer,
  idAnswer,
  nullableTextAnswer,
  textAnswer,
} from '../../api-kit/kit/answer';
import { linkFields } from '../../links/dynamic-links/link-fields';
import { dataOf } from '../../api-kit/openapi/envelopes';
import { pageLanguages } from '../../link-routing/pages/page-texts';
import { answerKinds, pageLinkRoles } from './explained-answer';
import { releaseChecks } from './explained-release';
import type { Explanation } from './explanation';
import { ruleOutcomes } from './explained-rules';
import { decisionRules, findings, stepOutcomes } from './steps';

const nullable = true;

class ExplainedVisitor extends answer({
  platform: { enum: ['ios', 'android', 'desktop'], example: 'ios' },
  in_app_browser: flagAnswer(
    "Whether the visitor is inside another app's browser, where links do not open apps automatically.",
    false,
  ),
  social_crawler: flagAnswer('Whether the visitor fetches a preview for a social network or a messenger.', false),
  robot: flagAnswer('Whether the visitor is an automated client, such as a crawler.', false),
  macintosh: flagAnswer('Whether the headers name a Macintosh, as those of iPads also do.', false),
}) {}

class ExplainedApp extends answer({
  platform: { enum: ['ios', 'android'], example: 'ios' },
  id: idAnswer('0198c0de-7e57-7000-8000-0000000000b1'),
  name: { example: 'Shop' },
}) {}

class ExplainedReleaseStep extends answer({
  check: { enum: releaseChecks, example: 'host_named' },
  passed: flagAnswer('Whether the version has what it needs.', true),
  reason: textAnswer('Result, in one sentence.', 'The version names the host.'),
}) {}

@ApiSchema({ name: 'ExplainedRelease' })
class ReleaseDto extends answer({
  platform: { enum: ['ios', 'android'], example: 'ios' },
  app_id: idAnswer('0198c0de-7e57-7000-8000-0000000000b1'),
  version: { example: '1.2.3' },
  opens: flagAnswer('Whether the installed version opens the URL instead of a visit.', true),
  steps: { type: [ExplainedReleaseStep], description: 'Conditions of the version, in the order of a phone.' },
}) {}

class ExplainedStep extends answer({
  rule: { enum: decisionRules, enumName: 'ExplainedRule', example: 'ios_fallback_url' },
  outcome: choiceAnswer(
    stepOutcomes,
    '`taken`: the rule decided the answer. `passed`: the rule did not decide, and the next rule was evaluated. ' +
      '`noted`: the finding informs other rules.',
    'taken',
  ),
  finding: {
    enum: findings,
    enumName: 'ExplainedFinding',
    description: 'Reason, as a code for programs.',
    example: 'taken',
  },
  reason: textAnswer('Reason, in one sentence.', 'The link has an ios_fallback_url.'),
}) {}

@ApiSchema({ name: 'ExplainedLinkRule' })
export class LinkRuleDto extends answer({
  index: countAnswer('Index of the rule in `rules` of the link, or of the template.', 0),
  template: nullableTextAnswer('Name of the template that has the rule. Null: the link has it.', null),
  outcome: choiceAnswer(
    ruleOutcomes,
    '`matched`: the rule decides. `not_matched`: a condition does not hold. `not_reached`: an earlier rule matches.',
    'not_matched',
  ),
  unmet: {
    type: 'array',
    items: { type: 'string' },
    description: 'Names of the conditions that do not hold.',
    example: ['countries'],
  },
  reason: textAnswer('Why the rule matches or not, in sentences.', 'The country is FR.'),
}) {}

class ExplainedPageLink extends answer({
  role: choiceAnswer(
    pageLinkRoles,
    "`open_app`, `open_browser` and `continue`: buttons of the page for another app's browser. `open_app`: also a button of " +
      '“Get the app”. `destination`: button of the page for another scheme than http and https. `app_store` and `play_store`: buttons to the stores. `clipboard`: text that a tap on “Get the app” ' +
      'copies. `ipad`: URL to which the page forwards an iPad that identifies itself as a Macintosh.',
    'app_store',
  ),
  url: textAnswer(
    'URL with the scheme `http`, `https` or `intent`; for `open_browser` also `x-safari-https` or `instagram`. For `destination` it has ' +
      'another scheme.',
    'https://apps.apple.com/app/id1234567890',
  ),
}) {}

@ApiSchema({ name: 'ExplainedPage' })
class PageDto extends answer({
  language: {
    enum: [...pageLanguages, null],
    nullable,
    description: "Language of the service's texts. Null for a preview.",
    example: 'de',
  },
  title: { example: 'Summer sale' },
  description: { nullable, example: 'Half price until Sunday.' },
  image_url: { nullable, example: 'https://example.com/sale.png' },
  links: { type: [ExplainedPageLink], description: 'URLs that the page leads to, with their roles.' },
  tags: {
    type: 'object',
    additionalProperties: { type: 'string' },
    nullable,
    description: 'Meta tags of a preview by name, which social networks read. Null for other pages.',
    example: { 'og:title': 'Summer sale', 'twitter:card': 'summary' },
  },
}) {}

@ApiSchema({ name: 'ExplainedAnswer' })
class AnswerDto extends answer({
  kind: { enum: answerKinds, example: 'redirect' },
  status: { type: 'integer', enum: [200, 302, 404, 410], example: 302 },
  location: nullableTextAnswer(
    'The `Location` header, as in a visit except that `TOKEN` replaces the token. Null for a page.',
    'https://example.com/ios?utm_source=newsletter',
  ),
  issues_token: flagAnswer('Whether a visit gets a single-use token that the app can claim.', false),
  page: { type: PageDto, nullable, description: 'Page that the visitor gets. Null for a redirect.', example: null },
}) {}

const jsonObject = { type: 'object', additionalProperties: true } as const;

class ExplainedOpen extends answer({
  path: { example: 'sale' },
  full_url: { example: 'https://summer.go.example.com/sale' },
  external_id: { nullable, example: 'crm-4711' },
  destination: nullableTextAnswer('Where a computer would go.', 'https://shop.example.com/summer?x=1'),
  referrer_params: { ...jsonObject, nullable, example: linkFields.referrer_params.example },
  params: { ...jsonObject, description: "The visitor's parameters: texts, and lists of texts.", example: { x: '1' } },
  app_data: { ...jsonObject, nullable, example: linkFields.app_data.example },
  variant: nullableTextAnswer('Name of the variant of its destination; null without one.', null),
  click_id: nullableTextAnswer(
    'Placeholder of the click id; null if conversions do not count for the link.',
    'CLICK_ID',
  ),
}) {}

@ApiSchema({ name: 'Explanation' })
export class ExplanationDto extends answer({
  url: textAnswer(
    "Visited URL of the link, with the visitor's parameters and without the reserved parameters of this service.",
    'https://summer.go.example.com/sale?x=1',
  ),
  apps: {
    type: [ExplainedApp],
    description:
      'Apps of the project that open the URL if they are installed and name the host, by the association files. A visit ' +
      'happens on phones without them. Android versions before 15 may open any app of the project.',
  },
  visitor: { type: ExplainedVisitor, description: 'The visitor as detected by the service.' },
  steps: { type: [ExplainedStep], description: 'Evaluated rules, in the order of their evaluation.' },
  releases: {
    type: [ReleaseDto],
    description:
      'Released versions with the name `app_version` on the platform of the visitor, as recorded and retired or not. Empty if none is recorded.',
  },
  rules: { type: [LinkRuleDto], description: 'Rules of the link, and those of its template, in their order.' },
  variant: nullableTextAnswer('Name of the variant that the answer leads to. Null: none.', null),
  answer: { type: AnswerDto },
  open: {
    type: ExplainedOpen,
    nullable,
    description: 'The answer of `POST /links/open` to an installed app that sends the URL. Null if that is 404.',
  },
}) {
  static of(explanation: Explanation): ExplanationDto {
    const { apps, releases, visitor, answer, issuesToken: issues_token } = explanation;
    return ExplanationDto.render(explanation, {
      apps: apps.map((app) => ExplainedApp.render(app)),
      visitor: ExplainedVisitor.render(visitor),
      releases: releases.map((release) => ReleaseDto.render(release)),
      answer: AnswerDto.render(answer, { issues_token, page: answer.page && PageDto.render(answer.page) }),
    });
  }
}

export class ExplanationResponse extends dataOf(ExplanationDto) {}
