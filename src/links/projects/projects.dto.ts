import { ApiSchema } from '@nestjs/swagger';
import { answer, idAnswerOf, projectIdAnswer, timeAnswers, momentAnswer, textAnswer } from '../../api-kit/kit/answer';
import { IsSearchText } from '../../api-kit/kit/field.decorators';
import { answersOf, bodyReader, CreatesFields, UpdatesFields } from '../../api-kit/kit/field-table.decorators';
import { IsSortKey, ListQuery } from '../../api-kit/kit/list-query';
import { dataOf, pageOf } from '../../api-kit/openapi/envelopes';
import { type CreateBody, shapeOf, type UpdateBody } from '../../shared/field-table';
import type { NewProjectFields, ProjectChanges, ProjectSortKey } from './project';
import { type ProjectFields, projectFields } from './project-fields';
import type { ListedProject } from './project.repository';
import type { FormerSubdomain } from './pg-subdomain.repository';

const { name, subdomain } = projectFields;

@CreatesFields({
  ...projectFields,
  subdomain: {
    ...subdomain,
    description:
      `${subdomain.description}, unique in the whole service. Names that start with \`xn--\` are ` +
      'refused. Reserved names such as `www` and `api` count as taken. Former subdomains of other projects count as taken ' +
      'too, and so do subdomains of deleted projects while they are held for another account.',
  },
})
export class CreateProjectBody extends shapeOf<CreateBody<ProjectFields>>() {
  static toProject(body: CreateProjectBody): NewProjectFields {
    return { ...toProjectChanges(body), name: body.name, subdomain: body.subdomain };
  }
}

@UpdatesFields({
  ...projectFields,
  name: { ...name, example: 'Autumn campaign' },
  subdomain: {
    ...subdomain,
    description:
      'New subdomain. It changes the URL of every link of the project immediately, unless a custom domain is active. The ' +
      'project keeps answering on the old subdomain and can return to it, until it is released. The number of former ' +
      'subdomains is limited.',
    example: 'autumn',
  },
})
export class UpdateProjectBody extends shapeOf<UpdateBody<ProjectFields>>() {}

export const toProjectChanges: (body: UpdateProjectBody) => ProjectChanges = bodyReader(projectFields);

export class ListProjectsQuery extends ListQuery {
  @IsSearchText({ description: 'Case-insensitive substring of the name or the subdomain.', example: 'summer' })
  search?: string;

  @IsSortKey(['name', 'subdomain', 'created_at', 'updated_at'])
  sortBy: ProjectSortKey;
}

const answers = answersOf(projectFields);

@ApiSchema({ name: 'Project' })
export class ProjectDto extends answer({
  id: projectIdAnswer,
  ...answers,
  name: { maxLength: name.answer.maxLength, example: name.example },
  subdomain: { ...answers.subdomain, description: `${subdomain.description}, unless a custom domain is active.` },
  ...timeAnswers,
  user_id: idAnswerOf('User that the project belongs to.', '0198c0de-7e57-7000-8000-0000000000aa'),
}) {}

export class ProjectCounts extends answer({
  dynamic_links: { type: 'integer', description: 'Number of dynamic links in the project.', example: 42 },
}) {}

@ApiSchema({ name: 'ListedProject' })
export class ListedProjectDto extends answer(
  {
    _count: { type: ProjectCounts },
  },
  ProjectDto,
) {
  static ofListed(this: void, { project, dynamicLinks }: ListedProject): ListedProjectDto {
    return { ...ProjectDto.render(project), _count: { dynamic_links: dynamicLinks } };
  }
}

export class ProjectResponse extends dataOf(ProjectDto) {}
export class ProjectPage extends pageOf(ListedProjectDto) {}

@ApiSchema({ name: 'FormerSubdomain' })
export class FormerSubdomainDto extends answer({
  subdomain: textAnswer('A subdomain that the project had before.', 'summer'),
  left_at: momentAnswer('Time of the rename that left the subdomain.', '2026-06-01T09:30:00.000Z'),
}) {
  static of(this: void, { name, leftAt }: FormerSubdomain): FormerSubdomainDto {
    return FormerSubdomainDto.render({ leftAt }, { subdomain: name });
  }
}

@ApiSchema({ name: 'FormerSubdomainPage' })
export class FormerSubdomainPage extends pageOf(FormerSubdomainDto) {}
