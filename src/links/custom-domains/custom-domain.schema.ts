import { entitySchema } from '../../platform/postgres/entity-schemas';
import { idColumns, timeColumns } from '../../platform/tables/field-columns';
import { CustomDomain } from './custom-domain';

export const CustomDomainSchema = entitySchema<CustomDomain>({
  name: 'CustomDomain',
  target: CustomDomain,
  tableName: 'custom_domains',
  columns: {
    ...idColumns,
    hostname: { type: 'text' },
    challenge: { type: 'text' },
    active: { type: 'boolean' },
    openHost: { type: 'boolean', name: 'open_host' },
    verifiedAt: { type: 'timestamptz', name: 'verified_at', nullable: true },
    checkedAt: { type: 'timestamptz', name: 'checked_at', nullable: true },
    recordMissingSince: { type: 'timestamptz', name: 'record_missing_since', nullable: true },
    nextCheckAt: { type: 'timestamptz', name: 'next_check_at', nullable: true },
    ...timeColumns,
  },
});
