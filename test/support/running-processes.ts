import { readdirSync, readFileSync } from 'node:fs';

/** Returns whether the process exists and is not a zombie. */
export function isAlive(pid: number): boolean {
  const [state] = statOf(pid) ?? [];
  return state !== undefined && state !== 'Z';
}

/**
 * Returns the session of a process. Ctrl-C ends only processes in the session of the terminal.
 * @throws Error if the process has ended
 */
export function sessionOf(pid: number): number {
  const stat = statOf(pid);
  if (!stat) throw new Error(`There is no process ${pid}.`);
  return Number(stat[3]);
}

export function childrenOf(pid: number): number[] {
  const pids = readdirSync('/proc').filter((name) => /^[0-9]+$/.test(name));
  return pids.map(Number).filter((candidate) => Number(statOf(candidate)?.[1]) === pid);
}

/** Returns the state of a process, the id of its parent and so on (`man 5 proc`); null if it has ended, also during the call. */
function statOf(pid: number): string[] | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return null;
  }
}
