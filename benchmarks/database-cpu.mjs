import { readdirSync, readFileSync } from 'node:fs';

/** Returns a function that sums the CPU time of all processes of the client's server, in microseconds. The server runs on this machine. */
export async function databaseCpu(client) {
  const { rows } = await client.query('SELECT pg_backend_pid() AS pid');
  const server = Number(fieldsOf(rows[0].pid)[1]);
  return () => {
    let ticks = 0;
    for (const entry of readdirSync('/proc')) {
      if (!/^\d+$/.test(entry)) continue;
      const fields = fieldsOf(entry);
      if (Number(fields[1]) === server) ticks += Number(fields[11]) + Number(fields[12]);
      // Those of processes that have ended.
      else if (Number(entry) === server) ticks += Number(fields[13]) + Number(fields[14]);
    }
    return ticks * 10_000;
  };
}

/** Returns the fields of /proc/PID/stat from the third on; empty if the process has ended. */
function fieldsOf(pid) {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'latin1')
      .replace(/^.*\) /s, '')
      .split(' ');
  } catch {
    return [];
  }
}
