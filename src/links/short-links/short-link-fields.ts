import type { Field } from '../../shared/field-table';
import { uuid } from '../../shared/id';
import { limitsOf } from '../../shared/rule';
import { slug } from './slug';

/** The fields of a short link that callers set, in the order of errors. */
export const shortLinkFields = {
  dynamic_link_id: {
    rule: uuid,
    required: true,
    answer: { format: 'uuid' },
    description: 'Id of the dynamic link that the short link opens. Both belong to the same project.',
    example: '0198c0de-7e57-7000-8000-000000000002',
  },
  slug: {
    rule: slug,
    answer: limitsOf(slug),
    description: "Path under the project's host. It is unique among the custom paths and slugs of the project.",
    onCreate: 'Default: four random characters of base 36, or more if the project has many short links.',
    example: 's4le',
  },
} as const satisfies Record<string, Field>;

export type ShortLinkFields = typeof shortLinkFields;
