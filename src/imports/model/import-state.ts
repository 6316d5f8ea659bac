/** The states in their order. `checking` is the dry run, and `ready` waits for the caller's decision. The last three are final. */
export const importStates = ['uploading', 'checking', 'ready', 'running', 'completed', 'cancelled', 'failed'] as const;
export type ImportState = (typeof importStates)[number];
