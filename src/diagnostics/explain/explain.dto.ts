import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { dataOf } from '../../management-api/openapi/envelopes';
import type { Visitor } from '../../link-routing/visitor';
import {
  answerKinds,
  type ExplainedAnswer,
  type ExplainedPage,
  type PageLinkRole,
  pageLinkRoles,
} from './explained-answer';
import type { Explanation } from './explanation';
import { findings, outcomes, rules, type Step } from './steps';

const nullable = true;

@ApiSchema({ name: 'ExplainedVisitor' })
class VisitorDto {
  @ApiProperty({ enum: ['ios', 'android', 'desktop'], example: 'ios' })
  platform: Visitor['platform'];

  @ApiProperty({ description: "Inside another app's browser, where no link opens an app by itself.", example: false })
  in_app_browser: boolean;

  @ApiProperty({ description: 'Fetches a preview for a social network or a messenger.', example: false })
  social_crawler: boolean;

  @ApiProperty({ description: "Any program that is no person's browser.", example: false })
  robot: boolean;

  @ApiProperty({ description: 'Says it is a Macintosh, as iPads do too.', example: false })
  macintosh: boolean;
}

@ApiSchema({ name: 'ExplainedStep' })
class StepDto {
  @ApiProperty({ enum: rules, enumName: 'ExplainedRule', example: 'ios_fallback_url' })
  rule: Step['rule'];

  @ApiProperty({
    enum: outcomes,
    description:
      '`taken`: it decided. `passed`: it did not, and the next one was looked at. `noted`: what others go by.',
    example: 'taken',
  })
  outcome: Step['outcome'];

  @ApiProperty({ enum: findings, enumName: 'ExplainedFinding', description: 'Why, for programs.', example: 'taken' })
  finding: string;

  @ApiProperty({ description: 'Why, in one sentence.', example: 'The link has an ios_fallback_url.' })
  reason: string;
}

@ApiSchema({ name: 'ExplainedPageLink' })
class PageLinkDto {
  @ApiProperty({
    enum: pageLinkRoles,
    description:
      "`open_app` and `continue`: the buttons inside another app's browser. `app_store`, `play_store`: buttons. " +
      '`clipboard`: what a tap on "Get the app" copies. `ipad`: where an iPad that calls itself a Macintosh is sent on to.',
    example: 'app_store',
  })
  role: PageLinkRole;

  @ApiProperty({ description: 'http, https or intent.', example: 'https://apps.apple.com/app/id1234567890' })
  url: string;
}

@ApiSchema({ name: 'ExplainedPage' })
class PageDto {
  @ApiProperty({ example: 'Summer sale' })
  title: string;

  @ApiProperty({ type: 'string', nullable, example: 'Half price until Sunday.' })
  description: string | null;

  @ApiProperty({ type: 'string', nullable, example: 'https://example.com/sale.png' })
  image_url: string | null;

  @ApiProperty({ type: [PageLinkDto], description: 'Where it leads.' })
  links: PageLinkDto[];

  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'string' },
    nullable,
    description: 'Of a preview: what networks read, by name. Null on other pages.',
    example: { 'og:title': 'Summer sale', 'twitter:card': 'summary' },
  })
  tags: Record<string, string> | null;

  static of({ title, description, imageUrl, links, tags }: ExplainedPage): PageDto {
    return { title, description, image_url: imageUrl, links, tags };
  }
}

@ApiSchema({ name: 'ExplainedAnswer' })
class AnswerDto {
  @ApiProperty({ enum: answerKinds, example: 'redirect' })
  kind: ExplainedAnswer['kind'];

  @ApiProperty({ type: 'integer', enum: [200, 302], example: 302 })
  status: ExplainedAnswer['status'];

  @ApiProperty({
    type: 'string',
    nullable,
    description: 'Exactly as a visit gets it, but that `TOKEN` stands for the token. Null for a page.',
    example: 'https://example.com/ios?utm_source=newsletter',
  })
  location: string | null;

  @ApiProperty({ description: 'A visit gets a single-use token, for the app to claim.', example: false })
  issues_token: boolean;

  @ApiProperty({ type: PageDto, nullable, description: 'Null for a redirect.' })
  page: PageDto | null;
}

@ApiSchema({ name: 'Explanation' })
export class ExplanationDto {
  @ApiProperty({
    description: "The link as visited, with the visitor's parameters and without this service's own.",
    example: 'https://summer.go.example.com/sale?x=1',
  })
  url: string;

  @ApiProperty({ type: VisitorDto, description: 'Who the visitor is taken for.' })
  visitor: VisitorDto;

  @ApiProperty({ type: [StepDto], description: 'In the order in which rules were looked at.' })
  steps: StepDto[];

  @ApiProperty({ type: AnswerDto })
  answer: AnswerDto;

  static of({ url, visitor, steps, answer, issuesToken }: Explanation): ExplanationDto {
    const { platform, inAppBrowser, socialCrawler, robot, macintosh } = visitor;
    const { kind, status, location, page } = answer;
    return {
      url,
      visitor: { platform, in_app_browser: inAppBrowser, social_crawler: socialCrawler, robot, macintosh },
      steps,
      answer: { kind, status, location, issues_token: issuesToken, page: page && PageDto.of(page) },
    };
  }
}

export class ExplanationResponse extends dataOf(ExplanationDto) {}
