/** Who makes a change, as the journal has it. Ids only, so that the entries of an erased person name nobody. */
export interface Actor {
  /** A signed-in person, an API key, a command in the shell, an import, or the service itself. */
  kind: 'user' | 'key' | 'shell' | 'import' | 'service';
  user_id?: string | undefined;
  api_key_id?: string | undefined;
  /** Who requested the change that the actor approved. */
  requested_by?: string | undefined;
  import_id?: string | undefined;
  /** As `JOURNAL_ADDRESSES` says. */
  address?: string | undefined;
  request_id?: string | undefined;
}
