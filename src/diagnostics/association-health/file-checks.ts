import type { AssociationFile } from '../../link-paths/association-files/association-file';
import { type HealthProblem, healthProblem } from './health-problem';
import { type AssociatedPlatform, fileRules } from './published-rules';

export type AssociationFiles = Record<AssociatedPlatform, AssociationFile>;

/** Checks the size of a file (Apple: 128 KB, uncompressed; Android: 1 MiB). */
export function fileProblems(platform: AssociatedPlatform, { json }: AssociationFile): HealthProblem[] {
  const { name, maxBytes, sizeRule } = fileRules[platform];
  const bytes = Buffer.byteLength(json);
  if (bytes <= maxBytes) return [];
  const message = `${name} has ${bytes} bytes, and ${maxBytes} are read at most: it is ignored.`;
  return [healthProblem('file_too_large', message, { platform, rule: sizeRule })];
}
