import { IsQueryChoice, IsResourceId, IsSearchText } from '../../api-kit/kit/field.decorators';
import { IsSortKey, ListQuery } from '../../api-kit/kit/list-query';
import { optionally, ruleDecorator } from '../../api-kit/kit/rule.decorator';
import { type RankingPeriod, clickPeriods, maxRankedLinks } from './click-periods';
import { IsTagName } from '../tags/tags.dto';
import { type ArchivedChoice, archivedChoices, type DynamicLinkSortKey } from './dynamic-link';
import { linkFields } from './link-fields';

const IsExternalId = ruleDecorator(linkFields.external_id.rule);
const IsTemplateName = ruleDecorator(linkFields.template.rule);

export class ListDynamicLinksQuery extends ListQuery {
  @IsSearchText({
    description: 'Case-insensitive substring of the name, the custom path or a destination.',
    example: 'summer',
  })
  search?: string;

  @IsSortKey(
    ['name', 'custom_path', 'created_at', 'updated_at', ...clickPeriods],
    [
      `\`clicks\`: those of the last 30 days. \`clicks_total\`: all that are kept. Robots do not count. If more than ${maxRankedLinks} links have clicks, the answer is 503.`,
    ],
  )
  sortBy: DynamicLinkSortKey | RankingPeriod;

  @IsQueryChoice(['clicks'], optionally('Adds `clicks` and `clicks_total`, without robots.', 'clicks'))
  include?: 'clicks';

  @IsResourceId(optionally('Id of an iOS app; only links that reference it are listed.', linkFields.ios_app_id.example))
  ios_app_id?: string;

  @IsResourceId(
    optionally('Id of an Android app; only links that reference it are listed.', linkFields.android_app_id.example),
  )
  android_app_id?: string;

  @IsExternalId(optionally('External id; only the link that has it is listed.', linkFields.external_id.example))
  external_id?: string;

  @IsTemplateName(optionally('Name of a template; only links that have it are listed.', linkFields.template.example))
  template?: string;

  @IsQueryChoice(archivedChoices, {
    default: 'false',
    description: '`false`: links that are not archived. `true`: archived links only. `any`: both.',
  })
  archived: ArchivedChoice;

  @IsTagName(optionally('Name of a tag; only links that have it are listed.', 'Newsletter'))
  tag?: string;

  @IsTagName(optionally('Name of a tag; links that have it are not listed.', 'Draft'))
  exclude_tag?: string;
}
