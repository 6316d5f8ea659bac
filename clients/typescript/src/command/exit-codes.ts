/** The exit codes of the command, with their meanings for help and documentation. */
export const exitCodes = {
  done: 0,
  failed: 1,
  usage: 2,
  changes: 3,
  partial: 4,
  unavailable: 5,
  declined: 6,
  interrupted: 130,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

export const exitCodeMeanings: Record<ExitCode, string> = {
  0: 'everything was done',
  1: 'the service refused the request, or a file could not be read or written',
  2: 'the command line, a setting or an input file is wrong',
  3: '`apply --dry-run` found changes',
  4: 'some rows or operations failed, and the others were done',
  5: 'the service was unreachable or busy, also after retries',
  6: 'the question was answered with no',
  130: 'the command was interrupted',
};
