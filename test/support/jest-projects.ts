import { createRequire } from 'node:module';
import { resolve } from 'node:path';

interface JestProject {
  displayName: string;
  testMatch: string[];
  testPathIgnorePatterns?: string[];
}

/** The projects of jest.config.cjs. */
export const jestProjects = (
  createRequire(__filename)(resolve(__dirname, '../../jest.config.cjs')) as { projects: JestProject[] }
).projects;
