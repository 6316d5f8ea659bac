import { features, plans } from '../../../src/tenancy/accounts/plan';
import { apiDescription } from '../../support/api-description';

const { schemas } = apiDescription.components;

test('a failed operation has the details of a single request', () => {
  const formsOf = (name: string): unknown[] => schemas[name]!.properties!['details']!.oneOf!;
  const bulk = { $ref: '#/components/schemas/BulkDetails' };
  expect(formsOf('ErrorDetail')).toContainEqual(bulk);
  expect(formsOf('FailedOperation')).toHaveLength(formsOf('ErrorDetail').length - 1);
  expect(formsOf('FailedOperation')).not.toContainEqual(bulk);
  expect(schemas['FailedOperation']!.properties!['details']).not.toHaveProperty('type');
});

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
