/** Returns the number of processes of each version, the most frequent first. */
export function countVersions(replicas: readonly { version: string }[]): [version: string, count: number][] {
  const counts = new Map<string, number>();
  for (const { version } of replicas) counts.set(version, (counts.get(version) ?? 0) + 1);
  return [...counts].sort(([, one], [, other]) => other - one);
}
