import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { dataOf } from '../../api-kit/openapi/envelopes';
import type { OpeningApp } from './opening-apps';
import { type PageLanguage, pageLanguages } from '../../link-routing/pages/page-texts';
import type { Visitor } from '../../link-routing/visitor';
import {
  answerKinds,
  type ExplainedAnswer,
  type ExplainedPage,
  type PageLinkRole,
  pageLinkRoles,
} from './explained-answer';
import type { Explanation } from './explanation';
import { findings, stepOutcomes, rules, type Step } from './steps';

const nullable = true;

@ApiSchema({ name: 'ExplainedVisitor' })
class VisitorDto {
  @ApiProperty({ enum: ['ios', 'android', 'desktop'], example: 'ios' })
  platform: Visitor['platform'];

  @ApiProperty({
    description: "Whether the visitor is inside another app's browser, where links do not open apps automatically.",
    example: false,
  })
  in_app_browser: boolean;

  @ApiProperty({
    description: 'Whether the visitor fetches a preview for a social network or a messenger.',
    example: false,
  })
  social_crawler: boolean;

  @ApiProperty({ description: 'Whether the visitor is an automated client, such as a crawler.', example: false })
  robot: boolean;

  @ApiProperty({ description: 'Whether the headers name a Macintosh, as those of iPads also do.', example: false })
  macintosh: boolean;
}

@ApiSchema({ name: 'ExplainedApp' })
class AppDto {
  @ApiProperty({ enum: ['ios', 'android'], example: 'ios' })
  platform: OpeningApp['platform'];

  @ApiProperty({ format: 'uuid', example: '0198c0de-7e57-7000-8000-0000000000b1' })
  id: string;

  @ApiProperty({ example: 'Shop' })
  name: string;
}

@ApiSchema({ name: 'ExplainedStep' })
class StepDto {
  @ApiProperty({ enum: rules, enumName: 'ExplainedRule', example: 'ios_fallback_url' })
  rule: Step['rule'];

  @ApiProperty({
    enum: stepOutcomes,
    description:
      '`taken`: the rule decided the answer. `passed`: the rule did not decide, and the next rule was evaluated. ' +
      '`noted`: the finding informs other rules.',
    example: 'taken',
  })
  outcome: Step['outcome'];

  @ApiProperty({
    enum: findings,
    enumName: 'ExplainedFinding',
    description: 'Reason, as a code for programs.',
    example: 'taken',
  })
  finding: string;

  @ApiProperty({ description: 'Reason, in one sentence.', example: 'The link has an ios_fallback_url.' })
  reason: string;
}

@ApiSchema({ name: 'ExplainedPageLink' })
class PageLinkDto {
  @ApiProperty({
    enum: pageLinkRoles,
    description:
      "`open_app`, `open_browser` and `continue`: buttons of the page for another app's browser. `open_app`: also a button of " +
      '“Get the app”. `destination`: button of the page for another scheme than http and https. `app_store` and `play_store`: buttons to the stores. `clipboard`: text that a tap on “Get the app” ' +
      'copies. `ipad`: URL to which the page forwards an iPad that identifies itself as a Macintosh.',
    example: 'app_store',
  })
  role: PageLinkRole;

  @ApiProperty({
    description:
      'URL with the scheme `http`, `https` or `intent`; for `open_browser` also `x-safari-https` or `instagram`. For `destination` it has ' +
      'another scheme.',
    example: 'https://apps.apple.com/app/id1234567890',
  })
  url: string;
}

@ApiSchema({ name: 'ExplainedPage' })
class PageDto {
  @ApiProperty({
    type: 'string',
    enum: [...pageLanguages, null],
    nullable,
    description: "Language of the service's texts. Null for a preview.",
    example: 'de',
  })
  language: PageLanguage | null;

  @ApiProperty({ example: 'Summer sale' })
  title: string;

  @ApiProperty({ type: 'string', nullable, example: 'Half price until Sunday.' })
  description: string | null;

  @ApiProperty({ type: 'string', nullable, example: 'https://example.com/sale.png' })
  image_url: string | null;

  @ApiProperty({ type: [PageLinkDto], description: 'URLs that the page leads to, with their roles.' })
  links: PageLinkDto[];

  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'string' },
    nullable,
    description: 'Meta tags of a preview by name, which social networks read. Null for other pages.',
    example: { 'og:title': 'Summer sale', 'twitter:card': 'summary' },
  })
  tags: Record<string, string> | null;

  static of({ language, title, description, imageUrl, links, tags }: ExplainedPage): PageDto {
    return { language, title, description, image_url: imageUrl, links, tags };
  }
}

@ApiSchema({ name: 'ExplainedAnswer' })
class AnswerDto {
  @ApiProperty({ enum: answerKinds, example: 'redirect' })
  kind: ExplainedAnswer['kind'];

  @ApiProperty({ type: 'integer', enum: [200, 302, 404, 410], example: 302 })
  status: ExplainedAnswer['status'];

  @ApiProperty({
    type: 'string',
    nullable,
    description: 'The `Location` header, as in a visit except that `TOKEN` replaces the token. Null for a page.',
    example: 'https://example.com/ios?utm_source=newsletter',
  })
  location: string | null;

  @ApiProperty({ description: 'Whether a visit gets a single-use token that the app can claim.', example: false })
  issues_token: boolean;

  @ApiProperty({
    type: PageDto,
    nullable,
    description: 'Page that the visitor gets. Null for a redirect.',
    example: null,
  })
  page: PageDto | null;
}

@ApiSchema({ name: 'Explanation' })
export class ExplanationDto {
  @ApiProperty({
    description:
      "Visited URL of the link, with the visitor's parameters and without the reserved parameters of this service.",
    example: 'https://summer.go.example.com/sale?x=1',
  })
  url: string;

  @ApiProperty({
    type: [AppDto],
    description:
      'Apps of the project that open the URL if they are installed and name the host, by the association files. A visit ' +
      'happens on phones without them. Android versions before 15 may open any app of the project.',
  })
  apps: AppDto[];

  @ApiProperty({ type: VisitorDto, description: 'The visitor as detected by the service.' })
  visitor: VisitorDto;

  @ApiProperty({ type: [StepDto], description: 'Evaluated rules, in the order of their evaluation.' })
  steps: StepDto[];

  @ApiProperty({ type: AnswerDto })
  answer: AnswerDto;

  static of({ url, apps, visitor, steps, answer, issuesToken }: Explanation): ExplanationDto {
    const { platform, inAppBrowser, socialCrawler, robot, macintosh } = visitor;
    const { kind, status, location, page } = answer;
    return {
      url,
      apps: apps.map(({ platform, id, name }) => ({ platform, id, name })),
      visitor: { platform, in_app_browser: inAppBrowser, social_crawler: socialCrawler, robot, macintosh },
      steps,
      answer: { kind, status, location, issues_token: issuesToken, page: page && PageDto.of(page) },
    };
  }
}

export class ExplanationResponse extends dataOf(ExplanationDto) {}
