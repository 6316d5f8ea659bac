import { useState } from 'react';
import { CreationKey } from '../api/idempotency-key';

/** Returns the key of the creations of a form, so that a second press of its button creates nothing twice. */
export function useCreationKey(): CreationKey {
  const [key] = useState(() => new CreationKey());
  return key;
}
