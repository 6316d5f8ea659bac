import { ApiSchema } from '@nestjs/swagger';
import {
  answer,
  choiceAnswer,
  idAnswer,
  nullableIdAnswer,
  projectIdAnswer,
  timeAnswers,
  urlAnswer,
} from '../../api-kit/kit/answer';
import { IsResourceId } from '../../api-kit/kit/field.decorators';
import { answersOf, CreatesFields } from '../../api-kit/kit/field-table.decorators';
import { PageQuery } from '../../api-kit/kit/list-query';
import { dataOf, pageOf } from '../../api-kit/openapi/envelopes';
import { type CreateBody, shapeOf } from '../../shared/field-table';
import type { ShortLink } from './short-link';
import { type ShortLinkFields, shortLinkFields } from './short-link-fields';
import { optionally } from '../../api-kit/kit/rule.decorator';

@CreatesFields(shortLinkFields)
export class CreateShortLinkBody extends shapeOf<CreateBody<ShortLinkFields>>() {}

export class ListShortLinksQuery extends PageQuery {
  @IsResourceId(
    optionally('Id of a dynamic link; only its short links are listed.', shortLinkFields.dynamic_link_id.example),
  )
  dynamic_link_id?: string;
}

@ApiSchema({ name: 'ShortLink' })
export class ShortLinkDto extends answer({
  id: idAnswer('0198c0de-7e57-7000-8000-000000000003'),
  project_id: projectIdAnswer,
  ...answersOf(shortLinkFields),
  short_url: urlAnswer('URL of the short link, for sharing.', 'https://summer.go.example.com/s4le'),
  source: choiceAnswer(
    ['dashboard', 'api'],
    'Origin of the short link: `dashboard` for a signed-in user, `api` for an API key.',
    'api',
  ),
  created_by: nullableIdAnswer(
    'User who created the short link, or whose API key created it.',
    '0198c0de-7e57-7000-8000-0000000000aa',
  ),
  created_by_api_key_id: nullableIdAnswer(
    'API key that created the short link, if `source` is `api`.',
    '0198c0de-7e57-7000-8000-000000000004',
  ),
  ...timeAnswers,
}) {
  static of(link: ShortLink, shortUrl: string): ShortLinkDto {
    return ShortLinkDto.render(link, { short_url: shortUrl });
  }
}

export class ShortLinkResponse extends dataOf(ShortLinkDto) {}
export class ShortLinkPage extends pageOf(ShortLinkDto) {}
