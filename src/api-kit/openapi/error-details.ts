import type { Type } from '@nestjs/common';
import { ApiSchema, getSchemaPath } from '@nestjs/swagger';
import { answer } from '../kit/answer';
import { errorCodes } from '../../shared/domain-error';
import { roles, scopes } from '../policy/policy';
import { problemCodes } from '../../shared/problem';
import { ReasonDetails } from './reason-details';

// Resources are above this folder, so their values cannot be imported. `error-details.spec.ts` compares them.
const plans = ['free', 'pro', 'enterprise'];
const features = ['short_links', 'deferred_deep_links'];

@ApiSchema({ name: 'Problem', description: 'One fault of a body or query. Details of 400 errors are a list of them.' })
export class ProblemDetails extends answer({
  code: { enum: problemCodes, enumName: 'ProblemCode', description: 'Kind of the fault, for programs.' },
  path: {
    type: 'array',
    items: { oneOf: [{ type: 'string' }, { type: 'integer', minimum: 0 }] },
    description:
      'Name of the field, parameter or header as sent, then keys and indexes inside it. Empty if the whole body or URL is at fault.',
  },
  message: { description: 'Explanation in plain text.' },
}) {}

@ApiSchema({ name: 'FeatureDetails', description: 'Details of `FORBIDDEN_PLAN`: the plan that includes the feature.' })
export class FeatureDetails extends answer({
  feature: { enum: features },
  current_plan: { enum: plans, description: 'Plan of the account.' },
  required_plan: { enum: plans, description: 'The smallest plan that includes the feature.' },
}) {}

@ApiSchema({ name: 'ReleaseOperation' })
class ReleaseOperation extends answer({
  operation_id: { enum: ['deleteFormerSubdomain'] },
  method: { enum: ['DELETE'] },
  path: { description: 'Path below `/api/v1`. It has the id of the project, and the name `{subdomain}`.' },
}) {}

@ApiSchema({ name: 'LimitDetails', description: 'Details of `ACCESS_DENIED` if a quota or another limit is reached.' })
export class LimitDetails extends answer({
  limit: { type: 'integer', minimum: 0, description: 'The limit: a number of resources, or bytes of a file.' },
  used: { type: 'integer', minimum: 0, description: 'Number in use. It can exceed the limit after a downgrade.' },
  current_plan: { enum: plans, description: 'Plan of the account.' },
  required_plan: {
    enum: [...plans, null],
    nullable: true,
    description: 'The smallest plan that allows more. Null if no plan does.',
  },
  release: {
    type: ReleaseOperation,
    required: false,
    description: 'For a rename beyond the limit of former subdomains: the operation that releases one.',
  },
}) {}

@ApiSchema({ name: 'ExpectedRecord' })
class ExpectedRecord extends answer({
  type: { enum: ['TXT'] },
  name: { description: 'Name of the TXT record.' },
  value: { description: 'Value that the record must have.' },
}) {}

@ApiSchema({ name: 'VerificationDetails', description: 'Details of `DOMAIN_NOT_VERIFIED` after a look-up.' })
export class VerificationDetails extends answer({
  reason: {
    enum: ['no_record', 'other_value', 'no_answer'],
    description:
      '`no_record`: the TXT record does not exist. `other_value`: it has another value. `no_answer`: the DNS did not answer.',
  },
  record: { type: ExpectedRecord, description: 'The TXT record that verifies the domain.' },
  found: { type: [String], maxItems: 10, description: 'The first values that were found, cut to 100 characters.' },
}) {}

@ApiSchema({ name: 'ReferencingLink' })
class ReferencingLink extends answer({
  id: { format: 'uuid' },
  name: {},
  custom_path: {},
}) {}

@ApiSchema({
  name: 'ReferenceDetails',
  description: 'Details of `LINKED_REFERENCES`: the links that reference the app.',
})
export class ReferenceDetails extends answer({
  total: { type: 'integer', minimum: 1, description: 'Number of dynamic links that reference the app.' },
  dynamic_links: { type: [ReferencingLink], minItems: 1, maxItems: 5, description: 'The oldest of them.' },
}) {}

@ApiSchema({ name: 'BrokenRelease' })
class BrokenRelease extends answer({
  platform: { enum: ['ios', 'android'] },
  app_id: { format: 'uuid' },
  version: {},
  reason: {
    enum: ['host', 'link_host', 'app', 'identifier', 'fingerprint', 'paths', 'link'],
    description:
      '`host`: the project no longer answers on a host of the version. `link_host`: links get URLs on a host that the version does not ' +
      'open. `app`: the app is deleted. `identifier`: the app has another bundle identifier, team or package name. `fingerprint`: a ' +
      'certificate is dropped. `paths`: the app opens fewer paths. `link`: the link opens another app.',
  },
  lost: { description: 'The first host, identifier, fingerprint, pattern or path that the version loses.' },
}) {}

@ApiSchema({
  name: 'ReleaseDetails',
  description: 'Details of `BREAKS_RELEASED_APP`: the versions that the change breaks, each with the first reason.',
})
export class ReleaseDetails extends answer({
  releases: { type: [BrokenRelease], minItems: 1 },
}) {}

@ApiSchema({ name: 'StateDetails', description: 'Details of `IMPORT_STATE`: the state that the import has.' })
export class StateDetails extends answer({
  state: { enum: ['uploading', 'checking', 'ready', 'running', 'completed', 'cancelled', 'failed'] },
}) {}

@ApiSchema({ name: 'CountDetails', description: 'Details of `COUNT_MISMATCH`: both numbers of links.' })
export class CountDetails extends answer({
  expected_count: { type: 'integer', minimum: 0, description: 'Number of links in the request.' },
  actual_count: { type: 'integer', minimum: 0, description: 'Number of links that the filter finds.' },
}) {}

@ApiSchema({ name: 'ScopeDetails', description: 'Details of `ACCESS_DENIED` if the API key lacks a scope.' })
export class ScopeDetails extends answer({
  required_scope: { enum: scopes, description: 'Scope of the operation.' },
}) {}

@ApiSchema({ name: 'RoleDetails', description: 'Details of `ACCESS_DENIED` if the role of the person is too low.' })
export class RoleDetails extends answer({
  required_role: { enum: roles, description: 'Least role of the operation.' },
}) {}

@ApiSchema({
  name: 'DestinationDetails',
  description: 'Details of `ACCESS_DENIED` if a URL leads to a host that is not allowed.',
})
export class DestinationDetails extends answer({
  destination_host: { description: 'Host of the URL, with its port unless that is the default.' },
  field: { description: 'Field of the URL.' },
  limited_by: { enum: ['project', 'api_key'], description: 'Resource whose `destination_hosts` lack the host.' },
}) {}

/** The forms of `details` of a single request that are objects. A new form must differ from the others in its required fields. */
const detailsOfOne = [
  FeatureDetails,
  LimitDetails,
  VerificationDetails,
  ReferenceDetails,
  ReleaseDetails,
  ReasonDetails,
  StateDetails,
  CountDetails,
  ScopeDetails,
  RoleDetails,
  DestinationDetails,
];

/** Returns the schemas of `details`: a list of problems, or one of the given objects. */
const detailsOf = (objects: Type[]) => [
  { type: 'array', items: { $ref: getSchemaPath(ProblemDetails) }, minItems: 1 },
  ...objects.map((details) => ({ $ref: getSchemaPath(details) })),
];

@ApiSchema({ name: 'FailedOperation' })
class FailedOperation extends answer({
  index: { type: 'integer', minimum: 0, description: 'Place of the operation in the request, from 0.' },
  code: {
    enum: errorCodes,
    enumName: 'ErrorCode',
    description: 'Error code for programs. Check the HTTP status first.',
  },
  message: { description: 'Explanation in plain text.' },
  details: { required: false, description: 'As in a single request.', oneOf: detailsOf(detailsOfOne) },
}) {}

@ApiSchema({ name: 'BulkDetails', description: 'Details of `BULK_REFUSED`: the operations that fail.' })
export class BulkDetails extends answer({
  operations: { type: [FailedOperation] },
}) {}

/** The forms of `details` of every error that are objects. */
export const objectDetails = [...detailsOfOne, BulkDetails];

export const errorDetails = detailsOf(objectDetails);
