/** Limits in milliseconds. Most tests raise them, so that they pass on a busy machine. */
export const traceTimeLimits = {
  /** For the last spans of a process that stops. */
  traceFlush: 2000,
};
