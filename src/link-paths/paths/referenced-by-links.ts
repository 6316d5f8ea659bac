import { DomainError } from '../../shared/domain-error';

export interface LinkReferences {
  total: number;
  /** The oldest links, at most five. */
  first: { id: string; name: string; custom_path: string }[];
}

/** Refuses to delete what dynamic links reference. Details: `{ total, dynamic_links }`, of which the oldest are listed. */
export class ReferencedByLinks extends DomainError {
  readonly code = 'LINKED_REFERENCES';
  override readonly details: { total: number; dynamic_links: LinkReferences['first'] };

  /** @param field the field of links */
  constructor(noun: string, field: string, { total, first }: LinkReferences) {
    const paths = first.map((link) => link.custom_path).join(', ');
    const one = total === 1;
    super(
      `${total} dynamic link${one ? ' references' : 's reference'} this ${noun}: ${paths}` +
        `${total > first.length ? `, and ${total - first.length} more` : ''}; ` +
        `change ${one ? 'its' : 'their'} ${field} first, or delete ${one ? 'it' : 'them'}`,
    );
    this.details = { total, dynamic_links: first };
  }
}
