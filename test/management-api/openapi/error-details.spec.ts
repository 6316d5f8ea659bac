import { features, plans } from '../../../src/management-api/accounts/plan';
import { apiDescription } from '../../support/api-description';

const { schemas } = apiDescription.components;

test('the details name the plans and features of the service', () => {
  expect(schemas['FeatureDetails']!.properties).toMatchObject({
    feature: { enum: features },
    current_plan: { enum: plans },
    required_plan: { enum: plans },
  });
  expect(schemas['LimitDetails']!.properties).toMatchObject({
    current_plan: { enum: plans },
    required_plan: { enum: [...plans, null] },
  });
});
