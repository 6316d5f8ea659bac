import { ApiSchema } from '@nestjs/swagger';
import { answer, momentAnswer, nullableTextAnswer } from '../../api-kit/kit/answer';
import { dataOf } from '../../api-kit/openapi/envelopes';
import { rulePlatforms } from '../../link-paths/rules/rule-values';
import { LinkRuleDto } from './explain.dto';
import { answerKinds } from './explained-answer';
import type { Explanation } from './explanation';
import type { SimulatedRow } from './simulate-query.dto';

@ApiSchema({ name: 'SimulatedVisit' })
class SimulatedVisitDto extends answer({
  platform: { enum: [...rulePlatforms, 'desktop'], example: 'ios' },
  country: nullableTextAnswer('Null: unknown.', 'DE'),
  language: nullableTextAnswer('Null: unknown.', 'de'),
  at: momentAnswer('Time of the visit.', '2027-01-31T23:00:00.000Z'),
  rule: { type: 'integer', nullable: true, description: 'Index of the rule that decides. Null: none.', example: 0 },
  template: nullableTextAnswer('Name of the template that has this rule. Null: the link has it.', null),
  variant: nullableTextAnswer('Name of the variant that the answer leads to. Null: none.', null),
  kind: { enum: answerKinds, example: 'redirect' },
  location: nullableTextAnswer('The `Location` header. Null for a page.', 'https://shop.example.com/de'),
  rules: {
    type: [LinkRuleDto],
    description: 'Rules of the link and of its template, in their order, as `explain` returns them.',
  },
}) {}

@ApiSchema({ name: 'Simulation' })
export class SimulationDto extends answer({
  visits: { type: [SimulatedVisitDto], description: 'One row for each combination of the parameters, in their order.' },
}) {
  static of(rows: readonly SimulatedRow[], now: number, explanations: readonly Explanation[]): SimulationDto {
    const visits = rows.map(({ at, ...row }, index) => {
      const { rules, answer, variant } = explanations[index]!;
      const { index: rule = null, template = null } = rules.find(({ outcome }) => outcome === 'matched') ?? {};
      const { kind, location } = answer;
      return { ...row, at: new Date(at ?? now).toISOString(), rule, template, variant, kind, location, rules };
    });
    return { visits };
  }
}

export class SimulationResponse extends dataOf(SimulationDto) {}
