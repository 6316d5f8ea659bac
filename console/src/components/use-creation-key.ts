import { useState } from 'react';
import { CreationKey } from '../api/idempotency-key';

/** Keeps the keys of the creations of a form, so that a second press of its button creates nothing twice. */
export function useCreationKey(): CreationKey {
  const [key] = useState(() => new CreationKey());
  return key;
}
