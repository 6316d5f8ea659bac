import { Controller, Get, Header, Param } from '@nestjs/common';
import { ApiSchema, ApiTags } from '@nestjs/swagger';
import { answer, choiceAnswer, countAnswer } from '../../api-kit/kit/answer';
import { ResourceId } from '../../api-kit/kit/resource-id';
import { dataOf } from '../../api-kit/openapi/envelopes';
import { Operation } from '../../api-kit/openapi/operation';
import { requireFound } from '../../shared/require-found';
import { PathProject } from '../projects/path-project.decorator';
import type { Project } from '../projects/project';
import { lifeStates, PgLinkLifeRepository } from './pg-link-life.repository';

@ApiSchema({ name: 'LinkLife' })
class LinkLifeDto extends answer({
  state: choiceAnswer(
    lifeStates,
    '`not_begun`: before `active_from`. `ended`: from `active_until` on. `used_up`: `click_limit` is reached.',
    'active',
  ),
  clicks_used: countAnswer('Visits that `click_limit` has let through, ever.', 12),
  ended_visits: countAnswer('Visits of people after the end, which are no clicks.', 3),
}) {}

class LinkLifeResponse extends dataOf(LinkLifeDto) {}

@ApiTags('Dynamic links')
@Controller('api/v1/projects/:projectId/links')
export class LinkLifeController {
  constructor(private readonly lives: PgLinkLifeRepository) {}

  @Get(':linkId/life')
  @Header('Cache-Control', 'no-store')
  @Operation({
    id: 'getLinkLife',
    summary: 'Get the state and the counts of a link that ends',
    description: 'They are no part of the link, because each visit would change its `ETag`.',
    success: LinkLifeResponse,
  })
  async get(@PathProject() project: Project, @Param('linkId', ResourceId) id: string) {
    const { state, clicksUsed, endedVisits } = requireFound(await this.lives.find(project.id, id), 'Dynamic link');
    return { data: { state, clicks_used: clicksUsed, ended_visits: endedVisits } };
  }
}
