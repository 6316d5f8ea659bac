import { variables } from '../../src/app/config-variables';

/** Returns the names of the environment variables that the service reads. */
export const configVariables = (): string[] => Object.keys(variables.shape);
