import { createRequire } from 'node:module';
import { resolve } from 'node:path';

/** The projects of jest.config.cjs. */
export const { projects: jestProjects } = createRequire(__filename)(resolve(__dirname, '../../jest.config.cjs')) as {
  projects: { displayName: string; testMatch: string[]; testPathIgnorePatterns?: string[] }[];
};
