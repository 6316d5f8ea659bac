import type { AssociationFile } from '../../link-routing/association-files';
import { type HealthProblem, healthProblem } from './health-problem';
import { type AssociatedPlatform, fileRules } from './published-rules';

export type AssociationFiles = Record<AssociatedPlatform, AssociationFile>;

/** What a file as a whole breaks (Apple: 128 KB, uncompressed; Android reads 1 MiB). */
export function fileProblems(platform: AssociatedPlatform, { json }: AssociationFile): HealthProblem[] {
  const { name, most, sizeRule } = fileRules[platform];
  const bytes = Buffer.byteLength(json);
  if (bytes <= most) return [];
  const message = `${name} has ${bytes} bytes, and ${most} are read at most: it is ignored.`;
  return [healthProblem('file_too_large', message, { platform, rule: sizeRule })];
}
